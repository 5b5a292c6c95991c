package golang

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/catalog/flat"
	"github.com/opcat/opcat/internal/blob"
	"github.com/opcat/opcat/operations"
)

// A row is found by its id and by no other text, and its routes by the operations that
// it serves alone.
func TestLookup(t *testing.T) {
	for name, c := range catalogs(t) {
		t.Run(name, func(t *testing.T) {
			f := opened(t, c)
			for ref := range c.Refs() {
				id := ref.ID()
				row, ok := f.Row(id)
				if !ok || row.ID() != id {
					t.Errorf("no row %q", id)
				}
				for _, other := range []string{id + " ", id[:len(id)-1], strings.ToUpper(id), "/" + id, ""} {
					if _, is := c.Find(other); is {
						continue
					}
					if row, ok := f.Row(other); ok {
						t.Errorf("%q finds %q", other, row.ID())
					}
				}
				route[flat.TextGeneration](t, c, f, ref, "text_generation")
				route[flat.Embedding](t, c, f, ref, "embedding")
				route[flat.DecisionEvaluation](t, c, f, ref, "decision_evaluation")
				route[flat.Reranking](t, c, f, ref, "reranking")
				route[flat.Moderation](t, c, f, ref, "moderation")
			}
			routes[flat.TextGeneration](t, c, f, "text_generation")
			routes[flat.Embedding](t, c, f, "embedding")
			routes[flat.DecisionEvaluation](t, c, f, "decision_evaluation")
			routes[flat.Reranking](t, c, f, "reranking")
			routes[flat.Moderation](t, c, f, "moderation")
			for _, id := range c.ProviderIDs() {
				if _, ok := f.Provider(id); !ok {
					t.Errorf("no provider %q", id)
				}
				var want, got []string
				for r := range c.RefsOf(id) {
					want = append(want, r.ID())
				}
				for r := range f.RowsOf(id) {
					got = append(got, r.ID())
				}
				if !slices.Equal(want, got) {
					t.Errorf("the rows of %q are %q, want %q", id, got, want)
				}
			}
			if _, ok := f.Provider("nobody"); ok {
				t.Error("there is a provider nobody")
			}
			if got := slices.Collect(f.Operations()); !slices.Equal(got, operations.Names()) {
				t.Errorf("operations %q", got)
			}
		})
	}
}

// The hash of an id only says where to look: another text with the same one is no id.
func TestLookupReadsTheID(t *testing.T) {
	seen := map[uint32]string{} // by mark
	for i := range 1 << 20 {
		id := "p/model-" + strconv.Itoa(i)
		h := blob.Hash(id)
		other, ok := seen[blob.Mark(h)]
		seen[blob.Mark(h)] = id
		slots := uint32(blob.Slots(1))
		if !ok || blob.Slot(h, slots) != blob.Slot(blob.Hash(other), slots) {
			continue
		}
		c := serving(t, id[len("p/"):], "another")
		if _, ok := opened(t, c).Row(id); !ok {
			t.Errorf("no row %q", id)
		}
		if row, ok := opened(t, c).Row(other); ok {
			t.Errorf("%q finds %q", other, row.ID())
		}
		if _, ok := c.Find(other); ok {
			t.Errorf("%q is found in the catalog of %q", other, id)
		}
		return
	}
	t.Fatal("no two ids with one mark: look for more")
}

// moments are around the ends that the catalogs know, and far from them.
var moments = []string{"1999-01-01", "2026-06-30", "2026-11-29", "2026-11-30", "2026-12-01", "2027-01-31", "2027-06-01", "2100-01-01"}

