// Package small is a catalog that a person can read, with ids beside it that are hard
// to spell: what the packages of each language are tried on.
package small

import (
	_ "embed"
	"fmt"
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/fragment"
)

// Hostile are wire ids that are no identifiers, or that differ by what identifiers
// leave out.
var Hostile = []string{
	"gpt-4.1", "gpt-4-1", "gpt-41", "4o-mini", "self", "default", "func", "class", "constructor", "__proto__", "~typesafe/jev-latest",
	"hf:zai-org/GLM-4.7", "minimax-m3:free", "MiniMax-M3", "minimax-m3", `quote"back\slash`, "${x}`", "模型-𝒳", "模型-豈", "\u00e9", "e\u0301", "'; drop",
}

//go:embed small.txtar
var text []byte

// Catalog compiles small.txtar with the hostile ids beside it.
func Catalog(t testing.TB) *catalog.Catalog {
	t.Helper()
	a := txtar.Parse(text)
	tree := fstest.MapFS{}
	for _, f := range a.Files {
		tree[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	rows, rules := "schema = \"1.0\"\n", "schema = \"1.0\"\n"
	for _, p := range []string{"p", "q"} {
		rows += fmt.Sprintf("[provider.%s]\nname = \"P\"\ncredential = { scheme = \"none\" }\nendpoint.openai_embeddings = { url = \"https://p.example/v1\" }\n", p)
	}
	for i, wire := range append(Hostile, Hostile[0]) {
		p := []string{"p", "q"}[i/len(Hostile)]
		rows += fmt.Sprintf("[[model]]\nprovider = %q\nwire_model = %q\nsource = [{ url = \"https://p.example\", checked_on = \"2026-11-01\" }]\n", p, wire)
		rules += fmt.Sprintf("[[provider.%s]]\nmodels = [%q]\n[provider.%s.operations.embedding]\nprotocol = \"openai_embeddings\"\ninput_kinds = [\"text\"]\ndimensions = 8\n", p, wire, p)
	}
	tree["catalog_sources/p.toml"] = &fstest.MapFile{Data: []byte(rows)}
	tree["capability_sources/p.toml"] = &fstest.MapFile{Data: []byte(rules)}
	r := compile.Run(compile.Input{Trees: []fragment.Tree{{FS: fs.FS(tree), Layer: "bundled"}}, AsOf: "2026-11-30"})
	if r.Catalog == nil {
		t.Fatal(r.Diags, r.Err)
	}
	return r.Catalog
}
