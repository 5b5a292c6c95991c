package catalog

import "strconv"

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
