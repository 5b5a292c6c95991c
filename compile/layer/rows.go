package layer

import (
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// mergeRows makes one table of each row and takes away what is removed.
func (m *merger) mergeRows() {
	n := 0
	for i := range m.rows {
		if i == 0 || m.rows[i].id != m.rows[i-1].id {
			n++
		}
	}
	made := make([]Row, 0, n)
	m.out.Rows = make([]*Row, 0, n)
	entombed := len(m.removes) > 0 || len(m.revives) > 0
	for rest := m.rows; len(rest) > 0; {
		var same []piece
		same, rest = group(rest)
		made = append(made, Row{ID: same[0].id})
		r := &made[len(made)-1]
		switch {
		case len(same) == 1 && same[0].rank == 0 && !entombed:
			r.Table, r.Broken = same[0].table, same[0].broken
			if f := r.Table.File; f == nil || f.Speaks { // nearly never in the weakest layer
				r.Table = m.settle(r.Table, true)
				m.changesOf(r, r.Table)
			}
			if m.moved != nil {
				m.dropPromise(r)
			}
		default:
			life := history{row: r, pieces: same, removes: about(m.removes, r.ID), revives: about(m.revives, r.ID)}
			if !m.live(&life) {
				continue
			}
		}
		m.out.Rows = append(m.out.Rows, r)
	}
	if entombed {
		m.tombstonesOfNothing()
	}
}

// A history is what the layers say of one row, weakest first.
type history struct {
	row                      *Row
	pieces, removes, revives []piece
	removed                  *tree.Node
}

// take cuts off the leading pieces of one layer.
func take(pieces *[]piece, rank int) []piece {
	i := 0
	for i < len(*pieces) && (*pieces)[i].rank == rank {
		i++
	}
	same := (*pieces)[:i]
	*pieces = (*pieces)[i:]
	return same
}

// next is the lowest layer that still has something to say.
func (h *history) next() (rank int, ok bool) {
	for _, list := range [][]piece{h.pieces, h.removes, h.revives} {
		if len(list) > 0 && (!ok || list[0].rank < rank) {
			rank, ok = list[0].rank, true
		}
	}
	return rank, ok
}

// live follows a row through the layers; it reports whether it is there at the end.
func (m *merger) live(h *history) bool {
	r := h.row
	for {
		rank, ok := h.next()
		if !ok {
			break
		}
		before := len(m.diags)
		tables, removes, revives := take(&h.pieces, rank), take(&h.removes, rank), take(&h.revives, rank)
		m.once(removes, "removed")
		m.once(revives, "revived")
		if len(revives) > 0 {
			if h.removed == nil && len(removes) == 0 {
				m.danglesTomb(revives[0], r.ID)
			}
			h.removed, removes = nil, nil
		}
		if len(tables) > 0 {
			r.Broken = r.Broken || anyBroken(tables)
			m.duplicateRows(tables)
			if tomb := h.tomb(removes); tomb != nil {
				m.risen(tables[0].table, tomb, r.ID)
			} else {
				m.layRow(r, tables[0].table, rank)
			}
		}
		if len(removes) > 0 {
			if r.Table == nil {
				m.removesNothing(removes[0])
			}
			h.removed = removes[0].table
		}
		for i := before; i < len(m.diags); i++ {
			m.diags[i].Row = r.ID
		}
	}
	if h.removed != nil {
		m.out.Removed = append(m.out.Removed, Removal{Row: r.ID, Table: h.removed})
		return false
	}
	if r.Table == nil {
		return false
	}
	m.dropPromise(r)
	return true
}

// tomb is the removal that a definition of this layer stands on.
func (h *history) tomb(own []piece) *tree.Node {
	if h.removed != nil {
		return h.removed
	}
	if len(own) > 0 {
		return own[0].table
	}
	return nil
}

// layRow lays one layer's table of a row over what is below it.
func (m *merger) layRow(r *Row, above *tree.Node, rank int) {
	below := r.Table
	if rank > 0 {
		m.rowRights(r, below, above, rank)
	}
	m.changesOf(r, above)
	switch {
	case below != nil:
		r.Table = m.lay(below, above, false)
	default:
		if rank > 0 && saysAdd(above) == nil {
			r.Broken = true // another row may be meant: what this one lacks says nothing
			m.danglesAmong(or(above.Get("wire_model"), above).At(), r.ID, "a row", func() []string { return idsBelow(m.rows, rank) })
		}
		r.Table = m.settle(above, true)
	}
	if c := r.Table.Get("change_operations"); c != nil { // spoken to the layer below, and said
		r.Table = m.arena.Without(r.Table, []string{"change_operations"})
	}
	if r.Untrusted || below != nil && below.Get("price") == nil && trustOf(above) == untrusted {
		m.distrustAll(r)
	}
}

func (m *merger) changesOf(r *Row, above *tree.Node) {
	if c := above.Get("change_operations"); c != nil && !m.refused[c] {
		r.Changes = append(r.Changes, c)
		if above == r.Table {
			r.Table = m.arena.Without(above, []string{"change_operations"})
		}
	}
}

// dropPromise leaves out a row's data controls if a higher layer moved its
// provider's endpoint after they were stated.
func (m *merger) dropPromise(r *Row) {
	provider, _, _ := strings.Cut(r.ID, "/")
	rank, ok := m.moved[provider]
	if c := r.Table.Get("data_controls"); ok && c != nil && c.File != nil && !lastSaid(c, rank) {
		r.Table = m.arena.Without(r.Table, []string{"data_controls"})
	}
}

// lastSaid reports whether any value within n is of the layer or a higher one.
func lastSaid(n *tree.Node, rank int) bool {
	if n.File != nil && n.File.Rank >= rank {
		return true
	}
	for c := range n.Each() {
		if lastSaid(c, rank) {
			return true
		}
	}
	return false
}

// duplicateRows: one row is one table in a layer.
func (m *merger) duplicateRows(same []piece) {
	for _, again := range same[1:] {
		m.add(diag.Diagnostic{Code: diag.DuplicateRow, At: or(again.table.Get("wire_model"), again.table).At(), Got: again.id,
			Message: "the row " + quote(again.id) + " is defined twice in one layer",
			Notes:   []diag.Note{{At: or(same[0].table.Get("wire_model"), same[0].table).At(), Message: "first defined here"}}, Help: "keep one"})
	}
}

// rowIDs lists the ids of all rows that any layer states.
func (m *merger) rowIDs() []string {
	ids := make([]string, len(m.rows))
	for i, p := range m.rows {
		ids[i] = p.id
	}
	return slices.Compact(ids)
}
