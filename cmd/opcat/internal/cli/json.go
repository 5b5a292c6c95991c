package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
)

// A value read back from JSON is nil, a bool, a string, a json.Number, a []any or
// an *object. Unlike a map, an object keeps the order of its keys, which is the
// order in which the command's Go type declares them.
type object struct {
	keys   []string
	values map[string]any
}

func (o *object) put(key string, v any) {
	if _, ok := o.values[key]; !ok {
		o.keys = append(o.keys, key)
	}
	o.values[key] = v
}

// without is the object but for one member.
func (o *object) without(key string) *object {
	out := newObject()
	for _, k := range o.keys {
		if k != key {
			out.put(k, o.values[k])
		}
	}
	return out
}

func newObject() *object { return &object{values: map[string]any{}} }

// MarshalJSON prints the members in their order.
func (o *object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	err := writeValue(&b, o)
	return b.Bytes(), err
}

// writeValue writes a value as parse gives it. All of a tree goes to one buffer: each
// level that made its own would copy those below it.
func writeValue(b *bytes.Buffer, v any) error {
	switch v := v.(type) {
	case *object:
		b.WriteByte('{')
		for i, key := range v.keys {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := writeValue(b, key); err != nil {
				return err
			}
			b.WriteByte(':')
			if err := writeValue(b, v.values[key]); err != nil {
				return err
			}
		}
		b.WriteByte('}')
		return nil
	case []any:
		b.WriteByte('[')
		for i, item := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := writeValue(b, item); err != nil {
				return err
			}
		}
		b.WriteByte(']')
		return nil
	case json.Number:
		b.WriteString(string(v))
		return nil
	case string:
		if plainASCII(v) {
			b.WriteByte('"')
			b.WriteString(v)
			b.WriteByte('"')
			return nil
		}
	}
	text, err := marshal(v)
	b.Write(text)
	return err
}

// plainASCII reports whether JSON writes a string as it is.
func plainASCII(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// marshal is json.Marshal without the escapes that only HTML needs.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// escapeControls spells out the controls that JSON lets stand (delete and C1): a
// terminal acts on them. In JSON text they can only stand in a string.
func escapeControls(text []byte) []byte {
	control := func(r rune) bool { return r >= 0x7f && r <= 0x9f }
	if !bytes.ContainsFunc(text, control) {
		return text
	}
	var b bytes.Buffer
	for _, r := range string(text) {
		if control(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.Bytes()
}

// parse reads one JSON value and keeps the order of keys. A key given twice and
// anything after the value are errors.
func parse(data []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	v, err := parseValue(d)
	if err != nil {
		return nil, err
	}
	if d.More() {
		return nil, errors.New("more than one JSON value")
	}
	return v, nil
}

func parseValue(d *json.Decoder) (any, error) {
	tok, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch tok {
	case json.Delim('['):
		list := []any{}
		for d.More() {
			v, err := parseValue(d)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := d.Token()
		return list, err
	case json.Delim('{'):
		o := newObject()
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			name := key.(string) // the decoder gives nothing else between braces
			if _, ok := o.values[name]; ok {
				return nil, fmt.Errorf("the key %q is given twice", name)
			}
			v, err := parseValue(d)
			if err != nil {
				return nil, err
			}
			o.put(name, v)
		}
		_, err := d.Token()
		return o, err
	}
	return tok, nil
}

// walk replaces every scalar of v, depth first, and gives v back.
func walk(v any, scalar func(any) any) any {
	switch v := v.(type) {
	case *object:
		for _, k := range v.keys {
			v.values[k] = walk(v.values[k], scalar)
		}
		return v
	case []any:
		for i := range v {
			v[i] = walk(v[i], scalar)
		}
		return v
	}
	return scalar(v)
}

var maxSafe = new(big.Int).SetUint64(1<<53 - 1)

// safeNumber writes an integer above 2^53-1 as a string: a reader with binary
// floating point would change it silently.
func safeNumber(v any) any {
	n, ok := v.(json.Number)
	if !ok || len(n) < 16 || strings.ContainsAny(string(n), ".eE") {
		return v
	}
	if i, ok := new(big.Int).SetString(string(n), 10); ok && i.CmpAbs(maxSafe) > 0 {
		return string(n)
	}
	return v
}

// maxListString bounds a string in list data, marker included, in bytes.
const maxListString = 1024

// cutString cuts a string of list data and says how much is gone.
func cutString(v any) (any, bool) {
	s, ok := v.(string)
	if !ok || len(s) <= maxListString {
		return v, false
	}
	head := cut(s, maxListString-len("… [999999999 bytes cut]"))
	return fmt.Sprintf("%s… [%d bytes cut]", head, len(s)-len(head)), true
}
