package migrate_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/migrate"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
	"github.com/rogpeppe/go-internal/txtar"
)

// Whatever a tree of format 0 says, what comes of it has only today's keys, and
// each finding and each move has its place.
func FuzzFields(f *testing.F) {
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(cases) == 0 {
		f.Fatal("no cases: ", err)
	}
	for _, name := range cases {
		a, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		var parts [4]string // catalog, rules, cache, overlay
		for _, file := range a.Files {
			switch {
			case strings.HasPrefix(file.Name, "catalog_sources/") && strings.HasSuffix(file.Name, ".toml"):
				parts[0] += string(file.Data)
			case strings.HasPrefix(file.Name, "capability_sources/"):
				parts[1] += string(file.Data)
			case strings.HasSuffix(file.Name, ".json"):
				parts[2] = string(file.Data)
			case strings.HasPrefix(file.Name, "host/catalog_sources/"):
				parts[3] += string(file.Data)
			}
		}
		f.Add(parts[0], parts[1], parts[2], parts[3])
	}
	f.Fuzz(func(t *testing.T, catalog, rules, cache, overlay string) {
		var in []fragment.Fragment
		add := func(path, src string, rank int) {
			file := &tree.File{Path: path, Layer: []string{"bundled", "host"}[rank], Rank: rank}
			if strings.HasSuffix(path, ".json") {
				in = append(in, fragment.Fragment{File: file, Legacy: true, Cache: true, Src: []byte(src)})
				return
			}
			got, _ := fragment.File(file, []byte(src))
			in = append(in, got)
		}
		add("catalog_sources/a.toml", catalog, 0)
		add("capability_sources/a.toml", rules, 0)
		add("catalog_sources/b.toml", overlay, 1)
		if cache != "" {
			add("catalog_sources/models-dev.json", cache, 0)
		}
		holds(t, in)
	})
}

// TestTornCases: a case that lacks any one of its lines, or all from some line on,
// still holds what FuzzFields holds.
func TestTornCases(t *testing.T) {
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range cases {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, file := range a.Files {
			if strings.HasPrefix(file.Name, "want/") || strings.HasSuffix(file.Name, ".json") || file.Name == "accept.toml" {
				continue
			}
			lines := strings.SplitAfter(string(file.Data), "\n")
			for n := range lines {
				for _, src := range []string{strings.Join(lines[:n], ""), strings.Join(lines[:n], "") + strings.Join(lines[n+1:], "")} {
					holds(t, torn(a.Files, i, src))
				}
			}
		}
	}
}

// torn decodes the files of a case, one of them with another text.
func torn(files []txtar.File, i int, src string) []fragment.Fragment {
	var in []fragment.Fragment
	for j, f := range files {
		if strings.HasPrefix(f.Name, "want/") || f.Name == "accept.toml" {
			continue
		}
		file := &tree.File{Path: f.Name, Layer: "bundled"}
		for rank, layer := range []string{"bundled", "host", "user"} {
			if rest, ok := strings.CutPrefix(f.Name, layer+"/"); ok {
				file = &tree.File{Path: rest, Layer: layer, Rank: rank}
			}
		}
		text := f.Data
		if i == j {
			text = []byte(src)
		}
		if strings.HasSuffix(f.Name, ".json") {
			in = append(in, fragment.Fragment{File: file, Legacy: true, Cache: true, Src: text})
			continue
		}
		got, _ := fragment.File(file, text)
		in = append(in, got)
	}
	return in
}

// holds migrates fragments, once with nothing accepted and once with everything.
func holds(t *testing.T, in []fragment.Fragment) {
	t.Helper()
	all := func(d diag.Diagnostic) (string, bool) { return "", true }
	for _, keep := range []migrate.Keep{nil, all} {
		res, found := migrate.Fields(in, keep)
		counted, n, foundToo := migrate.Count(in, keep)
		if n != len(res.Moves) || len(found) != len(foundToo) || len(counted.Fragments) != len(res.Fragments) {
			t.Fatalf("%d moves and %d findings, but %d and %d where they are counted", len(res.Moves), len(found), n, len(foundToo))
		}
		for i, fr := range res.Fragments {
			if !same(fr.Table, counted.Fragments[i].Table) {
				t.Fatalf("%s is another where moves are counted", fr.File.Path)
			}
		}
		for _, fr := range res.Fragments {
			if fr.Legacy || fr.Table == nil {
				t.Fatalf("%s is still in format 0", fr.File.Path)
			}
			todays(t, fr.Table)
		}
		for _, d := range found {
			if d.At.File == "" || d.Message == "" || strings.Contains(d.Message, "\n") {
				t.Errorf("a finding without a place or with a broken message: %+v", d)
			}
		}
		for _, m := range res.Moves {
			if m.At.File == "" || m.Rule == "" {
				t.Errorf("a move without a place: %+v", m)
			}
		}
	}
}

// same reports whether two trees say the same in the same order. A torn file may say a
// key twice.
func same(a, b *tree.Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.Key != b.Key && a.Name() != b.Name() || a.Form != b.Form || a.Str() != b.Str() || a.KeyAt() != b.KeyAt() {
		return false
	}
	c, d := a.First(), b.First()
	for ; c != nil && d != nil; c, d = c.Next(), d.Next() {
		if !same(c, d) {
			return false
		}
	}
	return c == d
}

// todays holds that every key of a tree is one that its table has.
func todays(t *testing.T, n *tree.Node) {
	typ := n.Type()
	if typ == nil {
		t.Fatalf("%s: %s is written as %v", n.KeyAt(), n.Name(), n.Form)
	}
	for c := range n.Each() {
		if typ.Kind == shape.Record && typ.Table.Key(c.Name()) != c.Key {
			t.Fatalf("%s: %q is no key of %s", c.KeyAt(), c.Name(), typ.Table.Name)
		}
		todays(t, c)
	}
}
