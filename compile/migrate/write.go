package migrate

import (
	"slices"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
)

// keyOf finds the key that a table or map has for a name. It panics if a record
// has none, a mistake of this program.
func keyOf(in *tree.Node, name string) *shape.Key {
	t := in.Type()
	if t.Kind == shape.Record {
		return t.Table.Must(name)
	}
	return &shape.Key{Name: name, Type: t.Elem, Index: -1}
}

// make makes an empty table or list for a key of in, standing where at stands. It
// is not added yet.
func (m *migration) make(in *tree.Node, name string, at *tree.Node) *tree.Node {
	key := keyOf(in, name)
	f := key.Type.Form()
	if f != shape.FormList {
		f = shape.FormTable
	}
	return m.arena.From(at, key, f, "")
}

// item adds an empty table to a list.
func (m *migration) item(list, at *tree.Node) *tree.Node {
	n := m.arena.From(at, list.Type().Item(), shape.FormTable, "")
	list.Append(n)
	return n
}

// say adds a text under a key of in, standing where at stands.
func (m *migration) say(in *tree.Node, name string, at *tree.Node, text string) {
	in.Append(m.arena.From(at, keyOf(in, name), shape.FormString, text))
}

// yes adds true under a key of in.
func (m *migration) yes(in *tree.Node, name string, at *tree.Node) {
	in.Append(m.arena.From(at, keyOf(in, name), shape.FormBool, "true"))
}

// words adds a list of texts, all standing where at stands.
func (m *migration) words(in *tree.Node, name string, at *tree.Node, texts []string) {
	list := m.arena.From(at, keyOf(in, name), shape.FormList, "")
	for _, s := range texts {
		list.Append(m.arena.From(at, list.Type().Item(), shape.FormString, s))
	}
	in.Append(list)
}

// put adds the value of src under a key of in, in that key's shape. It does
// nothing if src is absent.
func (m *migration) put(in *tree.Node, name string, src *tree.Node) {
	if src == nil {
		return
	}
	if n := m.retype(src, keyOf(in, name)); n != nil {
		in.Append(n)
	}
}

// puts adds several values of a legacy table under the same names.
func (m *migration) puts(in, from *tree.Node, names ...string) {
	for _, name := range names {
		m.put(in, name, from.Get(name))
	}
}

// evidence names that format 0 spells otherwise.
var renamed = map[string]string{"source_url": "source", "last_verified": "checked_on", "notes": "note"}

// retype copies a value into the shape of another key: numbers become decimal
// strings where that shape wants them exact, and a table's keys those of the same
// name or of the name they have today. What the shape has no key for is left out;
// it is nil if nothing fits.
func (m *migration) retype(src *tree.Node, key *shape.Key) *tree.Node {
	f, text := src.Form, src.Str()
	t := key.Type.Member(f)
	if f == shape.FormFloat || f == shape.FormInteger && (t == nil || t.Kind == shape.Any) {
		f = shape.FormString
		if t = key.Type.Member(f); t == nil {
			return nil
		}
		text = m.amount(src, t)
		if text == "" {
			return nil
		}
	}
	if t == nil {
		return nil
	}
	n := m.arena.From(src, key, f, text)
	for c := range src.Each() {
		var ck *shape.Key
		switch t.Kind {
		case shape.List:
			ck = t.Item()
		case shape.Map:
			ck = &shape.Key{Name: c.Key.Name, Type: t.Elem, Index: -1}
		case shape.Record:
			ck = t.Table.Key(c.Key.Name)
			if ck == nil || ck.Moved != "" {
				if name, ok := renamed[c.Key.Name]; ok {
					ck = t.Table.Key(name)
				}
			}
		default:
			ck = &shape.Key{Name: c.Key.Name, Type: t, Index: -1}
		}
		if ck == nil || ck.Moved != "" {
			continue
		}
		if child := m.retype(c, ck); child != nil {
			n.Append(child)
		}
	}
	if t.Kind == shape.List && t.Set {
		sortSet(n, t)
	}
	return n
}

// sortSet gives a set its canonical order: as declared for words of a closed set,
// by bytes otherwise.
func sortSet(n *tree.Node, t *shape.Type) {
	values := t.Elem.Values
	n.Sort(func(a, b *tree.Node) int {
		if len(values) > 0 {
			return slices.Index(values, a.Str()) - slices.Index(values, b.Str())
		}
		if a.Str() < b.Str() {
			return -1
		}
		if a.Str() > b.Str() {
			return 1
		}
		return 0
	})
}

// hoist gives what was made of a lower layer's facts the place in this layer that
// brought it about: a value belongs to the layer that states it.
func (m *migration) hoist(n, at *tree.Node) {
	if n.File != nil && n.File.Rank < m.rank {
		n.File = at.File
		n.SetPlace(at.Place())
	}
	for c := range n.Each() {
		m.hoist(c, at)
	}
}

// amount is the exact decimal of a legacy number, or "" if it is none that today's
// format can say; then it was reported.
func (m *migration) amount(n *tree.Node, t *shape.Type) string {
	s := plain(n.Str())
	if why := badDecimal(s, t.Kind == shape.Amount); why != "" {
		m.report(diag.Diagnostic{Code: diag.BadDecimal, At: n.At(), Message: quote(n.Key.Name) + " " + why, Got: n.Str(),
			Allowed: []string{shape.Of(shape.Amount).Describe()}})
		return ""
	}
	return s
}

func quote(s string) string { return `"` + s + `"` }
