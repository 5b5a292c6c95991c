package check

import (
	"github.com/opcat/opcat/compile/resolve"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// regions finds rows that may only be dialled by a region's own id and name no
// such id: no call could be made, or the bare id would be dialled after all.
func (r *row) regions() {
	only := r.model[kRegional]
	if !only.IsTrue() || r.Broken {
		return
	}
	regions := r.model[kRegion]
	if regions.First() == nil {
		r.add(diag.Diagnostic{Code: diag.RegionMissing, At: only.KeyAt(), Message: "the row is never dialled by its bare id, and names no region to dial it by",
			Got: "no region", Help: "add region = [{ name = \"...\", wire_model = \"...\" }]"})
	}
	for n := regions.First(); n != nil; n = n.Next() {
		if n.Get("wire_model") == nil {
			r.add(diag.Diagnostic{Code: diag.RegionMissing, At: n.Get("name").At(), Message: "region " + quote(n.Get("name").Str()) + " names no wire_model, and the row is never dialled by its bare id",
				Got: n.Get("name").Str(), Notes: note(only, "regional_only"), Help: "add the id that is dialled in this region"})
		}
	}
}

// reaches reports whether calls of the row can be made in a region: its own list
// decides; without one, what the provider's endpoints serve does.
func (r *row) reaches(region string) (ok bool, known []string, at *tree.Node) {
	if list := r.model[kRegion]; list.First() != nil {
		for n := list.First(); n != nil; n = n.Next() {
			known = append(known, n.Get("name").Str())
		}
		return contains(known, region), known, list
	}
	if r.Provider == nil || r.Provider.Broken {
		return true, nil, nil
	}
	return r.endpointsReach(r.Provider, region)
}

func (r *row) endpointsReach(p *resolve.Provider, region string) (ok bool, known []string, at *tree.Node) {
	at = p.Table
	for e := p.Table.Get("endpoint").First(); e != nil; e = e.Next() {
		if contains(holes(e.Get("url").Str()), "region") {
			return true, nil, nil
		}
		for n := e.Get("regions").First(); n != nil; n = n.Next() {
			known = append(known, n.Name())
		}
	}
	return contains(known, region), known, at
}
