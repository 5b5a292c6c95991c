package tree_test

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/internal/testcat"
	"github.com/opcat/opcat/shape"
)

// Both dialects, every form of value, free tables, nested lists, awkward texts.
var samples = map[string]string{
	"catalog_sources/a.toml": `schema = "1.0"
remove = [{ row = "acme/old", reason = "gone" }]
[provider.acme]
name = "Ac\"me \u00e9 \U0001F600 \\"
headers = { "X-Team" = "a" }
[provider.acme.endpoint.openai_chat_completions]
url = "https://api.acme.example/v1"
variable.region = { env = "R", default = "eu", pattern = "[a-z]+" }
[[model]]
provider = "acme"
wire_model = "a/b:c"
current = "acme/x"
limits = { context_tokens = 65536 }
price = [{ meter = "input_token", usd_per_million = "0.0420" }, { meter = "output_token", usd_per_million = "0" }]
lifecycle = { deprecated = false }
[role.judge]
"quoted key.with dots" = [1, "two", { three = 3 }, []]
[suggest]
"gpt-*" = "acme"
`,
	"catalog_sources/old.toml": `[models."acme/x"]
provider = "acme"
`,
	"capability_sources/a.toml": `schema = "1.0"
[[provider.acme]]
models = ["a/b:c", "x"]
[provider.acme.operations.text_generation]
protocol = ["openai_responses", { protocol = "openai_chat_completions", when = { tools = ["present"] } }]
input_kinds = ["text", "image"]
[provider.acme.operations.text_generation.settings]
temperature = [{ when = { effort = ["none"] }, min = "0", max = "2" }]
effort = { values = ["none", "low"], default = "low" }
`,
}

func sampleTree() fstest.MapFS {
	out := fstest.MapFS{}
	for name, src := range samples {
		out[name] = &fstest.MapFile{Data: []byte(src), Mode: 0o644}
	}
	return out
}

func TestNodesSurviveTheirJSON(t *testing.T) {
	for name, fsys := range map[string]fs.FS{
		"samples":     sampleTree(),
		"generated":   testcat.Rows(60, 7, testcat.Full),
		"lean":        testcat.Rows(60, 60, testcat.Lean),
		"own sources": own(t),
	} {
		t.Run(name, func(t *testing.T) {
			fragments, _ := fragment.Dir(fragment.Tree{FS: fsys, Layer: "user", Rank: 2})
			nodes := 0
			var e tree.Encoder
			var texts []string
			for i := range fragments {
				texts = append(texts, string(e.Append(nil, fragments[i].Table)))
			}
			d := tree.Decoder{Files: e.Files()}
			for i, f := range fragments {
				got, err := d.Node(texts[i], f.Table.Key)
				if err != nil {
					t.Fatalf("%s: %v", f.File.Path, err)
				}
				nodes += same(t, f.Table, got)
			}
			if len(fragments) == 0 || nodes < 50 {
				t.Fatalf("%d fragments, %d nodes: nothing was tried", len(fragments), nodes)
			}
			var again tree.Encoder
			for i, f := range fragments {
				if text := string(again.Append(nil, f.Table)); text != texts[i] {
					t.Errorf("%s: written twice, two texts", f.File.Path)
				}
			}
		})
	}
}

