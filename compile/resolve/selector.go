package resolve

import (
	"slices"
	"strconv"

	"github.com/opcat/opcat/compile/layer"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// current finds the row seen behind a moving name.
func (r *resolver) current(row *Row, current *tree.Node) *Row {
	if row.Table.Get("selects") == nil {
		return nil // only a selector follows another row: package check says so
	}
	name := strconv.Quote(row.ID)
	target := r.row(current, "current of "+name, row.ID)
	if target == nil {
		return nil
	}
	if target == row {
		r.circle(diag.SelectorCycle, row, row, current, "follows itself")
		return nil
	}
	if target.Provider != row.Provider || target.Provider == nil && target.ID[:len(target.ID)-len(target.Wire)] != row.ID[:len(row.ID)-len(row.Wire)] {
		r.add(diag.Diagnostic{Code: diag.ReferenceProviderMismatch, At: current.At(), Got: target.ID, Row: row.ID, Message: "the selector " + name + " follows a row of another provider",
			Notes: []diag.Note{{At: place(target), Message: "the row"}}, Help: "current names a row of the same provider; for facts of another one there is inherits"})
		return nil
	}
	return target
}

// selects gives a selector the limits, prices and lifecycle that it leaves unsaid.
// Whether what it says agrees with the row behind it is package check's question.
func (r *resolver) selects(row, target *Row, current *tree.Node) {
	mine, theirs := row.does(), target.does()
	if len(mine) > 0 && !sameSet(mine, theirs) && !r.draft.RulesBroken {
		r.add(diag.Diagnostic{Code: diag.SelectorCrossesOperation, At: current.At(), Got: target.ID + " " + listed(theirs), Allowed: []string{"a row that serves " + said(mine)}, Row: row.ID,
			Message: "the selector " + strconv.Quote(row.ID) + " and the row behind it serve different operations",
			Notes:   []diag.Note{{At: place(row), Message: row.ID + " serves " + said(mine)}, {At: place(target), Message: target.ID + " serves " + said(theirs)}},
			Help:    "name both rows in the rules that grant the operations"})
	}
	for _, name := range []string{"limits", "lifecycle"} {
		r.takeTable(row, target, name)
	}
	r.takePrices(row, target)
}

// takeTable takes over the keys of a table that the selector leaves unsaid.
func (r *resolver) takeTable(row, target *Row, name string) {
	own, theirs := row.Table.Get(name), target.Table.Get(name)
	if theirs == nil {
		return
	}
	if own == nil {
		r.set(row, theirs)
		return
	}
	out := r.arena.Open(own)
	taken := false
	for c := range theirs.Each() {
		said := own.Get(c.Key.Name)
		switch {
		case c.Key.Name == "source" || c.Key.Name == "checked_on" || c.Key.Name == "note":
			// of what the table itself says
		case said == nil:
			out.Append(r.arena.Share(c))
			taken = true
		}
	}
	if taken {
		r.set(row, out)
	}
}

// takePrices takes over the price entries that the selector leaves unsaid. A price
// that it calls dynamic agrees with any, and then none of that meter is taken.
func (r *resolver) takePrices(row, target *Row) {
	own, theirs := row.Table.Get("price"), target.Table.Get("price")
	if theirs.First() == nil {
		return
	}
	// An untrusted layer that says what a name of somebody else's provider follows
	// says what it costs.
	doubt := row.merged.Untrusted
	take := func(e *tree.Node) *tree.Node {
		if doubt && e.Get(layer.Untrusted.Name) == nil {
			return layer.Distrust(&r.arena, e)
		}
		return r.arena.Share(e)
	}
	if own == nil && !doubt {
		r.set(row, theirs)
		return
	}
	said := map[string]bool{}
	var dynamic []string
	out := r.arena.Shallow(or(own, theirs))
	for e := range own.Each() {
		said[layer.PriceKey(e)] = true
		if e.Get("dynamic").IsTrue() {
			dynamic = append(dynamic, e.Get("meter").Str())
		}
		out.Append(r.arena.Share(e))
	}
	taken := false
	for e := range theirs.Each() {
		if !said[layer.PriceKey(e)] && !slices.Contains(dynamic, e.Get("meter").Str()) {
			out.Append(take(e))
			taken = true
		}
	}
	if taken {
		r.set(row, out)
	}
}
