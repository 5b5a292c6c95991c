package build

import (
	"cmp"
	"slices"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/internal/canon"
	"github.com/opcat/opcat/shape"
)

// A writer appends values to a buffer that is handed along: its methods take the
// buffer and give it back. Its scratch slice grows once and is used as a stack, so
// that a node costs no allocation.
type writer struct {
	x        *catalog.Indexer
	err      error
	clock    clock
	provider string          // whose values are being written; "" for the rest
	spans    map[string]span // by provider, as far as they were written
	kids     []*tree.Node    // children of the tables and lists in hand, in canonical order
	words    []string
	before   *Edition // nil for none
	standing func(provider string) bool
	places   [][2]int              // where the contracts of the row in hand stand
	written  map[*tree.Node][2]int // where the text of a value stands that others repeat
	overlaid uint8                 // bits of form.Layers: layers above the bundled one that the contract in hand comes from
}

// keep remembers the first error.
func (w *writer) keep(err error) {
	if w.err == nil {
		w.err = err
	}
}

// key starts a member whose name needs no escape, as those of shapes do. No value
// ends with an opening bracket, so the byte before tells whether a comma is due.
func key(b []byte, name string) []byte {
	if b[len(b)-1] != '{' {
		b = append(b, ',')
	}
	b = append(b, '"')
	b = append(b, name...)
	return append(b, '"', ':')
}

// member starts a member that is named by a key of a shape, or by a free one.
func member(b []byte, k *shape.Key) []byte {
	first := b[len(b)-1] == '{'
	switch {
	case k.Index >= 0 && first:
		return append(b, k.JSON[1:]...)
	case k.Index >= 0:
		return append(b, k.JSON...)
	case !first:
		b = append(b, ',')
	}
	return append(canon.AppendString(b, k.Name), ':')
}

// table writes a table.
func (w *writer) table(b []byte, n *tree.Node, defaults []filled) []byte {
	return append(w.members(append(b, '{'), n, defaults), '}')
}

// members writes the members of a table in their order, and where their keys are
// absent what defaults say.
func (w *writer) members(b []byte, n *tree.Node, defaults []filled) []byte {
	base := len(w.kids)
	w.children(n)
	for i := base; i < len(w.kids); i++ {
		c := w.kids[i]
		k := c.Key
		if superfluous(c, k) {
			continue
		}
		for len(defaults) > 0 && defaults[0].index <= k.Index {
			if defaults[0].index < k.Index {
				b = append(key(b, defaults[0].name), defaults[0].json...)
			}
			defaults = defaults[1:]
		}
		b = w.value(member(b, k), c)
	}
	for _, f := range defaults {
		b = append(key(b, f.name), f.json...)
	}
	w.kids = w.kids[:base]
	return b
}

// children pushes the children of a table in the order of its keys. A mark that a
// stage set on the table, whose key is in no table, comes last.
func (w *writer) children(n *tree.Node) {
	base, ordered, before := len(w.kids), true, -1
	for c := n.Said().First(); c != nil; c = c.Next() {
		at := int(uint16(c.Key.Index))
		ordered = ordered && before < at
		before = at
		w.kids = append(w.kids, c)
	}
	if ordered {
		return
	}
	if t := n.Key.Type.Member(shape.FormTable); t != nil && t.Kind == shape.Record {
		sortNodes(w.kids[base:], byIndex)
	} else {
		sortNodes(w.kids[base:], byName)
	}
}

// note remembers that a layer above the bundled one had a say.
func (w *writer) note(n *tree.Node) {
	if i := slices.Index(form.Layers, layerOf(n)); i > 0 {
		w.overlaid |= 1 << i
	}
}

func (w *writer) value(b []byte, n *tree.Node) []byte {
	said := n.Said()
	if said == n {
		return w.fresh(b, n)
	}
	if at, ok := w.written[said]; ok {
		return append(b, b[at[0]:at[1]]...)
	}
	start, dates := len(b), w.clock.dates
	b = w.fresh(b, n)
	if w.written != nil && w.clock.dates == dates && n.File.Rank == 0 { // nothing but the text came of it
		w.written[said] = [2]int{start, len(b)}
	}
	return b
}

