package layer_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/layer"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/internal/testcat"
	"github.com/opcat/opcat/shape"
)

// TestUntrustedLayersTouchNoCredential lays random project and run layers, valid in
// every value, over random providers and rows, and looks at what must not have
// moved, whatever was found.
func TestUntrustedLayersTouchNoCredential(t *testing.T) {
	for seed := range uint64(400) {
		name := "project"
		if seed%2 == 1 {
			name = "run"
		}
		base := randomLayer(seed, "bundled", 0, 0.6)
		over := randomLayer(seed+1000, name, 3, 0.5)
		was, _ := layer.Merge([]fragment.Fragment{base})
		is, _ := layer.Merge([]fragment.Fragment{over, base})
		for _, p := range is.Providers {
			old := providerOf(was, p.ID)
			if old == nil {
				ownProvider(t, seed, p.Table)
				continue
			}
			for _, key := range []string{"credential", "endpoint", "headers", "healthcheck", "kind", "process", "local_runtime", "accounting"} {
				if !tree.Equal(p.Table.Get(key), old.Get(key)) {
					t.Fatalf("seed %d: the %s layer changed %s of %s", seed, name, key, p.ID)
				}
			}
		}
		for _, r := range is.Rows {
			if old := rowOf(was, r.ID); old != nil {
				othersRow(t, seed, r, old)
			} else if providerOf(was, providerID(r)) != nil {
				for e := range r.Table.Get("price").Each() {
					if amountOf(e) != nil && !e.Get("untrusted").IsTrue() {
						t.Fatalf("seed %d: a price of the %s layer's own row would be admitted: %s", seed, name, testcat.Lines(r.ID, r.Table.Get("price")))
					}
				}
			}
		}
	}
}

func ownProvider(t *testing.T, seed uint64, n *tree.Node) {
	t.Helper()
	if s := n.Path("credential", "scheme"); s != nil && s.Str() != "none" || n.Get("process") != nil || n.Get("local_runtime") != nil {
		t.Fatalf("seed %d: a provider with a credential or a program: %s", seed, testcat.Lines("", n))
	}
	var walk func(n *tree.Node)
	walk = func(n *tree.Node) {
		if k := n.Type(); k != nil && (k.Kind == shape.EnvName || k.Kind == shape.Map && k.KeyKind == shape.EnvName && n.First() != nil) {
			t.Fatalf("seed %d: it names the variable %s", seed, n.Str())
		}
		for c := range n.Each() {
			walk(c)
		}
	}
	walk(n)
}

func othersRow(t *testing.T, seed uint64, r *layer.Row, old *tree.Node) {
	t.Helper()
	for _, key := range []string{"selects", "current", "snapshot", "version", "inherits", "region", "regional_only", "logical_model", "tier", "reasoning_mode", "availability"} {
		if !tree.Equal(r.Table.Get(key), old.Get(key)) {
			t.Fatalf("seed %d: %s of %s changed", seed, key, r.ID)
		}
	}
	if len(r.Changes) > 0 {
		t.Fatalf("seed %d: the operations of %s changed", seed, r.ID)
	}
	for was := range old.Get("limits").Each() {
		if is := r.Table.Path("limits", was.Key.Name); was.Form == shape.FormInteger && (is == nil || is.Int() > was.Int()) {
			t.Fatalf("seed %d: %s of %s is wider", seed, was.Key.Name, r.ID)
		}
	}
	meters := map[string]bool{}
	for e := range r.Table.Get("price").Each() {
		meters[e.Get("meter").Str()] = true
		if rankOf(e) == 0 || e.Get("untrusted").IsTrue() || amountOf(e) == nil {
			continue
		}
		backed := false // some price below of the meter is no higher
		for b := range old.Get("price").Each() {
			same := layer.PriceKey(b) == layer.PriceKey(e)
			if same && (amountOf(b) == nil || amountOf(e).Cmp(amountOf(b)) < 0) {
				backed = false
				break
			}
			backed = backed || b.Get("meter").Str() == e.Get("meter").Str() && amountOf(b) != nil && amountOf(e).Cmp(amountOf(b)) >= 0
		}
		if !backed {
			t.Fatalf("seed %d: a lower price of %s would be admitted: %s", seed, r.ID, testcat.Lines(r.ID, r.Table.Get("price")))
		}
	}
	for b := range old.Get("price").Each() {
		if !meters[b.Get("meter").Str()] {
			t.Fatalf("seed %d: a price of %s is gone", seed, r.ID)
		}
	}
}

