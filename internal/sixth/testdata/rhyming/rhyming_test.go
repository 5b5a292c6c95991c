package rhyming_test

import (
	"errors"
	"testing"
	"testing/fstest"

	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/embedding"
	"github.com/opcat/opcat/operations/rhyming"
)

// TestAdmitted: the sources grant the new operation, a request for it is read from
// JSON and admitted within a bound, and its settings and limits are judged.
func TestAdmitted(t *testing.T) {
	r := compile.Run(compile.Input{AsOf: "2026-11-30", Trees: []fragment.Tree{{Layer: "bundled", FS: fstest.MapFS{
		"catalog_sources/acme.toml":    {Mode: 0o644, Data: []byte(sources)},
		"capability_sources/acme.toml": {Mode: 0o644, Data: []byte(rules)},
	}}}})
	if r.Catalog == nil {
		t.Fatal(r.Diags.String())
	}
	request, err := operations.DecodeRequest[rhyming.Request]([]byte(`{"words":["moon"],"settings":{"verses":4,"metre":"iamb"}}`))
	if err != nil {
		t.Fatal(err)
	}
	admitted, err := operations.Admit(r.Catalog, "acme/bard-1", request, operations.Terms{MaxUSD: "0.01"})
	if err != nil {
		t.Fatal(err)
	}
	if got := admitted.Settings(); admitted.Protocol() != "acme_rhymes" || len(got) != 2 {
		t.Errorf("%s with %v", admitted.Protocol(), got)
	}
	request.Settings.Metre = "dactyl"
	refused(t, operations.UnsupportedOptions, func() error {
		_, err := operations.Admit(r.Catalog, "acme/bard-1", request, operations.Terms{})
		return err
	})
	refused(t, operations.LimitExceeded, func() error {
		_, err := operations.Admit(r.Catalog, "acme/bard-1", rhyming.Request{Words: []string{"moon", "tune", "rune"}}, operations.Terms{})
		return err
	})
	refused(t, operations.OperationUnsupported, func() error {
		_, err := operations.Admit(r.Catalog, "acme/bard-1", embedding.Request{Items: []embedding.Item{{Kind: "text", Text: "moon"}}}, operations.Terms{})
		return err
	})
}

func refused(t *testing.T, code operations.Code, admit func() error) {
	t.Helper()
	var r *operations.Refusal
	if err := admit(); !errors.As(err, &r) || r.Code != code {
		t.Errorf("%v, want %s", err, code)
	}
}

const sources = `schema = "1.0"
[provider.acme]
name = "Acme"
credential = { scheme = "bearer", env = ["ACME_API_KEY"], origins = ["https://api.acme.example"] }
endpoint.acme_rhymes = { url = "https://api.acme.example/rhymes" }
[[model]]
provider = "acme"
wire_model = "bard-1"
limits = { context_tokens = 1000 }
price = [{ meter = "input_token", usd_per_million = "1" }, { meter = "output_token", usd_per_million = "0" }]
source = [{ url = "https://acme.example/models", checked_on = "2026-11-01" }]
`

const rules = `schema = "1.0"
[[provider.acme]]
models = ["bard-1"]
[provider.acme.operations.rhyming]
protocol = "acme_rhymes"
input_kinds = ["text"]
languages = ["en"]
limits = { words = 2 }
settings = { verses = { min = "1", max = "14" }, metre = { values = ["iamb", "trochee"] } }
evidence = { support = "documented", source = "https://acme.example/models", checked_on = "2026-11-01" }
`
