package golang

import (
	"fmt"
	"io/fs"
	"os"
	"testing"
	"testing/fstest"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/catalog/flat"
	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/build"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/resolve"
	"github.com/opcat/opcat/internal/testcat"
)

// catalogs are the bundled one, ones in which every key of every shape is used, one
// with hostile ids, and an empty one.
func catalogs(t testing.TB) map[string]*catalog.Catalog {
	t.Helper()
	all := map[string]*catalog.Catalog{"bundled": bundled(t), "hostile": hostile(t), "empty": nothing(t)}
	for seed := range uint64(4) {
		all[fmt.Sprintf("full %d", seed)] = full(t, seed, 1)
		all[fmt.Sprintf("sparse %d", seed)] = full(t, seed, 0.3)
	}
	return all
}

func bundled(t testing.TB) *catalog.Catalog {
	t.Helper()
	text, err := os.ReadFile("../../gen/json/catalog.json")
	if err != nil {
		t.Fatal(err)
	}
	c, err := catalog.Open(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func full(t testing.TB, seed uint64, density float64) *catalog.Catalog {
	t.Helper()
	c, err := build.Catalog(testcat.New(seed, density).Draft(9))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// ids are wire ids that are no identifiers, or that differ by what identifiers leave out.
var ids = []string{
	"gpt-4.1", "gpt-4-1", "gpt-41", "4.1-mini", "o3", "self", "default", "func", "class", "type", "_", "~typesafe/jev-latest", "a/b/c",
	"hf:zai-org/GLM-4.7", "minimax-m3:free", "MiniMax-M3", "minimax-m3", `quote"back\slash`, "${x}", "模型-𝒳", "模型-豈", "é", "é", "'; drop",
}

// hostile is a catalog of such ids.
func hostile(t testing.TB) *catalog.Catalog { return serving(t, ids...) }

// serving is a catalog of rows that embed, of the providers p and q in turn.
func serving(t testing.TB, ids ...string) *catalog.Catalog {
	t.Helper()
	rows, rules := "schema = \"1.0\"\n", "schema = \"1.0\"\n"
	for _, p := range []string{"p", "q"} {
		rows += fmt.Sprintf("[provider.%s]\nname = \"P\"\ncredential = { scheme = \"none\" }\nendpoint.openai_embeddings = { url = \"https://p.example/v1\" }\n", p)
	}
	for i, wire := range ids {
		p := []string{"p", "q"}[i%2]
		rows += fmt.Sprintf("[[model]]\nprovider = %q\nwire_model = %q\nsource = [{ url = \"https://p.example\", checked_on = \"2026-11-01\" }]\n", p, wire)
		rows += fmt.Sprintf("limits = { context_tokens = %d }\nprice = [{ meter = \"input_token\", usd_per_million = \"0.%d\" }]\n", 1000*(1+i%4), 1+i%5)
		rules += fmt.Sprintf("[[provider.%s]]\nmodels = [%q]\n[provider.%s.operations.embedding]\nprotocol = \"openai_embeddings\"\ninput_kinds = [\"text\"]\ndimensions = 8\n", p, wire, p)
	}
	return compiled(t, map[string]string{"catalog_sources/p.toml": rows, "capability_sources/p.toml": rules})
}

func compiled(t testing.TB, files map[string]string) *catalog.Catalog {
	t.Helper()
	tree := fstest.MapFS{}
	for name, text := range files {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	r := compile.Run(compile.Input{Trees: []fragment.Tree{{FS: fs.FS(tree), Layer: "bundled"}}, AsOf: "2026-11-30"})
	if r.Catalog == nil {
		t.Fatal(r.Diags, r.Err)
	}
	return r.Catalog
}

// written is the blob of a catalog.
func written(t testing.TB, c *catalog.Catalog) []byte {
	t.Helper()
	b, err := Blob(c)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// opened is a catalog as package flat reads it.
func opened(t testing.TB, c *catalog.Catalog) flat.Catalog {
	t.Helper()
	return flatOf(written(t, c))
}

func flatOf(b []byte) flat.Catalog { return flat.Embedded(string(b)) }

// nothing is a catalog without a row.
func nothing(t testing.TB) *catalog.Catalog {
	t.Helper()
	c, err := build.Catalog(&resolve.Draft{AsOf: "2026-11-30"})
	if err != nil {
		t.Fatal(err)
	}
	return c
}
