package resolve_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/opcat/opcat/compile/layer"
	"github.com/opcat/opcat/compile/resolve"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/internal/golden"
	"github.com/opcat/opcat/internal/testcat"
)

const asOf = "2026-11-30"

// TestCases: each case is a tree with its layers in folders of their names, what
// is said of it, and what becomes of the things that the file show names: a row,
// row:operation, or an alias.
func TestCases(t *testing.T) {
	golden.Cases(t, "testdata", func(t *testing.T, in fs.FS) map[string][]byte {
		got, found := resolved(in)
		out := map[string][]byte{"findings": []byte(found.String())}
		if show, err := fs.ReadFile(in, "show"); err == nil {
			var b strings.Builder
			for _, name := range strings.Fields(string(show)) {
				b.WriteString(facts(got, name))
			}
			out["facts"] = []byte(b.String())
		}
		return out
	})
}

func resolved(in fs.FS) (*resolve.Draft, diag.List) {
	frags, decoded := testcat.Fragments(in)
	merged, layers := layer.Merge(frags)
	draft, found := resolve.Rows(merged, asOf)
	return draft, diag.Join(decoded, layers, found)
}

func row(d *resolve.Draft, id string) *resolve.Row {
	for _, r := range d.Rows {
		if r.ID == id {
			return r
		}
	}
	return nil
}

func facts(d *resolve.Draft, name string) string {
	id, operation, isContract := strings.Cut(name, ":")
	if r := row(d, id); r != nil {
		if !isContract {
			return testcat.Lines(name, r.Table)
		}
		if c := r.Contract(operation); c != nil {
			return testcat.Lines(name, c.Table)
		}
		return name + " is not granted\n"
	}
	for _, a := range d.Aliases {
		if a.Name != name {
			continue
		}
		var b strings.Builder
		for _, target := range a.Targets {
			to := "nothing"
			if target.Row != nil {
				to = target.Row.ID
			}
			fmt.Fprintf(&b, "%s for %s means %s\n", name, target.Op.Name, to)
		}
		return b.String()
	}
	return name + " is absent\n"
}
