package layer

import (
	"maps"
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// Served is the part of Merge that makes providers, rows and rules. What fragments
// say of one provider is merged without a look at any other, so it may be done for
// some providers alone, from every fragment that is about one of them. Findings are
// an exception: what was most likely meant is looked for among all.
func Served(in []fragment.Fragment) (Layered, diag.List) {
	m := newMerger(in)
	m.gatherServed()
	m.mergeProviders()
	m.mergeRows()
	m.mergeRules()
	m.operations()
	return m.out, diag.Join(m.diags)
}

// Rest is the other part of Merge: the catalog root without providers and rows.
func Rest(in []fragment.Fragment) (*tree.Node, diag.List) {
	m := newMerger(in)
	m.gatherRest()
	m.mergeRest()
	return m.out.Root, diag.Join(m.diags)
}

// About lists the providers that a fragment in today's form says something of, of a
// row or in a rule too, or that a row of it inherits from.
func About(f fragment.Fragment) []string {
	ids := map[string]bool{}
	of := func(row *tree.Node) {
		id, _, _ := strings.Cut(row.Str(), "/")
		ids[id] = true
	}
	for p := range f.Table.Get("provider").Each() {
		ids[p.Key.Name] = true
	}
	for r := range f.Table.Get("model").Each() {
		ids[r.Get("provider").Str()] = true
		if from := r.Path("inherits", "from"); from != nil {
			of(from)
		}
	}
	for _, list := range []string{"remove", "revive"} {
		for t := range f.Table.Get(list).Each() {
			of(t.Get("row"))
		}
	}
	return slices.Sorted(maps.Keys(ids))
}
