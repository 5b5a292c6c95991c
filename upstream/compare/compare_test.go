package compare_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/upstream/compare"
	"github.com/opcat/opcat/upstream/fact"
)

// says is a catalog with rows of one price and one limit.
func says(name string, kind fact.Kind, rows map[string][2]string) fact.Catalog {
	c := fact.Catalog{Source: fact.Source{Name: name, Kind: kind, URL: "pkg:generic/" + name + "@1", Version: "1"}}
	for wire, v := range rows {
		m := fact.Model{Row: catalog.Row{Provider: "acme", WireModel: wire}}
		if v[0] != "" {
			m.Row.Price = []catalog.Price{{Meter: "input_token", USDPerMillion: catalog.Decimal(v[0])}}
		}
		if v[1] == "8192" {
			m.Row.Limits = &catalog.Limits{ContextTokens: catalog.Known(int64(8192))}
		}
		c.Models = append(c.Models, &m)
	}
	return c
}

// The furthest apart come first, with the one whose word counts and the reason.
func TestWorstFirst(t *testing.T) {
	facts := compare.Of([]fact.Catalog{
		says("litellm", fact.Aggregator, map[string][2]string{"a": {"2", "8192"}, "b": {"0", ""}, "alone": {"1", ""}}),
		says("openrouter", fact.VendorAPI, map[string][2]string{"a": {"3", ""}, "b": {"5", ""}}),
		says("models.dev", fact.Aggregator, map[string][2]string{"a": {"2", "8192"}}),
	}, nil)
	var got []string
	for _, f := range facts {
		got = append(got, f.Row+" "+f.Field+" "+f.Used.Source+" "+f.Used.Value+" "+f.Percent+": "+f.Why)
	}
	if diff := cmp.Diff([]string{
		"acme/b price.input_token openrouter 5 : a vendor's API comes before an aggregator",
		"acme/a price.input_token openrouter 3 50.0: a vendor's API comes before an aggregator",
		"acme/a limits.context_tokens models.dev 8192 0: all say the same",
	}, got); diff != "" {
		t.Error(diff)
	}
}

// A report counts the whole, and a name from an upstream is text and nothing else.
func TestReport(t *testing.T) {
	hostile := `x<script>alert(1)</script>|"`
	catalogs := []fact.Catalog{
		says("litellm", fact.Aggregator, map[string][2]string{"a": {"2", "8192"}, hostile: {"1", ""}}),
		says("models.dev", fact.Aggregator, map[string][2]string{"a": {"5", "8192"}, hostile: {"2", ""}}),
		says("catwalk", fact.Aggregator, map[string][2]string{"a": {"5", ""}}),
	}
	r := compare.Make(compare.Of(catalogs, nil), catalogs, 10)
	if r.Facts != 3 || r.Agree != 1 || r.Differ != 2 || r.Worst[0].Apart != "2.5 times" {
		t.Errorf("%+v", r)
	}
	if p := r.Pairs[1][2]; p != (compare.Pair{Facts: 3, Same: 1}) || r.Sources[1].Alone != 2 || r.Sources[2].Used != 2 {
		t.Errorf("%+v, %+v", p, r.Sources)
	}
	page := r.HTML()
	if strings.Contains(page, "<script") || !strings.Contains(page, "alert(1)") || !strings.Contains(page, "<svg") {
		t.Error(page)
	}
	md := r.Markdown("chart.svg")
	if strings.Contains(md, "<script") || !strings.Contains(md, "| `acme/a` | price.input\\_token |") && !strings.Contains(md, "| `acme/a` | price.input_token | models.dev 5 | litellm 2, catwalk 5 | 2.5 times |") {
		t.Error(md)
	}
}
