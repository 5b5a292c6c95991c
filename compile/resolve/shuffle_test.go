package resolve_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/layer"
	"github.com/opcat/opcat/compile/resolve"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/internal/testcat"
	"github.com/opcat/opcat/shape"
	"github.com/rogpeppe/go-internal/txtar"
)

// TestOrderNeverMatters: files may be renamed, split and shuffled, tables and
// rules written in any order; the same layers give the same draft and findings of
// the same kinds.
func TestOrderNeverMatters(t *testing.T) {
	for name, in := range cases(t) {
		t.Run(name, func(t *testing.T) {
			frags, decoded := testcat.Fragments(in)
			if decoded.HasErrors() {
				return // nothing to resolve: the case is about a file that can't be read
			}
			want, found := compiled(frags)
			for seed := range uint64(20) {
				got, foundToo := compiled(shuffled(frags, seed))
				if a, b := codes(found), codes(foundToo); a != b {
					t.Fatalf("seed %d: findings\n%s\nbecome\n%s", seed, a, b)
				}
				if found.HasErrors() {
					continue // two facts quarrel: which of them stands is not said
				}
				if diff := differ(want, got); diff != "" {
					t.Fatalf("seed %d: %s", seed, diff)
				}
			}
		})
	}
}

// cases are the trees of this package's cases and of package layer's.
func cases(t testing.TB) map[string]fstest.MapFS {
	out := map[string]fstest.MapFS{}
	for _, dir := range []string{"testdata", "../layer/testdata"} {
		files, err := filepath.Glob(dir + "/*.txtar")
		if err != nil || len(files) == 0 {
			t.Fatal(dir, err)
		}
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			in := fstest.MapFS{}
			for _, part := range txtar.Parse(data).Files {
				if !strings.HasPrefix(part.Name, "want/") {
					in[part.Name] = &fstest.MapFile{Data: part.Data, Mode: 0o644}
				}
			}
			out[filepath.Base(f)] = in
		}
	}
	return out
}

func compiled(frags []fragment.Fragment) (*resolve.Draft, diag.List) {
	merged, layers := layer.Merge(frags)
	draft, found := resolve.Rows(merged, asOf)
	return draft, diag.Join(layers, found)
}

func codes(l diag.List) string {
	var all []string
	for _, d := range l {
		all = append(all, fmt.Sprint(d.Code, " ", d.Row, " ", d.Provider, " ", d.Fields))
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), "\n") // a file with many wrong rules may get one finding
}

// differ names the first thing in which two drafts differ.
func differ(a, b *resolve.Draft) string {
	if len(a.Rows) != len(b.Rows) || len(a.Providers) != len(b.Providers) || len(a.Aliases) != len(b.Aliases) || len(a.Removed) != len(b.Removed) {
		return "another number of rows, providers, aliases or removals"
	}
	if !tree.Equal(a.Root, b.Root) {
		return "another root"
	}
	for i, p := range a.Providers {
		if q := b.Providers[i]; p.ID != q.ID || !tree.Equal(p.Table, q.Table) || len(p.Rows) != len(q.Rows) {
			return "provider " + p.ID
		}
	}
	for i, r := range a.Rows {
		s := b.Rows[i]
		if r.ID != s.ID || !tree.Equal(r.Table, s.Table) || len(r.Contracts) != len(s.Contracts) {
			return "row " + r.ID
		}
		for j, c := range r.Contracts {
			if d := s.Contracts[j]; c.Op != d.Op || !tree.Equal(c.Table, d.Table) {
				return "contract " + r.ID + ":" + c.Op.Name
			}
		}
	}
	for i, x := range a.Aliases {
		for j, target := range x.Targets {
			y := b.Aliases[i].Targets[j]
			if (target.Row == nil) != (y.Row == nil) || target.Row != nil && target.Row.ID != y.Row.ID {
				return "alias " + x.Name
			}
		}
	}
	for i, g := range a.Removed {
		if b.Removed[i].Row != g.Row {
			return "removal " + g.Row
		}
	}
	return ""
}

