package operations_test

import (
	"maps"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/operations"
)

// A picker offers what serves the operation it asks about: a variant that is said to
// be of another one is left out, and so is an unbound one whose row does something
// else. A variant that chooses by itself has no route until it is used.
func TestPickerOffersTheOperationAlone(t *testing.T) {
	c := compiled(fragment.Tree{Layer: "bundled", FS: fstest.MapFS{
		"catalog_sources/acme.toml": {Mode: 0o644, Data: []byte(`schema = "1.0"
[provider.acme]
name = "Acme"
credential = { scheme = "bearer", env = ["ACME_KEY"], origins = ["https://api.acme.example"] }
endpoint = { openai_chat_completions = { url = "https://api.acme.example/v1/chat/completions" }, openai_embeddings = { url = "https://api.acme.example/v1/embeddings" } }
[[model]]
provider = "acme"
wire_model = "chat-1"
limits = { context_tokens = 8000, output_tokens = 1000 }
[[model]]
provider = "acme"
wire_model = "chat-0"
limits = { context_tokens = 8000, output_tokens = 1000 }
lifecycle = { deprecated = true, note = "use chat-1", ends_on = "2026-01-31", successor = "acme/chat-1" }
[[model]]
provider = "acme"
wire_model = "embed-1"
[alias.mid]
text_generation = "acme/chat-1"
[presentation.variant]
named = { selector = { kind = "model", row = "acme/chat-1" } }
aliased = { selector = { kind = "alias", alias = "mid", operation = "text_generation" } }
gone = { selector = { kind = "model", row = "acme/chat-0" } }
vectors = { selector = { kind = "model", row = "acme/embed-1" } }
bound = { selector = { kind = "model", row = "acme/embed-1", operation = "embedding" } }
cheapest = { selector = { kind = "cheapest_hosted", operation = "text_generation" } }
`)},
		"capability_sources/acme.toml": {Mode: 0o644, Data: []byte(`schema = "1.0"
[[provider.acme]]
models = ["chat-0", "chat-1"]
operations.text_generation = { protocol = "openai_chat_completions", input_kinds = ["text"], evidence = { support = "declared" } }
[[provider.acme]]
models = ["embed-1"]
operations.embedding = { protocol = "openai_embeddings", input_kinds = ["text"], dimensions = 8, evidence = { support = "declared" } }
`)},
	}})
	for operation, want := range map[string]map[string]string{
		"text_generation": {"named": "acme/chat-1", "aliased": "acme/chat-1", "gone": string(operations.RouteEnded)},
		"embedding":       {"vectors": "acme/embed-1", "bound": "acme/embed-1"},
		"reranking":       {},
	} {
		picks, err := operations.PickPicker(c, operations.Query{Operation: operation})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for name, p := range picks {
			if p.Refusal != nil {
				got[name] = string(p.Refusal.Code)
			} else {
				got[name] = p.Row.ID()
			}
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v (names %v)", operation, got, want, slices.Sorted(maps.Keys(got)))
		}
	}
}
