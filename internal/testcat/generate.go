// Package testcat makes source trees for tests and benchmarks.
package testcat

import (
	"fmt"
	"strings"
	"testing/fstest"
)

// Size is how much each generated row says.
type Size int

// A lean row is some 370 bytes with its rule, a full one some 1,140: two price
// tiers, sources beside the facts, settings.
const (
	Lean Size = iota
	Full
)

// Rows makes a clean source tree of n rows in format 1.0, perFile rows to a
// file in each root and one provider for each file. The same arguments give the same bytes.
func Rows(n, perFile int, size Size) fstest.MapFS {
	tree := fstest.MapFS{}
	for first := 0; first < n; first += perFile {
		id := fmt.Sprintf("acme%d", first/perFile)
		var rows, rules strings.Builder
		rows.WriteString("schema = \"1.0\"\n")
		rules.WriteString("schema = \"1.0\"\n")
		fmt.Fprintf(&rows, "\n[provider.%s]\nname = \"Acme %d\"\n", id, first/perFile)
		fmt.Fprintf(&rows, "credential = { scheme = \"bearer\", env = [\"ACME%d_KEY\"], origins = [\"https://api.%s.example\"] }\n", first/perFile, id)
		fmt.Fprintf(&rows, "endpoint.openai_chat_completions = { url = \"https://api.%s.example/v1/chat/completions\" }\n", id)
		for i := first; i < min(first+perFile, n); i++ {
			if size == Full {
				fullRow(&rows, &rules, id, i)
			} else {
				leanRow(&rows, &rules, id, i)
			}
		}
		tree["catalog_sources/"+id+"/"+id+".toml"] = &fstest.MapFile{Data: []byte(rows.String()), Mode: 0o644}
		tree["capability_sources/"+id+"/"+id+".toml"] = &fstest.MapFile{Data: []byte(rules.String()), Mode: 0o644}
	}
	return tree
}

func leanRow(rows, rules *strings.Builder, id string, i int) {
	fmt.Fprintf(rows, "\n[[model]]\nprovider = %q\nwire_model = \"chat-%d\"\nlimits = { context_tokens = %d, output_tokens = %d }\n", id, i, 32000+i%7*16000, 4096)
	fmt.Fprintf(rows, "price = [\n  { meter = \"input_token\", usd_per_million = \"%d.%02d\" },\n  { meter = \"output_token\", usd_per_million = \"%d\" },\n]\n", i%9, i%97, 1+i%13)
	fmt.Fprintf(rows, "source = [{ url = \"https://acme.example/m\", checked_on = \"2026-11-01\" }]\n")
	fmt.Fprintf(rules, "\n[[provider.%s]]\nmodels = [\"chat-%d\"]\n[provider.%s.operations.text_generation]\nprotocol = \"openai_chat_completions\"\ninput_kinds = [\"text\"]\n", id, i, id)
}

func fullRow(rows, rules *strings.Builder, id string, i int) {
	fmt.Fprintf(rows, `
[[model]]
provider = %q
wire_model = "chat-%d"
name = "Chat %d"
logical_model = "chat-%d"
released = "2026-%02d-%02d"
limits = { context_tokens = %d, output_tokens = 32000 }
price = [
  { meter = "input_token", usd_per_million = "%d.%02d" },
  { meter = "output_token", usd_per_million = "%d" },
  { meter = "cache_read_token", usd_per_million = "0.%02d" },
  { meter = "input_token", usd_per_million = "%d.%02d", above_input_tokens = 200000 },
  { meter = "output_token", usd_per_million = "%d.5", above_input_tokens = 200000 },
  { meter = "cache_read_token", usd_per_million = "0.%02d", above_input_tokens = 200000 },
]
source = [{ url = "https://acme.example/models", checked_on = "2026-11-01" }]
`, id, i, i, i%500, 1+i%9, 1+i%28, 400000+i%3*200000, i%9, i%97, 1+i%13, 1+i%90, 2+i%9, i%97, 2+i%13, 1+i%90)
	fmt.Fprintf(rules, `
[[provider.%s]]
models = ["chat-%d"]
[provider.%s.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text", "image"]
tools = { native = true, wire = "openai", preferred = "native" }
structured = { transport = "native_schema", mode = "native_json" }
evidence = { support = "declared", source = "https://acme.example/models", checked_on = "2026-11-01" }
[provider.%s.operations.text_generation.settings]
effort = { values = ["low", "medium", "high"], default = "medium" }
temperature = { min = "0", max = "2" }
max_output_tokens = "supported"
response_schema = "supported"
`, id, i, id, id)
}
