package typed

import (
	"bytes"
	stdbase64 "encoding/base64"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/diag"
)

// An Error is one mistake in a JSON text, with its place.
type Error struct {
	Pointer string // RFC 6901; "" is the whole
	Message string // what was got and what is wrong with it: one line, no final period
	Allowed []string
	Help    string // how to mend it; empty when it would be a guess
}

func (e *Error) Error() string {
	s := e.Message
	if e.Pointer != "" {
		s = e.Pointer + ": " + s
	}
	if len(e.Allowed) > 0 {
		s += "; allowed: " + strings.Join(e.Allowed, ", ")
	}
	if e.Help != "" {
		s += "; " + e.Help
	}
	return s
}

// Errors are the mistakes of one text, in its order.
type Errors []*Error

func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, x := range e {
		lines[i] = x.Error()
	}
	return strings.Join(lines, "\n")
}

// mostErrors is how many mistakes of one text are listed.
const mostErrors = 20

// Decode reads a JSON text into a value of the type that t describes. The error is
// of type Errors; then nothing of the value is to be used. A value of another type
// is an error too.
func (t *Type) Decode(data []byte, into any) error {
	if got := reflect.TypeOf(into); got == nil || got.Kind() != reflect.Pointer || got.Elem() != t.root.goType {
		return fmt.Errorf("typed: a %s is no %v", t.name, got)
	}
	d := decoder{dec: jsontext.NewDecoder(bytes.NewReader(data))}
	err := d.value(t.root, reflect.ValueOf(into).Elem())
	if err == nil {
		if _, err = d.dec.ReadToken(); err == io.EOF {
			err = nil
		} else if err == nil {
			d.fail("", Error{Message: "something follows the " + t.name})
		}
	}
	if err != nil {
		d.syntax(err, t.name)
	}
	if d.errs != nil {
		return d.errs
	}
	return nil
}

type decoder struct {
	dec  *jsontext.Decoder
	errs Errors
}

func (d *decoder) fail(at jsontext.Pointer, e Error) {
	if len(d.errs) < mostErrors {
		e.Pointer = string(at)
		d.errs = append(d.errs, &e)
	}
}

// syntax notes a text that is no JSON, after which nothing more can be read.
func (d *decoder) syntax(err error, what string) {
	var s *jsontext.SyntacticError
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName) && errors.As(err, &s):
		d.fail(s.JSONPointer, Error{Message: "the member stands here twice", Help: "keep one"})
	case err == io.EOF:
		article := "a "
		if strings.IndexByte("aeiou", what[0]) >= 0 {
			article = "an "
		}
		d.fail("", Error{Message: "there is no JSON: " + article + what + " is an object"})
	case errors.As(err, &s):
		d.fail(s.JSONPointer, Error{Message: fmt.Sprintf("is not JSON at byte %d: %v", s.ByteOffset, s.Err)})
	default:
		d.fail(d.dec.StackPointer(), Error{Message: "is not JSON: " + err.Error()})
	}
}

// value reads one value. Its error ends the reading; what is wrong about a value
// alone is noted, and the reading goes on.
func (d *decoder) value(n *node, v reflect.Value) error {
	for v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	k := d.dec.PeekKind()
	if want := n.wants(); k != 0 && n.kind != free && !slices.Contains(want, k) {
		raw, err := d.dec.ReadValue()
		if err == nil {
			d.fail(d.dec.StackPointer(), Error{Message: "got " + kindWord(k) + " where " + n.noun() + " belongs", Allowed: n.words, Help: n.instead(raw)})
		}
		return err
	}
	switch n.kind {
	case object:
		return d.object(n, v)
	case list:
		return d.list(n, v)
	case dict:
		return d.dict(n, v)
	}
	raw, err := d.dec.ReadValue()
	if err != nil {
		return err
	}
	if e := n.scalar(raw, v); e != nil {
		d.fail(d.dec.StackPointer(), *e)
	}
	return nil
}

func (d *decoder) object(n *node, v reflect.Value) error {
	if _, err := d.dec.ReadToken(); err != nil {
		return err
	}
	at := d.dec.StackPointer()
	seen := make([]bool, len(n.fields))
	for d.dec.PeekKind() != '}' {
		token, err := d.dec.ReadToken()
		if err != nil {
			return err
		}
		name := token.String()
		i := slices.IndexFunc(n.fields, func(f field) bool { return f.name == name })
		if i < 0 {
			d.unknown(n, name)
			if err := d.dec.SkipValue(); err != nil {
				return err
			}
			continue
		}
		seen[i] = true
		if err := d.value(n.fields[i].node, v.Field(n.fields[i].index)); err != nil {
			return err
		}
	}
	if _, err := d.dec.ReadToken(); err != nil {
		return err
	}
	for i, f := range n.fields {
		if f.required && !seen[i] {
			d.fail(at, Error{Message: strconv.Quote(f.name) + " is missing", Help: "add it: " + f.noun()})
		}
	}
	return nil
}

