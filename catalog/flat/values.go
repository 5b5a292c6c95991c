package flat

import (
	"iter"
	"time"

	"github.com/opcat/opcat/internal/blob"
)

// A Decimal is an exact decimal number in its one spelling: "0.8", "100", "-2". ""
// is unknown, which is not the number "0". Package cost and math/big compute with it;
// a float64 would not be exact.
type Decimal string

// IsKnown reports whether there is a number.
func (d Decimal) IsKnown() bool { return d != "" }

// A Date is a day, which stands for its midnight in UTC, or a time with its offset. ""
// is unknown.
type Date string

// Time is the moment in UTC; false if it is unknown.
func (d Date) Time() (time.Time, bool) {
	if d == "" {
		return time.Time{}, false
	}
	layout := time.RFC3339
	if len(d) == len(time.DateOnly) {
		layout = time.DateOnly
	}
	t, err := time.Parse(layout, string(d))
	return t.UTC(), err == nil
}

// JSON is a value whose shape nobody fixes, as compact JSON text.
type JSON string

// A Value is a word, a number in decimal spelling, or a yes or no.
type Value struct{ view }

// String is the word, the number, "true" or "false"; "" if there is no value.
func (v Value) String() string {
	switch {
	case fieldOf(v.view, 0) == blob.TextValue:
		return textOf(v.view, 1)
	case !v.IsKnown():
		return ""
	case yesOf(v.view, 1):
		return "true"
	}
	return "false"
}

// Bool gives a yes or no; false as the second result for anything else.
func (v Value) Bool() (value, ok bool) { return yesOf(v.view, 1), fieldOf(v.view, 0) == blob.BoolValue }

// Settings are the options that a contract speaks about, in the registry's order. An
// option that is not among them is unknown, which is not the same as refused.
type Settings struct{ view }

// Exclusive are groups of which a request may ask for one at most.
func (s Settings) Exclusive() List[Texts[string]] { return List[Texts[string]]{subOf(s.view, 0)} }

// Named are the options.
func (s Settings) Named() List[Setting] { return List[Setting]{subOf(s.view, 1)} }

// Setting finds an option by name.
func (s Settings) Setting(name string) (Setting, bool) {
	for x := range s.Named().All() {
		if x.Name() == name {
			return x, true
		}
	}
	return Setting{}, false
}

// A Setting is one option: supported or refused whatever the value, or held to rules.
// A value that no rule's condition meets is refused.
type Setting struct{ view }

func (s Setting) Name() string { return textOf(s.view, 0) }

// Word is "supported" or "refused"; empty if there are rules.
func (s Setting) Word() string { return textOf(s.view, 1) }

// Rules say which values it takes.
func (s Setting) Rules() List[SettingRule] { return List[SettingRule]{subOf(s.view, 2)} }

// A SettingRule says which values an option takes while its condition holds.
type SettingRule struct{ view }

func (r SettingRule) Values() List[Value]              { return List[Value]{subOf(r.view, 0)} }
func (r SettingRule) Min() Decimal                     { return Decimal(textOf(r.view, 1)) }
func (r SettingRule) Max() Decimal                     { return Decimal(textOf(r.view, 2)) }
func (r SettingRule) Default() Value                   { return Value{subOf(r.view, 3)} }
func (r SettingRule) Required() (required, known bool) { return yesnoOf(r.view, 4) }

// When is the rule's condition; one that is not known always holds.
func (r SettingRule) When() Condition { return Condition{subOf(r.view, 5)} }

// A Condition holds if each of its clauses does: if what a clause names has one of its
// values; "unset" stands for an option that is left out and has no default.
type Condition struct{ view }

// All are the clauses in the registry's order: what each names, and its values.
func (c Condition) All() iter.Seq2[string, List[Value]] {
	return func(yield func(string, List[Value]) bool) {
		membersOf(c.view, func(name string, w uint32) bool { return yield(name, List[Value]{view{c.s, w}}) })
	}
}

// A Protocol is one wire encoding of a contract; of several, the first whose condition
// holds serves.
type Protocol struct{ view }

func (p Protocol) Name() string { return textOf(p.view, 0) }

// When is its condition; one that is not known always holds.
func (p Protocol) When() Condition { return Condition{subOf(p.view, 1)} }
