package compile_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/internal/testcat"
)

// What lies in a folder is judged as Run judges it, whatever the edited name now
// is: a link, a folder, the layer's own file, or nothing that is read.
func TestEditedOnDisk(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, f := range testcat.Rows(6, 2, testcat.Lean) {
		write(name, string(f.Data))
	}
	outside := filepath.Join(t.TempDir(), "outside.toml")
	if err := os.WriteFile(outside, []byte("schema = \"1.0\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	disk, err := fragment.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer disk.Close()
	in := compile.Input{Trees: []fragment.Tree{{FS: disk, Layer: "bundled"}}, AsOf: "2026-11-30"}
	session, r := compile.Start(in)
	if len(r.Diags) > 0 {
		t.Fatal(r.Diags)
	}
	const file = "catalog_sources/acme1/acme1.toml"
	src, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		t.Fatal(err)
	}
	link := func(to, name string) func() {
		return func() {
			t.Helper()
			if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	remove := func(names ...string) func() {
		return func() {
			for _, name := range names {
				if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	for _, step := range []struct {
		name  string
		do    func()
		paths []string
	}{
		{"a price", func() {
			write(file, strings.Replace(string(src), `usd_per_million = "2.02"`, `usd_per_million = "2.03"`, 1))
		}, []string{file}},
		{"gone with its folder", remove("catalog_sources/acme1"), []string{file}},
		{"back", func() { write(file, string(src)) }, []string{file}},
		{"a link out of the tree", link(outside, "catalog_sources/out.toml"), []string{"catalog_sources/out.toml"}},
		{"no link any more", remove("catalog_sources/out.toml"), []string{"catalog_sources/out.toml"}},
		{"a link to nowhere", link("nowhere.toml", "catalog_sources/none.toml"), []string{"catalog_sources/none.toml"}},
		{"mended", remove("catalog_sources/none.toml"), []string{"catalog_sources/none.toml"}},
		{"a link to a folder", link("acme1", "catalog_sources/twin"), []string{"catalog_sources/twin/acme1.toml"}},
		{"mended again", remove("catalog_sources/twin"), []string{"catalog_sources/twin/acme1.toml"}},
		{"a link within the tree", link("acme1/acme1.toml", "catalog_sources/again.toml"), []string{"catalog_sources/again.toml"}},
		{"a file with a link to it", func() { write(file, strings.Replace(string(src), "Acme 1", "Acme One", 1)) }, []string{file}},
		{"without", remove("catalog_sources/again.toml"), []string{"catalog_sources/again.toml"}},
		{"a folder named like a file", func() { write("catalog_sources/odd.toml/x.toml", "schema = \"1.0\"\n") }, []string{"catalog_sources/odd.toml"}},
		{"a file in it", func() { write("catalog_sources/odd.toml/x.toml", "schema = \"2.0\"\n") }, []string{"catalog_sources/odd.toml/x.toml"}},
		{"the folder gone", remove("catalog_sources/odd.toml"), []string{"catalog_sources/odd.toml"}},
		{"an editor's file", func() { write("catalog_sources/.x.toml", "[") }, []string{"catalog_sources/.x.toml"}},
		{"the layer's own file", func() { write("layer.toml", "nmae = \"x\"\n") }, []string{"layer.toml"}},
		{"without it", remove("layer.toml"), []string{"layer.toml"}},
		{"another spelling of the path", func() { write(file, string(src)) }, []string{"./" + file}},
		{"all gone", remove("catalog_sources", "capability_sources"), []string{"catalog_sources", "capability_sources"}},
		{"all back", func() {
			for name, f := range testcat.Rows(6, 2, testcat.Lean) {
				write(name, string(f.Data))
			}
		}, []string{"catalog_sources", "capability_sources"}},
	} {
		step.do()
		got := session.Edited("bundled", step.paths...)
		if diff := difference(got, compile.Run(in)); diff != "" {
			t.Errorf("%s: %s", step.name, diff)
		}
	}
}

// An edit of one provider compiles no row of another, and those that nothing
// refers to from a table of their own cost nothing but to be copied.
func TestEditedInParts(t *testing.T) {
	files := testcat.Rows(40, 5, testcat.Full)
	d := newDesk([]fstest.MapFS{files}, nil)
	d.put(0, "catalog_sources/names.toml", []byte("schema = \"1.0\"\n[alias.small]\ntext_generation = \"acme1/chat-5\"\n"))
	session, before := compile.Start(d.input())
	if len(before.Diags) > 0 {
		t.Fatal(before.Diags)
	}
	const rows, rules = "catalog_sources/acme3/acme3.toml", "capability_sources/acme3/acme3.toml"
	change := func(path, old, new string) {
		d.put(0, path, []byte(strings.Replace(d.text(place{0, path}), old, new, 1)))
	}
	for _, step := range []struct {
		name, path, old, new string
		anew                 string // the provider whose rows are compiled again
	}{
		{"a price", rows, `usd_per_million = "6.`, `usd_per_million = "5.`, "acme3"},
		{"a row renamed", rows, `wire_model = "chat-17"`, `wire_model = "chat-x"`, "acme3"},
		{"and its rule", rules, `models = ["chat-17"]`, `models = ["chat-x"]`, "acme3"},
		{"a setting", rules, `default = "medium"`, `default = "low"`, "acme3"},
		{"a provider's name", rows, `name = "Acme 3"`, `name = "Third"`, "acme3"},
		{"an alias", "catalog_sources/names.toml", "acme1/chat-5", "acme3/chat-15", ""},
	} {
		change(step.path, step.old, step.new)
		got := session.Edited("bundled", step.path)
		if diff := difference(got, compile.Run(d.input())); diff != "" {
			t.Fatalf("%s: %s", step.name, diff)
		}
		if len(got.Diags) > 0 || len(before.Diags) > 0 {
			before = got // with findings all is compiled again
			continue
		}
		for _, r := range got.Draft.Rows {
			if same := slices.Contains(before.Draft.Rows, r); same != (r.Provider.ID != step.anew) {
				t.Errorf("%s: the row %s was taken over: %v", step.name, r.ID, same)
			}
		}
		before = got
	}
}
