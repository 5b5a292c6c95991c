package rewrite_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/accept"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/rewrite"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/edit"
)

const harnDay = "2026-11-14"

// Harn's catalog, rewritten, compiles to the same catalog, and has all its comments.
func TestHarn(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "shared", "corpus", "harn")
	if _, err := os.Stat(dir); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("the corpus is not here")
	}
	src, err := os.ReadFile("../testdata/harn.accept.toml")
	if err != nil {
		t.Fatal(err)
	}
	known, found := accept.Read("harn.accept.toml", src)
	if len(found) > 0 {
		t.Fatal(found)
	}
	before := compile.Run(compile.Input{Trees: []fragment.Tree{{FS: os.DirFS(dir), Layer: "bundled"}}, AsOf: harnDay, Accept: known})
	if before.Catalog == nil {
		t.Fatal(before.Diags)
	}
	out, err := rewrite.Legacy(before.Fragments, before.Migrated.Fragments, func(p string) bool {
		_, err := os.Stat(filepath.Join(dir, p))
		return err == nil
	})
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	for _, f := range out {
		files[f.Path] = &fstest.MapFile{Data: f.Text}
	}
	tree := compile.Input{Trees: []fragment.Tree{{FS: files, Layer: "bundled"}}, AsOf: harnDay}
	tree.Accept = stillKnown(t, before.Diags, compile.Check(tree).Diags)
	after := compile.Run(tree)
	if after.Catalog == nil {
		n := 0
		for _, d := range after.Diags {
			if d.IsError() && n < 20 {
				t.Log(d)
				n++
			}
		}
		t.Fatalf("%d findings", len(after.Diags))
	}
	if a, b := before.Catalog.Digest(), after.Catalog.Digest(); a != b {
		t.Errorf("another catalog:\n%s", cmp.Diff(strings.Split(string(before.Catalog.Pretty()), "\n"), strings.Split(string(after.Catalog.Pretty()), "\n")))
	}
	kept := ""
	for _, f := range out {
		kept += string(f.Text)
	}
	n := 0
	for i := range before.Fragments {
		f := &before.Fragments[i]
		if f.Cache {
			continue
		}
		for _, c := range edit.Comments(f.Src) {
			n++
			if !strings.Contains(kept, strings.TrimRight(c.Text, " \t")) {
				t.Errorf("%s:%d: %s is lost", f.File.Path, c.Line, c.Text)
			}
		}
	}
	if n < 3000 {
		t.Errorf("only %d comments", n)
	}
}

// lenient is what format 0 lets pass, and today's form does not: what is left for people
// to mend after a rewrite.
var lenient = map[diag.Code]int{"SOURCE_INCOMPLETE": 254, "PROVIDER_EMPTY": 15, "LIMIT_EXCEEDS_WINDOW": 10, "STRUCTURED_MODE_WITHOUT_TRANSPORT": 2,
	"SELECTOR_CONTRADICTS": 1, "ORIGIN_NOT_ALLOWED": 1}

// stillKnown accepts what format 0 lets pass and what was accepted before: nothing else,
// and no more of it.
func stillKnown(t *testing.T, before, after diag.List) *accept.File {
	t.Helper()
	known, left := maps.Clone(lenient), map[diag.Code]int{}
	for _, d := range before {
		if d.Accepted != "" {
			known[d.Code]++
		}
	}
	for _, d := range after {
		if d.IsError() {
			left[d.Code]++
		}
	}
	text := ""
	for code, n := range left {
		if n > known[code] || lenient[code] > n {
			t.Errorf("%s: %d findings, and %d are known", code, n, known[code])
		}
		text += fmt.Sprintf("[[accept]]\ncode = %q\ncount = %d\nwhy = \"it was known before\"\n", code, n)
	}
	f, found := accept.Read("left.toml", []byte(text))
	if len(found) > 0 {
		t.Fatal(found)
	}
	return f
}
