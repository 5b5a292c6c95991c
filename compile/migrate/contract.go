package migrate

import (
	"strings"
	"sync"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/shape"
)

// The operations that format 0 speaks of.
const (
	textOperation      = "text_generation"
	embeddingOperation = "embedding"
	decisionOperation  = "decision_evaluation"
)

// A writer writes one contract of a row. Each node stands where the legacy fact
// stands that it comes from.
type writer struct {
	*view
	contract *tree.Node
	settings *tree.Node   // nil until the first setting is written
	at       *tree.Node   // where what no fact gives is placed: the row
	below    []*tree.Node // contracts of lower layers that this one restates, weakest first
}

// lower finds what the contracts of lower layers say; nil if they do not.
func (w *writer) lower(path ...string) *tree.Node {
	for i := len(w.below) - 1; i >= 0; i-- {
		if n := w.below[i].Path(path...); n != nil {
			return n
		}
	}
	return nil
}

// write gives the row a contract for each of its operations.
func (w *rulework) write(v *view) {
	row := v.row
	row.Contracts = nil
	for _, operation := range row.Operations {
		c := &writer{view: v, at: row.Table}
		c.contract = w.arena.From(row.Table, form.Operations().Must(operation), shape.FormTable, "")
		switch operation {
		case textOperation:
			c.textContract()
		case embeddingOperation:
			c.embeddingContract()
		case decisionOperation:
			c.decisionContract()
		}
		c.nested(operation)
		row.Contracts = append(row.Contracts, c.contract)
	}
	if d := v.get("batch_discount_percent"); d.node != nil && row.Does(textOperation) && v.batched() {
		row.Discount = d.node
	}
}

func (w *writer) textContract() {
	w.protocols()
	w.inputs()
	w.tools()
	w.structured()
	w.reasoning()
	w.cache()
	w.batch()
	w.files()
	w.hosted()
	w.routing()
	w.quirks()
	w.options()
}

// table opens a table within in; it gives the one that is there already.
func (w *writer) table(in *tree.Node, name string, src *tree.Node) *tree.Node {
	if t := in.Get(name); t != nil {
		return t
	}
	return w.open(in, keyOf(in, name), src)
}

// opened is table for a key that is known.
func (w *writer) opened(in *tree.Node, key *shape.Key, src *tree.Node) *tree.Node {
	if t := in.Get(key.Name); t != nil {
		return t
	}
	return w.open(in, key, src)
}

func (w *writer) open(in *tree.Node, key *shape.Key, src *tree.Node) *tree.Node {
	t := w.arena.From(src, key, shape.FormTable, "")
	in.Append(t)
	return t
}

func (w *writer) list(in *tree.Node, name string, src *tree.Node) *tree.Node {
	l := w.arena.From(src, keyOf(in, name), shape.FormList, "")
	in.Append(l)
	return l
}

func (w *writer) text(in *tree.Node, name, value string, src *tree.Node) {
	in.Append(w.arena.From(src, keyOf(in, name), shape.FormString, value))
}

func (w *writer) yesno(in *tree.Node, name string, yes bool, src *tree.Node) {
	value := "false"
	if yes {
		value = "true"
	}
	in.Append(w.arena.From(src, keyOf(in, name), shape.FormBool, value))
}

// item adds a word to a list.
func (w *writer) item(list *tree.Node, value string, src *tree.Node) {
	list.Append(w.arena.From(src, itemKey(list), shape.FormString, value))
}

func (w *writer) tableItem(list *tree.Node, src *tree.Node) *tree.Node {
	t := w.arena.From(src, itemKey(list), shape.FormTable, "")
	list.Append(t)
	return t
}

// copied writes a fact as it is, under another key.
func (w *writer) copied(in *tree.Node, name string, src *tree.Node) {
	in.Append(w.under(keyOf(in, name), src))
}

// under copies a value to a key, its items and fields to those of the key's type.
func (w *writer) under(key *shape.Key, src *tree.Node) *tree.Node {
	n := w.arena.From(src, key, src.Form, src.Str())
	for c := range src.Each() {
		var k *shape.Key
		switch t := n.Type(); {
		case src.Form == shape.FormList:
			k = t.Item()
		case t.Kind == shape.Map:
			k = &shape.Key{Name: c.Name(), Type: t.Elem, Index: -1}
		default:
			k = t.Table.Must(c.Name())
		}
		n.Append(w.under(k, c))
	}
	return n
}

func itemKey(list *tree.Node) *shape.Key { return list.Type().Item() }

// A group is facts that stand under the keys of one table of a text contract.
type group struct {
	rule  string
	key   *shape.Key // of the table
	facts []grouped
}

type grouped struct {
	index int        // of the fact
	key   *shape.Key // what it stands under
}

// groupOf is the facts of a table of the contract. Names come in pairs: fact, key.
func groupOf(table, rule string, pairs ...string) func() *group {
	return sync.OnceValue(func() *group {
		g := &group{rule: rule, key: form.Operations().Must(textOperation).Type.Table.Must(table)}
		for i := 0; i < len(pairs); i += 2 {
			g.facts = append(g.facts, grouped{factIndex(pairs[i]), g.key.Type.Table.Must(pairs[i+1])})
		}
		return g
	})
}

// carry writes the facts of a group under the keys of their table, which is opened only
// if one of them is there.
func (w *writer) carry(g *group) {
	for _, f := range g.facts {
		n := w.facts[f.index].node
		if n == nil || n.Form == shape.FormList && n.First() == nil {
			continue
		}
		w.opened(w.contract, g.key, n).Append(w.under(f.key, n))
		w.movedBy(g.rule, n, textOperation+".", g.key.Name, ".", f.key.Name)
	}
}

// movedBy records what a fact became, once for all the rows that take it.
func (w *writer) movedBy(rule string, n *tree.Node, to ...string) {
	if n.File != nil && n.File.Rank != w.rank || !w.told.add(n) { // told before, or with the layer that states it
		return
	}
	if w.quiet {
		w.rewrites++
		return
	}
	w.migration.moved(rule, n, "", show(n), strings.Join(to, ""))
}

// setting opens the table of settings and gives the key of one.
func (w *writer) setting(name string, src *tree.Node) *tree.Node {
	if w.settings == nil {
		w.settings = w.table(w.contract, "settings", src)
	}
	return w.settings
}

// supported and refused write a setting in a word.
func (w *writer) supported(name string, yes bool, src *tree.Node) {
	value := "refused"
	if yes {
		value = "supported"
	}
	w.text(w.setting(name, src), name, value, src)
}

// values writes a setting as the list of what may be asked for; an empty one
// refuses it.
func (w *writer) values(name string, src *tree.Node, values ...string) {
	if len(values) == 0 {
		w.supported(name, false, src)
		return
	}
	rule := w.table(w.setting(name, src), name, src)
	list := w.list(rule, "values", src)
	for _, v := range values {
		w.item(list, v, src)
	}
}

// when writes a setting that may be asked for only where another has the value.
func (w *writer) when(name string, src *tree.Node, other string, values ...string) {
	rule := w.table(w.setting(name, src), name, src)
	cond := w.list(w.table(rule, "when", src), other, src)
	for _, v := range values {
		w.item(cond, v, src)
	}
}
