package operations

import (
	"math/bits"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/internal/canon"
	"github.com/opcat/opcat/operations/op"
)

// settings judges each setting that is asked for, those that must be, and those
// that may not meet.
func (s *scene) settings() bool {
	asked := s.n.Asked
	i := 0
	for left := asked; left != 0; left &= left - 1 {
		if !s.setting(bits.TrailingZeros64(left), &s.n.Settings[i]) {
			return false
		}
		i++
	}
	if s.p.required != 0 && !s.complete() {
		return false
	}
	for _, group := range s.p.exclusive {
		if both := group & asked; both&(both-1) != 0 {
			return s.clash(both)
		}
	}
	return true
}

// setting judges one setting that is asked for.
func (s *scene) setting(at int, want *op.SettingValue) bool {
	o := &s.p.options[at]
	taken := o.said == supported || o.said == ruled && s.ruled(o, want.Value)
	if taken && s.w.carries>>at&1 != 0 {
		return true
	}
	c := op.Complaint{Why: op.Refused, Field: want.Name, Got: want.Value.String()}
	switch {
	case taken:
		c.Note = s.noPlace()
	case o.said == nothing:
		c.Why = op.Unknown
	case o.said == ruled && s.words:
		held := false
		for i := range o.rules {
			if s.holds(o.rules[i].when) {
				c.Allowed, held = o.rules[i].allowed(), true
			}
		}
		if !held {
			c.Note = o.under()
		}
	}
	return s.refuse(UnsupportedOptions, c)
}

// ruled reports whether a rule that holds takes a value.
func (s *scene) ruled(o *option, v catalog.Value) bool {
	for i := range o.rules {
		if r := &o.rules[i]; s.holds(r.when) && (v.IsZero() || r.takes(v)) {
			return true
		}
	}
	return false
}

// complete judges whether all is there that must be given. A cap on the output is
// filled in.
func (s *scene) complete() bool {
	if s.n.Partial {
		return true
	}
	for left := s.p.required &^ s.n.Asked; left != 0; left &= left - 1 {
		at := bits.TrailingZeros64(left)
		if at == s.p.cap || !s.demanded(at) {
			continue
		}
		return s.refuse(UnsupportedOptions, op.Complaint{Why: op.Missing, Field: s.p.op.Settings[at].Name})
	}
	return true
}

// demanded reports whether a setting must be given in this request.
func (s *scene) demanded(at int) bool {
	for i := range s.p.options[at].rules {
		if r := &s.p.options[at].rules[i]; r.Required.Or(false) && s.holds(r.when) {
			return true
		}
	}
	return false
}

func (s *scene) clash(both uint64) bool {
	c := op.Complaint{Why: op.Clash, Note: "the route takes one of them at a time"}
	for ; s.words && both != 0; both &= both - 1 {
		name := s.p.op.Settings[bits.TrailingZeros64(both)].Name
		if c.Field == "" {
			c.Field = name
			continue
		}
		c.Field += ", " + name
	}
	return s.refuse(UnsupportedOptions, c)
}

// takes reports whether a rule allows a value.
func (r *rule) takes(v catalog.Value) bool {
	if r.Values != nil && !has(r.Values, v.String()) { // numbers have one spelling
		return false
	}
	if r.Min == "" && r.Max == "" {
		return true
	}
	d := catalog.Decimal(v.String())
	if r.small {
		if n, ok := d.Micros(); ok {
			return r.low <= n && n <= r.high
		}
	}
	return canon.IsDecimal(v.String()) && (r.Min == "" || d.Compare(r.Min) >= 0) && (r.Max == "" || d.Compare(r.Max) <= 0)
}

// holds reports whether a request meets a condition.
func (s *scene) holds(when []clause) bool {
	for i := range when {
		if !s.meets(&when[i]) {
			return false
		}
	}
	return true
}

func (s *scene) meets(c *clause) bool {
	switch c.about {
	case aSetting:
		return s.meetsSetting(c)
	case theInput:
		for _, kind := range s.n.Inputs {
			if !has(c.Values, kind) {
				return false
			}
		}
		return true
	case theTools:
		return has(c.Values, word(s.n.Tools, "present"))
	case theStructure:
		return has(c.Values, word(s.n.Structured, "schema"))
	case theProtocol:
		return has(c.Values, s.w.name)
	case theVersion:
		return has(c.Values, s.w.version)
	}
	return false
}

func word(yes bool, name string) string {
	if yes {
		return name
	}
	return "none"
}

func has(values []catalog.Value, text string) bool {
	for i := range values {
		if values[i].String() == text {
			return true
		}
	}
	return false
}

const unset = "unset"

// meetsSetting compares what a setting is asked to be, or else its default.
func (s *scene) meetsSetting(c *clause) bool {
	v, given := s.value(c.setting)
	switch {
	case !given:
		return has(c.Values, unset)
	case v.IsZero(): // asked for, whatever its value
		return len(c.Values) > 1 || !has(c.Values, unset)
	}
	return has(c.Values, v.String())
}

// value is what a setting counts as: what is asked, else the default of the rule
// that holds. A default that hangs on itself is none.
func (s *scene) value(at int) (v catalog.Value, given bool) {
	if s.n.Asks(at) {
		return s.n.At(at), true
	}
	bit := uint64(1) << at
	if s.busy&bit != 0 {
		return v, false
	}
	s.busy |= bit
	defer func() { s.busy &^= bit }()
	for i := range s.p.options[at].rules {
		if r := &s.p.options[at].rules[i]; !r.Default.IsZero() && s.holds(r.when) {
			return r.Default, true
		}
	}
	return v, false
}

// allowed is what a rule takes, for people.
func (r *rule) allowed() []string {
	var all []string
	for _, v := range r.Values {
		all = append(all, v.String())
	}
	switch {
	case r.Min != "" && r.Max != "":
		all = append(all, string(r.Min)+" to "+string(r.Max))
	case r.Min != "":
		all = append(all, "at least "+string(r.Min))
	case r.Max != "":
		all = append(all, "at most "+string(r.Max))
	}
	return all
}

// under says under which conditions an option is taken at all.
func (o *option) under() string {
	note := "it is taken only with "
	for i := range o.rules {
		if i > 0 {
			note += ", or with "
		}
		note += conditionText(o.rules[i].when)
	}
	return note
}

func conditionText(when []clause) string {
	text := ""
	for i := range when {
		if i > 0 {
			text += " and "
		}
		text += when[i].Name + " "
		for j, v := range when[i].Values {
			if j > 0 {
				text += " or "
			}
			text += v.String()
		}
	}
	return text
}
