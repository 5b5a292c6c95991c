package layer_test

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/opcat/opcat/compile/layer"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/internal/golden"
	"github.com/opcat/opcat/internal/testcat"
)

// TestCases: each case is a tree with its layers in folders of their names, what
// is said of it, and what the layers make of the things that the file show names:
// a row, a provider, or a key of the root.
func TestCases(t *testing.T) {
	golden.Cases(t, "testdata", func(t *testing.T, in fs.FS) map[string][]byte {
		frags, decoded := testcat.Fragments(in)
		got, found := layer.Merge(frags)
		out := map[string][]byte{"findings": []byte(diag.Join(decoded, found).String())}
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

func facts(l layer.Layered, name string) string {
	if i := slices.IndexFunc(l.Rows, func(r *layer.Row) bool { return r.ID == name }); i >= 0 {
		return testcat.Lines(name, l.Rows[i].Table)
	}
	if i := slices.IndexFunc(l.Providers, func(p *layer.Provider) bool { return p.ID == name }); i >= 0 {
		return testcat.Lines(name, l.Providers[i].Table)
	}
	if n := l.Root.Get(name); n != nil {
		return testcat.Lines(name, n)
	}
	if i := slices.IndexFunc(l.Removed, func(r layer.Removal) bool { return r.Row == name }); i >= 0 {
		return fmt.Sprintf("%s is removed\n", name)
	}
	return name + " is absent\n"
}
