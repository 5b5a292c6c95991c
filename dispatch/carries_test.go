package dispatch

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/shape"
)

// oneWireCatalog has one row for a protocol, whose contract supports every setting
// of the operation that may be said for it.
func oneWireCatalog(t *testing.T, o *op.Operation, wire op.Protocol) *catalog.Catalog {
	t.Helper()
	protocol := wire.Name
	needs := map[string]string{
		"decision_evaluation": "question_kinds = [\"boolean\", \"choice\", \"score\"]\nevidence_kind = \"input_reference\"\n",
		"embedding":           "dimensions = { default = 8, min = 1, max = 64 }\nelement_types = [\"float\", \"int8\", \"uint8\", \"binary\", \"ubinary\"]\n",
		"text_generation":     "reasoning = { wire = \"enabled\" }\ntools = { native = true }\nstructured = { transport = \"native_schema\" }\ncache = { on = true, breakpoint = \"last_block\" }\n",
		"reranking":           "score_range = \"unit\"\ntruncates = \"on_request\"\nlimits = { documents = 10 }\n",
		"moderation":          "categories = [\"hate\"]\n",
	}[o.Name]
	limits := "context_tokens = 100000"
	if o.Name == "text_generation" {
		limits += ", output_tokens = 5000"
	}
	if o.Name == "text_generation" && protocol != "openai_chat_completions" {
		needs = strings.Replace(needs, "reasoning = { wire = \"enabled\" }\n", "", 1)
	}
	switch protocol {
	case "ollama_chat":
		needs = strings.Replace(needs, "native_schema", "format_schema", 1)
	case "vercel_evaluate":
		needs += "upstream = \"acme\"\n"
	case "parallel_decisions":
		needs = strings.Replace(needs, "input_reference", "external_citation", 1)
	}
	var settings strings.Builder
	for _, name := range o.SettingNames() {
		if o.Name == "decision_evaluation" && !slices.Contains(wire.Carries, name) {
			continue // a contract that says so does not compile
		}
		if settings.Len() == 0 {
			settings.WriteString("[provider.acme.operations." + o.Name + ".settings]\n")
		}
		value := "\"supported\""
		if name == "max_output_tokens" && protocol == "anthropic_messages" {
			value = "{ min = \"1\", required = true }"
		}
		settings.WriteString(name + " = " + value + "\n")
	}
	return compiled(t, fstest.MapFS{
		"catalog_sources/a.toml": {Data: []byte("schema = \"1.0\"\n[provider.acme]\nname = \"Acme\"\ncredential = { scheme = \"none\" }\n" +
			"endpoint." + protocol + " = { url = \"https://api.acme.example/v1/{model}:go\" }\n" +
			"[[model]]\nprovider = \"acme\"\nwire_model = \"one\"\nlimits = { " + limits + " }\n" +
			"price = [{ meter = \"input_token\", usd_per_million = \"1\" }]\nsource = [{ url = \"https://a.example\", checked_on = \"2026-11-01\" }]\n")},
		"capability_sources/a.toml": {Data: []byte("schema = \"1.0\"\n[[provider.acme]]\nmodels = [\"one\"]\n[provider.acme.operations." + o.Name + "]\n" +
			"protocol = \"" + protocol + "\"\ninput_kinds = [\"text\"]\n" + needs + settings.String())},
	})
}

// values are those that a setting is tried with, each alone.
func values(s op.Setting) []string {
	switch s.Kind {
	case shape.Enum:
		return s.Values
	case shape.Bool:
		return []string{"true"}
	case shape.Number:
		return []string{"0.5", "1"}
	case shape.Count:
		return []string{"1", "2"}
	}
	return []string{"2"}
}

// What a protocol says it carries is what its codec writes: each such setting
// changes the body in its own place and nowhere else, and any other is refused
// before anything is sent.
func TestCodecsWriteWhatTheirProtocolsCarry(t *testing.T) {
	for _, m := range members {
		for _, p := range m.op.Protocols {
			if !p.Codec || !slices.Contains(m.protocols, p.Name) {
				continue
			}
			t.Run(p.Name, func(t *testing.T) {
				if places[p.Name] == nil {
					t.Fatal("the test does not know where this wire has its settings")
				}
				if got, want := slices.Sorted(maps.Keys(places[p.Name])), slices.Sorted(slices.Values(p.Carries)); !slices.Equal(got, want) {
					t.Errorf("the wire has places for %q, and the protocol carries %q", got, want)
				}
				c := oneWireCatalog(t, m.op, p)
				for _, s := range m.op.Settings {
					written := 0
					for _, value := range values(s) {
						w := wish{s.Name, value}
						with, err := m.encode(c, "acme/one", operations.Terms{}, nil, w)
						if !slices.Contains(p.Carries, s.Name) {
							if r, ok := errors.AsType[*operations.Refusal](err); !ok || r.Code != operations.UnsupportedOptions {
								t.Errorf("%s = %s, which the wire has no place for: %v", s.Name, value, err)
							}
							continue
						}
						if err != nil {
							if r, ok := errors.AsType[*operations.Refusal](err); ok && r.Code == operations.UnsupportedOptions {
								continue // one value, or all without a fact that the contract lacks
							}
							t.Errorf("%s = %s: %v", s.Name, value, err)
							continue
						}
						without, err := m.encode(c, "acme/one", operations.Terms{}, []string{s.Name})
						if err != nil {
							t.Fatalf("without %s: %v", s.Name, err)
						}
						if onlyIn(t, without, with, s.Name) > 0 {
							written++
						}
					}
					if slices.Contains(p.Carries, s.Name) && written == 0 {
						t.Errorf("%s is carried, and no value of it changes the body", s.Name)
					}
				}
			})
		}
	}
}

// onlyIn checks that two bodies differ in the places of some settings alone, and
// says in how many.
func onlyIn(t *testing.T, without, with try, settings ...string) int {
	t.Helper()
	a, err := leaves(without.body)
	if err != nil {
		t.Fatal(err)
	}
	b, err := leaves(with.body)
	if err != nil {
		t.Fatal(err)
	}
	paths := changed(a, b)
	for _, path := range paths {
		if !slices.ContainsFunc(settings, func(s string) bool { return place(with.protocol, s, path) }) {
			t.Errorf("%s: %q also changes %s: %q becomes %q", with.protocol, settings, path, a[path], b[path])
		}
	}
	return len(paths)
}