func rankOf(n *tree.Node) int { return n.File.Rank }

func amountOf(e *tree.Node) *big.Rat {
	for _, k := range []string{"usd_per_million", "usd_per_unit", "ceiling"} {
		if v := e.Get(k); v != nil {
			r, _ := new(big.Rat).SetString(v.Str())
			return r
		}
	}
	return nil
}

func providerID(r *layer.Row) string { return r.Table.Get("provider").Str() }

func providerOf(l layer.Layered, id string) *tree.Node {
	for _, p := range l.Providers {
		if p.ID == id {
			return p.Table
		}
	}
	return nil
}

func rowOf(l layer.Layered, id string) *tree.Node {
	for _, r := range l.Rows {
		if r.ID == id {
			return r.Table
		}
	}
	return nil
}

// randomLayer makes one file of providers and rows, with what it unsets.
func randomLayer(seed uint64, name string, rank int, density float64) fragment.Fragment {
	m := testcat.New(seed, density)
	r := rand.New(rand.NewPCG(seed, 3))
	var a tree.Arena
	file := &tree.File{Path: "catalog_sources/" + name + ".toml", Layer: name, Rank: rank, Speaks: true}
	top := a.New(&shape.Key{Type: shape.Rec(form.Catalog.Table()), Index: -1}, shape.FormTable, "")
	providers := form.Catalog.Table().Must("provider")
	list := a.New(providers, shape.FormTable, "")
	for _, id := range []string{"alpha", "beta", "gamma"} {
		if r.IntN(3) > 0 {
			p := a.Open(m.Value(&shape.Key{Name: id, Type: providers.Type.Elem, Index: -1}))
			speak(&a, r, p, form.Provider(), "credential", "credential.env", "credential.origins", "endpoint", "headers", "kind", "process", "data_controls", "fallback_price")
			list.Append(p)
		}
	}
	models := form.Catalog.Table().Must("model")
	rows := a.New(models, shape.FormList, "")
	for _, id := range [][2]string{{"alpha", "m1"}, {"alpha", "m2"}, {"beta", "m1"}, {"gamma", "m3"}} {
		if r.IntN(3) == 0 {
			continue
		}
		row := a.Open(m.Value(models.Type.Item()))
		for i, key := range []string{"provider", "wire_model"} {
			row.Set(a.New(form.Model().Must(key), shape.FormString, id[i]))
		}
		row.Drop("change_operations")
		speak(&a, r, row, form.Model(), "limits", "limits.output_tokens", "price", "price.input_token", "region", "selects", "current", "lifecycle")
		rows.Append(row)
	}
	top.Append(list)
	top.Append(rows)
	var place func(n *tree.Node)
	place = func(n *tree.Node) {
		n.File = file
		for c := range n.Each() {
			place(c)
		}
	}
	place(top)
	return fragment.Fragment{File: file, Root: form.Catalog, Table: top}
}

// speak lets a table say add, and unset some of what it may hold.
func speak(a *tree.Arena, r *rand.Rand, n *tree.Node, t *shape.Table, paths ...string) {
	if r.IntN(2) == 0 {
		n.Set(a.New(t.Must("add"), shape.FormBool, "true"))
	}
	list := a.New(t.Must("unset"), shape.FormList, "")
	for _, p := range paths {
		if r.IntN(4) == 0 {
			list.Append(a.New(t.Must("unset").Type.Item(), shape.FormString, p))
		}
	}
	if list.First() != nil {
		n.Set(list)
	}
}
