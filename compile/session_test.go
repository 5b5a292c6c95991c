package compile_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/artifact"
	"github.com/opcat/opcat/compile/build"
	"github.com/opcat/opcat/compile/resolve"
	"github.com/opcat/opcat/internal/testcat"
	"golang.org/x/tools/txtar"
)

// After any edits a session gives what a compile of the same trees gives: the same
// bytes, the same findings, the same provenance.
func TestEditedIsRun(t *testing.T) {
	scale := 1
	if testing.Short() {
		scale = 10
	}
	for _, tc := range []struct {
		name         string
		layers       []fstest.MapFS
		seeds, steps int
	}{
		{"layers", treesOf(t, "testdata/edited.txtar"), 20 / scale, 40},
		{"generated", []fstest.MapFS{testcat.Rows(20, 4, testcat.Full)}, 10 / scale, 20},
		{"bundled", []fstest.MapFS{bundled(t)}, 1, 20 / scale},
	} {
		t.Run(tc.name, func(t *testing.T) {
			partly, whole := 0, 0
			for seed := range tc.seeds {
				rng := rand.New(rand.NewPCG(uint64(seed), 7))
				p, w := editing(t, newDesk(tc.layers, rng.IntN), tc.steps)
				partly, whole = partly+p, whole+w
			}
			t.Logf("%d compiles in part, %d whole", partly, whole)
			if partly < whole/20 {
				t.Error("nearly every edit was compiled whole: the parts are not tested")
			}
		})
	}
}

func FuzzEdited(f *testing.F) {
	layers := treesOf(f, "testdata/edited.txtar")
	f.Add([]byte("\x01\x02\x03\x04\x05\x06\x07\x08\x09"))
	f.Fuzz(func(t *testing.T, choices []byte) {
		pick := func(n int) int {
			k := 0
			for range 2 {
				if len(choices) > 0 {
					k, choices = k<<8|int(choices[0]), choices[1:]
				}
			}
			return k % n
		}
		steps := min(len(choices)/8, 20)
		editing(t, newDesk(layers, pick), steps)
	})
}

// editing makes edits and compares each time. It counts the compiles that took
// rows over from the one before.
func editing(t *testing.T, d *desk, steps int) (partly, whole int) {
	session, last := compile.Start(d.input())
	if len(last.Diags) > 0 {
		t.Fatal(last.Diags)
	}
	var log []string
	told := func(e edit) {
		log = append(log, fmt.Sprintf("%s %s %v", e.what, compile.Layers[e.layer], e.paths))
		got := session.Edited(compile.Layers[e.layer], e.paths...)
		if diff := difference(got, compile.Run(d.input())); diff != "" {
			t.Fatalf("after\n%s\n%s", strings.Join(log, "\n"), diff)
		}
		if shareRows(last.Draft, got.Draft) {
			partly++
		} else {
			whole++
		}
		last = got
	}
	for range steps {
		told(d.edit())
		if len(last.Diags) > 0 && d.pick(3) > 0 {
			for e, more := d.mend(); more; e, more = d.mend() {
				told(e)
			}
		}
	}
	return partly, whole
}

func shareRows(a, b *resolve.Draft) bool {
	return slices.ContainsFunc(b.Rows, func(r *resolve.Row) bool { return slices.Contains(a.Rows, r) })
}

// difference says how two results differ; "" if they do not.
func difference(got, want compile.Result) string {
	switch {
	case !reflect.DeepEqual(got.Diags, want.Diags):
		return fmt.Sprintf("found\n%v\nwant\n%v", got.Diags, want.Diags)
	case got.Failed != want.Failed || (got.Err == nil) != (want.Err == nil):
		return fmt.Sprintf("failed in %q, %v; want %q, %v", got.Failed, got.Err, want.Failed, want.Err)
	case (got.Catalog == nil) != (want.Catalog == nil):
		return fmt.Sprintf("a catalog is %v, want %v", got.Catalog != nil, want.Catalog != nil)
	}
	if c, w := got.Catalog, want.Catalog; c != nil {
		switch {
		case c.JSON() != w.JSON():
			return "another text:\n" + firstLine(c.JSON(), w.JSON())
		case c.Digest() != fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(c.JSON()))):
			return "the digest is not that of the text"
		case c.Digest() != w.Digest() || c.Index() != w.Index() || c.Holds() != w.Holds():
			return "another digest, index or time for which it holds"
		case !bytes.Equal(build.Provenance(got.Draft, c.Digest()), build.Provenance(want.Draft, c.Digest())):
			return "another provenance"
		}
	}
	if len(want.Draft.Rows) < 100 { // it takes long
		if a, b := artifacts(got), artifacts(want); a != b {
			return "another layered or resolved tree:\n" + firstLine(a, b)
		}
	}
	return ""
}

// artifacts are the stages' results with every place.
func artifacts(r compile.Result) string {
	layered, err := (&artifact.Layered{Result: r.Layered}).Body()
	if err != nil {
		return err.Error()
	}
	draft, err := (&artifact.Resolved{Draft: r.Draft}).Body()
	if err != nil {
		return err.Error()
	}
	return string(layered) + string(draft)
}

func firstLine(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return a[i] + "\nwant\n" + b[i]
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(a), len(b))
}

// treesOf reads trees of all layers, each in a folder of its name.
func treesOf(t testing.TB, name string) []fstest.MapFS {
	t.Helper()
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	layers := make([]fstest.MapFS, len(compile.Layers))
	for i, l := range compile.Layers {
		layers[i] = fstest.MapFS{}
		for _, f := range a.Files {
			if p, ok := strings.CutPrefix(f.Name, l+"/"); ok {
				layers[i][p] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
			}
		}
	}
	return layers
}

// bundled reads our own sources.
func bundled(t testing.TB) fstest.MapFS {
	t.Helper()
	out := fstest.MapFS{}
	for _, root := range []string{"catalog_sources", "capability_sources"} {
		err := fs.WalkDir(os.DirFS(".."), root, func(p string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			data, err := os.ReadFile("../" + p)
			out[p] = &fstest.MapFile{Data: data, Mode: 0o644}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}
