package resolve

import (
	"slices"
	"strconv"
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/operations/op"
)

// aliases follows every alias, once for each operation that it is written for. It
// never crosses: the same name may mean another row for another operation, and
// nothing for a third.
func (r *resolver) aliases() {
	list := r.draft.Root.Get("alias")
	names := map[string]*tree.Node{}
	for a := range list.Each() {
		names[a.Key.Name] = a
		r.draft.Aliases = append(r.draft.Aliases, &Alias{Name: a.Key.Name, Table: a})
	}
	slices.SortFunc(r.draft.Aliases, func(a, b *Alias) int { return strings.Compare(a.Name, b.Name) })
	walk := aliasWalk{r: r, names: names, sorted: r.draft.Aliases}
	for _, a := range r.draft.Aliases {
		for _, o := range r.ops {
			if said := a.Table.Get(o.Name); said != nil {
				a.Targets = append(a.Targets, Target{Op: o, Said: said, Row: walk.target(a.Name, said, o)})
			}
		}
	}
}

type aliasWalk struct {
	r      *resolver
	names  map[string]*tree.Node
	sorted []*Alias
}

// target follows an alias to its row; nil where it leads to none. A mistake
// further along is reported where it stands, once.
func (w *aliasWalk) target(name string, said *tree.Node, o *op.Operation) *Row {
	chain := []string{name}
	for at := said; ; {
		if strings.Contains(at.Str(), "/") {
			return w.reached(name, at, o, len(chain) == 1)
		}
		next := w.names[at.Str()]
		value := next.Get(o.Name)
		if next == nil || value == nil {
			if len(chain) == 1 {
				w.leadsNowhere(name, at, next, o)
			}
			return nil
		}
		if i := slices.Index(chain, at.Str()); i >= 0 {
			if loop := chain[i:]; name == slices.Min(loop) && i == 0 {
				w.loop(loop, said, o)
			}
			return nil
		}
		chain = append(chain, at.Str())
		at = value
	}
}

// reached judges the row at the end of a chain; first is whether the alias names
// it itself.
func (w *aliasWalk) reached(name string, at *tree.Node, o *op.Operation, first bool) *Row {
	r := w.r
	if !first { // the alias that names the row reports what is wrong with it
		if row := r.find(at.Str()); row != nil && row.Contract(o.Name) != nil {
			return row
		}
		return nil
	}
	row := r.row(at, "the alias "+strconv.Quote(name), "")
	if row == nil || !r.serves(row, o.Name, diag.Diagnostic{Code: diag.AliasCrossesOperation, At: at.At(),
		Message: "the alias " + strconv.Quote(name) + " means " + at.Str() + " for " + o.Name + ", which that row does not serve", Fields: []string{o.Name}}) {
		return nil
	}
	return row
}

func (w *aliasWalk) leadsNowhere(name string, at, next *tree.Node, o *op.Operation) {
	if w.r.draft.CatalogBroken {
		return
	}
	d := diag.Diagnostic{Code: diag.UnknownReference, At: at.At(), Got: at.Str(), Message: "the alias " + strconv.Quote(name) + " names " + strconv.Quote(at.Str()) + ", which is no alias"}
	if next != nil {
		d.Code = diag.AliasCrossesOperation
		d.Message = "the alias " + strconv.Quote(name) + " follows " + strconv.Quote(at.Str()) + " for " + o.Name + ", which that alias says nothing about"
		d.Notes = []diag.Note{{At: next.KeyAt(), Message: "the alias " + at.Str()}}
		d.Help = "name a row that serves " + o.Name
		d.Fields = []string{o.Name}
	} else {
		d.Help = "a row id is provider/wire_model"
		if near, ok := w.nearest(name, at.Str()); ok {
			d.Allowed = []string{near}
			d.Help = "did you mean " + strconv.Quote(near) + "?"
		}
	}
	w.r.add(d)
}

// nearest is the alias that was most likely meant by one named name.
func (w *aliasWalk) nearest(name, word string) (string, bool) {
	if w.r.near++; w.r.near > mostNear {
		return "", false
	}
	var names []string
	for _, a := range w.sorted {
		if a.Name != name {
			names = append(names, a.Name)
		}
	}
	return diag.Nearest(word, names)
}

func (w *aliasWalk) loop(loop []string, said *tree.Node, o *op.Operation) {
	d := diag.Diagnostic{Code: diag.AliasLoop, At: said.At(), Got: strings.Join(append(slices.Clone(loop), loop[0]), " -> "), Fields: []string{o.Name},
		Message: "the alias " + strconv.Quote(loop[0]) + " leads back to itself for " + o.Name, Help: "let one of them name a row"}
	for _, other := range loop[1:] {
		n := w.names[other].Get(o.Name)
		d.Notes = append(d.Notes, diag.Note{At: n.At(), Message: other + " names " + strconv.Quote(n.Str())})
	}
	w.r.add(d)
}