func route[O flat.Operation](t *testing.T, c *catalog.Catalog, f flat.Catalog, ref catalog.Ref, operation string) {
	t.Helper()
	r, ok := flat.Lookup[O](f, ref.ID())
	if ok != ref.Has(operation) || ok != r.IsKnown() {
		t.Errorf("%s of %q is found: %t", operation, ref.ID(), ok)
	}
	if !ok {
		if r.ID() != "" || r.Row().IsKnown() || r.Contract().InputKinds().Len() != 0 || r.CacheLifetime() != "" {
			t.Errorf("a route that there is none of says something: %q", r.ID())
		}
		return
	}
	if r.ID() != ref.ID() || r.Row().ID() != ref.ID() || r.Operation() != operation || r.Catalog() != f {
		t.Errorf("%s of %q is %s of %q", operation, ref.ID(), r.Operation(), r.ID())
	}
	for _, s := range moments {
		at, _ := catalog.ParseDate(s)
		if got, want := r.State(at).String(), ref.State(at).String(); got != want || r.Row().Lifecycle().State(at).String() != want {
			t.Errorf("on %s %s is %s, want %s", s, ref.ID(), got, want)
		}
	}
	contract, _ := ref.Contract(operation)
	if got := r.Contract().InputKinds().Slice(); !slices.Equal(got, contract.InputKinds) {
		t.Errorf("%s takes %q, want %q", ref.ID(), got, contract.InputKinds)
	}
	want := ""
	for _, p := range operations.Lookup(operation).Protocols {
		if p.Name == contract.Protocol[0].Name {
			want = p.CacheLifetime
		}
	}
	if r.CacheLifetime() != want {
		t.Errorf("%s keeps a cache for %q, want %q", ref.ID(), r.CacheLifetime(), want)
	}
}

// routes compares lists of routes, by id and by price, with and without filters, and
// what names stand for.
func routes[O flat.Operation](t *testing.T, c *catalog.Catalog, f flat.Catalog, operation string) {
	t.Helper()
	var byID, byPrice []string
	for r := range c.Routes(operation) {
		byID = append(byID, r.ID())
	}
	for _, row := range operations.Ranked(c, operation) {
		byPrice = append(byPrice, c.RefAt(row).ID())
	}
	if n := flat.Count[O](f); n != len(byID) {
		t.Errorf("%d routes, want %d", n, len(byID))
	}
	promises := map[string]promise{}
	for ref := range c.Routes(operation) {
		row := ref.Row()
		contract, _ := row.Contract(operation)
		promises[ref.ID()] = promise{&row, &contract}
	}
	for _, filter := range filters(byID, promises) {
		keep := func(ids []string) []string {
			return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !promises[id].meets(c, filter) })
		}
		if got, want := idsOf(flat.Routes[O](f, filter)), keep(byID); !slices.Equal(got, want) {
			t.Errorf("%s %+v: %q, want %q", operation, filter, got, want)
		}
		if got, want := idsOf(flat.ByPrice[O](f, filter)), keep(byPrice); !slices.Equal(got, want) {
			t.Errorf("%s by price %+v: %q, want %q", operation, filter, got, want)
		}
	}
	aliases := c.Aliases()
	for _, name := range append(slices.Collect(maps.Keys(aliases)), "no such alias", "") {
		target, ok := aliases[name].ByOperation[operation]
		if ref, found := c.Find(target.Row); !found || !ref.Has(operation) {
			ok = false
		}
		if r, is := flat.ByAlias[O](f, name); is != ok || r.ID() != target.Row && ok {
			t.Errorf("the alias %q of %s is %q, want %q", name, operation, r.ID(), target.Row)
		}
	}
	d := c.Defaults().ByOperation[operation]
	for purpose, rows := range map[string]map[string]string{"runtime": d.Runtime, "portal": d.Portal, "qc": d.Qc, "none": nil} {
		for _, provider := range append(slices.Collect(maps.Keys(rows)), "nobody") {
			want := rows[provider]
			if ref, found := c.Find(want); !found || !ref.Has(operation) {
				want = ""
			}
			if r, ok := flat.ByDefault[O](f, purpose, provider); r.ID() != want || ok != (want != "") {
				t.Errorf("the default %s %s of %s is %q, want %q", operation, purpose, provider, r.ID(), want)
			}
		}
	}
}

func idsOf[O flat.Operation](routes func(func(flat.Route[O]) bool)) (ids []string) {
	for r := range routes {
		ids = append(ids, r.ID())
	}
	return ids
}

