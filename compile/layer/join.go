package layer

import (
	"slices"
	"strconv"
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
)

// join makes one table of what the files of one layer say about a thing. A table
// may be split over files; a fact may stand in one of them only, also where both
// say the same, or mending one would leave the other.
func (m *merger) join(pieces []piece) *tree.Node {
	if len(pieces) == 1 {
		return pieces[0].table
	}
	tables := make([]*tree.Node, len(pieces))
	for i, p := range pieces {
		tables[i] = p.table
	}
	return m.joinTables(tables)
}

func (m *merger) joinTables(tables []*tree.Node) *tree.Node {
	out := m.arena.Shallow(tables[0])
	say := short
	if t := out.Type(); t != nil && t.Kind == shape.Map && t.KeyKind == shape.Header {
		say = func(*tree.Node) string { return "a header" } // its text may be a key
	}
	for _, same := range alike(tables...) {
		first := same[0]
		switch {
		case len(same) == 1:
			out.Append(m.arena.Share(first))
		case isOverlayKey(first):
			out.Append(m.joinOverlayKey(same))
		case allTables(same):
			out.Append(m.joinTables(same))
		default:
			out.Append(m.arena.Share(first))
			for _, again := range same[1:] {
				m.add(diag.Diagnostic{Code: diag.DuplicateFact, At: again.KeyAt(), Message: quote(again.Key.Name) + " is stated twice in one layer",
					Got: say(again), Notes: []diag.Note{{At: first.KeyAt(), Message: "first stated here: " + say(first)}},
					Help: "keep one; files of a layer may share a table, never a key of it"})
			}
		}
	}
	return out
}

// joinOverlayKey: add said once is said, and what is unset is what any file unsets.
func (m *merger) joinOverlayKey(same []*tree.Node) *tree.Node {
	if same[0].Key.Name == "add" {
		for _, n := range same {
			if n.IsTrue() {
				return m.arena.Share(n)
			}
		}
		return m.arena.Share(same[0])
	}
	out := m.arena.Shallow(same[0])
	for _, n := range same {
		for item := range n.Each() {
			if !out.Has(item.Str()) {
				out.Append(m.arena.Share(item))
			}
		}
	}
	return out
}

func allTables(nodes []*tree.Node) bool {
	return !slices.ContainsFunc(nodes, func(n *tree.Node) bool { return n.Form != shape.FormTable })
}

// alike groups the children of tables by name, in the order of names, each group
// in the order of the tables.
func alike(tables ...*tree.Node) [][]*tree.Node {
	var all []*tree.Node
	for _, t := range tables {
		for c := t.First(); c != nil; c = c.Next() {
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b *tree.Node) int { return strings.Compare(a.Key.Name, b.Key.Name) })
	var groups [][]*tree.Node
	for len(all) > 0 {
		i := 1
		for i < len(all) && all[i].Key.Name == all[0].Key.Name {
			i++
		}
		groups = append(groups, all[:i:i])
		all = all[i:]
	}
	return groups
}

// isOverlayKey reports whether a value is the add or unset of its table. Free
// tables have no such keys: there the names are theirs.
func isOverlayKey(n *tree.Node) bool {
	return n.Key.Layers && (n.Key.Name == "add" || n.Key.Name == "unset")
}

func quote(s string) string { return strconv.Quote(s) }

// short shows a value in a message.
func short(n *tree.Node) string {
	switch {
	case n == nil:
		return "absent"
	case n.Form == shape.FormTable:
		return "a table"
	case n.Form == shape.FormList:
		const most = 8
		items := make([]string, 0, most)
		for c := range n.Each() {
			if len(items) == most {
				items = append(items, "...")
				break
			}
			if c.Form == shape.FormTable || c.Form == shape.FormList {
				return strconv.Itoa(n.Len()) + " entries"
			}
			items = append(items, c.Str())
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	return n.Str()
}
