package doc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
	"unsafe"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/opcat/opcat/internal/hugepage"
)

// JSON reads a JSON document. One that breaks off is no document: nobody knows what
// its last entry would have said. The texts of a value are the document's own bytes,
// which nobody may write again; those of a very long document are copied.
func JSON(src []byte) (Value, error) {
	d := jsontext.NewDecoder(bytes.NewBuffer(src), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	r := jsonReader{d: d, src: src, copies: len(src) > veryLong, names: names{}}
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

// veryLong is a file that is not kept for the sake of its texts.
const veryLong = 8 << 20

type jsonReader struct {
	d      *jsontext.Decoder
	src    []byte
	copies bool
	names  names
	maps   int     // that were closed
	kids   []Value // of the containers that are open, copied out when they close
	keys   []*name
	room   hugepage.Slab[Value]
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
	case 't':
		return Value{Kind: Bool, Text: "true"}, nil
	case 'f':
		return Value{Kind: Bool, Text: "false"}, nil
	case '0':
		return Value{Kind: Number, Text: r.text(raw)}, nil
	}
	s := r.unquoted(raw)
	if len(s) > MaxText {
		return Value{Kind: TooMuch}, nil
	}
	return Value{Kind: Text, Text: s}, nil
}

// text is a value that was just read, as the document has it.
func (r *jsonReader) text(raw jsontext.Value) string {
	if r.copies {
		return string(raw)
	}
	end := int(r.d.InputOffset())
	return unsafe.String(&r.src[end-len(raw)], len(raw))
}

// unquoted is what a string says that was just read; bytes that are no UTF-8 become
// U+FFFD.
func (r *jsonReader) unquoted(raw jsontext.Value) string {
	if inside := raw[1 : len(raw)-1]; bytes.IndexByte(inside, '\\') < 0 && utf8.Valid(inside) {
		return r.text(raw)[1 : len(raw)-1]
	}
	s, _ := jsontext.AppendUnquote(nil, raw) // its error says that there were such bytes
	return string(s)
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
			v.Kids = r.room.Clone(r.kids[kids:])
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
			r.keys = append(r.keys, r.names.of(r.unquoted(raw)))
		}
		kid, err := r.value(depth + 1)
		if err != nil {
			return Value{}, err
		}
		r.kids = append(r.kids, kid)
	}
}
