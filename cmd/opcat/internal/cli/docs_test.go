package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// Where a page names the exit of a code, it is the registered one: who reads "exit 4"
// tries again, and must not where a person is to decide.
func TestPagesNameTheExitOfACode(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..")
	pages, err := filepath.Glob(filepath.Join(root, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	docs, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	said := regexp.MustCompile(`exit ([0-9])\s+(?:and|with|is|,)?\s*` + "`([A-Z_]{3,})`")
	for _, page := range append(pages, docs...) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range said.FindAllStringSubmatch(string(text), -1) {
			named++
			if exit := strconv.Itoa(Code(m[2]).exit()); !Code(m[2]).registered() || exit != m[1] {
				t.Errorf("%s: %s is exit %s, not %s", page, m[2], exit, m[1])
			}
		}
	}
	if named == 0 {
		t.Error("no page names one")
	}
}
