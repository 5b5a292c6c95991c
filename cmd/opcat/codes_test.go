package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/opcat/opcat/diag"
	"github.com/rogpeppe/go-internal/txtar"
)

// Every code has a script that shows the whole of what an author reads when the
// mistake is made, this one finding and no other, and a source that does not get it.
func TestEveryCodeHasAScript(t *testing.T) {
	const prefix = "testdata/script/code_"
	left, err := filepath.Glob(prefix + "*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	scripts := map[string]bool{}
	for _, name := range left {
		scripts[name] = true
	}
	finding := regexp.MustCompile(`(?m)^(?:[^\t\n]*: )?(?:error|warning) ([A-Z0-9_]+): `)
	for _, e := range diag.Codes() {
		name := prefix + strings.ToLower(string(e.Code)) + ".txtar"
		if !scripts[name] {
			t.Errorf("%s has no script; write %s", e.Code, name)
			continue
		}
		delete(scripts, name)
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		script := string(archive.Comment)
		if first, _, _ := strings.Cut(script, "\n"); first != "# "+e.Title {
			t.Errorf("%s: begins with %q, the title of the code is %q", name, first, e.Title)
		}
		if !strings.Contains(script, "\ncmp stderr want-stderr\n") || !strings.HasSuffix(script, "\n! stderr .\n") {
			t.Errorf("%s: compares stderr with want-stderr, and ends with a compile that says nothing", name)
		}
		for _, f := range archive.Files {
			if f.Name != "want-stderr" {
				continue
			}
			if got := finding.FindAllSubmatch(f.Data, -1); len(got) != 1 || string(got[0][1]) != string(e.Code) {
				t.Errorf("%s: want-stderr is to hold one finding, of %s:\n%s", name, e.Code, f.Data)
			}
		}
	}
	for name := range scripts {
		t.Errorf("%s is the script of no code", name)
	}
}
