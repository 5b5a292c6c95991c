package arrows

import (
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/opcat/opcat"

// A pkg is what go list says of a package.
type pkg struct {
	ImportPath    string
	Name          string
	Imports, Deps []string
}

// packages lists every package of the module.
func packages(t *testing.T) []pkg {
	t.Helper()
	touchSources(t)
	cmd := exec.Command("go", "list", "-e", "-json", module+"/...")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var all []pkg
	for d := json.NewDecoder(out); ; {
		var p pkg
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if len(all) < 3 {
		t.Fatalf("go list found %d packages", len(all))
	}
	return all
}

// touchSources looks at every Go file of the module. What go list reads is unknown to
// the test cache; this makes a cached pass end when a file changes.
func touchSources(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && d.Name() != "..":
			return fs.SkipDir
		case filepath.Ext(path) == ".go":
			_, err = os.Stat(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// room gives the room of one of our import paths; "" for somebody else's.
func room(importPath string) string {
	rest, ours := strings.CutPrefix(importPath, module+"/")
	if !ours {
		return ""
	}
	if rest == "compile/form" {
		return rest
	}
	first, second, _ := strings.Cut(rest, "/")
	if first == "internal" {
		name, _, _ := strings.Cut(second, "/")
		return path.Join(first, name)
	}
	return first
}

// leaf reports whether a room imports nothing of ours.
func leaf(name string) bool { return slices.Contains(leaves, name) || isShared(name) }

func isShared(name string) bool {
	for _, s := range shared {
		if s.room == name {
			return true
		}
	}
	return false
}

func allowed(from, to string) bool {
	if isShared(to) {
		return !leaf(from)
	}
	return slices.ContainsFunc(arrows, func(a arrow) bool { return a.from == from && (a.to == to || a.to == "*") })
}

// Every import between rooms is on the list.
func TestImportsFollowTheArrows(t *testing.T) {
	for _, p := range packages(t) {
		if p.Name == "main" {
			continue // nothing can import a program, so it may meet everything
		}
		from := room(p.ImportPath)
		known := leaf(from) || slices.ContainsFunc(arrows, func(a arrow) bool { return a.from == from })
		if from != "" && !known {
			t.Errorf("%s is in no room of the list: add %q to leaves, or its arrows", p.ImportPath, from)
			continue
		}
		for _, imported := range p.Imports {
			to := room(imported)
			switch {
			case to == "" || to == from:
			case slices.Contains(testOnly, to) && !slices.Contains(testOnly, from):
				t.Errorf("%s imports %s, which is for tests", p.ImportPath, imported)
			case !allowed(from, to):
				t.Errorf("%s imports %s: there is no arrow from %s to %s", p.ImportPath, imported, from, to)
			}
		}
	}
}

// Every line of the list has a reason, and none leads back.
func TestArrowsFormNoCircle(t *testing.T) {
	var visit func(at string, from []string)
	visit = func(at string, from []string) {
		if slices.Contains(from, at) {
			t.Fatalf("a circle: %s", strings.Join(append(from, at), " -> "))
		}
		for _, a := range arrows {
			if a.from == at && a.to != "*" {
				visit(a.to, append(slices.Clone(from), at))
			}
		}
	}
	for _, a := range arrows {
		if a.why == "" {
			t.Errorf("%s -> %s has no reason", a.from, a.to)
		}
		if leaf(a.from) {
			t.Errorf("%s is a leaf and imports %s", a.from, a.to)
		}
		visit(a.from, nil)
	}
}

// A program that picks routes links neither a TOML parser nor cobra.
func TestRunTimeIsSmall(t *testing.T) {
	for _, p := range packages(t) {
		for _, u := range unlinked {
			if room(p.ImportPath) != u.room {
				continue
			}
			for _, dep := range p.Deps {
				if dep == u.module || strings.HasPrefix(dep, u.module+"/") {
					t.Errorf("%s links %s: %s", p.ImportPath, dep, u.why)
				}
			}
		}
	}
}
