package migrate

import (
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// retired refuses what format 0 itself had given up (L36).
func (m *migration) retired() {
	for _, f := range m.catalog {
		m.refuse(f.Table.Get("fallback_model"), "", "write [provider_defaults.<provider>] with runtime = the row")
		m.refuse(f.Table.Get("tier_rules"), "", "write tier on each row, or [tier_defaults]")
	}
}

// fastMode refuses a row's old word for a faster tier.
func (m *migration) fastMode(t *tree.Node, r *legacyRow) {
	m.refuse(t.Get("fast_mode"), r.RowID(), `write a serving_tiers entry with id = "fast"`)
}

func (m *migration) refuse(n *tree.Node, row, help string) {
	if n == nil {
		return
	}
	m.report(diag.Diagnostic{Code: diag.RetiredField, At: n.KeyAt(), Row: row, Message: quote(n.Key.Name) + " was retired in format 0 already", Got: n.Key.Name, Help: help, Fields: []string{n.Key.Name}})
}