func (d *decoder) unknown(n *node, name string) {
	names := make([]string, len(n.fields))
	for i, f := range n.fields {
		names[i] = f.name
	}
	e := Error{Message: fmt.Sprintf("%s is not a member here", strconv.Quote(short(name))), Allowed: names}
	for _, known := range names {
		if strings.EqualFold(known, name) {
			e.Help = "case matters: write " + strconv.Quote(known)
		}
	}
	if near, ok := diag.Nearest(name, names); ok && e.Help == "" {
		e.Help = "did you mean " + strconv.Quote(near) + "?"
	}
	d.fail(d.dec.StackPointer(), e)
}

func (d *decoder) list(n *node, v reflect.Value) error {
	if _, err := d.dec.ReadToken(); err != nil {
		return err
	}
	at := d.dec.StackPointer()
	out := reflect.MakeSlice(v.Type(), 0, 0)
	for d.dec.PeekKind() != ']' {
		item := reflect.New(v.Type().Elem()).Elem()
		if err := d.value(n.elem, item); err != nil {
			return err
		}
		out = reflect.Append(out, item)
	}
	if _, err := d.dec.ReadToken(); err != nil {
		return err
	}
	if n.some && out.Len() == 0 {
		d.fail(at, Error{Message: "the list has no items", Help: "add one, or leave the member out where it may be left out"})
	}
	v.Set(out)
	return nil
}

func (d *decoder) dict(n *node, v reflect.Value) error {
	if _, err := d.dec.ReadToken(); err != nil {
		return err
	}
	at := d.dec.StackPointer()
	out := reflect.MakeMap(v.Type())
	for d.dec.PeekKind() != '}' {
		name, err := d.dec.ReadToken()
		if err != nil {
			return err
		}
		key := reflect.ValueOf(name.String()).Convert(v.Type().Key())
		item := reflect.New(v.Type().Elem()).Elem()
		if err := d.value(n.elem, item); err != nil {
			return err
		}
		out.SetMapIndex(key, item)
	}
	if _, err := d.dec.ReadToken(); err != nil {
		return err
	}
	if n.some && out.Len() == 0 {
		d.fail(at, Error{Message: "the object has no members", Help: "leave it out"})
	}
	v.Set(out)
	return nil
}

// scalar reads a value that holds no others.
func (n *node) scalar(raw jsontext.Value, v reflect.Value) *Error {
	switch n.kind {
	case text:
		s, e := n.text(raw)
		if e == nil {
			v.SetString(s)
		}
		return e
	case decimal:
		s, _ := unquote(raw)
		if e := n.decimal(s); e != nil {
			return e
		}
		v.SetString(s)
	case whole:
		i, e := n.whole(raw)
		if e != nil {
			return e
		}
		if v.Kind() == reflect.Int64 {
			v.SetInt(i)
		} else {
			v.Set(reflect.ValueOf(catalog.Known(i)))
		}
	case yesno:
		b := raw.Kind() == 't'
		if v.Kind() == reflect.Bool {
			v.SetBool(b)
		} else {
			v.Set(reflect.ValueOf(catalog.Known(b)))
		}
	case float:
		f, err := strconv.ParseFloat(string(raw), 64)
		if err != nil || math.Abs(f) > math.MaxFloat32 {
			return &Error{Message: "got " + short(string(raw)) + ", which 32 bits do not hold"}
		}
		v.SetFloat(f)
	case base64:
		s, _ := unquote(raw)
		b, err := stdbase64.StdEncoding.Strict().DecodeString(s)
		if err != nil || strings.ContainsAny(s, "\r\n") {
			return &Error{Message: "is not base64 with its padding"}
		}
		if len(b) == 0 {
			return &Error{Message: "holds no bytes", Help: "leave it out"}
		}
		v.SetBytes(b)
	case free:
		return n.free(raw, v)
	}
	return nil
}

func unquote(raw jsontext.Value) (string, error) {
	b, err := jsontext.AppendUnquote(nil, raw)
	return string(b), err
}

func (n *node) text(raw jsontext.Value) (string, *Error) {
	s, err := unquote(raw)
	switch {
	case err != nil:
		return "", &Error{Message: "is no text: " + err.Error()}
	case n.words != nil && !slices.Contains(n.words, s):
		e := &Error{Message: "got " + strconv.Quote(short(s)), Allowed: n.words}
		if near, ok := diag.Nearest(s, n.words); ok {
			e.Help = "did you mean " + strconv.Quote(near) + "?"
		}
		return "", e
	case n.name && !isName(s):
		return "", &Error{Message: "got " + strconv.Quote(short(s)), Allowed: []string{"letters, digits, _ and -, 1 to 64 of them"}}
	case n.some && s == "":
		return "", &Error{Message: "the text is empty", Help: "give it, or leave the member out where it may be left out"}
	}
	return s, nil
}

