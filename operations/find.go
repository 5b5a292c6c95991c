package operations

import (
	"slices"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/operations/op"
)

// A chain is how a name led to a row.
type chain struct {
	asked string              // the name as it was given
	alias catalog.AliasTarget // the row and, of an alias of an alias, the one it names; zero if a row was named
}

// find finds the route that a name stands for in an operation.
func find(c *catalog.Catalog, name string, o *op.Operation, ch *chain) (*route, *Refusal) {
	ch.asked = name
	id, at := name, 0 // an operation ends at a colon, unless a slash comes first
	for at < len(name) && name[at] != '/' && name[at] != ':' {
		at++
	}
	if at < len(name) && name[at] == ':' {
		prefix, rest := name[:at], name[at+1:]
		if Lookup(prefix) == nil && prefix != o.Name {
			return nil, &Refusal{Code: UnknownOperation, Route: name, Operation: o.Name, Field: "operation", Got: prefix, Allowed: Names(),
				Message: "the route names " + quote(prefix) + ", which is no operation"}
		}
		if id = rest; prefix != o.Name {
			return nil, &Refusal{Code: OperationUnsupported, Route: name, Operation: o.Name, Field: "operation", Got: o.Name, Allowed: []string{prefix},
				Message: "the route is for " + prefix + ", and the request is one of " + o.Name}
		}
	}
	if at == len(name) || name[at] == ':' && !strings.Contains(id, "/") {
		t, ok := c.Alias(id, o.Name)
		if !ok {
			return nil, unknownAlias(c, name, id, o)
		}
		ch.alias, id = t, t.Row
	}
	ref, ok := c.Find(id)
	if !ok {
		return nil, unknownRow(c, name, id, o)
	}
	r := routeOf(c, ref, o)
	if r == nil {
		return nil, unsupported(ref, name, o)
	}
	return r, nil
}

func unknownAlias(c *catalog.Catalog, name, id string, o *op.Operation) *Refusal {
	r := &Refusal{Code: UnknownRoute, Route: name, Operation: o.Name, Got: id, Message: "the catalog has no alias " + quote(id) + " for " + o.Name}
	aliases := c.Aliases()
	var names []string
	for n, a := range aliases {
		if _, ok := a.ByOperation[o.Name]; ok {
			names = append(names, n)
		}
	}
	if a, ok := aliases[id]; ok {
		r.Code, r.Message = OperationUnsupported, "the alias "+quote(id)+" stands for no row of "+o.Name
		for operation := range a.ByOperation {
			r.Allowed = append(r.Allowed, operation)
		}
		slices.Sort(r.Allowed)
		return r
	}
	slices.Sort(names)
	if near, ok := diag.Nearest(id, names); ok {
		r.Help = "did you mean " + quote(near) + "?"
	}
	return r
}

// unknownRow says which ids are near, or that a layer took the row away. Nothing
// of a sibling is inherited.
func unknownRow(c *catalog.Catalog, name, id string, o *op.Operation) *Refusal {
	r := &Refusal{Code: UnknownRoute, Route: name, Operation: o.Name, Got: id, Message: "the catalog has no row " + quote(id)}
	for _, gone := range c.Removed() {
		if gone.Row == id {
			r.Message = "the row " + quote(id) + " was removed from the catalog: " + gone.Reason
			return r
		}
	}
	provider, _, _ := strings.Cut(id, "/")
	providers := c.ProviderIDs()
	if !slices.Contains(providers, provider) {
		r.Message = "the catalog has no provider " + quote(provider)
		if near, ok := diag.Nearest(provider, providers); ok {
			r.Help = "did you mean " + quote(near) + "?"
		}
		return r
	}
	if near := nearestRows(c, provider, id, o.Name); len(near) > 0 {
		r.Allowed = near
		r.Help = "did you mean " + quote(near[0]) + "?"
	}
	return r
}

// maxNear bounds how many ids a refusal names.
const maxNear = 3

// nearestRows are ids of the provider's routes that are most like the one that
// was asked for, the nearest first.
func nearestRows(c *catalog.Catalog, provider, id, operation string) []string {
	var ids, near []string
	for ref := range c.RefsOf(provider) {
		if ref.Has(operation) {
			ids = append(ids, ref.ID())
		}
	}
	for len(near) < maxNear {
		best, ok := diag.Nearest(id, ids)
		if !ok {
			break
		}
		near = append(near, best)
		ids = slices.DeleteFunc(ids, func(s string) bool { return s == best })
	}
	return near
}

// unsupported says what the row can do, what a layer took away, and what an
// upstream merely lists it as.
func unsupported(ref catalog.Ref, name string, o *op.Operation) *Refusal {
	r := &Refusal{Code: OperationUnsupported, Route: name, Operation: o.Name, Field: "operation", Got: o.Name, Allowed: ref.Operations()}
	row := ref.Row()
	for _, ch := range row.OperationsChanged {
		if slices.Contains(ch.From, o.Name) && !slices.Contains(ch.To, o.Name) {
			r.Message = "the " + ch.Layer + " layer took " + o.Name + " away from the row " + quote(row.ID)
			return r
		}
	}
	r.Message = "the row " + quote(row.ID) + " has no contract for " + o.Name
	switch {
	case len(r.Allowed) > 0:
		r.Help = "it serves " + strings.Join(r.Allowed, ", ")
	case len(row.ListedAs) > 0:
		r.Help = "it is listed as " + strings.Join(row.ListedAs, ", ") + ", which nothing here performs"
	default:
		r.Help = "a contract in capability_sources has to name the row; a pattern grants nothing"
	}
	return r
}