// own is the repository's own tree, the largest that there is.
func own(t *testing.T) fs.FS {
	disk, err := fragment.Open("../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = disk.Close() })
	return disk
}

// same compares two trees to the last place and counts their nodes.
func same(t *testing.T, want, got *tree.Node) int {
	t.Helper()
	if want.Key.Name != got.Key.Name || want.Key.Index != got.Key.Index || want.Key.Within != got.Key.Within {
		t.Fatalf("%s: the key is %q (%d), not %q (%d)", want.At(), got.Key.Name, got.Key.Index, want.Key.Name, want.Key.Index)
	}
	if want.Form != got.Form || want.Str() != got.Str() || want.File != got.File || want.Place() != got.Place() {
		t.Fatalf("%s: %q is %v %q at %s, not %v %q", want.At(), want.Key.Name, got.Form, got.Str(), got.At(), want.Form, want.Str())
	}
	if (want.Type() == nil) != (got.Type() == nil) || want.Type() != nil && want.Type().Kind != got.Type().Kind {
		t.Fatalf("%s: %q has another type", want.At(), want.Key.Name)
	}
	n := 1
	a, b := want.First(), got.First()
	for ; a != nil && b != nil; a, b = a.Next(), b.Next() {
		n += same(t, a, b)
	}
	if a != nil || b != nil {
		t.Fatalf("%s: %q has %d children, not %d", want.At(), want.Key.Name, got.Len(), want.Len())
	}
	return n
}

func root(r *form.Root) *shape.Key { return &shape.Key{Type: shape.Rec(r.Table()), Index: -1} }

func TestWhatIsNoNodeIsRefused(t *testing.T) {
	const head = `["","t",0,1,1,1,[`
	for name, tc := range map[string]struct{ text, why string }{
		"nothing":            {``, "no \"[\""},
		"cut short":          {head, "no \"[\""},
		"unknown key":        {head + `["nope","s",0,1,1,1,"x"]]]`, `"nope" is not a key of a catalog fragment`},
		"moved key":          {head + `["model","l",0,1,1,1,[["","t",0,1,1,1,[["operations","l",0,1,1,1,[]]]]]]]]`, "is not a key of a model row"},
		"a key twice":        {head + `["schema","s",0,1,1,1,"1.0"],["schema","s",0,1,1,1,"1.0"]]]`, "stands twice"},
		"wrong form":         {head + `["schema","i",0,1,1,1,"1"]]]`, "written as an integer"},
		"unknown form":       {head + `["schema","x",0,1,1,1,"1.0"]]]`, "no form"},
		"a bare date":        {head + `["schema","d",0,1,1,1,"1.0"]]]`, "written as a bare date"},
		"no such file":       {head + `["schema","s",1,1,1,1,"1.0"]]]`, "a number above 0"},
		"a place too far":    {head + `["schema","s",0,1,65536,1,"1.0"]]]`, "a number above 65535"},
		"a leading zero":     {head + `["schema","s",0,01,1,1,"1.0"]]]`, "no number"},
		"no boolean":         {head + `["model","l",0,1,1,1,[["","t",0,1,1,1,[["regional_only","b",0,1,1,1,"yes"]]]]]]]`, "neither true nor false"},
		"a count of zero":    {head + `["model","l",0,1,1,1,[["","t",0,1,1,1,[["limits","t",0,1,1,1,[["context_tokens","i",0,1,1,1,"0"]]]]]]]]]`, "out of range"},
		"a count with sign":  {head + `["model","l",0,1,1,1,[["","t",0,1,1,1,[["limits","t",0,1,1,1,[["context_tokens","i",0,1,1,1,"+5"]]]]]]]]]`, "no integer"},
		"outside an enum":    {head + `["model","l",0,1,1,1,[["","t",0,1,1,1,[["availability","s",0,1,1,1,"sometimes"]]]]]]]`, "no value of"},
		"a named item":       {head + `["model","l",0,1,1,1,[["x","t",0,1,1,1,[]]]]]]`, "an item of a list is named"},
		"an item with text":  {head + `["model","l",0,1,1,1,[["","s",0,1,1,1,"x"]]]]]`, "written as a string"},
		"a comma too many":   {head + `["schema","s",0,1,1,1,"1.0",]]]`, `no "]"`},
		"blanks":             {head + `["schema", "s",0,1,1,1,"1.0"]]]`, "where one must stand"},
		"a wrong escape":     {head + `["schema","s",0,1,1,1,"\q"]]]`, "wrong escape"},
		"a raw control":      {head + "[\"schema\",\"s\",0,1,1,1,\"a\nb\"]]]", "control character"},
		"bytes of no UTF-8":  {head + "[\"schema\",\"s\",0,1,1,1,\"\xff\"]]]", "not UTF-8"},
		"another root":       {`["x","t",0,1,1,1,[]]`, "is named"},
		"more after the end": {`["","t",0,1,1,1,[]]null`, "goes on after its end"},
		"nested without end": {strings.Repeat(head, 200), ""},
		"deep free tables":   {head + `["role","t",0,1,1,1,[["r","t",0,1,1,1,[` + strings.Repeat(`["a","t",0,1,1,1,[`, 200), "nests too deep"},
	} {
		t.Run(name, func(t *testing.T) {
			d := tree.Decoder{Files: []*tree.File{{Path: "a.toml"}}, Check: fragment.BadText}
			n, err := d.Node(tc.text, root(form.Catalog))
			if err == nil || !strings.Contains(err.Error(), tc.why) {
				t.Errorf("%v, %v; want an error with %q", n, err, tc.why)
			}
		})
	}
}

// What is read is written back the same, and no bytes make the reader panic.
func FuzzNode(f *testing.F) {
	fragments, _ := fragment.Dir(fragment.Tree{FS: sampleTree(), Layer: "bundled"})
	for i := range fragments {
		var e tree.Encoder
		f.Add(string(e.Append(nil, fragments[i].Table)), fragments[i].Root.Name == form.Capabilities.Name)
	}
	files := []*tree.File{{Path: "a.toml"}, {Path: "b.toml"}, {Path: "c.toml"}}
	f.Fuzz(func(t *testing.T, text string, rules bool) {
		at := root(form.Catalog)
		if rules {
			at = root(form.Capabilities)
		}
		d := tree.Decoder{Files: files, Check: fragment.BadText}
		n, err := d.Node(text, at)
		if err != nil {
			return
		}
		var e tree.Encoder
		for _, f := range files {
			e.Number(f)
		}
		written := string(e.Append(nil, n))
		again, err := d.Node(written, at)
		if err != nil {
			t.Fatalf("%q was read and written as %q, which is not read: %v", text, written, err)
		}
		if n == nil {
			return
		}
		same(t, n, again)
	})
}
