package catalog

import (
	"fmt"
	"strconv"
)

// An Opt is a number or a yes-or-no that may be unknown. Unknown is a value of
// its own: it is not zero and not false, so Get says both.
type Opt[T int64 | bool] struct {
	value T
	known bool
}

// Known is a stated value.
func Known[T int64 | bool](v T) Opt[T] { return Opt[T]{v, true} }

// Get gives the value and whether it is known.
func (o Opt[T]) Get() (T, bool) { return o.value, o.known }

// IsKnown reports whether the value was stated.
func (o Opt[T]) IsKnown() bool { return o.known }

// Or gives the value, or what the caller takes for unknown.
func (o Opt[T]) Or(unknown T) T {
	if o.known {
		return o.value
	}
	return unknown
}

// String is the value in digits or words; "unknown" if it is not known.
func (o Opt[T]) String() string {
	if !o.known {
		return "unknown"
	}
	switch v := any(o.value).(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

// MarshalJSON writes the value, or null if it is unknown; a member that may be
// unknown is marked omitzero and left out instead.
func (o Opt[T]) MarshalJSON() ([]byte, error) {
	if !o.known {
		return []byte("null"), nil
	}
	return []byte(o.String()), nil
}

// UnmarshalJSON reads a whole number or a yes or no. What is unknown is left out:
// null is refused, as it states nothing.
func (o *Opt[T]) UnmarshalJSON(b []byte) error {
	switch v := any(&o.value).(type) {
	case *int64:
		n, err := strconv.ParseInt(string(b), 10, 64)
		if err != nil {
			return fmt.Errorf("%.40s is not a whole number", b)
		}
		*v = n
	case *bool:
		if string(b) != "true" && string(b) != "false" {
			return fmt.Errorf("%.40s is not true or false", b)
		}
		*v = string(b) == "true"
	}
	o.known = true
	return nil
}
