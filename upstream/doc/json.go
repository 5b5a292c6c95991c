package doc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// JSON reads a JSON document. One that breaks off is no document: nobody knows what
// its last entry would have said.
func JSON(src []byte) (Value, error) {
	d := jsontext.NewDecoder(bytes.NewBuffer(src), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	r := jsonReader{d: d, names: names{}}
	v, err := r.value(0)
	if err == nil {
		if _, err = d.ReadToken(); err == io.EOF {
			return v, nil
		} else if err == nil {
			err = errors.New("something follows the document")
		}
	}
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return Value{}, fmt.Errorf("the JSON ends in the middle, after %d bytes", len(src))
	}
	line := 1 + bytes.Count(src[:min(int(d.InputOffset()), len(src))], []byte{'\n'})
	return Value{}, fmt.Errorf("line %d: no JSON: %w", line, err)
}

type jsonReader struct {
	d     *jsontext.Decoder
	names names
	maps  int     // that were closed
	kids  []Value // of the containers that are open, copied out when they close
	keys  []*name
}

func (r *jsonReader) value(depth int) (Value, error) {
	switch r.d.PeekKind() {
	case '{', '[':
		if depth >= MaxDepth {
			return Value{Kind: TooMuch}, r.d.SkipValue()
		}
		return r.container(depth)
	}
	raw, err := r.d.ReadValue()
	if err != nil {
		return Value{}, err
	}
	switch raw.Kind() {
	case 'n':
		return Value{}, nil
	case 't', 'f':
		return Value{Kind: Bool, Text: r.names.of(raw).text}, nil
	case '0':
		return Value{Kind: Number, Text: r.text(raw)}, nil
	}
	s := unquoted(raw)
	if len(s) > MaxText {
		return Value{Kind: TooMuch}, nil
	}
	return Value{Kind: Text, Text: r.text(s)}, nil
}

func (r *jsonReader) text(b []byte) string {
	if len(b) > shortText {
		return string(b)
	}
	return r.names.of(b).text
}

// unquoted is what a string says; bytes that are no UTF-8 become U+FFFD.
func unquoted(raw jsontext.Value) []byte {
	if inside := raw[1 : len(raw)-1]; bytes.IndexByte(inside, '\\') < 0 && utf8.Valid(inside) {
		return inside
	}
	s, _ := jsontext.AppendUnquote(nil, raw) // its error says that there were such bytes
	return s
}

func (r *jsonReader) container(depth int) (Value, error) {
	t, err := r.d.ReadToken()
	if err != nil {
		return Value{}, err
	}
	v := Value{Kind: List}
	if t.Kind() == '{' {
		v.Kind = Map
	}
	kids, keys := len(r.kids), len(r.keys)
	for {
		if k := r.d.PeekKind(); k == '}' || k == ']' {
			if _, err := r.d.ReadToken(); err != nil {
				return Value{}, err
			}
			v.Kids = slices.Clone(r.kids[kids:])
			r.maps++
			for i, k := range r.keys[keys:] {
				v.Kids[i].Name = k.text
				v.Twice = v.Twice || k.in == r.maps
				k.in = r.maps
			}
			r.kids, r.keys = r.kids[:kids], r.keys[:keys]
			return v, nil
		}
		if v.Kind == Map {
			raw, err := r.d.ReadValue()
			if err != nil {
				return Value{}, err
			}
			r.keys = append(r.keys, r.names.of(unquoted(raw)))
		}
		kid, err := r.value(depth + 1)
		if err != nil {
			return Value{}, err
		}
		r.kids = append(r.kids, kid)
	}
}
