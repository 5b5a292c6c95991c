package cli

import (
	"bytes"
	"context"
	"hash/crc32"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/conformance"
	snapshot "github.com/opcat/opcat/gen/json"
	"github.com/opcat/opcat/operations"
)

// ask runs opcat in this process, with nothing of the machine around it.
func ask(t *testing.T, argv ...string) (out []byte, exit int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	exit = Opcat().Run(context.Background(), argv, Streams{In: strings.NewReader(""), Out: &stdout, Err: &stderr,
		Getenv: func(string) string { return "" }, Now: time.Now})
	return stdout.Bytes(), exit
}

// Whatever the snapshot in the binary holds fits the schemas that --describe gives,
// and those allow nothing else.
func TestTheSnapshotFitsTheSchemas(t *testing.T) {
	doc, err := Opcat().Describe()
	if err != nil {
		t.Fatal(err)
	}
	checker, err := conformance.NewAnswers(doc)
	if err != nil {
		t.Fatal(err)
	}
	c, err := snapshot.Catalog()
	if err != nil {
		t.Fatal(err)
	}
	var all [][]string
	for r := range c.Refs() {
		all = append(all, []string{"model", "get", r.ID(), "--json"})
		for _, o := range r.Operations() {
			all = append(all, []string{"route", "get", routeID(o, r.ID()), "--json"})
		}
	}
	all = slices.DeleteFunc(all, func(argv []string) bool { return crc32.ChecksumIEEE([]byte(argv[2]))%4 != 0 }) // a quarter, spread over all
	for _, id := range c.ProviderIDs() {
		all = append(all, []string{"provider", "get", id, "--provenance", "--json"})
	}
	for _, name := range operations.Names() {
		all = append(all, []string{"operation", "get", name, "--json"})
	}
	if len(all) < 100 {
		t.Fatalf("only %d answers to look at", len(all))
	}
	for _, argv := range all {
		out, exit := ask(t, argv...)
		if err := checker.Check(argv, exit, out); err != nil || exit != 0 {
			t.Fatalf("%v: exit %d: %v", argv, exit, err)
		}
	}
}

// Every row can say where each of its fields came from, and what it says is the
// field's own value.
func TestProvenanceNamesEveryField(t *testing.T) {
	c, err := snapshot.Catalog()
	if err != nil {
		t.Fatal(err)
	}
	record, err := snapshot.Provenance()
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for r := range c.Refs() {
		origins, err := record.Row(r)
		if err != nil {
			t.Fatal(err)
		}
		value, err := parse([]byte(r.JSON()))
		if err != nil {
			t.Fatal(err)
		}
		stated := 0
		for _, o := range origins {
			if valueAt(value, o.Field) == nil {
				t.Errorf("%s has no field %s", r.ID(), o.Field)
			}
			if o.Line > 0 {
				stated++
			}
		}
		if stated < 3 {
			t.Errorf("%s: only %d of %d fields have a place", r.ID(), stated, len(origins))
		}
		rows++
	}
	if rows == 0 {
		t.Fatal("no row")
	}
}

// The sources that the binary carries are those of the repository, to the last file.
func TestTheBinaryCarriesTheSources(t *testing.T) {
	inside, err := folder{layer: "bundled"}.tree()
	if err != nil {
		t.Fatal(err)
	}
	disk, err := fragment.Open("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	defer disk.Close()
	a, ok := inside.Sum()
	b, well := fragment.Tree{FS: disk, Layer: "bundled"}.Sum()
	if !ok || !well || a != b {
		t.Errorf("the carried sources are not those of the repository (%v, %v): a folder is not embedded, or lies too deep", ok, well)
	}
}

func TestProgramDigest(t *testing.T) {
	id := programDigest()
	if id == "" || id != programDigest() {
		t.Fatalf("this program has no digest: %q", id)
	}
	elf := "\x7fELF....\x04\x00\x00\x00\x07\x00\x00\x00\x04\x00\x00\x00Go\x00\x00a/b/c/d\x00"
	for name, tc := range map[string]struct{ head, want string }{
		"an ELF note":           {elf, "a/b/c/d"},
		"before the text":       {"MZ\xff Go build ID: \"a/b/c/d\"\n \xff", "a/b/c/d"},
		"no id":                 {"MZ", ""},
		"a note that is cut":    {elf[:len(elf)-4], ""},
		"a note without a size": {"\x04\x00\x00\x00Go\x00\x00", ""},
		"an id of fewer parts":  {"\xff Go build ID: \"a/b\"\n \xff", ""},
		"an id that never ends": {"\xff Go build ID: \"a/b/c/d\x00\x00", ""},
	} {
		if got := buildID([]byte(tc.head)); got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}

func TestValueAt(t *testing.T) {
	v, err := parse([]byte(`{"a":{"b":[{"c":1},{"c":2}]},"x.y":{"[z]":3},"e":[]}`))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"a.b[1].c": "2", `"x.y"."[z]"`: "3", "e": "[]", "a.b[7].c": "null", "a.nope.c": "null", "a[0]": "null", `"x`: "null", "a.b[x]": "null", "": compact(v),
	} {
		if got := compact(valueAt(v, path)); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
}

// The user's layer follows the XDG rule; without a home there is none.
func TestUserLayer(t *testing.T) {
	for _, tc := range []struct{ xdg, home, want string }{
		{"/x", "/h", "/x/opcat"}, {"", "/h", "/h/.config/opcat"}, {"rel", "/h", "/h/.config/opcat"}, {"", "", ""}, {"", "rel", ""},
	} {
		inv := &Invocation{streams: Streams{Getenv: func(name string) string {
			return map[string]string{"XDG_CONFIG_HOME": tc.xdg, "HOME": tc.home}[name]
		}}}
		if got := userLayer(inv); got != tc.want {
			t.Errorf("XDG %q, HOME %q: %q, want %q", tc.xdg, tc.home, got, tc.want)
		}
	}
}

// A folder above the work tree is somebody else's.
func TestProjectLayer(t *testing.T) {
	dir, err := os.MkdirTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, sub := range []string{".opcat", "tree/.git", "tree/a/b", "tree/.opcat", "tree/a/.opcat"} {
		if err := os.MkdirAll(dir+"/"+sub, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for from, want := range map[string]string{"tree/a/b": "tree/.opcat", "tree": "tree/.opcat", ".": ".opcat"} {
		t.Chdir(dir + "/" + from)
		if got, err := projectLayer(); err != nil || got != dir+"/"+want {
			t.Errorf("from %s: %s, %v", from, got, err)
		}
	}
}
