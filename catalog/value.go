package catalog

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// A Value is a word, a number in decimal spelling, or a yes or no: what a setting
// can be given. The zero Value is none.
type Value struct {
	text string
	kind valueKind
}

type valueKind uint8

const (
	noValue valueKind = iota
	textValue
	boolValue
)

// TextValue is a word or a number.
func TextValue(s string) Value { return Value{s, textValue} }

// BoolValue is a yes or a no.
func BoolValue(b bool) Value { return Value{strconv.FormatBool(b), boolValue} }

// IsZero reports whether there is no value.
func (v Value) IsZero() bool { return v.kind == noValue }

// String is the word, the number, "true" or "false".
func (v Value) String() string { return v.text }

// Bool gives a yes or no; the second result is false for anything else.
func (v Value) Bool() (value, ok bool) { return v.text == "true", v.kind == boolValue }

// JSON is a value whose shape nobody fixes, as compact JSON text.
type JSON string

// MarshalJSON writes the value itself, or null if there is none.
func (j JSON) MarshalJSON() ([]byte, error) {
	if j == "" {
		return []byte("null"), nil
	}
	return []byte(j), nil
}

// UnmarshalJSON reads any value.
func (j *JSON) UnmarshalJSON(b []byte) error {
	var out bytes.Buffer
	if err := json.Compact(&out, b); err != nil {
		return err
	}
	*j = JSON(out.String())
	return nil
}
