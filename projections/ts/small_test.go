package ts

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/internal/node"
)

// hostile are wire ids that are no identifiers, or that differ by what identifiers
// leave out.
var hostile = []string{
	"gpt-4.1", "gpt-4-1", "gpt-41", "4o-mini", "self", "default", "func", "class", "constructor", "__proto__", "~typesafe/jev-latest",
	"hf:zai-org/GLM-4.7", "minimax-m3:free", "MiniMax-M3", "minimax-m3", `quote"back\slash`, "${x}`", "模型-𝒳", "模型-豈", "'; drop",
}

// small is the catalog of the tests: testdata/small.txtar and the hostile ids.
func small(t *testing.T) *catalog.Catalog {
	t.Helper()
	a, err := txtar.ParseFile("testdata/small.txtar")
	if err != nil {
		t.Fatal(err)
	}
	tree := fstest.MapFS{}
	for _, f := range a.Files {
		tree[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	rows, rules := "schema = \"1.0\"\n", "schema = \"1.0\"\n"
	for _, p := range []string{"p", "q"} {
		rows += fmt.Sprintf("[provider.%s]\nname = \"P\"\ncredential = { scheme = \"none\" }\nendpoint.openai_embeddings = { url = \"https://p.example/v1\" }\n", p)
	}
	for i, wire := range hostile {
		p := []string{"p", "q"}[i%2]
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

// install writes the package of a catalog into the folder opcatalog of a new one,
// linked to where node and tsc look for it, and gives the folder in which a program may
// import it.
func install(t testing.TB, c *catalog.Catalog) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range emitted(t, c) {
		put(t, filepath.Join(dir, "opcatalog", filepath.FromSlash(name)), string(data))
	}
	if err := os.Mkdir(filepath.Join(dir, "node_modules"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "opcatalog"), filepath.Join(dir, "node_modules", "opcatalog")); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "package.json"), `{ "type": "module" }`)
	return dir
}

func put(t testing.TB, path, data string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
}

// copyIn copies a file of testdata.
func copyIn(t *testing.T, dir, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, name)
	put(t, path, string(b))
	return path
}

// tsc compiles files with the strictest settings and gives the errors, one a line.
func tsc(t *testing.T, dir string, files ...string) string {
	t.Helper()
	types := filepath.Join(node.Root(t), "tools", "node", "node_modules", "@types")
	args := []string{"--noEmit", "--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes", "--allowJs", "--checkJs", "--pretty", "false",
		"--target", "es2022", "--lib", "es2023", "--module", "nodenext", "--moduleResolution", "nodenext", "--resolveJsonModule", "--types", "node", "--typeRoots", types}
	cmd := node.Tool(t, "tsc", append(args, files...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil && len(out) == 0 {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
