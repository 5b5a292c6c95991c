package migrate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// readRows finds the rows of the layer: those that are written, those that a
// registration makes of one, with the facts that are imported and what patches of
// this layer change.
func (m *migration) readRows() {
	facts := m.readCache()
	for _, f := range m.catalog {
		for n := range f.Table.Get("models").Each() {
			m.readRow(f, n, facts)
		}
	}
	m.supersede()
	m.patchRows()
	m.rows = slices.DeleteFunc(m.rows, func(r *legacyRow) bool {
		whole := m.complete(r)
		if whole && r.Base != nil {
			m.restated = append(m.restated, r)
		}
		return !whole || r.Base != nil
	})
	slices.SortStableFunc(m.rows, func(a, b *legacyRow) int {
		return cmp.Or(strings.Compare(a.Provider, b.Provider), strings.Compare(a.Wire, b.Wire), strings.Compare(a.ID, b.ID))
	})
	m.wireRoutes()
	m.byID = newRowIndex(m.rows)
}

// A rowIndex finds rows by upstream's id and by today's.
type rowIndex struct {
	upstream map[string][]*legacyRow
	today    map[string]*legacyRow
}

func newRowIndex(rows []*legacyRow) rowIndex {
	x := rowIndex{make(map[string][]*legacyRow, len(rows)), make(map[string]*legacyRow, len(rows))}
	for _, r := range rows {
		x.upstream[r.ID] = append(x.upstream[r.ID], r)
		if x.today[r.RowID()] == nil {
			x.today[r.RowID()] = r
		}
	}
	return x
}

func (m *migration) readRow(f fragment.Fragment, n *tree.Node, facts *cache) {
	table := n
	if imports := n.Get("models_dev"); imports != nil {
		table = m.imported(n, imports, facts)
	}
	r := &legacyRow{ID: n.Key.Name, Table: table, File: f.File, Broken: f.Broken}
	m.rows = append(m.rows, r)
	m.register(r, n.Get("registration"))
}

// complete fills in who serves the row and under which wire id, and reports what
// a row of format 0 must say. A row without a provider goes no further.
func (m *migration) complete(r *legacyRow) bool {
	provider := r.Table.Get("provider")
	r.Provider = provider.Str()
	r.Wire = r.Table.Get("wire_model").Str()
	if r.Wire == "" {
		r.Wire = r.ID
	}
	if provider != nil && provider.File != nil && m.rank > 0 {
		r.Base = m.below.row(r.RowID())
	}
	for _, name := range []string{"name", "provider", "context_window"} {
		if r.Table.Get(name) == nil && r.Base == nil && !r.Broken {
			m.report(diag.Diagnostic{Code: diag.MissingKey, At: r.Table.KeyAt(), Message: "a model row lacks " + quote(name), Row: r.ID,
				Help: "add " + name + " to [models." + quote(r.ID) + "]"})
			r.Broken = true
		}
	}
	return provider != nil
}

// wireRoutes refuses two rows that dial one wire id for different jobs. Two that
// say they do the same are the layer stage's finding: one row, written twice.
func (m *migration) wireRoutes() {
	kept := m.rows[:0]
	for _, r := range m.rows {
		if len(kept) == 0 || kept[len(kept)-1].RowID() != r.RowID() {
			kept = append(kept, r)
			continue
		}
		first := kept[len(kept)-1]
		a, b := first.Table.Get("operations"), r.Table.Get("operations")
		if jobs(first.Table) == jobs(r.Table) {
			r.Twin = true
			kept = append(kept, r)
			continue
		}
		at, there := b, a
		if at == nil {
			at = r.Table
		}
		if there == nil {
			there = first.Table
		}
		m.report(diag.Diagnostic{Code: diag.WireRouteAmbiguous, At: r.Table.KeyAt(), Row: r.RowID(), Provider: r.Provider, Fields: []string{"wire_model"},
			Message: "two rows dial " + quote(r.Wire) + " of " + r.Provider + " for different jobs", Got: r.Wire + " x2",
			Notes: []diag.Note{{At: there.KeyAt(), Message: quote(first.ID) + " does " + jobs(first.Table)}, {At: at.KeyAt(), Message: quote(r.ID) + " does " + jobs(r.Table)}},
			Help:  "write one row with both operations"})
	}
	m.rows = kept
}

// jobs is what a row's own fields say it does, in a word.
func jobs(t *tree.Node) string {
	if ops := t.Get("operations"); ops != nil {
		names := slices.Clone(ops.Strings())
		slices.Sort(names)
		return "[" + strings.Join(names, ", ") + "]"
	}
	if t.Get("embedding_dim") != nil || t.Get("is_embedding_model").IsTrue() {
		return "[embedding]"
	}
	return "[text_generation]"
}
