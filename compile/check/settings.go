package check

import (
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
)

// An alternative is one way in which a contract takes a setting: values or a
// range, and when it holds.
type alternative struct {
	setting, node *tree.Node
	kind          shape.Kind
	index         int                   // of the setting
	k             [sWhen + 1]*tree.Node // its keys
}

// readSettings takes the settings apart. One that is only supported or refused
// has no alternatives.
func (c *contract) readSettings(table *tree.Node) {
	c.alternatives = c.alternatives[:0]
	if c.k.settingsTable == nil {
		return
	}
	c.settings.read(table, len(c.k.settingsTable.Keys), c.row.placed)
	for i, s := range c.settings {
		if s == nil || i == c.k.exclusive || s.First() == nil {
			continue
		}
		if s.Form == shape.FormTable {
			c.readAlternative(s, s, i)
			continue
		}
		for n := s.First(); n != nil; n = n.Next() {
			c.readAlternative(s, n, i)
		}
	}
}

func (c *contract) readAlternative(setting, n *tree.Node, index int) {
	c.alternatives = append(c.alternatives, alternative{setting: setting, node: n, kind: c.Op.Settings[index].Kind, index: index})
	a := &c.alternatives[len(c.alternatives)-1]
	for k := n.First(); k != nil; k = k.Next() {
		if i := k.Key.Index; i >= 0 && i < len(a.k) {
			a.k[i] = view(k, c.row.placed)
		}
	}
}

// setting finds what a contract says of a setting; nil if it says nothing.
func (c *contract) setting(name string) *tree.Node {
	if c.k.settingsTable == nil {
		return nil
	}
	if k := c.k.settingsTable.Key(name); k != nil {
		return c.settings.at(k.Index)
	}
	return nil
}

// each looks at every alternative of one setting.
func (c *contract) each(setting *tree.Node, look func(*alternative)) {
	for i := range c.alternatives {
		if a := &c.alternatives[i]; a.setting == setting {
			look(a)
		}
	}
}

func numeric(k shape.Kind) bool { return k == shape.Number || k == shape.Count }

// settingRules finds settings that contradict themselves, and defaults that the
// setting itself would refuse: a caller who leaves such a setting out is refused
// for what the catalog filled in.
func (c *contract) settingRules() {
	for i := range c.alternatives {
		c.settingRule(&c.alternatives[i])
	}
}

func (c *contract) settingRule(a *alternative) {
	n, kind := a.setting, a.kind
	values, low, high, std := a.k[sValues], a.k[sMin], a.k[sMax], a.k[sDefault]
	quarrel := func(at, other *tree.Node, message, help string) {
		c.add(diag.Diagnostic{Code: diag.SettingContradicts, At: at.KeyAt(), Message: message, Got: at.Str(), Notes: against(other), Help: help})
	}
	if values != nil {
		for _, bound := range []*tree.Node{low, high} {
			if bound != nil && numeric(kind) {
				quarrel(bound, values, "the setting "+quote(n.Name())+" lists its values and bounds them too", "keep values, or min and max")
			}
		}
		for later := values.First(); later != nil; later = later.Next() {
			for sooner := values.First(); sooner != later; sooner = sooner.Next() {
				if sameValue(kind, sooner.Str(), later.Str()) {
					c.add(diag.Diagnostic{Code: diag.EntryTwice, At: later.At(), Message: "the value " + quote(later.Str()) + " is listed twice", Got: later.Str(),
						Notes: note(sooner, "first listed here"), Help: "keep one"})
					break
				}
			}
		}
	}
	if std == nil {
		return
	}
	if a.k[sRequired].IsTrue() {
		quarrel(std, a.k[sRequired], "the setting "+quote(n.Name())+" must be given, so its default never holds", "remove one of the two")
	}
	d := diag.Diagnostic{Code: diag.DefaultNotAllowed, At: std.At(), Got: std.Str()}
	switch {
	case values != nil && !lists(kind, values, std.Str()):
		d.Message = "the default of " + quote(n.Name()) + " is not one of its values"
		d.Allowed, d.Notes = values.Strings(), note(values, "the values")
		d.Help = "mend the default, or add it to the values"
	case low != nil && numeric(kind) && compare(std.Str(), low.Str()) < 0:
		d.Message = "the default of " + quote(n.Name()) + " is below its minimum"
		d.Allowed, d.Notes = []string{">= " + low.Str()}, note(low, "the minimum")
	case high != nil && numeric(kind) && compare(std.Str(), high.Str()) > 0:
		d.Message = "the default of " + quote(n.Name()) + " is above its maximum"
		d.Allowed, d.Notes = []string{"<= " + high.Str()}, note(high, "the maximum")
	default:
		return
	}
	c.add(d)
}

func sameValue(kind shape.Kind, a, b string) bool {
	if numeric(kind) {
		return compare(a, b) == 0
	}
	return a == b
}

func lists(kind shape.Kind, values *tree.Node, text string) bool {
	for v := values.First(); v != nil; v = v.Next() {
		if sameValue(kind, v.Str(), text) {
			return true
		}
	}
	return false
}

// exclusive finds pairs of settings that may not meet, one of which the row does
// not have: a misspelt name there lets the pair through.
func (c *contract) exclusive() {
	for pair := c.settings.at(c.k.exclusive).First(); pair != nil; pair = pair.Next() {
		if pair.First() != nil && pair.First().Next() == nil && !c.partial() {
			c.add(diag.Diagnostic{Code: diag.SettingContradicts, At: pair.First().At(), Message: quote(pair.First().Str()) + " alone excludes nothing", Got: pair.First().Str(),
				Help: "name the setting that it may not be asked for with"})
		}
		var required *tree.Node
		for n := pair.First(); n != nil; n = n.Next() {
			s := c.setting(n.Str())
			if s == nil {
				if !c.partial() && c.granted(c.settings[c.k.exclusive]) {
					c.add(c.undeclared(n))
				}
				continue
			}
			always := false
			c.each(s, func(a *alternative) { always = always || a.k[sRequired].IsTrue() && a.k[sWhen] == nil })
			if !always {
				continue
			}
			if required != nil {
				c.add(diag.Diagnostic{Code: diag.SettingContradicts, At: n.At(), Message: quote(n.Str()) + " and " + quote(required.Str()) + " must both be given and may not meet", Got: n.Str(),
					Notes: note(s, quote(n.Str())+" is required"), Help: "no request could be made: mend one of the two"})
			}
			required = n
		}
	}
}

// granted reports whether the rule that grants the contract wrote a key of its
// settings. A pattern may exclude pairs on all rows that it covers, also on those
// that lack one of the two.
func (c *contract) granted(n *tree.Node) bool {
	if c.Grant == nil {
		return true
	}
	own := c.Grant.Path("operations", c.Op.Name, "settings", n.Name())
	return own != nil && own.KeyAt() == n.KeyAt()
}

func (c *contract) undeclared(n *tree.Node) diag.Diagnostic {
	d := diag.Diagnostic{Code: diag.ExclusiveUndeclared, At: n.At(), Message: quote(n.Str()) + " is not declared on this row, so it excludes nothing", Got: n.Str(), Allowed: c.declared(),
		Help: "declare the setting, or remove it here"}
	if near, ok := diag.Nearest(n.Str(), d.Allowed); ok {
		d.Help = "did you mean " + quote(near) + "?"
	}
	return d
}

// declared are the settings that the contract states.
func (c *contract) declared() []string {
	var names []string
	for i, n := range c.settings {
		if n != nil && i != c.k.exclusive {
			names = append(names, n.Name())
		}
	}
	return names
}
