package cost_test

import (
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/catalog/flat"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/cost"
	"github.com/opcat/opcat/operations/price"
)

// The entries of every row are those of package catalog, to the last key, and so are the
// costs of a route.
func TestCostsAreThoseOfTheCatalog(t *testing.T) {
	blob, err := os.ReadFile("../../gen/go/opcatalog/catalog.flat")
	if err != nil {
		t.Fatal(err)
	}
	f := flat.Embedded(string(blob))
	c, err := catalog.OpenFlat(f)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for row := range f.Rows() {
		want, _ := c.Row(row.ID())
		got := cost.Entries(row.Price())
		if len(got) != len(want.Price) || len(got) > 0 && !reflect.DeepEqual(got, want.Price) {
			t.Errorf("the prices of %s are %+v, want %+v", row.ID(), got, want.Price)
		}
		n += len(got)
	}
	if n < 1000 {
		t.Errorf("%d entries were compared", n)
	}
	costs[flat.TextGeneration](t, c, f)
	costs[flat.Embedding](t, c, f)
	costs[flat.DecisionEvaluation](t, c, f)
	costs[flat.Reranking](t, c, f)
	costs[flat.Moderation](t, c, f)
}

func costs[O flat.Operation](t *testing.T, c *catalog.Catalog, f flat.Catalog) {
	t.Helper()
	usage := price.Usage{Lines: []price.Line{{Meter: "input_token", Count: 12_345}, {Meter: "cache_write_token", Count: 678}, {Meter: "output_token", Count: 9}, {Meter: "search_unit", Count: 1}}}
	call := price.Call{At: time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)}
	for r := range flat.Routes[O](f, flat.Filter{}) {
		row, _ := c.Row(r.ID())
		contract, _ := row.Contract(r.Operation())
		want := call
		want.Operation = r.Operation()
		for _, p := range operations.Lookup(r.Operation()).Protocols {
			if p.Name == contract.Protocol[0].Name {
				want.CacheLifetime = p.CacheLifetime
			}
		}
		if got, want := cost.Of(r, usage, call), price.Compile(row.Price).Cost(usage, want); !reflect.DeepEqual(got, want) {
			t.Errorf("%s of %s costs %+v, want %+v", r.Operation(), r.ID(), got, want)
		}
	}
}

// A lifetime that the call names is not the route's.
func TestCallKeepsWhatItNames(t *testing.T) {
	blob, err := os.ReadFile("../../gen/go/opcatalog/catalog.flat")
	if err != nil {
		t.Fatal(err)
	}
	for r := range flat.Routes[flat.TextGeneration](flat.Embedded(string(blob)), flat.Filter{Protocol: "anthropic_messages"}) {
		if c := cost.Call(r, price.Call{Operation: "embedding", CacheLifetime: "1h"}); c.CacheLifetime != "1h" || c.Operation != "text_generation" {
			t.Errorf("%+v", c)
		}
		if c := cost.Call(r, price.Call{}); c.CacheLifetime == "" {
			t.Errorf("%s: %+v", r.ID(), c)
		}
	}
}
