package artifact_test

import (
	"bytes"
	"io/fs"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/opcat/opcat/compile/artifact"
	"github.com/opcat/opcat/compile/build"
	"github.com/opcat/opcat/compile/check"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/layer"
	"github.com/opcat/opcat/compile/migrate"
	"github.com/opcat/opcat/compile/resolve"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/internal/testcat"
)

// overlay moves an endpoint, takes a row away and changes what another does: what a
// later stage remembers of layers.
var overlay = fstest.MapFS{
	"catalog_sources/o.toml": {Data: []byte(`schema = "1.0"
remove = [{ row = "acme0/chat-3", reason = "not for us" }]
[provider.acme0.endpoint.openai_chat_completions]
url = "https://api.acme0.example/v2/chat/completions"
[[model]]
provider = "acme0"
wire_model = "chat-1"
limits = { output_tokens = 2000 }
[[model]]
provider = "acme0"
wire_model = "chat-2"
change_operations = { from = ["text_generation"], to = [] }
listed_as = ["ocr"]
`)},
	"capability_sources/o.toml": {Data: []byte(`schema = "1.0"
[[provider.acme0]]
model_match = "chat-*"
add = true
[provider.acme0.operations.text_generation]
limits = { stop = 2 }
`)},
}

// distrusted states a price that its layer is not believed.
var distrusted = fstest.MapFS{"catalog_sources/p.toml": {Data: []byte(`schema = "1.0"
[[model]]
provider = "acme0"
wire_model = "chat-1"
price = [{ meter = "input_token", usd_per_million = "0" }]
`)}}

// broken holds mistakes of several stages and a fragment that cannot be read whole.
var broken = fstest.MapFS{
	"catalog_sources/a.toml": {Data: []byte(`schema = "1.0"
[provider.acme]
name = "Acme"
[[model]]
provider = "acme"
wire_model = "x"
nope = 1
[[model]]
provider = "nobody"
wire_model = "y"
[alias.small]
text_generation = "acme/z"
`)},
	"catalog_sources/b.toml": {Data: []byte("schema = \"1.0\"\n[provider.beta]\nname = \"B\n")},
}

