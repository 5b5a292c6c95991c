package resolve

import (
	"slices"
	"strconv"
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// find is the row with an id; nil if there is none.
func (r *resolver) find(id string) *Row {
	return search(r.draft.Rows, id, func(row *Row) string { return row.ID })
}

// declared is the provider with an id; nil if there is none.
func (r *resolver) declared(id string) *Provider {
	return search(r.draft.Providers, id, func(p *Provider) string { return p.ID })
}

// search finds what has a name in a list that is in the order of names; nil if
// nothing has.
func search[T any](list []*T, name string, nameOf func(*T) string) *T {
	i, ok := slices.BinarySearchFunc(list, name, func(item *T, name string) int { return strings.Compare(nameOf(item), name) })
	if !ok {
		return nil
	}
	return list[i]
}

// row finds the row that a value names, or reports that there is none. about is
// what refers to it, as a message says it.
func (r *resolver) row(n *tree.Node, about, rowID string) *Row {
	if n == nil {
		return nil
	}
	if row := r.find(n.Str()); row != nil {
		return row
	}
	if r.draft.CatalogBroken {
		return nil // it may be in what could not be read
	}
	if _, wire, _ := strings.Cut(n.Str(), "/"); r.astray(func(row *Row) bool { return row.Wire == wire }) {
		return nil
	}
	d := diag.Diagnostic{Code: diag.UnknownReference, At: n.At(), Got: n.Str(), Row: rowID, Message: about + " names " + strconv.Quote(n.Str()) + ", which is no row"}
	for _, gone := range r.draft.Removed {
		if gone.Row == n.Str() {
			d.Message = about + " names " + strconv.Quote(n.Str()) + ", which is removed"
			d.Notes = []diag.Note{{At: gone.Table.At(), Message: "removed here: " + gone.Table.Get("reason").Str()}}
			d.Help = "name another row, or unset this too"
			r.add(d)
			return nil
		}
	}
	if r.near++; r.near <= mostNear {
		d.Allowed, d.Help = r.nearestRow(n.Str())
	}
	r.add(d)
	return nil
}

// astray reports whether a row that is meant names a provider that is not declared:
// that is reported, and mending it brings back what is missed here.
func (r *resolver) astray(meant func(*Row) bool) bool {
	return slices.ContainsFunc(r.draft.Rows, func(row *Row) bool { return row.Provider == nil && meant(row) })
}

// mostNear bounds how many findings look for what was meant: each looks through all
// names, and a tree with thousands of findings has one cause.
const mostNear = 64

// nearestRow says which row was most likely meant: one of the same provider first.
func (r *resolver) nearestRow(id string) (allowed []string, help string) {
	provider, _, ok := strings.Cut(id, "/")
	if !ok {
		help = "a row id is provider/wire_model"
	} else if r.declared(provider) == nil {
		if near, ok := diag.Nearest(provider, r.providerIDs()); ok {
			return nil, "no provider " + strconv.Quote(provider) + " is declared; did you mean " + strconv.Quote(near) + "?"
		}
		help = "no provider " + strconv.Quote(provider) + " is declared"
	}
	var own, all []string
	for _, row := range r.draft.Rows {
		all = append(all, row.ID)
		if row.Provider != nil && row.Provider.ID == provider {
			own = append(own, row.ID)
		}
	}
	near, ok := diag.Nearest(id, own)
	if !ok {
		near, ok = diag.Nearest(id, all)
	}
	if ok {
		return []string{near}, "did you mean " + strconv.Quote(near) + "?"
	}
	return nil, help
}

func (r *resolver) providerIDs() []string {
	ids := make([]string, len(r.draft.Providers))
	for i, p := range r.draft.Providers {
		ids[i] = p.ID
	}
	return ids
}

// provider reports a value that names no declared provider.
func (r *resolver) provider(at diag.Pos, id string) {
	if r.declared(id) == nil {
		r.unknownProvider(at, id, "")
	}
}

func (r *resolver) unknownProvider(at diag.Pos, id, row string) {
	if r.draft.CatalogBroken {
		return
	}
	d := diag.Diagnostic{Code: diag.UnknownProvider, At: at, Got: id, Row: row, Message: "no provider " + strconv.Quote(id) + " is declared", Allowed: r.providerIDs(),
		Help: "declare [provider." + id + "] under catalog_sources"}
	if near, ok := diag.Nearest(id, d.Allowed); ok {
		d.Help = "did you mean " + strconv.Quote(near) + "?"
	}
	r.add(d)
}

// serves reports, by code, a row that has no contract for an operation.
func (r *resolver) serves(row *Row, operation string, d diag.Diagnostic) bool {
	if row.Contract(operation) != nil {
		return true
	}
	if r.draft.RulesBroken {
		return true // its rule may be in what could not be read
	}
	does := row.does()
	d.Got = row.ID + " " + listed(does)
	d.Allowed = []string{"a row that serves " + operation}
	d.Notes = append(d.Notes, diag.Note{At: place(row), Message: row.ID + " serves " + said(does)})
	if near := r.sibling(row, operation); near != "" {
		d.Help = near + " serves " + operation
	}
	r.add(d)
	return false
}

// said names what a row serves.
func said(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, ", ")
}

// sibling is another row of the same provider that serves the operation, the
// nearest in name.
func (r *resolver) sibling(row *Row, operation string) string {
	if r.near++; row.Provider == nil || r.near > mostNear {
		return ""
	}
	var ids []string
	for _, other := range row.Provider.Rows {
		if other.Contract(operation) != nil {
			ids = append(ids, other.ID)
		}
	}
	if near, ok := diag.Nearest(row.ID, ids); ok {
		return near
	}
	return ""
}

// sameSet reports whether two lists in the registry's order are equal.
func sameSet(a, b []string) bool { return slices.Equal(a, b) }
