package migrate_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/opcat/opcat/compile/accept"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/migrate"
	"github.com/opcat/opcat/diag"
	"github.com/rogpeppe/go-internal/txtar"
)

// TestReference: the wrong TOML of each code's page gets the code, the right one
// does not.
func TestReference(t *testing.T) {
	for _, e := range diag.Codes() {
		if e.Stage != "migrate" {
			continue
		}
		if _, got := migrated(t, example(e.Wrong)); !slices.Contains(codesOf(got), e.Code) {
			t.Errorf("%s: the wrong example gets\n%s", e.Code, got)
		}
		_, got := migrated(t, example(e.Right))
		if slices.ContainsFunc(got, func(d diag.Diagnostic) bool { return d.Code == e.Code && d.Accepted == "" }) {
			t.Errorf("%s: the right example gets it too:\n%s", e.Code, got)
		}
	}
}

// example is the files of a reference page: an archive, or one file of the catalog.
func example(text string) []txtar.File {
	if a := txtar.Parse([]byte(text)); len(a.Files) > 0 {
		return a.Files
	}
	return []txtar.File{{Name: "catalog_sources/acme.toml", Data: []byte(text)}}
}

// migrated decodes and migrates files: those under host, user, project and run are
// of that layer, accept.toml is an accept file, the rest is bundled.
func migrated(t testing.TB, files []txtar.File) (migrate.Result, diag.List) {
	t.Helper()
	layers := []string{"bundled", "host", "user", "project", "run"}
	trees := make([]fstest.MapFS, len(layers))
	for i := range trees {
		trees[i] = fstest.MapFS{}
	}
	var accepted *accept.File
	var found []diag.List
	for _, f := range files {
		if f.Name == "accept.toml" {
			file, d := accept.Read(f.Name, f.Data)
			accepted = file
			found = append(found, d)
			continue
		}
		first, rest, _ := strings.Cut(f.Name, "/")
		i := slices.Index(layers, first)
		if i < 0 {
			i, rest = 0, f.Name
		}
		trees[i][rest] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
	}
	var in []fragment.Fragment
	for i, fsys := range trees {
		if len(fsys) == 0 {
			continue
		}
		fragments, d := fragment.Dir(fragment.Tree{FS: fsys, Layer: layers[i], Rank: i})
		in = append(in, fragments...)
		found = append(found, d)
	}
	res, d := migrate.Fields(in, accepted.Keep)
	found = append(found, d)
	return res, accepted.Apply(diag.Join(found...))
}

func codesOf(found diag.List) []diag.Code {
	var codes []diag.Code
	for _, d := range found {
		codes = append(codes, d.Code)
	}
	return codes
}