func isName(s string) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == '-':
		default:
			return false
		}
	}
	return s != "" && len(s) <= 64
}

func (n *node) decimal(s string) *Error {
	d, err := catalog.ParseDecimal(s)
	switch {
	case err != nil:
		return &Error{Message: "got " + strconv.Quote(short(s)), Allowed: []string{`a decimal number in quotes, such as "0.7"`}}
	case string(d) != s:
		return &Error{Message: "got " + strconv.Quote(short(s)), Help: "write it as " + strconv.Quote(short(string(d)))}
	case n.from.IsKnown() && d.Compare(n.from) < 0, n.to.IsKnown() && d.Compare(n.to) > 0:
		return &Error{Message: "got " + strconv.Quote(short(s)), Allowed: []string{span(string(n.from), string(n.to))}}
	}
	return nil
}

// whole reads an integer however JSON spells it: 3, 3.0 and 3e0 are one number.
func (n *node) whole(raw jsontext.Value) (int64, *Error) {
	i, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil {
		r, ok := rat(string(raw))
		if !ok || !r.IsInt() || !r.Num().IsInt64() {
			return 0, &Error{Message: "got " + short(string(raw)), Allowed: []string{n.span()}}
		}
		i = r.Num().Int64()
	}
	if i < n.min || i > n.max {
		return 0, &Error{Message: "got " + strconv.FormatInt(i, 10), Allowed: []string{n.span()}}
	}
	return i, nil
}

// rat is a JSON number, unless it is too long to be a count of anything.
func rat(s string) (*big.Rat, bool) {
	if _, exponent, ok := strings.Cut(strings.ToLower(s), "e"); ok {
		if e, err := strconv.Atoi(exponent); err != nil || e > 400 || e < -400 {
			return nil, false
		}
	}
	return new(big.Rat).SetString(s)
}

func (n *node) span() string {
	return "a whole number, " + span(strconv.FormatInt(n.min, 10), strconv.FormatInt(n.max, 10))
}

func span(from, to string) string {
	switch {
	case to == "":
		return from + " or more"
	case from == "":
		return to + " or less"
	}
	return from + " to " + to
}

func (n *node) free(raw jsontext.Value, v reflect.Value) *Error {
	word := map[jsontext.Kind]string{'{': "object", '[': "array"}[raw.Kind()]
	if n.kinds != nil && !slices.Contains(n.kinds, word) {
		return &Error{Message: "got " + kindWord(raw.Kind()) + " where " + n.noun() + " belongs"}
	}
	raw = raw.Clone() // what is read belongs to the decoder
	if err := raw.Compact(); err != nil {
		return &Error{Message: "is not JSON: " + err.Error()}
	}
	v.SetString(string(raw))
	return nil
}

// wants are the kinds of JSON that a node can be read from.
func (n *node) wants() []jsontext.Kind {
	switch n.kind {
	case object, dict:
		return []jsontext.Kind{'{'}
	case list:
		return []jsontext.Kind{'['}
	case whole, float:
		return []jsontext.Kind{'0'}
	case yesno:
		return []jsontext.Kind{'t', 'f'}
	}
	return []jsontext.Kind{'"'}
}

// noun is what a node is, for people.
func (n *node) noun() string {
	switch n.kind {
	case object, dict:
		return "an object"
	case list:
		return "a list"
	case whole:
		return "a whole number"
	case float:
		return "a number"
	case yesno:
		return "true or false"
	case decimal:
		return "a decimal number in quotes"
	case base64:
		return "base64 text"
	case free:
		if len(n.kinds) == 1 {
			return "an " + n.kinds[0]
		}
		if n.kinds != nil {
			return "an object or an array"
		}
		return "a value"
	}
	return "a text"
}

// instead is how a value of the wrong kind is mended, where that is no guess.
func (n *node) instead(raw jsontext.Value) string {
	switch {
	case raw.Kind() == 'n':
		return "null states nothing: leave the member out"
	case n.kind == decimal && raw.Kind() == '0':
		if d, err := catalog.ParseDecimal(string(raw)); err == nil {
			return "write " + strconv.Quote(short(string(d))) + ", in quotes"
		}
	case n.kind == list && n.elem.kind == text && raw.Kind() == '"':
		return "write [" + short(string(raw)) + "]"
	}
	return ""
}

func kindWord(k jsontext.Kind) string {
	switch k {
	case 'n':
		return "null"
	case 't', 'f':
		return k.String()
	case '"':
		return "a text"
	case '{':
		return "an object"
	case '[':
		return "a list"
	}
	return "a number"
}

// short bounds what an error repeats of a text.
func short(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && s[cut]&0xc0 == 0x80 {
		cut--
	}
	return s[:cut] + "..."
}
