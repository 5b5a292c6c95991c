package fragment

import (
	"os"
	"path/filepath"
	"testing"
)

// The digest of a tree changes with every byte and name that Dir reads, and with
// nothing else.
func TestSumFollowsWhatIsRead(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("catalog_sources/a.toml", "schema = \"1.0\"\n")
	write("capability_sources/b/b.toml", "schema = \"1.0\"\n")
	disk, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer disk.Close()
	tree := Tree{FS: disk, Layer: "bundled"}
	sum := func() string {
		t.Helper()
		got, ok := tree.Sum()
		if !ok {
			t.Fatal("no digest of a plain tree")
		}
		fragments, _ := Dir(tree)
		if of, ok := tree.SumOf(fragments); !ok || of != got {
			t.Fatal("the digest of what was read is not that of the tree")
		}
		return string(got[:])
	}
	first := sum()
	for _, step := range []struct {
		what    string
		do      func()
		changes bool
	}{
		{"a comment", func() { write("catalog_sources/a.toml", "schema = \"1.0\" # x\n") }, true},
		{"the old text again", func() { write("catalog_sources/a.toml", "schema = \"1.0\"\n") }, false},
		{"a new file", func() { write("catalog_sources/c.toml", "") }, true},
		{"its removal", func() { os.Remove(filepath.Join(dir, "catalog_sources/c.toml")) }, false},
		{"a file that is no fragment", func() { write("catalog_sources/README.md", "x") }, false},
		{"an editor's file", func() { write("catalog_sources/.a.toml.swp", "x") }, false},
		{"a file outside the roots", func() { write("other/a.toml", "x") }, false},
		{"a manifest", func() { write("layer.toml", "schema = \"1.0\"\nname = \"x\"\n") }, true},
		{"its removal", func() { os.Remove(filepath.Join(dir, "layer.toml")) }, false},
		{"a renamed file", func() {
			os.Rename(filepath.Join(dir, "catalog_sources/a.toml"), filepath.Join(dir, "catalog_sources/b.toml"))
		}, true},
	} {
		step.do()
		if (sum() != first) != step.changes {
			t.Errorf("%s: changed is %v", step.what, !step.changes)
		}
	}
	if err := os.Symlink("nowhere.toml", filepath.Join(dir, "catalog_sources/l.toml")); err != nil {
		t.Fatal(err)
	}
	if _, ok := tree.Sum(); ok {
		t.Error("a tree with a dangling link has a digest")
	}
}
