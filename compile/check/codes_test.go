package check

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/opcat/opcat/diag"
	"github.com/rogpeppe/go-internal/txtar"
)

// TestEveryCodeHasACase: a code that no case shows may never have been seen.
func TestEveryCodeHasACase(t *testing.T) {
	seen := map[string]bool{}
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	finding := regexp.MustCompile(`(?m)^\S+: (?:error|warning) ([A-Z_0-9]+): `)
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		_, want, _ := strings.Cut(string(data), "-- want/findings --")
		for _, m := range finding.FindAllStringSubmatch(want, -1) {
			seen[m[1]] = true
		}
	}
	for _, e := range diag.Codes() {
		if e.Stage == "check" && !seen[string(e.Code)] {
			t.Errorf("%s: no case under testdata gets it", e.Code)
		}
	}
}

// TestReference: the wrong TOML of each code's page gets the code, the right one
// does not.
func TestReference(t *testing.T) {
	for _, e := range diag.Codes() {
		if e.Stage != "check" {
			continue
		}
		if got := codesOf(compiled(t, example(e.Wrong))); !slices.Contains(got, e.Code) {
			t.Errorf("%s: the wrong example gets %v", e.Code, got)
		}
		if got := codesOf(compiled(t, example(e.Right))); slices.Contains(got, e.Code) {
			t.Errorf("%s: the right example gets it too: %v", e.Code, got)
		}
	}
}

// example is the tree of a reference page: files, or one file of the catalog.
func example(text string) fstest.MapFS {
	fsys := fstest.MapFS{}
	a := txtar.Parse([]byte(text))
	if len(a.Files) == 0 {
		a.Files = []txtar.File{{Name: "catalog_sources/acme.toml", Data: []byte(text)}}
	}
	for _, f := range a.Files {
		fsys[f.Name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
	}
	return fsys
}

func codesOf(found diag.List) []diag.Code {
	var codes []diag.Code
	for _, d := range found {
		codes = append(codes, d.Code)
	}
	return codes
}
