package check

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/opcat/opcat/diag"
	"github.com/rogpeppe/go-internal/txtar"
)

// FuzzRules: whatever two files say, the checks come back, and what they find has
// a registered code, a place and one line of text.
func FuzzRules(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txtar")
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		var rows, rules []byte
		for _, file := range txtar.Parse(data).Files {
			switch file.Name {
			case "catalog_sources/acme.toml":
				rows = file.Data
			case "capability_sources/acme.toml":
				rules = file.Data
			}
		}
		f.Add(rows, rules)
	}
	f.Fuzz(func(t *testing.T, rows, rules []byte) {
		draft, _ := drafted(fstest.MapFS{
			"catalog_sources/acme.toml":    {Data: rows, Mode: 0o644},
			"capability_sources/acme.toml": {Data: rules, Mode: 0o644},
		})
		for _, d := range Rules(draft) {
			if _, ok := diag.Lookup(d.Code); !ok {
				t.Errorf("%s is not registered", d.Code)
			}
			if d.At.File == "" || d.At.Line == 0 && d.Code != diag.EmptyTree { // which is about no line of any file
				t.Errorf("a finding without a place: %s", d)
			}
			if d.Message == "" || strings.HasSuffix(d.Message, ".") || strings.Contains(d.Message, "\n") {
				t.Errorf("not a message: %s", d)
			}
			for _, n := range d.Notes {
				if n.At.File == "" || n.At.Line == 0 {
					t.Errorf("a note without a place: %s", d)
				}
			}
		}
	})
}
