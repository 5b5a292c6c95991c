package cli

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/opcat/opcat/internal/pattern"
)

// A FlagType is how a flag's value is written.
type FlagType string

// The types of flags that the describe document knows.
const (
	BoolType     FlagType = "bool"
	IntType      FlagType = "int"
	NumberType   FlagType = "number" // an exact decimal
	StringType   FlagType = "string"
	EnumType     FlagType = "enum"
	PathType     FlagType = "path"
	DurationType FlagType = "duration"
	ListType     FlagType = "list" // comma-separated, and may be repeated
)

// maxValue bounds the value of any flag or argument, in bytes.
const maxValue = 4096

// A Flag is one flag of a command: what --describe says of it, and the variable
// that it fills. Make one with BoolFlag, IntFlag and so on.
type Flag struct {
	Name     string // without dashes
	Type     FlagType
	Usage    string
	Required bool
	Enum     []string // the closed set, for an enum or a list of such words
	Default  string   // as it would be written; "" for none

	min, max int                // bounds of an int
	set      func(string) error // parses and fills; gives an *Error without a place
	lists    bool               // only list commands take it
}

// Needed returns the flag as one that must be given.
func (f Flag) Needed() Flag { f.Required = true; return f }

// BoolFlag takes no value; --name=false takes one back.
func BoolFlag(p *bool, name, usage string) Flag {
	return Flag{Name: name, Type: BoolType, Usage: usage, set: func(s string) error {
		switch s {
		case "true", "false":
			*p = s == "true"
			return nil
		}
		return Fail(InvalidValue, "--%s stands alone, or with =true or =false (got: '%s')", name, clip(s, maxGot))
	}}
}

// IntFlag is an integer from least to most; def is filled in when it is not given.
func IntFlag(p *int, name string, def, least, most int, usage string) Flag {
	*p = def
	return Flag{Name: name, Type: IntType, Usage: usage, Default: strconv.Itoa(def), min: least, max: most,
		set: func(s string) error {
			n, err := strconv.Atoi(s)
			if err != nil || n < least || n > most {
				e := Fail(InvalidRange, "--%s must be an integer from %d to %d (got: '%s')", name, least, most, clip(s, maxGot))
				e.Allowed = []string{fmt.Sprintf("%d..%d", least, most)}
				return e
			}
			*p = n
			return nil
		}}
}

// StringFlag is any text on one line, not empty.
func StringFlag(p *string, name, usage string) Flag {
	return Flag{Name: name, Type: StringType, Usage: usage, set: func(s string) error {
		*p = s
		return nil
	}}
}

// PathFlag names a file or a directory.
func PathFlag(p *string, name, usage string) Flag {
	f := StringFlag(p, name, usage)
	f.Type = PathType
	return f
}

// EnumFlag is one word of a closed set, spelt exactly.
func EnumFlag(p *string, name string, words []string, usage string) Flag {
	return Flag{Name: name, Type: EnumType, Usage: usage, Enum: words, set: func(s string) error {
		if !slices.Contains(words, s) {
			return NotIn(InvalidEnum, "--"+name, s, words)
		}
		*p = s
		return nil
	}}
}

// ListFlag is words between commas; repeating it adds to it. With words given,
// each must be one of them.
func ListFlag(p *[]string, name string, words []string, usage string) Flag {
	return Flag{Name: name, Type: ListType, Usage: usage, Enum: words, set: func(s string) error {
		items := strings.Split(s, ",")
		for _, item := range items {
			if words != nil && !slices.Contains(words, item) {
				return NotIn(InvalidEnum, "each of --"+name, item, words)
			}
			if item == "" {
				return Fail(InvalidValue, "--%s has an empty item (got: '%s')", name, clip(s, maxGot))
			}
		}
		*p = append(*p, items...)
		return nil
	}}
}

// DurationFlag is a positive span of time such as 90s or 10m; def is filled in
// when it is not given.
func DurationFlag(p *time.Duration, name string, def time.Duration, usage string) Flag {
	*p = def
	return Flag{Name: name, Type: DurationType, Usage: usage, Default: spell(def), set: func(s string) error {
		d, err := time.ParseDuration(s)
		if err != nil {
			return Fail(InvalidValue, "--%s must be a duration such as 90s or 10m (got: '%s')", name, clip(s, maxGot))
		}
		if d <= 0 {
			e := Fail(InvalidRange, "--%s must be longer than 0s (got: '%s')", name, clip(s, maxGot))
			e.Allowed = []string{"above 0s to " + time.Duration(math.MaxInt64).Truncate(time.Hour).String()}
			return e
		}
		*p = d
		return nil
	}}
}

// spell writes a duration without the zero units that String adds: 10m, not 10m0s.
func spell(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

var decimal = pattern.Lazy(`^[0-9]{1,18}(\.[0-9]{1,18})?$`)

// DecimalFlag is an exact amount, kept as it is written: no sign, no exponent,
// at most 18 digits a side.
func DecimalFlag(p *string, name, usage string) Flag {
	return Flag{Name: name, Type: NumberType, Usage: usage, set: func(s string) error {
		if !decimal().MatchString(s) {
			return Fail(InvalidValue, "--%s must be a decimal such as 0.25, without sign or exponent (got: '%s')", name, clip(s, maxGot))
		}
		*p = s
		return nil
	}}
}

// DateFlag is a day (UTC midnight) or an RFC 3339 time. The zero time means it
// was not given.
func DateFlag(p *time.Time, name, usage string) Flag {
	return Flag{Name: name, Type: StringType, Usage: usage, set: func(s string) error {
		for _, layout := range []string{time.DateOnly, time.RFC3339} {
			if t, err := time.Parse(layout, s); err == nil {
				*p = t.UTC()
				return nil
			}
		}
		return Fail(InvalidValue, "--%s must be a date such as 2026-11-30 or an RFC 3339 time (got: '%s')", name, clip(s, maxGot))
	}}
}

// checkText refuses what no flag and no argument may hold. what names it in the
// message.
func checkText(what, s string) *Error {
	switch {
	case len(s) > maxValue:
		return Fail(InvalidValue, "%s is longer than %d bytes", what, maxValue)
	case !utf8.ValidString(s):
		return Fail(InvalidValue, "%s is not valid UTF-8", what)
	case strings.ContainsFunc(s, unicode.IsControl):
		return Fail(InvalidValue, "%s holds a control character (got: '%s')", what, clip(visible(s), maxGot))
	}
	return nil
}

// flagValue is a Flag as pflag sees one.
type flagValue struct {
	flag *Flag
	text string
}

func (v *flagValue) String() string { return v.text }
func (v *flagValue) Type() string   { return string(v.flag.Type) }

// Set fills the flag's variable. The errors it gives are complete.
func (v *flagValue) Set(s string) error {
	name := "--" + v.flag.Name
	err := v.check(s)
	if err == nil {
		err = v.flag.set(s)
	}
	if e, ok := err.(*Error); ok {
		return e.atFlag(name, s)
	}
	v.text = s
	return err
}

func (v *flagValue) check(s string) error {
	// A closed set and a range say more about a bad value than these rules do.
	if v.flag.Type == EnumType || v.flag.Type == IntType {
		return nil
	}
	if s == "" {
		return Fail(InvalidValue, "--%s needs a value (got: '')", v.flag.Name)
	}
	if e := checkText("--"+v.flag.Name, s); e != nil {
		return e
	}
	return nil
}
