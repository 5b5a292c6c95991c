package layer

import (
	"slices"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
)

// unset gives below without what above clears. It happens before above is laid
// over it, so a table that both clears and states a table or the prices of a
// meter replaces them.
func (m *merger) unset(below, above, list *tree.Node) *tree.Node {
	for item := range list.Each() {
		if m.refused[item] {
			continue
		}
		names, found := tree.Find(below, item.Str())
		_, again := tree.Find(above, item.Str())
		switch {
		case found != nil && found.Key.Need == shape.Always, found != nil && found.Key.Need != shape.Optional && again == nil:
			m.add(diag.Diagnostic{Code: diag.UnsetRequired, At: item.At(), Message: quote(item.Str()) + " can't be unset: " + tableName(found) + " must say it", Got: item.Str(),
				Notes: []diag.Note{{At: found.KeyAt(), Message: "stated here"}}, Help: "state another value"})
		case found != nil && again != nil && again.Form != shape.FormTable && !isPrices(again):
			m.add(diag.Diagnostic{Code: diag.UnsetContradicts, At: item.At(), Message: quote(item.Str()) + " is unset and stated in one table", Got: item.Str(),
				Notes: []diag.Note{{At: again.KeyAt(), Message: "stated here: " + short(again)}}, Help: "stating it is enough: it replaces what the lower layer says"})
		case found != nil:
			below = m.arena.Without(below, names)
		default:
			if rest, ok := m.unsetMeter(below, item.Str()); ok {
				below = rest
			} else {
				m.unknownUnset(below, item)
			}
		}
	}
	return below
}

func tableName(n *tree.Node) string {
	if n.Key.Within != nil {
		return n.Key.Within.Name
	}
	return "its table"
}

// unsetMeter clears every price of one meter: "price.input_token".
func (m *merger) unsetMeter(n *tree.Node, path string) (*tree.Node, bool) {
	i := strings.LastIndexByte(path, '.')
	if i < 0 {
		return n, false
	}
	names, list := tree.Find(n, path[:i])
	if list == nil || !isPrices(list) {
		return n, false
	}
	kept, dropped := m.arena.Shallow(list), false
	for e := range list.Each() {
		if e.Get("meter").Str() == path[i+1:] {
			dropped = true
		} else {
			kept.Append(m.arena.Share(e))
		}
	}
	if !dropped {
		return n, false
	}
	if kept.First() == nil {
		return m.arena.Without(n, names), true
	}
	return m.replace(n, names, kept), true
}

// replace copies a table with another value where the keys lead.
func (m *merger) replace(n *tree.Node, names []string, value *tree.Node) *tree.Node {
	out := m.arena.Open(n)
	if len(names) > 1 {
		value = m.replace(n.Get(names[0]), names[1:], value)
	}
	out.Set(value)
	return out
}

// unsetNothing judges an unset of a table that meets no lower one.
func (m *merger) unsetNothing(table, list *tree.Node) {
	for item := range list.Each() {
		if !m.refused[item] {
			m.unknownUnset(table, item)
		}
	}
}

// unknownUnset says why an unset finds nothing: no such key, or none stated.
func (m *merger) unknownUnset(table, item *tree.Node) {
	if known, near := reaches(table.Type(), item.Str()); !known {
		d := diag.Diagnostic{Code: diag.UnknownField, At: item.At(), Message: quote(item.Str()) + " is not a field of " + kindOf(table), Got: item.Str()}
		if near != "" {
			d.Help = "did you mean " + quote(near) + "?"
		}
		m.add(d)
		return
	}
	if m.out.CatalogBroken {
		return
	}
	m.add(diag.Diagnostic{Code: diag.UnsetMatchesNothing, Warning: true, At: item.At(), Message: "no lower layer states " + quote(item.Str()), Got: item.Str(),
		Help: "leave it out, or name the field that is meant"})
}

// reaches reports whether a dotted path could name a value of the type, and if
// not, the path that was most likely meant.
func reaches(t *shape.Type, path string) (bool, string) {
	if t == nil {
		return true, ""
	}
	head, rest, deeper := strings.Cut(path, ".")
	switch t = asTable(t); t.Kind {
	case shape.Record:
		k := t.Table.Key(head)
		if k == nil || k.Moved != "" {
			near, _ := diag.Nearest(head, t.Table.Names())
			if near != "" && deeper {
				near += "." + rest
			}
			return false, near
		}
		if !deeper {
			return true, ""
		}
		ok, near := reaches(k.Type, rest)
		if near != "" {
			near = head + "." + near
		}
		return ok, near
	case shape.Map:
		if !deeper {
			return true, ""
		}
		return reaches(t.Elem, rest) // a key with dots of its own may be misread; then it stays unfound
	case shape.List:
		if t.Elem.Kind != shape.Record || t.Elem.Table.Key("meter") == nil {
			return false, ""
		}
		if slices.Contains(catalog.Meters(), path) {
			return true, ""
		}
		near, _ := diag.Nearest(path, catalog.Meters())
		return false, near
	case shape.Any:
		return true, ""
	}
	return false, ""
}

// asTable is the member of a union that a path can lead into.
func asTable(t *shape.Type) *shape.Type {
	if t.Kind == shape.Union {
		if m := t.Member(shape.FormTable); m != nil {
			return m
		}
	}
	return t
}
