package fragment

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func eachFile(t *testing.T, dir, root string, walk func(*walker, string) error, swap func(name string)) (seen []string) {
	t.Helper()
	d, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	w := walker{d: d, most: 1 << 20, wanted: func(name string) bool { swap(name); return strings.HasSuffix(name, ".toml") }, visit: func(f *Found) {
		failed := ""
		if f.Err != nil {
			failed = " can't be read"
		}
		seen = append(seen, fmt.Sprintf("%s %v %v %q%s", f.Name, f.Type, f.Folder, f.Src, failed))
	}}
	if err := walk(&w, root); err != nil {
		seen = append(seen, "the root can't be read")
	}
	return seen
}

// What Each does with few calls is what a walk and a read do, whatever lies there.
func TestEachIsAWalk(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.toml": "a", "b/a.toml": "", "b/c/d/e.toml": "e", "b.toml": strings.Repeat("b", 70<<10), "b/c.txt": "no", "a-b/x.toml": "x", "a b/ä.toml": "ä", "empty.toml": ""} {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 3000 { // more than one list of the system's
		if err := os.WriteFile(filepath.Join(dir, "a-b", fmt.Sprintf("%d.toml", i)), []byte(fmt.Sprint(i)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"link.toml": "a.toml", "b/loop": "..", "away.toml": "/etc/passwd", "nowhere.toml": "x", "root": "b"} {
		if err := os.Symlink(to, filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "closed"), 0); err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{".", "b", "b/c/d", "root", "a.toml", "none"} {
		got := eachFile(t, dir, root, (*walker).walk, func(string) {})
		want := eachFile(t, dir, root, (*walker).walkAnywhere, func(string) {})
		if !slices.Equal(got, want) {
			t.Errorf("%s: %.2000v\nwant %.2000v", root, got, want)
		}
	}
}

// A file that becomes a link once it was listed is not followed, and neither is a folder.
func TestEachFollowsNoLink(t *testing.T) {
	dir, secret := t.TempDir(), filepath.Join(t.TempDir(), "secret")
	if err := os.MkdirAll(secret, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{filepath.Join(dir, "a.toml"), filepath.Join(dir, "b.toml"), filepath.Join(secret, "c.toml")} {
		if err := os.WriteFile(name, []byte("secret"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "c"), 0o755); err != nil {
		t.Fatal(err)
	}
	swap := func(name string) {
		for _, f := range [][3]string{{"a.toml", "b.toml", "c.toml"}, {"b.toml", "c", ""}} {
			if name != f[0] {
				continue
			}
			at := filepath.Join(dir, f[1])
			if err := os.Remove(at); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(filepath.Join(secret, f[2]), at); err != nil {
				t.Fatal(err)
			}
		}
	}
	got := eachFile(t, dir, ".", (*walker).walk, swap)
	want := []string{fmt.Sprintf("a.toml %v false %q", fs.FileMode(0), "secret"), fmt.Sprintf("b.toml %v false %q can't be read", fs.FileMode(0), ""), fmt.Sprintf("c %v true %q can't be read", fs.FileMode(0), "")}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}