// filters ask for each thing that some route has, alone and together, and for things
// that none has.
func filters(ids []string, promises map[string]promise) []flat.Filter {
	all := []flat.Filter{{}, {Provider: "nobody"}, {LogicalModel: "none"}, {InputKinds: []string{"smell"}}, {Protocol: "none"}, {Support: "rumoured"},
		{ContextTokens: 1}, {ContextTokens: 1 << 50}, {States: []flat.State{flat.Active}}, {States: []flat.State{flat.Ended, flat.Announced}, At: time.Unix(1<<33, 0)}}
	for _, support := range []string{"declared", "documented", "probed"} {
		all = append(all, flat.Filter{Support: support}, flat.Filter{Support: support, InputKinds: []string{"text"}, ContextTokens: 2000})
	}
	for i := 0; i < len(ids); i += 17 {
		row, contract := promises[ids[i]].row, promises[ids[i]].contract
		all = append(all, flat.Filter{Provider: row.Provider}, flat.Filter{LogicalModel: row.LogicalModel}, flat.Filter{InputKinds: contract.InputKinds},
			flat.Filter{Protocol: contract.Protocol[0].Name, InputKinds: contract.InputKinds[:1]})
		if row.Limits != nil {
			tokens := row.Limits.ContextTokens.Or(5)
			for _, n := range []int64{tokens - 1, tokens, tokens + 1} {
				all = append(all, flat.Filter{ContextTokens: max(n, 1), InputKinds: contract.InputKinds})
			}
		}
	}
	return all
}

// A promise is a row with its contract, as package catalog decodes them.
type promise struct {
	row      *catalog.Row
	contract *catalog.Contract
}

// meets judges a promise by its facts, as a reader of the documentation would.
func (p promise) meets(c *catalog.Catalog, f flat.Filter) bool {
	row, contract := p.row, p.contract
	at := f.At
	if at.IsZero() {
		at = c.AsOf()
	}
	degrees := []string{"declared", "documented", "probed"}
	context := int64(-1)
	if l := row.Limits; l != nil {
		context = l.ContextTokens.Or(l.RuntimeContextTokens.Or(-1))
		context = min(context, l.RuntimeContextTokens.Or(context))
	}
	return (f.Provider == "" || row.Provider == f.Provider) &&
		(f.LogicalModel == "" || row.LogicalModel == f.LogicalModel) &&
		!slices.ContainsFunc(f.InputKinds, func(k string) bool { return !slices.Contains(contract.InputKinds, k) }) &&
		(f.Protocol == "" || slices.ContainsFunc(contract.Protocol, func(p catalog.Protocol) bool { return p.Name == f.Protocol })) &&
		(f.ContextTokens == 0 || context >= f.ContextTokens) &&
		(f.Support == "" || contract.Evidence != nil && slices.Contains(degrees, f.Support) &&
			slices.Index(degrees, contract.Evidence.Support) >= slices.Index(degrees, f.Support)) &&
		(len(f.States) == 0 || slices.Contains(f.States, flat.State(row.Lifecycle.State(at))))
}

// Where nearly every route has a context of its own, the sets of contexts stay few, and
// what they leave open is judged.
func TestManyContexts(t *testing.T) {
	s := newSets(1000)
	for i := range 1000 {
		s.windows = append(s.windows, holding{i, int64(1 + (i*7919)%1000)})
	}
	w := &writer{b: make([]byte, blob.HeaderSize)}
	at := s.cuts(w)
	n := load(w.b, int(at))
	if n == 0 || n > maxCuts+1 {
		t.Fatalf("%d cuts", n)
	}
	last := uint64(0)
	for i := range n {
		cut := int(at) + 4 + blob.CutSize*int(i)
		tokens := uint64(load(w.b, cut)) | uint64(load(w.b, cut+4))<<32
		if i == 0 && tokens != 1 || i > 0 && tokens <= last {
			t.Errorf("the cut %d is at %d, after %d", i, tokens, last)
		}
		last = tokens
		set := int(load(w.b, cut+8))
		for _, h := range s.windows {
			if in := load(w.b, set+h.route/32*4)>>(h.route%32)&1 != 0; in != (h.tokens >= int64(tokens)) {
				t.Fatalf("the route that holds %d is in the set of %d: %t", h.tokens, tokens, in)
			}
		}
	}
}

// The order of rows in the text, or who compiles when, changes no byte.
func TestBlobIsTheSameEachTime(t *testing.T) {
	c := bundled(t)
	want := written(t, c)
	for range 5 {
		if again, err := catalog.Open([]byte(c.JSON())); err != nil || !slices.Equal(written(t, again), want) {
			t.Fatal("another blob", err)
		}
	}
}
