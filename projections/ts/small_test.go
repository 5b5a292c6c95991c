package ts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/internal/node"
)

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
