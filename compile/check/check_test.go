package check

import (
	"io/fs"
	"testing"

	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/layer"
	"github.com/opcat/opcat/compile/resolve"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/internal/golden"
)

// TestCases: each case is a small tree and what is said of it.
func TestCases(t *testing.T) {
	golden.Cases(t, "testdata", func(t *testing.T, in fs.FS) map[string][]byte {
		return map[string][]byte{"findings": []byte(compiled(t, in).String())}
	})
}

const asOf = "2026-11-30"

// compiled runs a tree through the stages up to this one. Findings of the earlier
// ones are part of the answer: a case that has one is about how they meet.
func compiled(t testing.TB, fsys fs.FS) diag.List {
	t.Helper()
	draft, found := drafted(fsys)
	return diag.Join(found, Rules(draft))
}

// drafted resolves a tree; a folder overlay/<layer> of a case is that layer.
func drafted(fsys fs.FS) (*resolve.Draft, diag.List) {
	frags, found := fragment.Dir(fragment.Tree{FS: fsys, Layer: "bundled"})
	for rank, layer := range []string{"bundled", "host", "user", "project", "run"} {
		sub, err := fs.Sub(fsys, "overlay/"+layer)
		if _, no := fs.Stat(fsys, "overlay/"+layer); rank == 0 || err != nil || no != nil {
			continue
		}
		more, d := fragment.Dir(fragment.Tree{FS: sub, Layer: layer, Rank: rank})
		frags, found = append(frags, more...), diag.Join(found, d)
	}
	layered, d1 := layer.Merge(frags)
	draft, d2 := resolve.Rows(layered, asOf)
	return draft, diag.Join(found, d1, d2)
}
