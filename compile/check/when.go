package check

import (
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
)

// conditions looks at every `when` of a contract: those of its settings, which
// may not overlap, and those of its protocols.
func (c *contract) conditions() {
	for i := range c.alternatives {
		a := &c.alternatives[i]
		if a.setting != a.node && a.node == a.setting.First() {
			c.overlaps(a.setting)
		}
		c.condition(a.k[sWhen], a.setting, nil)
	}
	for i := range c.protocols {
		c.condition(c.protocols[i].when, nil, c.protocols[i].name)
	}
}

// overlaps finds two alternatives of a setting that hold for one request: it
// would be admitted by the one and refused by the other.
func (c *contract) overlaps(setting *tree.Node) {
	for later := setting.First(); later != nil; later = later.Next() {
		for sooner := setting.First(); sooner != later; sooner = sooner.Next() {
			a, b := sooner.Get("when"), later.Get("when")
			if !bothHold(a, b) {
				continue
			}
			at := later
			if b != nil {
				at = b
			}
			d := diag.Diagnostic{Code: diag.WhenOverlaps, At: at.At(), Message: "two alternatives of " + quote(setting.Name()) + " hold for the same request", Got: conditionText(b),
				Notes: []diag.Note{{At: sooner.At(), Message: "the other one, with " + conditionText(a)}},
				Help:  "make them exclude each other: one value of a setting belongs to one alternative"}
			if a != nil {
				d.Notes[0].At = a.At()
			}
			c.add(d)
		}
	}
}

// bothHold reports whether a request can meet two conditions; nil always holds.
func bothHold(a, b *tree.Node) bool {
	for n := a.First(); n != nil; n = n.Next() {
		m := b.Get(n.Name())
		if m == nil {
			continue
		}
		meet := false
		for v := n.First(); v != nil && !meet; v = v.Next() {
			meet = m.Has(v.Str())
		}
		if !meet {
			return false
		}
	}
	return true
}

func conditionText(when *tree.Node) string {
	if when == nil {
		return "no condition"
	}
	s := ""
	for n := when.First(); n != nil; n = n.Next() {
		if s != "" {
			s += " and "
		}
		s += n.Name() + " in [" + list(n.Strings()) + "]"
	}
	return s
}

// condition finds names that a condition can't speak of and values that never
// come. Such a condition never holds, and what it guards is refused for good.
func (c *contract) condition(when, setting, protocol *tree.Node) {
	for n := when.First(); n != nil; n = n.Next() {
		switch n.Name() {
		case "tools", "structured", "api_version":
			continue
		case "input":
			c.amongKinds(n)
			continue
		case "protocol":
			c.amongProtocols(n, protocol)
			continue
		}
		if setting != nil && setting.Name() == n.Name() {
			c.add(diag.Diagnostic{Code: diag.SettingContradicts, At: n.KeyAt(), Message: quote(n.Name()) + " is the condition of itself", Got: n.Name(),
				Help: "say in values which ones it takes"})
			continue
		}
		s := c.setting(n.Name())
		if s == nil {
			if !c.partial() && c.k.settingsTable.Key(n.Name()) != nil {
				d := diag.Diagnostic{Code: diag.WhenUndeclared, At: n.KeyAt(), Message: "the condition is about " + quote(n.Name()) + ", which the contract does not declare", Got: n.Name(), Allowed: c.declared(),
					Help: "declare the setting, or remove the condition"}
				if near, ok := diag.Nearest(n.Name(), d.Allowed); ok {
					d.Help = "did you mean " + quote(near) + "?"
				}
				c.add(d)
			}
			continue
		}
		for v := n.First(); v != nil; v = v.Next() {
			if why, help := c.never(s, v); why != "" && inOneFile(s, v) {
				d := diag.Diagnostic{Code: diag.WhenNever, At: v.At(), Message: quote(n.Name()) + " is never " + quote(v.Str()) + ": " + why, Got: v.Str(), Notes: note(s, "the setting"), Help: help}
				d.Allowed = c.values(s)
				c.add(d)
			}
		}
	}
}

// never tells why a setting has no request with a value; "" if one may have it.
func (c *contract) never(s, v *tree.Node) (why, help string) {
	const mend = "remove the value, or let the setting take it"
	if v.Str() == "unset" {
		always := ""
		c.each(s, func(a *alternative) {
			switch {
			case a.k[sWhen] != nil:
			case a.k[sDefault] != nil:
				always = "left out, it counts as its default " + quote(a.k[sDefault].Str())
			case a.k[sRequired].IsTrue():
				always = "a request must give it"
			}
		})
		return always, `remove "unset"`
	}
	if s.Str() == "refused" {
		return "the setting is refused", mend
	}
	if s.Str() == "supported" {
		return "", ""
	}
	kind := c.kindOf(s)
	admitted := false
	c.each(s, func(a *alternative) {
		switch {
		case a.k[sValues] != nil:
			admitted = admitted || lists(kind, a.k[sValues], v.Str())
		case numeric(kind):
			admitted = admitted || (a.k[sMin] == nil || compare(v.Str(), a.k[sMin].Str()) >= 0) && (a.k[sMax] == nil || compare(v.Str(), a.k[sMax].Str()) <= 0)
		default:
			admitted = true
		}
	})
	if admitted {
		return "", ""
	}
	return "the setting does not take it", mend
}

func (c *contract) kindOf(s *tree.Node) shape.Kind {
	for i := range c.Op.Settings {
		if c.Op.Settings[i].Name == s.Name() {
			return c.Op.Settings[i].Kind
		}
	}
	return shape.Text
}

// values are the values that a setting lists; nil if it lists none.
func (c *contract) values(s *tree.Node) []string {
	var all []string
	c.each(s, func(a *alternative) {
		for v := a.k[sValues].First(); v != nil; v = v.Next() {
			if !contains(all, v.Str()) {
				all = append(all, v.Str())
			}
		}
	})
	return all
}

func (c *contract) amongKinds(n *tree.Node) {
	inputs := c.kids[c.k.inputs]
	for v := n.First(); v != nil && inputs != nil; v = v.Next() {
		if !inputs.Has(v.Str()) && inOneFile(inputs, v) {
			c.add(diag.Diagnostic{Code: diag.WhenNever, At: v.At(), Message: "the contract takes no " + v.Str() + ", so no request sends it", Got: v.Str(), Allowed: inputs.Strings(),
				Notes: note(inputs, "what the contract takes"), Help: "remove the kind, or add it to input_kinds"})
		}
	}
}

func (c *contract) amongProtocols(n, own *tree.Node) {
	for v := n.First(); v != nil; v = v.Next() {
		switch {
		case own != nil && v.Str() != own.Str():
			c.add(diag.Diagnostic{Code: diag.WhenNever, At: v.At(), Message: "the condition of " + own.Str() + " asks for " + v.Str(), Got: v.Str(), Notes: note(own, "the protocol"), Help: "remove protocol from the condition"})
		case c.speaks(v.Str()) == nil && len(c.protocols) > 0 && inOneFile(c.protocols[0].name, v):
			var may []string
			for _, p := range c.protocols {
				may = append(may, p.name.Str())
			}
			c.add(diag.Diagnostic{Code: diag.WhenNever, At: v.At(), Message: "the contract does not speak " + v.Str(), Got: v.Str(), Allowed: may, Notes: note(c.kids[c.k.protocol], "its protocols"),
				Help: "remove the protocol from the condition, or add it to the contract"})
		}
	}
}
