package migrate

import (
	"github.com/opcat/opcat/compile/tree"
)

// writeGrants writes one rule for each row, naming it exactly, with the contracts
// that its operations and the rules of format 0 give it.
func (m *migration) writeGrants() {
	for _, r := range m.rows {
		if len(r.Contracts) == 0 || r.Twin {
			continue
		}
		at := r.OperationsAt
		if at == nil {
			at = r.Table
		}
		rule := m.item(m.rulesOf(r.File, r.Broken || m.rulesBroken(), r.Provider), at)
		m.words(rule, "models", r.wireAt(), []string{r.Wire})
		ops := m.make(rule, "operations", at)
		for _, c := range r.Contracts {
			ops.Append(c)
		}
		rule.Append(ops)
		if m.rank > 0 {
			m.yes(rule, "add", at)
		}
	}
	m.writeDetails()
}

// writeDetails writes what the rules of an overlay say about rows of lower layers.
// It restates keys of the rule that grants the row.
func (m *migration) writeDetails() {
	for _, r := range m.details {
		at := r.Contracts[0]
		rule := m.item(m.rulesOf(r.File, m.rulesBroken(), r.Provider), at)
		m.words(rule, "models", at, []string{r.Wire})
		ops := m.make(rule, "operations", at)
		for _, c := range r.Contracts {
			ops.Append(c)
		}
		rule.Append(ops)
	}
}

// wireAt is where a row says its id on the wire.
func (r *legacyRow) wireAt() *tree.Node {
	if n := r.Table.Get("wire_model"); n != nil {
		return n
	}
	return r.Table
}

// rulesBroken reports whether some rule file of the layer could not be read whole.
func (m *migration) rulesBroken() bool {
	for _, f := range m.rules {
		if f.Broken {
			return true
		}
	}
	return false
}
