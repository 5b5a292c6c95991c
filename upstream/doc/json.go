package doc

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// JSON reads a JSON document. One that breaks off is no document: nobody knows what
// its last entry would have said.
func JSON(src []byte) (Value, error) {
	d := jsontext.NewDecoder(bytes.NewBuffer(src), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	r := jsonReader{d: d, names: map[string]string{}}
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
	names map[string]string // keys repeat, so each is kept once
	kids  []Value           // of the containers that are open, copied out when they close
	keys  []string
}

func (r *jsonReader) value(depth int) (Value, error) {
	switch r.d.PeekKind() {
	case '{', '[':
		if depth >= MaxDepth {
			return Value{Kind: TooMuch}, r.d.SkipValue()
		}
		return r.container(depth)
	}
	t, err := r.d.ReadToken()
	if err != nil {
		return Value{}, err
	}
	switch t.Kind() {
	case 'n':
		return Value{}, nil
	case 't':
		return Value{Kind: Bool, Text: "true"}, nil
	case 'f':
		return Value{Kind: Bool, Text: "false"}, nil
	case '0':
		return Value{Kind: Number, Text: t.String()}, nil
	}
	s := t.String()
	if len(s) > MaxText {
		return Value{Kind: TooMuch}, nil
	}
	return Value{Kind: Text, Text: s}, nil
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
			v.Kids = append([]Value(nil), r.kids[kids:]...)
			v.Keys = append([]string(nil), r.keys[keys:]...)
			r.kids, r.keys = r.kids[:kids], r.keys[:keys]
			return v, nil
		}
		if v.Kind == Map {
			t, err := r.d.ReadToken()
			if err != nil {
				return Value{}, err
			}
			r.keys = append(r.keys, r.name(t))
		}
		kid, err := r.value(depth + 1)
		if err != nil {
			return Value{}, err
		}
		r.kids = append(r.kids, kid)
	}
}

func (r *jsonReader) name(t jsontext.Token) string {
	s := t.String()
	if len(s) > 64 {
		return s
	}
	if known, ok := r.names[s]; ok {
		return known
	}
	r.names[s] = s
	return s
}
