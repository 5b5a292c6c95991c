package upstream_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/fragment"
	snapshot "github.com/opcat/opcat/gen/json"
	"github.com/opcat/opcat/plan"
	"github.com/opcat/opcat/plan/files"
	"github.com/opcat/opcat/upstream"
	"github.com/opcat/opcat/upstream/bring"
	"github.com/opcat/opcat/upstream/fact"
	"github.com/opcat/opcat/upstream/want"
)

// factsOf lists every fact of a row or a provider: its path and its value.
func factsOf(t testing.TB, of json.Marshaler) map[string]string {
	t.Helper()
	text, err := of.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, kid := range v {
				walk(path+"."+k, kid)
			}
		case []any:
			for i, kid := range v {
				walk(fmt.Sprintf("%s[%d]", path, i), kid)
			}
		default:
			out[path] = fmt.Sprint(v)
		}
	}
	walk("", v)
	return out
}

// imported brings one upstream into sources that have nothing, and gives the catalog
// that they compile to with all that the plan says to have left out.
func imported(t *testing.T, c fact.Catalog) (*catalog.Catalog, map[string][]string) {
	t.Helper()
	tree, err := files.Load(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	set := want.Build([]fact.Catalog{c}, nil, nil)
	tree, p := brought(t, tree, set, c.Source)
	said := map[string][]string{}
	for _, k := range p.Kept {
		why := k.Reason
		if k.Field != "" {
			why = k.Field + ": " + why
		}
		said[k.Resource] = append(said[k.Resource], why)
	}
	for _, p := range set.Providers {
		for _, r := range p.Rows {
			said[r.Row.ID] = append(said[r.Row.ID], r.Doubts...)
		}
	}
	return compiled(t, tree), said
}

// brought carries out what a set asks for.
func brought(t *testing.T, tree *files.Snapshot, set *want.Set, from fact.Source) (*files.Snapshot, *bring.Proposal) {
	t.Helper()
	p, _, found, err := bring.Settle(bring.Input{Tree: tree, Want: set, Read: []fact.Source{from}, Date: "2026-11-30"}, "2026-11-30")
	if err != nil || found.HasErrors() {
		t.Fatalf("%v\n%s", err, found)
	}
	if tree, err = tree.After(p.Items); err != nil {
		t.Fatal(err)
	}
	return tree, p
}

func compiled(t *testing.T, tree *files.Snapshot) *catalog.Catalog {
	t.Helper()
	r := compile.Run(compile.Input{Trees: []fragment.Tree{{FS: tree, Layer: "bundled"}}, AsOf: "2026-11-30"})
	if r.Catalog == nil {
		t.Fatal(r.Diags.String())
	}
	return r.Catalog
}

// A row whose entry cannot be read is not gone, whatever has become of its upstream's
// URL: it stays as it is, and the plan says why.
func TestUnreadableIsNotGone(t *testing.T) {
	for _, f := range formats {
		if f.reader != "models.dev" && f.reader != "litellm" {
			continue // the others make no rows, or have one file for all
		}
		t.Run(f.reader+" "+f.name, func(t *testing.T) {
			two := []entry{{id: "a", name: "A", price: "1"}, {id: "b", name: "B", price: "1"}}
			whole := f.write(two, asWritten)
			broken := f.write(two, asWritten)
			for name, text := range broken { // the second entry is no entry any more
				switch {
				case strings.HasSuffix(name, "/b.toml"):
					broken[name] = "name = \"B"
				case strings.HasSuffix(name, ".json"):
					i := strings.LastIndex(text, `:{"id":"b"`)
					if f.reader == "litellm" {
						i = strings.LastIndex(text, `:{"litellm_provider"`)
					}
					broken[name] = text[:i] + ":null" + strings.Repeat("}", strings.Count(text[:i], "{")-strings.Count(text[:i], "}"))
				}
			}
			tree, err := files.Load(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			c := readFrom(t, f.reader, f.name, whole)
			tree, _ = brought(t, tree, want.Build([]fact.Catalog{c}, nil, nil), c.Source)
			have := compiled(t, tree)
			c = readFrom(t, f.reader, f.name, broken)
			if len(c.Models) != 1 {
				t.Fatalf("%+v", c)
			}
			moved := c
			moved.URL = "https://elsewhere.example/catalog"
			for _, c := range []fact.Catalog{c, moved} {
				_, p := brought(t, tree, want.Build([]fact.Catalog{c}, have, bring.Recorded(tree)), c.Source)
				if slices.ContainsFunc(p.Items, changes("acme/b")) || c.URL == moved.URL == (len(p.Items) == 0) || !slices.ContainsFunc(p.Kept, func(k plan.Kept) bool { return k.Resource == "acme/b" && strings.Contains(k.Reason, "cannot be read") }) {
					t.Errorf("%s: %+v, kept %+v", c.URL, p.Items, p.Kept)
				}
			}
		})
	}
}

// changes is a test of whether an item changes a row.
func changes(row string) func(plan.Item) bool {
	return func(i plan.Item) bool { return slices.Contains(i.Targets, row) }
}

// What opcat compiled comes back whole: every fact of every provider and row, with no
// fact that was not there.
func TestOwnJSONLosesNothing(t *testing.T) {
	have, err := snapshot.Catalog()
	if err != nil {
		t.Fatal(err)
	}
	c := readFrom(t, "opcat", "catalog.json", map[string]string{"catalog.json": have.JSON()})
	if len(c.Models) != have.Len() || len(c.Providers) != len(have.ProviderIDs()) {
		t.Fatalf("%d rows and %d providers are read, want %d and %d", len(c.Models), len(c.Providers), have.Len(), len(have.ProviderIDs()))
	}
	got, said := imported(t, c)
	for r := range have.Rows() {
		row, ok := got.Row(r.ID)
		if !ok {
			t.Errorf("%s is lost: %v", r.ID, said[r.ID])
			continue
		}
		if diff := cmp.Diff(factsOf(t, &r), factsOf(t, &row)); diff != "" {
			t.Errorf("%s: -was +is\n%s", r.ID, diff)
		}
	}
	for p := range have.Providers() {
		q, _ := got.Provider(p.ID)
		if diff := cmp.Diff(factsOf(t, &p), factsOf(t, &q)); diff != "" {
			t.Errorf("%s: -was +is\n%s", p.ID, diff)
		}
	}
	var left []string
	for _, l := range c.Left {
		left = append(left, l.Field)
	}
	for _, name := range []string{"aliases", "defaults", "presentation"} {
		if have.SectionJSON(name) != "" && !slices.Contains(left, name) {
			t.Errorf("%s is left out in silence: %v", name, left)
		}
	}
}

// Harn's catalog comes in fact by fact. What cannot come in is named with the reason,
// and what is added is where and when it was read.
func TestHarnLosesNothing(t *testing.T) {
	if _, err := os.Stat(filepath.Join("..", "..", "shared", "corpus")); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("the corpus is not here")
	}
	all, err := upstream.Load(filepath.Join("..", "upstreams.toml"), "harn")
	if err != nil {
		t.Fatal(err)
	}
	c := all[0]
	got, said := imported(t, c)
	ours := func(id string) string { // by which we know a row of theirs
		provider, wire, _ := strings.Cut(id, "/")
		return want.OurID(c.Name, provider) + "/" + wire
	}
	rows, facts := 0, 0
	for _, m := range c.Models {
		id := ours(m.Row.ID)
		row, ok := got.Row(id)
		if !ok {
			if len(said[id]) == 0 && len(said[m.Row.Provider]) == 0 {
				t.Errorf("%s is lost in silence", m.Row.ID)
			}
			continue
		}
		rows++
		theirs, mine := factsOf(t, &m.Row), factsOf(t, &row)
		for path, value := range theirs {
			facts++
			switch {
			case mine[path] == value:
			case path == ".provider":
				if mine[path] != want.OurID(c.Name, value) {
					t.Errorf("%s%s: %s became %s", id, path, value, mine[path])
				}
			case path == ".id" || path == ".lifecycle.successor" || path == ".current":
				if mine[path] != ours(value) {
					t.Errorf("%s%s: %s became %s", id, path, value, mine[path])
				}
			case strings.HasPrefix(path, ".presentation.strengths["):
				if !slices.ContainsFunc(said[id], func(why string) bool { return strings.Contains(why, "vision") }) {
					t.Errorf("%s%s: %s became %q, and nothing says why", id, path, value, mine[path])
				}
			default:
				t.Errorf("%s%s: %s became %q", id, path, value, mine[path])
			}
		}
		for path := range mine {
			if _, there := theirs[path]; !there && !strings.HasSuffix(path, ".checked_on") && !strings.HasPrefix(path, ".source[") {
				t.Errorf("%s%s: %s is stated by nobody", id, path, mine[path])
			}
		}
	}
	if rows < 400 {
		t.Errorf("only %d of %d rows came in", rows, len(c.Models))
	}
	for _, p := range c.Providers {
		id := want.OurID(c.Name, p.ID)
		q, ok := got.Provider(id)
		if !ok {
			if len(said[id])+len(said[p.ID]) == 0 && !slices.ContainsFunc(c.Models, func(m *fact.Model) bool { return m.Row.Provider == p.ID }) {
				t.Errorf("the provider %s is lost in silence", p.ID)
			}
			continue
		}
		theirs, mine := factsOf(t, p.Stated), factsOf(t, &q)
		for path, value := range theirs {
			facts++
			if mine[path] != value && path != ".id" && !left(said[id], path) {
				t.Errorf("%s%s: %s became %q", id, path, value, mine[path])
			}
		}
	}
	t.Logf("%d facts compared, of %d rows and %d providers", facts, rows, len(c.Providers))
}

// left reports whether it was said that what stands at a path is left out.
func left(said []string, path string) bool {
	return slices.ContainsFunc(said, func(s string) bool {
		field, _, ok := strings.Cut(s, ": ")
		return ok && strings.HasPrefix(path, "."+field)
	})
}
