package upstream_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/opcat/opcat/upstream/fact"
	"github.com/opcat/opcat/upstream/read"
	"github.com/opcat/opcat/upstream/want"
)

func FuzzLiteLLM(f *testing.F)    { fuzz(f, "litellm", "f.json", litellmFile) }
func FuzzCatwalk(f *testing.F)    { fuzz(f, "catwalk", "acme.json") }
func FuzzOpenRouter(f *testing.F) { fuzz(f, "openrouter", "models.json") }
func FuzzOpcatJSON(f *testing.F)  { fuzz(f, "opcat", "c.json", `{"schema":"opcat.catalog@1"}`) }

func FuzzModelsDev(f *testing.F) {
	fuzz(f, "models.dev", "providers/acme/models/m.toml", textOut, "other.toml", "[extends]\nfrom = \"acme/other\"\nomit = [\"limit\"]\n[cost.context_over_200k]\ninput = 1\n",
		"[experimental.modes.fast.cost]\ninput = 2\n[experimental.modes.fast.provider]\nbody = { service_tier = \"priority\" }\n")
}

func FuzzModelsDevAPI(f *testing.F) { fuzz(f, "models.dev", "api.json") }

func FuzzGenAIPrices(f *testing.F) {
	fuzz(f, "genai-prices", "acme.yml", "id: a\nmodels:\n  - id: b\n    match: {or: [{equals: b}, {starts_with: c}]}\n    prices:\n      - prices: {input_mtok: {base: 1, tiers: [{start: 5, price: 2}]}}\n"+
		"      - constraint: {start_date: 2026-03-13}\n        prices: {input_mtok: 1}\n      - constraint: {start_time: 16:30:00Z, end_time: 00:30:00Z}\n        prices: {input_mtok: 1}\n")
}

func FuzzOwnTree(f *testing.F) {
	fuzz(f, "harn", "catalog_sources/a.toml", "schema = \"1.0\"\n[provider.acme]\nname = \"Acme\"\n[[model]]\nprovider = \"acme\"\nwire_model = \"a\"\nlisted_as = [\"unknown\"]\n",
		"[models.\"a\"]\nname = \"A\"\nprovider = \"acme\"\ncontext_window = 1\n")
}

// fuzz gives a reader whatever bytes, as the one file that it is about. It gives the same
// catalog each time, or an error; a price is no less than nothing, and an id can be dialled.
func fuzz(f *testing.F, reader, file string, seeds ...string) {
	for _, format := range formats {
		if format.reader != reader {
			continue
		}
		for _, e := range entries() {
			for _, text := range format.write([]entry{e}, asWritten) {
				if len(text) < 300 { // what grows out of a long one takes a minute to be made short again
					f.Add(text)
				}
			}
		}
	}
	for _, s := range seeds {
		f.Add(s)
	}
	name := file
	if strings.Contains(file, "/") || strings.HasSuffix(file, ".yml") {
		name = "."
	}
	f.Fuzz(func(t *testing.T, text string) {
		files := map[string]string{file: text}
		if reader == "models.dev" && name == "." {
			files["providers/acme/models/other.toml"] = textOut
		}
		c, err := tryRead(reader, name, files)
		again, err2 := tryRead(reader, name, files)
		if (err == nil) != (err2 == nil) || !reflect.DeepEqual(c, again) {
			t.Fatalf("read twice, it says two things: %v, %v", err, err2)
		}
		if err != nil {
			return
		}
		ids := map[string]bool{}
		for _, m := range c.Models {
			for _, p := range m.Row.Price {
				if strings.HasPrefix(read.Said(&p), "-") {
					t.Errorf("a negative price: %+v", p)
				}
			}
			if why := read.BadWireID(m.Row.WireModel); why != "" && len(m.Row.Contracts)+len(m.Row.ListedAs) == 0 {
				t.Errorf("the id %q %s", m.Row.WireModel, why)
			}
			if id := m.Row.Provider + "/" + m.Row.WireModel; ids[id] {
				t.Errorf("%s is there twice", id)
			} else {
				ids[id] = true
			}
		}
		want.Build([]fact.Catalog{c}, nil, nil)
	})
}
