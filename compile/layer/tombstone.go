package layer

import (
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// risen reports a table of a row that stands removed: it comes back only by an
// explicit revive.
func (m *merger) risen(table, tomb *tree.Node, id string) {
	m.add(diag.Diagnostic{Code: diag.TombstoneRevived, At: or(table.Get("wire_model"), table).At(), Got: id,
		Message: "the row " + quote(id) + " is removed, and comes back only by an explicit revive",
		Notes:   []diag.Note{{At: tomb.At(), Message: "removed here: " + tomb.Get("reason").Str()}},
		Help:    "write revive = [{ row = " + quote(id) + ", reason = \"...\" }] in this layer, or drop the table"})
}

// once: a layer removes or revives a row once, with one reason.
func (m *merger) once(same []piece, what string) {
	for i, again := range same {
		if i > 0 {
			m.add(diag.Diagnostic{Code: diag.DuplicateFact, At: again.table.At(), Got: again.id, Message: quote(again.id) + " is " + what + " twice in one layer",
				Notes: []diag.Note{{At: same[0].table.At(), Message: "first here"}}, Help: "keep one"})
		}
	}
}

func (m *merger) danglesTomb(p piece, id string) {
	m.add(diag.Diagnostic{Code: diag.PatchDangles, At: or(p.table.Get("row"), p.table).At(), Got: id, Row: id,
		Message: "revives " + quote(id) + ", which no layer removed", Help: "drop the revive"})
}

func (m *merger) removesNothing(p piece) {
	d := diag.Diagnostic{Code: diag.SuppressMatchesNothing, Warning: true, At: or(p.table.Get("row"), p.table).At(), Got: p.id, Row: p.id,
		Message: "removes " + quote(p.id) + ", which no layer below has"}
	if near, ok := m.nearest(p.id, m.rowIDs); ok {
		d.Help = "did you mean " + quote(near) + "?"
	}
	if !m.out.CatalogBroken {
		m.add(d)
	}
}

// tombstonesOfNothing judges removals and revivals of rows that no layer states. A
// removal stands all the same: it also holds at run time.
func (m *merger) tombstonesOfNothing() {
	ids := m.rowIDs()
	missing := func(id string) bool { _, ok := slices.BinarySearch(ids, id); return !ok && id != "" }
	for rest := m.removes; len(rest) > 0; {
		var same []piece
		if same, rest = group(rest); missing(same[0].id) {
			m.withoutRow(same, about(m.revives, same[0].id))
		}
	}
	for rest := m.revives; len(rest) > 0; {
		var same []piece
		if same, rest = group(rest); missing(same[0].id) && len(about(m.removes, same[0].id)) == 0 {
			m.danglesTomb(same[0], same[0].id)
		}
	}
	slices.SortFunc(m.out.Removed, func(a, b Removal) int { return strings.Compare(a.Row, b.Row) })
}

func (m *merger) withoutRow(removes, revives []piece) {
	h := history{row: &Row{ID: removes[0].id}, removes: removes, revives: revives}
	m.live(&h)
}
