package build_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile/build"
	"github.com/opcat/opcat/compile/layer"
	"github.com/opcat/opcat/compile/resolve"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/internal/golden"
	"github.com/opcat/opcat/internal/testcat"
)

const asOf = "2026-11-30"

// TestCases: each case is a tree with its layers in folders of their names, and
// the catalog that comes of it. A case that holds the file "show" also gives, for
// the rows it names, where each field came from.
func TestCases(t *testing.T) {
	golden.Cases(t, "testdata", func(t *testing.T, in fs.FS) map[string][]byte {
		draft := resolved(t, in)
		c, err := build.Catalog(draft)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Verify(); err != nil {
			t.Fatal(err)
		}
		out := map[string][]byte{"catalog.json": []byte(c.JSON())}
		if show, err := fs.ReadFile(in, "show"); err == nil {
			out["provenance"] = []byte(origins(t, draft, c, strings.Fields(string(show))))
		}
		return out
	})
}

func resolved(t *testing.T, in fs.FS) *resolve.Draft {
	t.Helper()
	frags, decoded := testcat.Fragments(in)
	merged, layers := layer.Merge(frags)
	draft, found := resolve.Rows(merged, asOf)
	if all := diag.Join(decoded, layers, found); all.HasErrors() {
		t.Fatal(all)
	}
	return draft
}

func origins(t *testing.T, d *resolve.Draft, c *catalog.Catalog, ids []string) string {
	t.Helper()
	p, err := catalog.OpenProvenance(string(build.Provenance(d, c.Digest())))
	if err != nil {
		t.Fatal(err)
	}
	if p.Digest() != c.Digest() {
		t.Errorf("the record is about %s, the catalog is %s", p.Digest(), c.Digest())
	}
	var b strings.Builder
	for _, id := range ids {
		var found []catalog.Origin
		if r, ok := c.Find(id); ok {
			found, err = p.Row(r)
		} else {
			found, err = p.Provider(c, id)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range found {
			where := "not stated"
			if o.Line > 0 {
				where = fmt.Sprintf("%s %s:%d", o.Layer, o.File, o.Line)
			}
			fmt.Fprintf(&b, "%s %s: %s\n", id, o.Field, where)
		}
	}
	return b.String()
}
