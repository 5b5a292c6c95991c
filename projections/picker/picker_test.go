package picker

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/build"
	"github.com/opcat/opcat/compile/fragment"
	committed "github.com/opcat/opcat/gen/json"
	"github.com/opcat/opcat/internal/testcat"
	"github.com/opcat/opcat/internal/testcat/market"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/projections/emit"
	"github.com/opcat/opcat/shape"
)

// hostile are names and wire ids that would do harm to a page that trusts them.
var hostile = []string{
	"<script>globalThis.pwned = 1</script>", `"><img src=x onerror="globalThis.pwned = 1">`, "javascript:globalThis.pwned=1", "${globalThis.pwned = 1}",
	"\u202egnp.exe", "a\u200bb", "\u2066x\u2069", "__proto__", "constructor", "</script><script>globalThis.pwned=1//", "模型-𝒳", strings.Repeat("long-", 80) + "id",
}

// small is the catalog of the tests: testdata/small.txtar and the hostile texts.
func small(t testing.TB) *catalog.Catalog {
	t.Helper()
	a, err := txtar.ParseFile("testdata/small.txtar")
	if err != nil {
		t.Fatal(err)
	}
	tree := fstest.MapFS{}
	for _, f := range a.Files {
		tree[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	rows, rules := "schema = \"1.0\"\n", "schema = \"1.0\"\n"
	rows += "[provider.evil]\nname = '<b onclick=\"globalThis.pwned=1\">Evil</b>'\ndocs = \"https://evil.example\"\ncredential = { scheme = \"none\" }\n" +
		"endpoint.openai_chat_completions = { url = \"https://p.example/v1\" }\n"
	for _, text := range hostile {
		rows += fmt.Sprintf("[[model]]\nprovider = \"evil\"\nwire_model = %q\nname = %q\nsource = [{ url = \"https://p.example\", checked_on = \"2026-11-01\" }]\n", text, text)
		rules += fmt.Sprintf("[[provider.evil]]\nmodels = [%q]\n[provider.evil.operations.text_generation]\nprotocol = \"openai_chat_completions\"\ninput_kinds = [\"text\"]\n", text)
	}
	tree["catalog_sources/evil.toml"] = &fstest.MapFile{Data: []byte(rows)}
	tree["capability_sources/evil.toml"] = &fstest.MapFile{Data: []byte(rules)}
	r := compile.Run(compile.Input{Trees: []fragment.Tree{{FS: tree, Layer: "bundled"}}, AsOf: "2026-11-30"})
	if r.Catalog == nil {
		t.Fatal(r.Diags, r.Err)
	}
	return r.Catalog
}

func emitted(t testing.TB, c *catalog.Catalog) map[string][]byte {
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

func object(t testing.TB, text string) map[string]any {
	t.Helper()
	var v map[string]any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %.300s", err, text)
	}
	return v
}

// lists are the lists of a document by name, at any depth of objects.
func list(of map[string]any, names ...string) []any {
	for _, name := range names[:len(names)-1] {
		of = of[name].(map[string]any)
	}
	return of[names[len(names)-1]].([]any)
}

func number(v any) int {
	n, err := v.(json.Number).Int64()
	if err != nil {
		panic(err)
	}
	return int(n)
}

// subset reports whether what one value says is what the other says too, and at most
// objects say less.
func subset(part, whole any) bool {
	switch p := part.(type) {
	case map[string]any:
		w, ok := whole.(map[string]any)
		if !ok {
			return false
		}
		for k, v := range p {
			if !subset(v, w[k]) {
				return false
			}
		}
		return true
	case []any:
		w, ok := whole.([]any)
		return ok && slices.EqualFunc(p, w, subset)
	}
	return reflect.DeepEqual(part, whole)
}

// Every route of every operation is there, and its row, prices, contract, settings and
// evidence are what the catalog says; rows without a contract are apart.
func TestFileSaysWhatTheCatalogSays(t *testing.T) {
	bundled, err := committed.Catalog()
	if err != nil {
		t.Fatal(err)
	}
	made, err := build.Catalog(testcat.New(5, 0.9).Draft(40))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]*catalog.Catalog{"bundled": bundled, "made": made, "small": small(t)} {
		t.Run(name, func(t *testing.T) { holdsTo(t, c) })
	}
}

func holdsTo(t *testing.T, c *catalog.Catalog) {
	doc := object(t, string(emitted(t, c)["picker.json"]))
	if doc["schema"] != SchemaName || doc["catalog"] != c.Digest() || doc["as_of"] != string(catalog.DateOf(c.AsOf())) {
		t.Errorf("it begins with %v, %v, %v", doc["schema"], doc["catalog"], doc["as_of"])
	}
	rows, prices := list(doc, "rows"), list(doc, "prices")
	routes := 0
	for _, o := range operations.All() {
		of := doc["operations"].(map[string]any)[o.Name].(map[string]any)
		columns := of["routes"].(map[string]any)
		i := 0
		for r := range c.Routes(o.Name) {
			at := func(column string) int { return number(columns[column].([]any)[i]) }
			whole := object(t, r.JSON())
			row := maps.Clone(rows[at("row")].(map[string]any))
			if n, priced := row["price"]; priced {
				row["price"] = prices[number(n)]
				if !reflect.DeepEqual(row["price"], whole["price"]) {
					t.Errorf("%s has the prices %v", r.ID(), row["price"])
				}
			} else if whole["price"] != nil {
				t.Errorf("%s has lost its prices", r.ID())
			}
			if row["id"] != r.ID() || !subset(row, whole) {
				t.Errorf("%s is %v", r.ID(), row)
			}
			contract := object(t, r.ContractJSON(o.Name))
			if got := of["contracts"].([]any)[at("contract")]; !subset(got, contract) || !reflect.DeepEqual(got.(map[string]any)["input_kinds"], contract["input_kinds"]) {
				t.Errorf("%s: the contract for %s is %v", r.ID(), o.Name, got)
			}
			settings, _ := contract["settings"].(map[string]any)
			if got := of["setting_lists"].([]any)[at("settings")].(map[string]any); len(got) != len(settings) || !subset(got, settings) {
				t.Errorf("%s: the settings for %s are %v", r.ID(), o.Name, got)
			}
			evidence, _ := contract["evidence"].(map[string]any)
			if got := list(doc, "evidence")[at("evidence")].(map[string]any); got["support"] != evidence["support"] || !subset(got, evidence) && len(got) > 0 {
				t.Errorf("%s: the evidence for %s is %v", r.ID(), o.Name, got)
			}
			i++
		}
		for name, column := range columns {
			if len(column.([]any)) != i {
				t.Errorf("%s: column %s has %d of %d routes", o.Name, name, len(column.([]any)), i)
			}
		}
		routes += i
	}
	listed := list(doc, "listed")
	if len(rows)+len(listed) != c.Len() || routes < len(rows) {
		t.Errorf("%d rows and %d listed ones of %d, %d routes", len(rows), len(listed), c.Len(), routes)
	}
	for _, row := range listed {
		r, ok := c.Find(row.(map[string]any)["id"].(string))
		if !ok || len(r.Operations()) > 0 {
			t.Errorf("%v is listed, and can be picked", row)
		}
	}
	for _, id := range c.ProviderIDs() {
		if got, _ := doc["providers"].(map[string]any)[id].(map[string]any); got["name"] == nil || !subset(got, object(t, c.ProviderJSON(id))) {
			t.Errorf("provider %s is %v", id, got)
		}
	}
	for _, name := range []string{"aliases", "defaults", "presentation"} {
		if text := c.SectionJSON(name); text != "" && !reflect.DeepEqual(doc[name], any(object(t, text))) {
			t.Errorf("%s is %v", name, doc[name])
		}
	}
}

// An unknown price is the absence of a list: no entry, no zero.
func TestUnknownPriceIsAbsent(t *testing.T) {
	doc := object(t, string(emitted(t, small(t))["picker.json"]))
	seen := 0
	for _, row := range list(doc, "rows") {
		row := row.(map[string]any)
		switch row["id"] {
		case "acme/unpriced":
			if p, ok := row["price"]; ok {
				t.Errorf("the unpriced row has price list %v", p)
			}
			seen++
		case "acme/free":
			if got := list(doc, "prices")[number(row["price"])].([]any)[0].(map[string]any)["usd_per_million"]; got != "0" {
				t.Errorf("the free row costs %v", got)
			}
			seen++
		}
	}
	if seen != 2 {
		t.Error("the rows are not there")
	}
}

// The script says what the file says, a line for a line.
func TestScriptIsTheFile(t *testing.T) {
	files := emitted(t, small(t))
	text, ok := bytes.CutPrefix(files["picker.js"], []byte(script))
	text, end := bytes.CutSuffix(text, []byte("\\\n');\n"))
	back := strings.NewReplacer("\\\n", "\n", `\'`, "'", `\\`, `\`).Replace(string(text))
	if !ok || !end || back+"\n" != string(files["picker.json"]) {
		t.Errorf("the script is %.200s", files["picker.js"])
	}
}

// The committed files are what their catalog emits.
func TestCommittedPicker(t *testing.T) {
	c, err := committed.Catalog()
	if err != nil {
		t.Fatal(err)
	}
	files, err := Emitter.Emit(c)
	if err != nil {
		t.Fatal(err)
	}
	diffs, err := emit.Check("../../gen/picker", files)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range diffs {
		t.Errorf("%s\nto mend it: %s", d, emit.Mend("gen"))
	}
}

// Two catalogs of the same facts give the same bytes, and so do two runs.
func TestSameFactsSameBytes(t *testing.T) {
	draft := testcat.New(5, 0.9).Draft(40)
	var first []byte
	for seed := range uint64(3) {
		c, err := build.Catalog(testcat.Shuffled(draft, seed, func(*shape.Key) bool { return false }))
		if err != nil {
			t.Fatal(err)
		}
		got := emitted(t, c)["picker.json"]
		if first == nil {
			first = got
		}
		if !bytes.Equal(first, got) {
			t.Errorf("seed %d gives another file", seed)
		}
	}
}

// A catalog without rows is a file too.
func TestEmptyCatalog(t *testing.T) {
	d := testcat.New(1, 0).Draft(1)
	d.Rows, d.Providers = nil, nil
	c, err := build.Catalog(d)
	if err != nil {
		t.Fatal(err)
	}
	if doc := object(t, string(emitted(t, c)["picker.json"])); len(list(doc, "rows"))+len(list(doc, "listed")) != 0 {
		t.Errorf("%v", doc)
	}
}

// What a browser loads stays small when there are many rows.
func TestPayload(t *testing.T) {
	many, err := market.New(5000, 1)
	if err != nil {
		t.Fatal(err)
	}
	if n := payload(t, many); n > 400_000 {
		t.Errorf("5,000 rows are %d bytes with gzip", n)
	}
}

// payload is what a browser loads of a page, compressed as servers do it.
func payload(t testing.TB, c *catalog.Catalog) (sum int) {
	t.Helper()
	files := emitted(t, c)
	for _, name := range []string{"index.html", "page.css", "page.js", "picker.js"} {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		if files[name] == nil {
			t.Fatalf("there is no %s", name)
		}
		z.Write(files[name])
		z.Close()
		sum += b.Len()
	}
	return sum
}

func BenchmarkEmit(b *testing.B) {
	c, err := market.New(5000, 1)
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
