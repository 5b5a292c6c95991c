package projections_test

import (
	"fmt"
	"strings"
	"testing/fstest"

	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/projections"
)

const provider = `schema = "1.0"
[provider.acme]
name = "Acme"
credential = { scheme = "none" }
endpoint.openai_moderations = { url = "https://api.acme.example/v1/moderations" }

[[model]]
provider = "acme"
wire_model = "calm"
`

const rules = `schema = "1.0"
[[provider.acme]]
models = ["calm"]
[provider.acme.operations.moderation]
protocol = "openai_moderations"
input_kinds = ["text"]
`

// A program that watches sources compiles and emits after each edit. Both sessions do
// again what the edit touches.
func ExampleSession() {
	sources := fstest.MapFS{"catalog_sources/acme.toml": {Data: []byte(provider)}, "capability_sources/acme.toml": {Data: []byte(rules)}}
	compiling, compiled := compile.Start(compile.Input{Trees: []fragment.Tree{{FS: sources, Layer: "bundled"}}, AsOf: "2026-11-30"})
	var emitting projections.Session
	emit := func() {
		if compiled.Catalog == nil {
			fmt.Println(compiled.Diags)
			return
		}
		made, err := emitting.Emit(compiled.Catalog, []string{"docs"})
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, f := range made[0].Files {
			if _, row, ok := strings.Cut(string(f.Bytes()), "`calm` | "); ok && f.Path == "providers/acme/README.md" {
				fmt.Println("context:", strings.Fields(row)[2])
			}
		}
	}
	emit()
	sources["catalog_sources/acme.toml"] = &fstest.MapFile{Data: []byte(provider + "limits = { context_tokens = 1000 }\n")}
	compiled = compiling.Edited("bundled", "catalog_sources/acme.toml")
	emit()
	// Output:
	// context: unknown
	// context: 1,000
}
