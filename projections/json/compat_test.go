package json

import (
	stdjson "encoding/json"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/projections/emit"
)

const compatSources = `schema = "1.0"
[provider.acme]
name = "Acme"
credential = { scheme = "none" }
endpoint.openai_chat_completions = { url = "https://api.acme.example/v1/chat/completions" }
endpoint.openai_embeddings = { url = "https://api.acme.example/v1/embeddings" }
endpoint.cohere_rerank = { url = "https://api.acme.example/v1/rerank" }
`

func compatOf(t *testing.T, rows, rules string) (*catalog.Catalog, map[string]map[string]any) {
	t.Helper()
	r := compile.Run(compile.Input{AsOf: "2026-11-30", Trees: []fragment.Tree{{Layer: "bundled", FS: fstest.MapFS{
		"catalog_sources/a.toml":    {Data: []byte(compatSources + rows)},
		"capability_sources/a.toml": {Data: []byte("schema = \"1.0\"\n" + rules)},
	}}}})
	if r.Catalog == nil {
		t.Fatal(r.Diags)
	}
	var doc struct{ Models map[string]map[string]any }
	d := stdjson.NewDecoder(strings.NewReader(string(compat(emit.NewWork(r.Catalog)).Bytes())))
	d.UseNumber()
	if err := d.Decode(&doc); err != nil {
		t.Fatal(err)
	}
	return r.Catalog, doc.Models
}

const compatRows = `
[[model]]
provider = "acme"
wire_model = "at-512k"
name = "Far"
limits = { context_tokens = 1000000 }
price = [
  { meter = "input_token", usd_per_million = "0.60" },
  { meter = "input_token", usd_per_million = "1.20", above_input_tokens = 512000 },
  { meter = "output_token", usd_per_million = "2" },
  { meter = "output_token", usd_per_million = "4", above_input_tokens = 512000 },
]
[[model]]
provider = "acme"
wire_model = "at-200k"
limits = { context_tokens = 1000000, output_tokens = 5 }
lifecycle = { deprecated = true, note = "old", ends_on = "2027-01-31", successor = "acme/at-512k" }
price = [
  { meter = "input_token", usd_per_million = "0.000000000000000001" },
  { meter = "input_token", usd_per_million = "0.25", service_tier = "batch" },
  { meter = "input_token", usd_per_million = "1", above_input_tokens = 200000 },
  { meter = "output_token", usd_per_million = "0" },
  { meter = "output_token", usd_per_million = "4", above_input_tokens = 200000 },
]
[[model]]
provider = "acme"
wire_model = "half"
price = [{ meter = "input_token", usd_per_million = "3" }]
[[model]]
provider = "acme"
wire_model = "embed"
price = [{ meter = "input_token", usd_per_million = "0.1" }]
[[model]]
provider = "acme"
wire_model = "rank"
`

const compatRules = `
[[provider.acme]]
models = ["at-512k", "at-200k", "half"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
[[provider.acme]]
models = ["embed"]
[provider.acme.operations.embedding]
protocol = "openai_embeddings"
input_kinds = ["text"]
dimensions = 1536
[[provider.acme]]
models = ["rank"]
[provider.acme.operations.reranking]
protocol = "cohere_rerank"
input_kinds = ["text"]
`

// C29: an old field is there only where what its name says is true.
func TestOldFieldsKeepTheirMeaning(t *testing.T) {
	_, rows := compatOf(t, compatRows, compatRules)
	text := func(v any) string { b, _ := stdjson.Marshal(v); return string(b) }
	for id, want := range map[string]string{
		"acme/at-512k": `{"context_window":1000000,"cost":{"input":0.6,"output":2},"modalities":{"input":["text"]},"name":"Far","operations":["text_generation"],"pricing":{"input_per_mtok":0.6,"output_per_mtok":2},"provider":"acme","wire_model":"at-512k"}`,
		"acme/at-200k": `{"context_window":1000000,"cost":{"context_over_200k":{"input":1,"output":4},"input":0.000000000000000001,"output":0},"deprecated":true,"deprecation_note":"old","max_output_tokens":5,"modalities":{"input":["text"]},"operations":["text_generation"],"pricing":{"input_per_mtok":0.000000000000000001,"output_per_mtok":0},"provider":"acme","sunset_date":"2027-01-31","superseded_by":"acme/at-512k","wire_model":"at-200k"}`,
		"acme/half":    `{"modalities":{"input":["text"]},"operations":["text_generation"],"provider":"acme","wire_model":"half"}`,
		"acme/embed":   `{"cost":{"input":0.1},"embedding_dim":1536,"modalities":{"input":["text"]},"operations":["embedding"],"pricing":{"input_per_mtok":0.1},"provider":"acme","wire_model":"embed"}`,
	} {
		if got := text(rows[id]); got != want {
			t.Errorf("%s is\n%s, want\n%s", id, got, want)
		}
	}
	if len(rows) != 4 {
		t.Errorf("%d rows: what only reranks would be taken for a chat model", len(rows))
	}
}

// C29, R093: what is derived for old readers is no input: neither the file nor a field
// that only old forms have.
func TestOldFieldsAreNotReadBack(t *testing.T) {
	c, rows := compatOf(t, compatRows, compatRules)
	if _, err := catalog.Open(compat(emit.NewWork(c)).Bytes()); err == nil {
		t.Error("the file of old fields was opened as a catalog")
	}
	kept := []string{"name", "provider", "wire_model"} // which are today's too
	tried := map[string]bool{}
	for _, row := range rows {
		for key, value := range row {
			if slices.Contains(kept, key) || tried[key] {
				continue
			}
			tried[key] = true
			toml := "1"
			switch value.(type) {
			case string:
				toml = `"2027-01-31"`
			case map[string]any:
				toml = "{}"
			case []any:
				toml = `["text_generation"]`
			}
			r := compile.Run(compile.Input{AsOf: "2026-11-30", Trees: []fragment.Tree{{Layer: "bundled", FS: fstest.MapFS{
				"catalog_sources/a.toml": {Data: []byte(compatSources + "[[model]]\nprovider = \"acme\"\nwire_model = \"m\"\n" + key + " = " + toml + "\n")},
			}}}})
			if r.Catalog != nil || !strings.Contains(r.Diags.String(), `"`+key+`" is not a field of`) {
				t.Errorf("%s was read: %v", key, r.Diags)
			}
		}
	}
	if len(tried) < 9 {
		t.Errorf("only %d fields were tried", len(tried))
	}
}
