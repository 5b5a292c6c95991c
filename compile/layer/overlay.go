package layer

import (
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
)

// lay gives below with above laid over it: tables merge, scalars and lists
// replace, prices merge by meter and conditions, and what above unsets is gone.
// Within a fresh table, one that its layer adds, nothing can be met and nothing
// has to be. Neither input is changed, and the result may share nodes with both.
func (m *merger) lay(below, above *tree.Node, fresh bool) *tree.Node {
	if below == nil || below.Form != shape.FormTable || above.Form != shape.FormTable {
		return m.settle(above, fresh)
	}
	if add := saysAdd(above); add != nil && !fresh {
		m.add(diag.Diagnostic{Code: diag.AddMeetsExisting, At: add.KeyAt(), Message: "add = true, but a lower layer has the table already",
			Notes: []diag.Note{{At: below.KeyAt(), Message: "stated here"}}, Help: "leave add out to change what is there, or name a new one"})
	}
	if unset := unsetOf(above); unset != nil {
		below = m.unset(below, above, unset)
	}
	out := m.arena.Shallow(below)
	entries := named(below)
	for _, p := range pairs(below, above) {
		c := p.above
		if c != nil && m.refused[c] {
			c = nil
		}
		switch {
		case c == nil && p.below == nil, c != nil && isOverlayKey(c):
		case c == nil:
			out.Append(m.arena.Share(p.below))
		case p.below == nil:
			added := saysAdd(c) != nil
			if entries && !fresh && !added {
				m.dangles(c, below)
			}
			out.Append(m.arena.Share(m.settle(c, fresh || added || entries)))
		case c.Key.Need == shape.Always && tree.Equal(p.below, c):
			out.Append(m.arena.Share(p.below)) // a row's id is said to meet it, not to change it
		case isPrices(c) && isPrices(p.below):
			out.Append(m.layPrices(p.below, c))
		default:
			merged := m.lay(p.below, c, fresh)
			if entries && merged.First() == nil && p.below.First() != nil && merged.Form == shape.FormTable {
				continue // an entry of which everything was unset
			}
			out.Append(m.arena.Share(merged))
		}
	}
	return out
}

// A pair is what two tables say under one name.
type pair struct{ below, above *tree.Node }

// pairs matches the children of two tables, in the order of their names.
func pairs(below, above *tree.Node) []pair {
	b, a := byName(below), byName(above)
	out := make([]pair, 0, len(b)+len(a))
	for len(b) > 0 || len(a) > 0 {
		switch {
		case len(a) == 0 || len(b) > 0 && b[0].Key.Name < a[0].Key.Name:
			out = append(out, pair{below: b[0]})
			b = b[1:]
		case len(b) == 0 || a[0].Key.Name < b[0].Key.Name:
			out = append(out, pair{above: a[0]})
			a = a[1:]
		default:
			out = append(out, pair{b[0], a[0]})
			b, a = b[1:], a[1:]
		}
	}
	return out
}

func byName(n *tree.Node) []*tree.Node {
	var kids []*tree.Node
	for c := n.First(); c != nil; c = c.Next() {
		kids = append(kids, c)
	}
	slices.SortStableFunc(kids, func(a, b *tree.Node) int { return strings.Compare(a.Key.Name, b.Key.Name) })
	return kids
}

// settle gives a table that meets nothing as it will stand: without the keys that
// only speak to lower layers.
func (m *merger) settle(above *tree.Node, fresh bool) *tree.Node {
	if !m.unsettled(above, fresh) {
		return above
	}
	out := m.arena.Shallow(above)
	entries := named(above)
	for c := range above.Each() {
		switch {
		case isOverlayKey(c):
			if c.Key.Name == "unset" {
				m.unsetNothing(above, c)
			}
		case m.refused[c]:
		case c.Form != shape.FormTable:
			out.Append(m.arena.Share(c))
		default:
			added := saysAdd(c) != nil
			if entries && !fresh && !added {
				m.dangles(c, nil)
			}
			out.Append(m.arena.Share(m.settle(c, fresh || added || entries)))
		}
	}
	return out
}

// unsettled reports whether settle has anything to do.
func (m *merger) unsettled(n *tree.Node, fresh bool) bool {
	if n.Form != shape.FormTable {
		return false
	}
	if !fresh && named(n) && n.First() != nil {
		return true
	}
	for c := n.First(); c != nil; c = c.Next() {
		if isOverlayKey(c) || m.refused[c] || c.Form == shape.FormTable && m.unsettled(c, fresh) {
			return true
		}
	}
	return false
}

// named reports whether a table holds entries that an overlay must meet by name:
// those whose tables can say add.
func named(n *tree.Node) bool {
	t := n.Type()
	return t != nil && t.Kind == shape.Map && t.Elem.Kind == shape.Record && t.Elem.Table.Key("add") != nil
}

// saysAdd gives the add of a table that says add = true.
func saysAdd(n *tree.Node) *tree.Node {
	if add := n.Get("add"); add.IsTrue() && isOverlayKey(add) {
		return add
	}
	return nil
}

func unsetOf(n *tree.Node) *tree.Node {
	if unset := n.Get("unset"); unset != nil && isOverlayKey(unset) {
		return unset
	}
	return nil
}

func isPrices(n *tree.Node) bool {
	t := n.Type()
	return t != nil && t.Kind == shape.List && t.Elem.Kind == shape.Record && t.Elem.Table == form.Price()
}

// dangles reports a table of a higher layer that meets nothing among the entries
// of below.
func (m *merger) dangles(n, below *tree.Node) {
	m.danglesAmong(n.KeyAt(), n.Key.Name, kindOf(n), func() (names []string) {
		for c := range below.Each() {
			names = append(names, c.Key.Name)
		}
		return names
	})
}

func (m *merger) danglesAmong(at diag.Pos, id, kind string, names func() []string) {
	if m.out.CatalogBroken {
		return // it may be in what could not be read
	}
	d := diag.Diagnostic{Code: diag.PatchDangles, At: at, Message: "no lower layer has " + kind + " " + quote(id), Got: id,
		Help: "say add = true if the table is new"}
	if near, ok := m.nearest(id, names); ok {
		d.Allowed = []string{near}
		d.Help = "did you mean " + quote(near) + "? if the table is new, say add = true"
	}
	m.add(d)
}

// kindOf is how a message calls a table.
func kindOf(n *tree.Node) string {
	if t := n.Type(); t != nil && t.Kind == shape.Record {
		return t.Table.Name
	}
	return "a table"
}
