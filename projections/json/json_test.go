package json

import (
	"crypto/sha256"
	"encoding/hex"
	stdjson "encoding/json"
	"go/format"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile/build"
	"github.com/opcat/opcat/internal/testcat"
	"github.com/opcat/opcat/projections/emit"
)

func emitted(t *testing.T, c *catalog.Catalog) map[string][]byte {
	t.Helper()
	files, err := Emitter.Emit(c)
	if err != nil {
		t.Fatal(err)
	}
	m := map[string][]byte{}
	for _, f := range files {
		m[f.Path] = f.Bytes()
	}
	return m
}

// The files say with another reader of JSON what the catalog says.
func TestFilesAgreeWithTheCatalog(t *testing.T) {
	c, err := build.Catalog(testcat.New(5, 0.9).Draft(7))
	if err != nil {
		t.Fatal(err)
	}
	files := emitted(t, c)
	if sum := sha256.Sum256(files["catalog.json"]); c.Digest() != "sha256:"+hex.EncodeToString(sum[:]) {
		t.Error("the digest is not the sum of catalog.json")
	}
	if _, err := catalog.OpenIndexed(string(files["catalog.json"]), string(files["catalog.idx"])); err != nil {
		t.Error(err)
	}

	var contents struct {
		Schema, Catalog   string
		Providers, Models int
		Routes            map[string]int
		Files             []struct {
			Path, Digest string
			Bytes        int
		}
	}
	if err := stdjson.Unmarshal(files["index.json"], &contents); err != nil {
		t.Fatal(err)
	}
	if contents.Schema != "opcat.catalog_contents@1" || contents.Catalog != c.Digest() || contents.Models != c.Len() || contents.Providers != len(c.ProviderIDs()) {
		t.Errorf("the table of contents is %+v", contents)
	}
	for _, f := range contents.Files {
		sum := sha256.Sum256(files[f.Path])
		if f.Digest != "sha256:"+hex.EncodeToString(sum[:]) || f.Bytes != len(files[f.Path]) {
			t.Errorf("%s is not as the table of contents says", f.Path)
		}
	}

	rows := 0
	for name, n := range contents.Routes {
		var doc struct {
			Schema, Operation, Catalog string
			Models                     []map[string]any
		}
		if err := stdjson.Unmarshal(files["operations/"+name+".json"], &doc); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if doc.Operation != name || doc.Catalog != c.Digest() || len(doc.Models) != n {
			t.Errorf("%s has %d rows, the table of contents says %d", name, len(doc.Models), n)
		}
		for _, got := range doc.Models {
			rows++
			ref, ok := c.Find(got["id"].(string))
			var want map[string]any
			if !ok || stdjson.Unmarshal([]byte(ref.JSON()), &want) != nil {
				t.Fatalf("there is no row %v", got["id"])
			}
			want["operations"] = map[string]any{name: want["operations"].(map[string]any)[name]}
			a, _ := stdjson.Marshal(got)
			b, _ := stdjson.Marshal(want)
			if string(a) != string(b) {
				t.Errorf("%s for %s alone:\n%s\n%s", got["id"], name, a, b)
			}
		}
	}
	if rows == 0 {
		t.Error("no route was looked at")
	}
}

func TestEmptyCatalog(t *testing.T) {
	d := testcat.New(1, 0).Draft(1)
	d.Rows, d.Providers = nil, nil
	c, err := build.Catalog(d)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range emitted(t, c) {
		if path.Ext(name) == ".json" && !stdjson.Valid(data) {
			t.Errorf("%s is no JSON:\n%s", name, data)
		}
	}
}

// Generated Go is written as gofmt would.
func TestGoIsFormatted(t *testing.T) {
	for name, src := range map[string]string{"snapshot.go": snapshot, "provenance.go": provenance} {
		if got, err := format.Source([]byte(src)); err != nil || string(got) != src {
			t.Errorf("%s: %v", name, err)
		}
		if !strings.HasPrefix(src, "// Code generated ") {
			t.Errorf("%s does not say that it is generated", name)
		}
	}
}

func TestProvenanceIsBesideTheCatalog(t *testing.T) {
	d := testcat.New(5, 0.9).Draft(3)
	c, err := build.Catalog(d)
	if err != nil {
		t.Fatal(err)
	}
	files, err := Emitter.Emit(c)
	if err != nil {
		t.Fatal(err)
	}
	with := WithProvenance(files, build.Provenance(d, c.Digest()))
	if i := slices.IndexFunc(with, func(f emit.File) bool { return f.Path == "provenance.json" }); i < 0 || len(with) != len(files)+2 {
		t.Errorf("%d files became %d", len(files), len(with))
	}
	again, _ := Emitter.Emit(c)
	if !slices.EqualFunc(files, again, func(a, b emit.File) bool { return a.Path == b.Path && string(a.Bytes()) == string(b.Bytes()) }) {
		t.Error("two runs give other files")
	}
}

func BenchmarkEmit(b *testing.B) {
	c, err := build.Catalog(testcat.Large(5000))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Emitter.Emit(c); err != nil {
			b.Fatal(err)
		}
	}
}