// fresh writes a value that does not stand in the text yet.
func (w *writer) fresh(b []byte, n *tree.Node) []byte {
	if n.File != nil && n.File.Rank > 0 {
		w.note(n)
	}
	t := n.Key.Type
	switch {
	case t.Kind == shape.Union:
		if b, done := w.oneSpelling(b, n, t); done {
			return b
		}
		t = t.Member(n.Form)
	case t.Kind == shape.Enum && n.Key.Name == "protocol" && loneProtocols()[n.Key]:
		return append(canon.AppendString(append(b, '['), n.Str()), ']')
	case t.Kind == shape.Date:
		w.clock.see(n)
	}
	return w.plain(b, n, t)
}

// plain writes a value of a type that is no union.
func (w *writer) plain(b []byte, n *tree.Node, t *shape.Type) []byte {
	switch n.Form {
	case shape.FormString:
		if t != nil && (t.Kind == shape.Amount || t.Kind == shape.Number) {
			return canon.AppendString(b, canon.Decimal(n.Str()))
		}
	case shape.FormInteger:
		return canon.AppendCount(b, n.Str())
	case shape.FormFloat:
		return canon.AppendString(b, canon.Decimal(n.Str()))
	case shape.FormBool:
		return append(b, n.Str()...)
	case shape.FormList:
		return w.list(b, n, t)
	case shape.FormTable:
		return w.table(b, n, nil)
	}
	return canon.AppendString(b, n.Str())
}

func (w *writer) list(b []byte, n *tree.Node, t *shape.Type) []byte {
	base := len(w.kids)
	for c := n.Said().First(); c != nil; c = c.Next() {
		w.kids = append(w.kids, c)
	}
	if kids := w.kids[base:]; len(kids) > 1 && t != nil && t.Kind == shape.List {
		sortItems(kids, n.Key, t)
	}
	b = append(b, '[')
	for i := base; i < len(w.kids); i++ {
		if i > base {
			b = append(b, ',')
		}
		b = w.value(b, w.kids[i])
	}
	w.kids = w.kids[:base]
	return append(b, ']')
}

// sortItems puts the items of a list in order if their order means nothing.
func sortItems(items []*tree.Node, k *shape.Key, t *shape.Type) {
	switch {
	case t.Set && t.Elem.Kind == shape.Enum:
		sortNodes(items, func(a, b *tree.Node) int { return enumRank(t.Elem, a.Str()) - enumRank(t.Elem, b.Str()) })
	case t.Set && t.Elem.Kind == shape.Count:
		sortNodes(items, byCount)
	case t.Set:
		sortNodes(items, byText)
	case t.Elem.Kind == shape.Record:
		if bag := bags()[k]; bag != nil {
			sortNodes(items, bag.compare)
		}
	}
}

// sortNodes sorts by insertion: tables are short, and mostly in order already.
func sortNodes(kids []*tree.Node, cmp func(a, b *tree.Node) int) {
	if len(kids) > 24 {
		slices.SortStableFunc(kids, cmp)
		return
	}
	for i := 1; i < len(kids); i++ {
		for j := i; j > 0 && cmp(kids[j-1], kids[j]) > 0; j-- {
			kids[j-1], kids[j] = kids[j], kids[j-1]
		}
	}
}

func byIndex(a, b *tree.Node) int { return int(uint16(a.Key.Index)) - int(uint16(b.Key.Index)) }

func byName(a, b *tree.Node) int { return strings.Compare(a.Key.Name, b.Key.Name) }

func byCount(a, b *tree.Node) int {
	return cmp.Or(len(a.Str())-len(b.Str()), strings.Compare(a.Str(), b.Str()))
}

func byText(a, b *tree.Node) int { return strings.Compare(a.Str(), b.Str()) }