func trees(t *testing.T) map[string][]fragment.Tree {
	own, err := fragment.Open("../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = own.Close() })
	bundled := func(fsys fs.FS) fragment.Tree { return fragment.Tree{FS: fsys, Layer: "bundled"} }
	return map[string][]fragment.Tree{
		"generated": {bundled(testcat.Rows(40, 7, testcat.Full))},
		"layers": {bundled(testcat.Rows(8, 4, testcat.Lean)), {FS: overlay, Layer: "user", Rank: 2},
			{FS: distrusted, Layer: "project", Rank: 3}},
		"a layer without its right": {bundled(testcat.Rows(8, 4, testcat.Lean)), {FS: overlay, Layer: "project", Rank: 3}},
		"broken":                    {bundled(broken)},
		"own":                       {bundled(own)},
		"empty":                     {bundled(fstest.MapFS{})},
	}
}

// again reads a body back and writes it once more: the bytes must be the same.
func again[T interface{ Body() ([]byte, error) }](t *testing.T, v T, read func([]byte) (T, error)) T {
	t.Helper()
	body, err := v.Body()
	if err != nil {
		t.Fatal(err)
	}
	back, err := read(body)
	if err != nil {
		t.Fatalf("what was written is not read: %v", err)
	}
	twice, err := back.Body()
	if err != nil || !bytes.Equal(body, twice) {
		t.Fatalf("read and written again it differs (%v):\n%.2000s\n%.2000s", err, body, twice)
	}
	return back
}

// A compile that stops after each stage and goes on from what lies in the file
// ends as one that never stopped.
func TestStagesGoOnFromTheirArtifacts(t *testing.T) {
	const asOf = "2026-11-30"
	for name, in := range trees(t) {
		t.Run(name, func(t *testing.T) {
			var fragments []fragment.Fragment
			var found []diag.List
			for _, tree := range in {
				f, d := fragment.Dir(tree)
				fragments, found = append(fragments, f...), append(found, d)
			}
			run := artifact.Run{AsOf: asOf, Findings: diag.Join(found...), Accept: &artifact.Accept{Name: "a.toml", Text: "# \"é\u0085\n"}}
			decoded := again(t, &artifact.Decoded{Run: run, Fragments: fragments}, artifact.ReadDecoded)

			moved, d1 := migrate.Fields(fragments, nil)
			moved2, e1 := migrate.Fields(decoded.Fragments, nil)
			sameFindings(t, "migrate", d1, e1)
			migrated := again(t, &artifact.Migrated{Run: run, Result: moved2}, artifact.ReadMigrated)

			l, d2 := layer.Merge(moved.Fragments)
			l2, e2 := layer.Merge(migrated.Result.Fragments)
			sameFindings(t, "layer", d2, e2)
			layered := again(t, &artifact.Layered{Run: run, Result: l2}, artifact.ReadLayered)

			draft, d3 := resolve.Rows(l, asOf)
			draft2, e3 := resolve.Rows(layered.Result, asOf)
			sameFindings(t, "resolve", d3, e3)
			resolved := again(t, &artifact.Resolved{Run: run, Draft: draft2}, artifact.ReadResolved)

			d4, e4 := check.Rules(draft), check.Rules(resolved.Draft)
			sameFindings(t, "check", d4, e4)
			if diag.Join(append(found, d1, d2, d3, d4)...).HasErrors() {
				if none := again(t, &artifact.Checked{Run: run}, artifact.ReadChecked); none.Catalog != nil {
					t.Error("a catalog came of nothing")
				}
				return
			}
			want, err := build.Catalog(draft)
			if err != nil {
				t.Fatal(err)
			}
			got, err := build.Catalog(resolved.Draft)
			if err != nil || got.Digest() != want.Digest() {
				t.Fatalf("the catalog differs: %v", err)
			}
			record := string(build.Provenance(draft, want.Digest()))
			if after := string(build.Provenance(resolved.Draft, want.Digest())); after != record {
				t.Errorf("the record of provenance differs:\n%.2000s\n%.2000s", record, after)
			}
			checked := again(t, &artifact.Checked{Run: run, Catalog: want, Provenance: record}, artifact.ReadChecked)
			if checked.Catalog.JSON() != want.JSON() || checked.Provenance != record {
				t.Error("the catalog or its record is not what was written")
			}
		})
	}
}

func sameFindings(t *testing.T, stage string, want, got diag.List) {
	t.Helper()
	if want.String() != got.String() {
		t.Fatalf("stage %s finds other things after a stop:\n%s\nnot\n%s", stage, got, want)
	}
}

func TestDamagedBodiesAreRefused(t *testing.T) {
	fragments, _ := fragment.Dir(fragment.Tree{FS: testcat.Rows(2, 2, testcat.Lean), Layer: "bundled"})
	body, err := (&artifact.Decoded{Fragments: fragments}).Body()
	if err != nil {
		t.Fatal(err)
	}
	good := string(body)
	for name, text := range map[string]string{
		"nothing":          "",
		"null":             "null",
		"cut":              good[:len(good)/2],
		"more":             good + "{}",
		"an unknown field": strings.Replace(good, `"files"`, `"extra":1,"files"`, 1),
		"no such file":     strings.Replace(good, `"file":0`, `"file":9`, 1),
		"no such root":     strings.Replace(good, `"root":"catalog_sources"`, `"root":"x"`, 1),
		"no such format":   strings.Replace(good, `"format":"1.0"`, `"format":"7"`, 1),
		"a foreign key":    strings.Replace(good, `"wire_model"`, `"wire_modle"`, 1),
		"a wrong value":    strings.Replace(good, `"input_token"`, `"input_tokens"`, 1),
		"a missing table":  strings.Replace(good, `"table":[`, `"table":null,"x":[`, 1),
	} {
		if text == good {
			t.Fatalf("%s: nothing was damaged", name)
		}
		if v, err := artifact.ReadDecoded([]byte(text)); err == nil && name != "null" {
			t.Errorf("%s: read as %d fragments", name, len(v.Fragments))
		}
	}
}

// No bytes make a reader panic, nor the stage that goes on from them.
func FuzzBodies(f *testing.F) {
	fragments, found := fragment.Dir(fragment.Tree{FS: testcat.Rows(3, 2, testcat.Lean), Layer: "bundled"})
	moved, _ := migrate.Fields(fragments, nil)
	l, _ := layer.Merge(moved.Fragments)
	draft, _ := resolve.Rows(l, "2026-11-30")
	for _, v := range []interface{ Body() ([]byte, error) }{
		&artifact.Decoded{Run: artifact.Run{Findings: found}, Fragments: fragments}, &artifact.Migrated{Result: moved},
		&artifact.Layered{Result: l}, &artifact.Resolved{Draft: draft},
	} {
		body, err := v.Body()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if v, err := artifact.ReadDecoded(body); err == nil {
			migrate.Fields(v.Fragments, nil)
		}
		if v, err := artifact.ReadMigrated(body); err == nil {
			layer.Merge(v.Result.Fragments)
		}
		if v, err := artifact.ReadLayered(body); err == nil {
			resolve.Rows(v.Result, "2026-11-30")
		}
		if v, err := artifact.ReadResolved(body); err == nil {
			check.Rules(v.Draft)
		}
	})
}

// What a stage hands on has to be in its artifact. A field that is added to a
// stage's result is added there too, and then here.
func TestArtifactsHoldAllThatStagesHandOn(t *testing.T) {
	for _, tc := range []struct {
		value any
		want  string
	}{
		{fragment.Fragment{}, "File Root Legacy Table Broken Strays Src Cache"},
		{migrate.Result{}, "Fragments Moves Audits"},
		{layer.Layered{}, "Providers Rows Rules Root Removed CatalogBroken RulesBroken"},
		{layer.Provider{}, "ID Table Broken Moved"},
		{layer.Row{}, "ID Table Changes Broken Untrusted"},
		{layer.Rule{}, "Provider Table Broken"},
		{layer.Removal{}, "Row Table"},
		{resolve.Draft{}, "AsOf Providers Rows Aliases Root Removed Astray CatalogBroken RulesBroken"},
		{resolve.Provider{}, "ID Table Rows Broken"},
		{resolve.Row{}, "ID Provider Wire Table Contracts Changes Broken"},
		{resolve.Contract{}, "Op Table Grant"},
		{resolve.Alias{}, "Name Table Targets"},
		{resolve.Target{}, "Op Said Row"},
		{tree.File{}, "Path Layer Rank Legacy Broken Speaks"},
	} {
		var got []string
		typ := reflect.TypeOf(tc.value)
		for i := range typ.NumField() {
			if f := typ.Field(i); f.IsExported() {
				got = append(got, f.Name)
			}
		}
		if strings.Join(got, " ") != tc.want {
			t.Errorf("%s has the fields %s, its artifact holds %s", typ, strings.Join(got, " "), tc.want)
		}
	}
}
