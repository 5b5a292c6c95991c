package catalog

// Settings are the options that a contract speaks about, in the registry's order.
// An option that is not among them is unknown, which is not the same as refused.
type Settings struct {
	Named     []Setting
	Exclusive [][]string // groups of which a request may ask for one at most
}

// A Setting is one option: supported or refused whatever the value, or held to
// rules. A value that no rule's condition meets is refused.
type Setting struct {
	Name  string
	Word  string // "supported" or "refused"; empty if there are rules
	Rules []SettingRule
}

// A SettingRule says which values an option takes while its condition holds.
type SettingRule struct {
	Values   []Value
	Min, Max Decimal
	Default  Value
	Required Opt[bool]
	When     Condition
}

// A Condition holds if each of its clauses does. The nil Condition always holds.
type Condition []Clause

// A Clause holds if what it names has one of the values; "unset" stands for an
// option that is left out and has no default.
type Clause struct {
	Name   string
	Values []Value
}

// A Protocol is one wire encoding of a contract; of several, the first whose
// condition holds serves.
type Protocol struct {
	Name string
	When Condition
}

// Setting finds an option by name.
func (s *Settings) Setting(name string) (Setting, bool) {
	if s == nil {
		return Setting{}, false
	}
	for _, x := range s.Named {
		if x.Name == name {
			return x, true
		}
	}
	return Setting{}, false
}

// A vocabulary is the words of one operation's contracts.
type vocabulary struct {
	protocols  []string
	settings   []term
	conditions []term
}

// A term is one name and what its values are: words of a closed set, numbers,
// yes or no, or any text.
type term struct {
	name   string
	words  []string
	number bool
	yesno  bool
}

// find gives the place of a name after the place of the one before it; -1 if it
// is unknown or out of order.
func find(terms []term, name string, after int) int {
	for i := after + 1; i < len(terms); i++ {
		if terms[i].name == name {
			return i
		}
	}
	return -1
}

func (d *decoder) settings(v *vocabulary) (s Settings) {
	at := -1
	k := d.open()
	for ; k != "" && k != "exclusive"; k = d.next() {
		if at = find(v.settings, k, at); at < 0 {
			d.fail("unknown or misplaced setting " + k)
			return s
		}
		s.Named = append(s.Named, d.setting(v, &v.settings[at]))
	}
	if k == "exclusive" {
		s.Exclusive = list(d, func(d *decoder) []string { return d.wordSet(v.settingNames(), true) }, false)
		k = d.next()
	}
	d.close(k)
	return s
}

func (v *vocabulary) settingNames() []string {
	names := make([]string, len(v.settings))
	for i, t := range v.settings {
		names[i] = t.name
	}
	return names
}

func (d *decoder) setting(v *vocabulary, t *term) Setting {
	s := Setting{Name: t.name}
	if d.peek() == '"' {
		s.Word = d.word(settingWords)
		return s
	}
	s.Rules = list(d, func(d *decoder) SettingRule { return d.settingRule(v, t) }, true)
	return s
}

var settingWords = []string{"supported", "refused"}

func (d *decoder) settingRule(v *vocabulary, t *term) (r SettingRule) {
	k := d.open()
	if k == "values" {
		r.Values = list(d, func(d *decoder) Value { return d.term(t) }, true)
		k = d.next()
	}
	if k == "min" {
		r.Min = d.decimal()
		k = d.next()
	}
	if k == "max" {
		r.Max = d.decimal()
		k = d.next()
	}
	if k == "default" {
		r.Default = d.term(t)
		k = d.next()
	}
	if k == "required" {
		r.Required = Known(d.bool())
		k = d.next()
	}
	if k == "when" {
		r.When = d.condition(v)
		k = d.next()
	}
	d.close(k)
	return r
}

func (d *decoder) condition(v *vocabulary) Condition {
	c := Condition{}
	at := -1
	k := d.open()
	for ; k != ""; k = d.next() {
		if at = find(v.conditions, k, at); at < 0 {
			d.fail("unknown or misplaced condition " + k)
			return c
		}
		t := &v.conditions[at]
		c = append(c, Clause{t.name, list(d, func(d *decoder) Value { return d.term(t) }, true)})
	}
	d.close(k)
	return c
}

// term reads a value of what t allows.
func (d *decoder) term(t *term) Value {
	if t.yesno && d.peek() != '"' {
		return BoolValue(d.bool())
	}
	switch {
	case t.words != nil:
		return TextValue(d.word(t.words))
	case t.number:
		return TextValue(string(d.decimal()))
	case t.yesno:
		return BoolValue(d.bool())
	}
	return TextValue(d.text())
}

func (d *decoder) protocols(v *vocabulary) []Protocol {
	return list(d, func(d *decoder) (p Protocol) {
		if d.peek() == '"' {
			return Protocol{Name: d.word(v.protocols)}
		}
		k := d.open()
		if k == "protocol" {
			p.Name = d.word(v.protocols)
			k = d.next()
		} else {
			d.missing("protocol", k)
		}
		if k == "when" {
			p.When = d.condition(v)
			k = d.next()
		} else {
			d.fail("a protocol without a condition is written as its name")
		}
		d.close(k)
		return p
	}, true)
}

func (e *encoder) settings(s *Settings) {
	e.open()
	for _, x := range s.Named {
		e.key(x.Name)
		if x.Rules == nil {
			e.text(x.Word)
			continue
		}
		encodeList(e, x.Rules, (*encoder).settingRule)
	}
	if s.Exclusive != nil {
		e.key("exclusive")
		encodeList(e, s.Exclusive, func(e *encoder, g *[]string) {
			encodeList(e, *g, func(e *encoder, v *string) { e.text(*v) })
		})
	}
	e.close()
}

func (e *encoder) settingRule(r *SettingRule) {
	e.open()
	if r.Values != nil {
		e.key("values")
		encodeList(e, r.Values, func(e *encoder, v *Value) { e.value(*v) })
	}
	if r.Min != "" {
		e.key("min")
		e.text(string(r.Min))
	}
	if r.Max != "" {
		e.key("max")
		e.text(string(r.Max))
	}
	if !r.Default.IsZero() {
		e.key("default")
		e.value(r.Default)
	}
	if x, ok := r.Required.Get(); ok {
		e.key("required")
		e.bool(x)
	}
	if r.When != nil {
		e.key("when")
		e.condition(r.When)
	}
	e.close()
}

func (e *encoder) condition(c Condition) {
	e.open()
	for _, x := range c {
		e.key(x.Name)
		encodeList(e, x.Values, func(e *encoder, v *Value) { e.value(*v) })
	}
	e.close()
}

func (e *encoder) protocols(ps []Protocol) {
	encodeList(e, ps, func(e *encoder, p *Protocol) {
		if p.When == nil {
			e.text(p.Name)
			return
		}
		e.open()
		e.key("protocol")
		e.text(p.Name)
		e.key("when")
		e.condition(p.When)
		e.close()
	})
}
