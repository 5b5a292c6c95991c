package migrate

import (
	"slices"
	"strconv"

	"github.com/opcat/opcat/compile/tree"
)

// priceOver writes what an overlay's card changes in the prices of a row that
// format 0 wrote in a lower layer. A rate that changes changes every product that
// it is part of, so the cards are joined first and their entries compared.
func (m *migration) priceOver(out *tree.Node, r, low *legacyRow) {
	card, tiers := r.Table.Get("pricing"), r.Table.Get("serving_tiers")
	if card == nil && tiers == nil {
		return
	}
	at := card
	if at == nil {
		at = tiers
	}
	before := m.quietly().entries(out, low)
	joined := *r
	joined.Table, joined.Discount, joined.Operations = m.over(low.Table, r.Table), low.Discount, low.Operations
	after := m.entries(out, &joined)
	var gone []string // meters of which some entry is no longer there
	for old := range before.Each() {
		if meter := old.Get("meter").Str(); entryLike(after, old) == nil && !slices.Contains(gone, meter) {
			gone = append(gone, meter)
		}
	}
	list := m.make(out, "price", at)
	for e := range after.Each() {
		if there := entryLike(before, e); there == nil || !tree.Equal(there, e) || slices.Contains(gone, e.Get("meter").Str()) {
			list.Append(m.arena.Copy(e, nil))
		}
	}
	m.hoist(list, at)
	if list.First() != nil {
		out.Append(list)
	}
	slices.Sort(gone)
	for i, meter := range gone {
		gone[i] = "price." + meter
	}
	if len(gone) > 0 {
		m.words(out, "unset", at, gone)
	}
	m.moved("L45", at, r.RowID(), "pricing", strconv.Itoa(list.Len())+" price entries that change")
}

// quietly is the migration without a voice: what it says was said before.
func (m *migration) quietly() *migration {
	return &migration{arena: m.arena, rank: m.rank, layer: m.layer, below: m.below}
}

// entryLike finds the entry of the same meter and conditions; nil if there is none.
func entryLike(list, e *tree.Node) *tree.Node {
	for c := range list.Each() {
		if sameConditions(c, e) && sameConditions(e, c) {
			return c
		}
	}
	return nil
}

// sameConditions reports whether b has each condition of a.
func sameConditions(a, b *tree.Node) bool {
	for c := range a.Each() {
		switch c.Key.Name {
		case "usd_per_million", "usd_per_unit", "dynamic", "free_units_per_month", "source", "note":
			continue
		}
		if !tree.Equal(c, b.Get(c.Key.Name)) {
			return false
		}
	}
	return true
}

// rowsByID adds the rows of this layer to those that lower layers wrote in format
// 0, with what it changes in them.
func (m *migration) rowsByID(below map[string]*legacyRow) map[string]*legacyRow {
	out := make(map[string]*legacyRow, len(below)+len(m.rows))
	for id, r := range below {
		out[id] = r
	}
	for _, r := range m.rows {
		out[r.RowID()] = r
	}
	change := func(id string, by *tree.Node) {
		if low := out[id]; low != nil {
			r := *low
			r.Table = m.over(low.Table, by)
			out[id] = &r
		}
	}
	for _, r := range m.restated {
		change(r.RowID(), r.Table)
	}
	for _, p := range m.patches {
		change(p.base.ID, p.table)
	}
	return out
}
