package resolve

import (
	"slices"
	"strconv"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// presentation judges what pickers refer to. A selector that looks through rows
// must name the operation that it filters by before price or window.
func (r *resolver) presentation() {
	table := r.draft.Root.Get("presentation")
	for v := range table.Get("variant").Each() {
		r.pickerSelector(v.Key.Name, v.Get("selector"))
	}
	for f := range table.Get("family").Each() {
		about := "the picker family " + strconv.Quote(f.Key.Name)
		r.row(f.Get("row"), about, "")
		for d := range f.Get("dimensions").Each() {
			for v := range d.Get("ordered_values").Each() {
				r.row(v.Get("row"), about, "")
			}
		}
	}
	for p := range table.Get("featured_providers").Each() {
		r.provider(p.At(), p.Str())
	}
}

func (r *resolver) pickerSelector(variant string, s *tree.Node) {
	if s == nil {
		return
	}
	about := "the picker variant " + strconv.Quote(variant)
	operation, kind := s.Get("operation"), s.Get("kind")
	if alias := s.Get("alias"); alias != nil {
		r.pickerAlias(about, alias, operation)
	}
	if n := s.Get("row"); n != nil {
		if row := r.row(n, about, ""); row != nil && operation != nil {
			r.serves(row, operation.Str(), diag.Diagnostic{Code: diag.SelectorCrossesOperation, At: n.At(), Row: row.ID,
				Message: about + " shows " + strconv.Quote(row.ID) + " for " + operation.Str() + ", which that row does not serve"})
		}
	}
	if kind != nil && kind.Str() != "alias" && kind.Str() != "model" && operation == nil {
		d := diag.Diagnostic{Code: diag.SelectorWithoutOperation, At: kind.At(), Got: kind.Str(), Allowed: nil,
			Message: about + " looks through rows and names no operation to filter by first", Help: `write operation = "text_generation" beside kind`}
		for _, o := range r.ops {
			d.Allowed = append(d.Allowed, o.Name)
		}
		r.add(d)
	}
}

func (r *resolver) pickerAlias(about string, n, operation *tree.Node) {
	i := slices.IndexFunc(r.draft.Aliases, func(a *Alias) bool { return a.Name == n.Str() })
	if i < 0 {
		if r.draft.CatalogBroken {
			return
		}
		d := diag.Diagnostic{Code: diag.UnknownReference, At: n.At(), Got: n.Str(), Message: about + " names " + strconv.Quote(n.Str()) + ", which is no alias"}
		var names []string
		for _, a := range r.draft.Aliases {
			names = append(names, a.Name)
		}
		if near, ok := diag.Nearest(n.Str(), names); ok {
			d.Allowed, d.Help = []string{near}, "did you mean "+strconv.Quote(near)+"?"
		}
		r.add(d)
		return
	}
	a := r.draft.Aliases[i]
	if operation != nil && a.Table.Get(operation.Str()) == nil {
		r.add(diag.Diagnostic{Code: diag.AliasCrossesOperation, At: n.At(), Got: n.Str(), Fields: []string{operation.Str()},
			Message: about + " shows the alias " + strconv.Quote(n.Str()) + " for " + operation.Str() + ", which that alias says nothing about",
			Notes:   []diag.Note{{At: a.Table.KeyAt(), Message: "the alias"}}})
	}
}

// suggestions judges the patterns that name a provider for messages.
func (r *resolver) suggestions() {
	for s := range r.draft.Root.Get("suggest").Each() {
		r.provider(s.At(), s.Str())
	}
}
