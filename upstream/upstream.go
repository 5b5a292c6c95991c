// Package upstream knows the catalogs that opcat reads: one reader each, in a folder of
// its own. This file is the list of them.
//
// Reading is one half of bringing facts in: a reader gives what one catalog says
// (package fact), package sense judges what each row does, package want puts all
// catalogs together and says which rows and contracts follow. Package compare shows
// where they differ.
package upstream

import (
	"io/fs"

	"github.com/opcat/opcat/compile/accept"
	"github.com/opcat/opcat/upstream/catwalk"
	"github.com/opcat/opcat/upstream/fact"
	"github.com/opcat/opcat/upstream/genaiprices"
	"github.com/opcat/opcat/upstream/litellm"
	"github.com/opcat/opcat/upstream/modelsdev"
	"github.com/opcat/opcat/upstream/openrouter"
	"github.com/opcat/opcat/upstream/own"
)

// A Reader reads one kind of catalog.
type Reader struct {
	Name string
	Kind fact.Kind
	Doc  string // what it reads, in a line
	Read func(Input) (fact.Catalog, error)
}

// An Input is all that a reading depends on. It looks at nothing else.
type Input struct {
	FS     fs.FS
	Name   string // a file or a folder below FS
	Source fact.Source
	AsOf   string       // for trees that are compiled
	Accept *accept.File // their known contradictions; nil for none
}

// plain is a reader of files that say all by themselves.
func plain(read func(fs.FS, string, fact.Source) (fact.Catalog, error)) func(Input) (fact.Catalog, error) {
	return func(in Input) (fact.Catalog, error) { return read(in.FS, in.Name, in.Source) }
}

// Readers lists every reader by name.
func Readers() []Reader {
	return []Reader{
		{"catwalk", fact.Aggregator, "catwalk's JSON files, one for a provider", plain(catwalk.Read)},
		{"genai-prices", fact.Aggregator, "genai-prices' YAML files, or its data.json", plain(genaiprices.Read)},
		{"harn", fact.Aggregator, "a tree of Harn's fragments, or any tree of opcat's own format or the legacy dialect", func(in Input) (fact.Catalog, error) {
			return own.Tree(in.FS, in.Name, in.Source, in.AsOf, in.Accept)
		}},
		{"litellm", fact.Aggregator, "LiteLLM's model_prices_and_context_window.json", plain(litellm.Read)},
		{"models.dev", fact.Aggregator, "models.dev's tree of TOML files, or its api.json", plain(modelsdev.Read)},
		{"opcat", fact.FirstParty, "a catalog that opcat compiled, as JSON", plain(own.JSON)},
		{"openrouter", fact.VendorAPI, "the answer of OpenRouter's /models", plain(openrouter.Read)},
	}
}

// Find gives the reader of a name.
func Find(name string) (Reader, bool) {
	for _, r := range Readers() {
		if r.Name == name {
			return r, true
		}
	}
	return Reader{}, false
}
