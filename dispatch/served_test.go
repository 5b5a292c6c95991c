package dispatch

import (
	"testing"
	"testing/fstest"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/internal/codectest"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/embedding"
	"github.com/opcat/opcat/operations/price"
)

// C17: a moving name keeps yesterday's price. What an answer says that it is from is
// what it costs: by the row of that model or of what it is a build of, and by no other.
func TestAnotherModelCostsItsOwnPrice(t *testing.T) {
	row := func(name, more string) string {
		return "[[model]]\nprovider = \"acme\"\nwire_model = \"" + name + "\"\nlimits = { context_tokens = 1000 }\n" +
			"source = [{ url = \"https://a.example\", checked_on = \"2026-11-01\" }]\n" + more + "\n"
	}
	usd := func(amount string) string {
		return `price = [{ meter = "input_token", usd_per_million = "` + amount + `" }]`
	}
	c := compiled(t, fstest.MapFS{
		"catalog_sources/a.toml": {Data: []byte("schema = \"1.0\"\n[provider.acme]\nname = \"Acme\"\ncredential = { scheme = \"none\" }\n" +
			"endpoint.openai_embeddings = { url = \"https://api.acme.example/v1/embeddings\" }\n" +
			row("flash-1", usd("2")+"\nlogical_model = \"flash\"\nsnapshot = \"1\"") + row("flash-2", usd("5")) + row("flash-2-20261101", usd("6")) + row("quiet", "") +
			row("latest", "logical_model = \"flash\"\nselects = \"flash\"\ncurrent = \"acme/flash-1\""))},
		"capability_sources/a.toml": {Data: []byte("schema = \"1.0\"\n[[provider.acme]]\nmodels = [\"latest\", \"flash-1\", \"flash-2\", \"flash-2-20261101\", \"quiet\"]\n" +
			"[provider.acme.operations.embedding]\nprotocol = \"openai_embeddings\"\ninput_kinds = [\"text\"]\ndimensions = 8\n")},
	})
	a := codectest.AdmitTo(t, c, "acme/latest", embedding.Request{Items: []embedding.Item{{Kind: "text", Text: "fox"}}}, operations.Terms{})
	for _, x := range []struct {
		served string
		want   catalog.Decimal
	}{
		{"", "0.002"},
		{"latest", "0.002"},
		{"latest-20261130", "0.002"},
		{"flash-1", "0.002"},
		{"flash-1-2026-10-14", "0.002"},
		{"flash-2", "0.005"},
		{"flash-2-20261101", "0.006"},
		{"flash-2-2611", "0.005"},
		{"flash-3", ""},
		{"FLASH-2", ""},
		{"flash-2-mini", ""},
		{"quiet", ""},
	} {
		got := Cost(a, wire.Meta{Served: x.served, Usage: price.Usage{Lines: []price.Line{{Meter: "input_token", Count: 1000}}}})
		if got.USD != x.want || len(got.Lines) != 1 || got.Lines[0].Count != catalog.Known[int64](1000) {
			t.Errorf("of %q: %+v, want %q USD", x.served, got, x.want)
		}
		if why := got.Lines[0].Unknown; x.served == "flash-3" && why != price.OtherModel || x.served == "quiet" && why != price.NotPriced {
			t.Errorf("of %q: unknown as %s", x.served, why)
		}
	}
}
