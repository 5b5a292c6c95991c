package resolve_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/internal/testcat"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/shape"
)

// TestUntrustedRulesOnlyNarrow lays random project rules, exact and patterns, over
// random contracts, and looks at what must not have grown, whatever was found.
func TestUntrustedRulesOnlyNarrow(t *testing.T) {
	for seed := range uint64(400) {
		base := []fragment.Fragment{oneRow(), randomRules(seed, "bundled", 0, true)}
		over := append([]fragment.Fragment{randomRules(seed+5000, "project", 3, seed%2 == 0)}, base...)
		was, _ := compiled(base)
		is, _ := compiled(over)
		old, got := row(was, "alpha/m1"), row(is, "alpha/m1")
		for _, o := range operations.All() {
			a, b := old.Contract(o.Name), got.Contract(o.Name)
			if a == nil {
				continue // an added operation is package layer's finding
			}
			if b == nil {
				t.Fatalf("seed %d: %s is gone", seed, o.Name)
			}
			if what := grown(a.Table, b.Table); what != "" {
				t.Fatalf("seed %d: %s of %s grew:\n%s\nto\n%s", seed, what, o.Name, testcat.Lines("", a.Table), testcat.Lines("", b.Table))
			}
		}
	}
}

// grown names the first key of which the second contract has more.
func grown(a, b *tree.Node) string {
	for _, key := range []string{"dialect", "api_version", "upstream", "quirks", "implementation", "dimensions", "search_unit", "evidence_kind",
		"probability_decimals", "instructions", "criteria", "uncertainty", "served_model", "files", "categories", "score_range", "truncates"} {
		if !tree.Equal(a.Get(key), b.Get(key)) {
			return key
		}
	}
	for _, key := range []string{"input_kinds", "output_kinds", "question_kinds", "element_types"} {
		for item := range b.Get(key).Each() {
			if !a.Get(key).Has(item.Str()) {
				return key
			}
		}
	}
	for item := range a.Get("meters").Each() {
		if !b.Get("meters").Has(item.Str()) {
			return "meters"
		}
	}
	wires := func(n *tree.Node) (names []string) {
		if n.Form != shape.FormList {
			return []string{n.Str()}
		}
		for c := range n.Each() {
			if c.Form == shape.FormTable {
				c = c.Get("protocol")
			}
			names = append(names, c.Str())
		}
		return names
	}
	for _, p := range wires(b.Get("protocol")) {
		if !slices.Contains(wires(a.Get("protocol")), p) {
			return "protocol"
		}
	}
	for was := range a.Get("limits").Each() {
		is := b.Get("limits").Get(was.Key.Name)
		if is == nil || was.Key.Name != "score_levels_min" && is.Int() > was.Int() || was.Key.Name == "score_levels_min" && is.Int() < was.Int() {
			return "limits." + was.Key.Name
		}
	}
	for is := range b.Get("settings").Each() {
		was := a.Get("settings").Get(is.Key.Name)
		switch {
		case is.Key.Name == "exclusive":
			for pair := range was.Each() {
				if !slices.ContainsFunc(slices.Collect(is.Each()), func(c *tree.Node) bool { return tree.Equal(c, pair) }) {
					return "settings.exclusive"
				}
			}
		case was == nil && is.Str() != "refused", was != nil && was.Str() == "refused" && is.Str() != "refused":
			return "settings." + is.Key.Name
		case is.Str() == "supported" && was.Str() != "supported":
			return "settings." + is.Key.Name
		}
	}
	rank := func(n *tree.Node) int { return slices.Index(op.Supports, n.Path("evidence", "support").Str()) }
	if rank(b) > rank(a) {
		return "evidence"
	}
	return ""
}

func oneRow() fragment.Fragment {
	var a tree.Arena
	file := &tree.File{Path: "catalog_sources/a.toml", Layer: "bundled"}
	models := form.Catalog.Table().Must("model")
	r := a.New(models.Type.Item(), shape.FormTable, "")
	r.Append(a.New(form.Model().Must("provider"), shape.FormString, "alpha"))
	r.Append(a.New(form.Model().Must("wire_model"), shape.FormString, "m1"))
	list := a.New(models, shape.FormList, "")
	list.Append(r)
	top := a.New(&shape.Key{Type: shape.Rec(form.Catalog.Table()), Index: -1}, shape.FormTable, "")
	top.Append(list)
	r.File, list.File, top.File = file, file, file
	return fragment.Fragment{File: file, Root: form.Catalog, Table: top}
}

// randomRules makes one rule for alpha/m1, by name or by a pattern.
func randomRules(seed uint64, name string, rank int, exact bool) fragment.Fragment {
	m := testcat.New(seed, 0.5)
	d := &dealer{rand: rand.New(rand.NewPCG(seed, 3))}
	a := &d.arena
	file := &tree.File{Path: "capability_sources/" + name + ".toml", Layer: name, Rank: rank, Speaks: true}
	r := a.Open(m.Value(&shape.Key{Type: shape.Rec(form.Rule()), Index: -1}))
	for _, key := range []string{"models", "model_match", "model_version"} {
		r.Drop(key)
	}
	if exact {
		list := a.New(form.Rule().Must("models"), shape.FormList, "")
		list.Append(a.New(form.Rule().Must("models").Type.Item(), shape.FormString, "m1"))
		r.Append(list)
	} else {
		r.Append(a.New(form.Rule().Must("model_match"), shape.FormString, "m*"))
	}
	providers := form.Capabilities.Table().Must("provider")
	rules := a.New(&shape.Key{Name: "alpha", Type: providers.Type.Elem, Index: -1}, shape.FormList, "")
	rules.Append(r)
	list := a.New(providers, shape.FormTable, "")
	list.Append(rules)
	top := a.New(&shape.Key{Type: shape.Rec(form.Capabilities.Table()), Index: -1}, shape.FormTable, "")
	top.Append(list)
	return fragment.Fragment{File: file, Root: form.Capabilities, Table: d.copy(top, file)}
}