// shuffled deals the tables of each layer and root out to new files, in a new order.
func shuffled(in []fragment.Fragment, seed uint64) []fragment.Fragment {
	s := &dealer{rand: rand.New(rand.NewPCG(seed, 7))}
	type pile struct {
		root *form.Root
		rank int
	}
	piles := map[pile][]fragment.Fragment{}
	for _, f := range in {
		k := pile{f.Root, f.File.Rank}
		piles[k] = append(piles[k], f)
	}
	var out []fragment.Fragment
	for k, frags := range piles {
		out = append(out, s.deal(k.root, frags)...)
	}
	s.rand.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

type dealer struct {
	rand  *rand.Rand
	arena tree.Arena
}

func (s *dealer) deal(root *form.Root, frags []fragment.Fragment) []fragment.Fragment {
	out := make([]fragment.Fragment, 1+s.rand.IntN(4))
	for i := range out {
		f := frags[0]
		f.File = &tree.File{Path: fmt.Sprintf("%s/%d-%d.toml", root.Name, s.rand.IntN(1000), i), Layer: f.File.Layer, Rank: f.File.Rank, Speaks: true}
		f.Table = s.arena.Shallow(f.Table)
		f.Table.File = f.File
		out[i] = f
	}
	var kids []*tree.Node
	for _, f := range frags {
		for c := range f.Table.Each() {
			kids = append(kids, c)
		}
	}
	s.rand.Shuffle(len(kids), func(i, j int) { kids[i], kids[j] = kids[j], kids[i] })
	for _, c := range kids {
		s.into(out, c, nil)
	}
	return out
}

// into puts a table of the root into one of the files; maps and the lists of rows
// and rules are taken apart.
func (s *dealer) into(files []fragment.Fragment, c *tree.Node, path []*tree.Node) {
	t := c.Type()
	apart := t != nil && (t.Kind == shape.Map || t.Kind == shape.List && (c.Key.Name == "model" || len(path) == 1))
	if apart && c.First() != nil {
		var kids []*tree.Node
		for k := range c.Each() {
			kids = append(kids, k)
		}
		s.rand.Shuffle(len(kids), func(i, j int) { kids[i], kids[j] = kids[j], kids[i] })
		for _, k := range kids {
			s.into(files, k, append(path[:len(path):len(path)], c))
		}
		return
	}
	f := files[s.rand.IntN(len(files))]
	at := f.Table
	for _, p := range path {
		next := at.Get(p.Key.Name)
		if next == nil {
			next = s.place(s.arena.Shallow(p), f.File)
			at.Append(next)
		}
		at = next
	}
	at.Append(s.copy(c, f.File))
}

func (s *dealer) copy(n *tree.Node, file *tree.File) *tree.Node {
	out := s.place(s.arena.Shallow(n), file)
	var kids []*tree.Node
	for c := range n.Each() {
		kids = append(kids, s.copy(c, file))
	}
	if n.Form == shape.FormTable {
		s.rand.Shuffle(len(kids), func(i, j int) { kids[i], kids[j] = kids[j], kids[i] })
	}
	for _, c := range kids {
		out.Append(c)
	}
	return out
}

func (s *dealer) place(n *tree.Node, file *tree.File) *tree.Node {
	n.File = file
	n.SetPlace(tree.Place{Line: 1 + s.rand.IntN(10000), KeyCol: 1, Col: 5})
	return n
}

// FuzzLayers: no tree makes the stages fall over, and none depends on order. The
// trees are those of two layers, as bytes.
func FuzzLayers(f *testing.F) {
	for _, in := range cases(f) {
		files := map[string]string{}
		_ = fs.WalkDir(in, ".", func(p string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				data, _ := fs.ReadFile(in, p)
				for _, root := range []string{"catalog_sources", "capability_sources"} {
					if i := strings.Index(p, root); i >= 0 {
						key := root
						if i > 0 {
							key = "higher " + root
						}
						files[key] = string(data)
					}
				}
			}
			return nil
		})
		f.Add(files["catalog_sources"], files["capability_sources"], files["higher catalog_sources"], files["higher capability_sources"], uint8(3))
	}
	f.Fuzz(func(t *testing.T, catalog, rules, catalogAbove, rulesAbove string, rank uint8) {
		above := testcat.Layers[rank%5]
		in := fstest.MapFS{
			"catalog_sources/a.toml":             {Data: []byte(catalog), Mode: 0o644},
			"capability_sources/a.toml":          {Data: []byte(rules), Mode: 0o644},
			above + "/catalog_sources/b.toml":    {Data: []byte(catalogAbove), Mode: 0o644},
			above + "/capability_sources/b.toml": {Data: []byte(rulesAbove), Mode: 0o644},
		}
		frags, decoded := testcat.Fragments(in)
		frags = slices.DeleteFunc(frags, func(f fragment.Fragment) bool { return f.Legacy })
		want, found := compiled(frags)
		if decoded.HasErrors() || found.HasErrors() {
			return
		}
		got, _ := compiled(shuffled(frags, uint64(rank)))
		if diff := differ(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

// TestAnyTree: trees that no decoder would give make no stage fall over.
func TestAnyTree(t *testing.T) {
	for seed := range uint64(300) {
		m := testcat.New(seed, 0.3)
		r := rand.New(rand.NewPCG(seed, 9))
		var frags []fragment.Fragment
		for i := range 6 {
			root := form.Catalog
			if i%2 == 1 {
				root = form.Capabilities
			}
			rank := r.IntN(5)
			file := &tree.File{Path: fmt.Sprintf("%s/%d.toml", root.Name, i), Layer: testcat.Layers[rank], Rank: rank, Speaks: true}
			table := m.Value(&shape.Key{Type: shape.Rec(root.Table()), Index: -1})
			d := &dealer{rand: r}
			frags = append(frags, fragment.Fragment{File: file, Root: root, Table: d.copy(table, file), Broken: r.IntN(5) == 0})
		}
		_, found := compiled(frags)
		oneLine(t, found)
	}
}

// oneLine: what a source says can't break or forge a line of the output.
func oneLine(t *testing.T, found diag.List) {
	t.Helper()
	bad := func(s string) bool {
		return strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
	}
	for _, d := range found {
		if bad(d.Message) || bad(d.Help) || slices.ContainsFunc(d.Notes, func(n diag.Note) bool { return bad(n.Message) }) {
			t.Fatalf("%q", d.String())
		}
	}
}
