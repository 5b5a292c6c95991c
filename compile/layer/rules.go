package layer

import (
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
)

// mergeRules hands the rules on as their layers wrote them, since only rows can
// tell which of them meet. It judges whether a rule of a higher layer finds the
// one that it changes.
func (m *merger) mergeRules() {
	made := make([]Rule, len(m.rules))
	m.out.Rules = make([]*Rule, len(m.rules))
	for i, p := range m.rules {
		made[i] = Rule{Provider: p.id, Table: p.table, Broken: p.broken}
		m.out.Rules[i] = &made[i]
	}
	if m.above {
		m.ruleOverlays()
	}
}

// A target is what a rule speaks of in one operation: a row by name, or a pattern.
type target struct {
	provider, wire string
	pattern        string // with its version range; then wire is ""
	operation      string
}

// Exact lists the wire ids that a rule names: models, and a model_match without a
// wildcard. It is nil for a pattern.
func Exact(rule *tree.Node) []*tree.Node {
	var names []*tree.Node
	for n := range rule.Get("models").Each() {
		names = append(names, n)
	}
	if match := rule.Get("model_match"); match != nil && !IsPattern(match.Str()) {
		names = append(names, match)
	}
	return names
}

// IsPattern reports whether a model_match has a wildcard.
func IsPattern(s string) bool { return strings.ContainsAny(s, "*?") }

// targets lists what a rule speaks of, with the node that says so.
func targets(p piece) (out []target, at []*tree.Node) {
	for c := range p.table.Get("operations").Each() {
		names := Exact(p.table)
		for _, n := range names {
			out, at = append(out, target{p.id, n.Str(), "", c.Key.Name}), append(at, n)
		}
		if match := p.table.Get("model_match"); len(names) == 0 && match != nil {
			out, at = append(out, target{p.id, "", match.Str() + "\x00" + p.table.Get("model_version").Str(), c.Key.Name}), append(at, match)
		}
	}
	return out, at
}

func (m *merger) ruleOverlays() {
	lowest := map[target]piece{}
	for _, p := range m.rules {
		all, _ := targets(p)
		for _, t := range all {
			if was, ok := lowest[t]; !ok || p.rank < was.rank {
				lowest[t] = p
			}
		}
	}
	for _, p := range m.rules {
		if p.rank == 0 {
			continue
		}
		before := len(m.diags)
		m.meets(p, lowest)
		for i := before; i < len(m.diags); i++ {
			m.diags[i].Provider = p.id
		}
	}
}

// meets judges the add of a rule of a higher layer, and what it unsets.
func (m *merger) meets(p piece, lowest map[target]piece) {
	all, at := targets(p)
	for i, t := range all {
		contract := p.table.Path("operations", t.operation)
		add := saysAdd(p.table)
		if add == nil {
			add = saysAdd(contract)
		}
		was := lowest[t]
		met := was.rank < p.rank
		switch {
		case !met && add == nil && m.out.RulesBroken: // it may be in what could not be read
		case !met && add == nil:
			m.ruleDangles(p, t, at[i], lowest)
		case met && add != nil:
			m.add(diag.Diagnostic{Code: diag.AddMeetsExisting, At: add.KeyAt(), Got: at[i].Str(),
				Message: "add = true, but a lower layer has " + t.rule(at[i]) + " already",
				Notes:   []diag.Note{{At: was.table.At(), Message: "stated here"}}, Help: "leave add out to change what is there"})
		}
	}
	for contract := range p.table.Get("operations").Each() {
		for item := range unsetOf(contract).Each() {
			m.ruleUnset(contract, item)
		}
	}
}

// rule is how a message calls what a rule says of a target.
func (t target) rule(at *tree.Node) string {
	return diag.A(t.operation) + " rule for " + quote(at.Str())
}

func (m *merger) ruleDangles(p piece, t target, at *tree.Node, lowest map[target]piece) {
	d := diag.Diagnostic{Code: diag.PatchDangles, At: at.At(), Got: at.Str(), Help: "say add = true if the rule is new",
		Message: "no lower layer has " + t.rule(at)}
	if t.wire != "" {
		d.Row = t.provider + "/" + t.wire
		if i, ok := slices.BinarySearchFunc(m.out.Rows, d.Row, func(r *Row, id string) int { return strings.Compare(r.ID, id) }); ok {
			m.out.Rows[i].Broken = true // what its contract lacks, a rule that was meant may say
		}
	}
	if near, ok := m.nearest(at.Str(), func() []string { return rulesBelow(lowest, t, p.rank) }); ok {
		d.Allowed = []string{near}
		d.Help = "did you mean " + quote(near) + "? if the rule is new, say add = true"
	}
	m.add(d)
}

// ruleUnset judges what a contract unsets as far as its shape tells; resolve
// clears it.
func (m *merger) ruleUnset(contract, item *tree.Node) {
	if known, near := reaches(contract.Type(), item.Str()); !known {
		d := diag.Diagnostic{Code: diag.UnknownField, At: item.At(), Message: quote(item.Str()) + " is not a field of " + kindOf(contract), Got: item.Str()}
		if near != "" {
			d.Help = "did you mean " + quote(near) + "?"
		}
		m.add(d)
		return
	}
	_, again := tree.Find(contract, item.Str())
	k := keyOf(contract.Type(), item.Str())
	switch {
	case again != nil && again.Form != shape.FormTable:
		m.add(diag.Diagnostic{Code: diag.UnsetContradicts, At: item.At(), Message: quote(item.Str()) + " is unset and stated in one table", Got: item.Str(),
			Notes: []diag.Note{{At: again.KeyAt(), Message: "stated here"}}, Help: "stating it is enough: it replaces what the lower layer says"})
	case again == nil && k != nil && k.Need != shape.Optional:
		m.add(diag.Diagnostic{Code: diag.UnsetRequired, At: item.At(), Message: quote(item.Str()) + " can't be unset: " + kindOf(contract) + " must say it", Got: item.Str(),
			Help: "state another value"})
	}
}

// keyOf is the key that a path leads to; nil if it leads through a free table.
func keyOf(t *shape.Type, path string) *shape.Key {
	for t != nil {
		t = asTable(t)
		head, rest, deeper := strings.Cut(path, ".")
		if t.Kind != shape.Record {
			return nil
		}
		k := t.Table.Key(head)
		if k == nil || !deeper {
			return k
		}
		t, path = k.Type, rest
	}
	return nil
}

// rulesBelow lists what rules of lower layers name, of a provider and operation.
func rulesBelow(lowest map[target]piece, t target, rank int) []string {
	var names []string
	for other, was := range lowest {
		if other.provider == t.provider && other.operation == t.operation && was.rank < rank && (other.wire == "") == (t.wire == "") {
			name, _, _ := strings.Cut(other.wire+other.pattern, "\x00")
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
