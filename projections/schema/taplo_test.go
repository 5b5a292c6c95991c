package schema

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/opcat/opcat/internal/node"
)

// The engine of TOML editors accepts every source of the bundled catalog.
func TestEditorsAcceptOurFragments(t *testing.T) {
	out, err := node.Tool(t, "taplo", "lint").CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if strings.Contains(string(out), "total=0") {
		t.Errorf("it found no files:\n%s", out)
	}
}

// It shows mistakes too: a misspelt key, a price that is no text, a protocol of nobody,
// a table under the wrong root.
func TestEditorsShowMistakes(t *testing.T) {
	root := node.Root(t)
	config, err := os.ReadFile(filepath.Join(root, ".taplo.toml"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name string, text []byte) {
		t.Helper()
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(".taplo.toml", config)
	for _, f := range must(t) {
		write("gen/schema/"+f.Path, f.Data)
	}
	mistakes := map[string]struct{ text, shown string }{
		"catalog_sources/misspelt.toml":      {"schema = \"1.0\"\n[[model]]\nprovider = \"acme\"\nwire_model = \"x\"\nwire_modle = \"x\"\n", "wire_modle"},
		"catalog_sources/price.toml":         {"schema = \"1.0\"\n[[model]]\nprovider = \"acme\"\nwire_model = \"x\"\nprice = [{ meter = \"input_token\", usd_per_million = 0.5 }]\n", "0.5"},
		"catalog_sources/format.toml":        {"[provider.acme]\nname = \"Acme\"\n", "schema"},
		"capability_sources/protocol.toml":   {"schema = \"1.0\"\n[[provider.acme]]\nmodels = [\"x\"]\n[provider.acme.operations.embedding]\nprotocol = \"openai_embedings\"\n", "openai_embedings"},
		"capability_sources/wrong_root.toml": {"schema = \"1.0\"\n[provider.acme]\nname = \"Acme\"\n", "array"},
	}
	for name, m := range mistakes {
		write(name, []byte(m.text))
	}
	write("catalog_sources/good.toml", []byte("schema = \"1.0\"\n[provider.acme]\nname = \"Acme\"\n"))
	cmd := node.Tool(t, "taplo", "lint", "--colors", "never")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err == nil {
		t.Error("it finds no mistake")
	}
	for name, m := range mistakes {
		_, after, found := strings.Cut(string(out), filepath.Base(name)+":")
		if !found || !strings.Contains(strings.SplitN(after, "error:", 2)[0], m.shown) {
			t.Errorf("%s: it does not show %q", name, m.shown)
		}
	}
	if strings.Contains(string(out), "good.toml") {
		t.Error("it does not take what is right")
	}
	if t.Failed() {
		t.Logf("%s", out)
	}
}
