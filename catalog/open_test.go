package catalog_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile/build"
	"github.com/opcat/opcat/internal/testcat"
)

const small = `{
"schema":"opcat.catalog@1",
"as_of":"2026-11-30",
"holds":{},
"providers":{
"acme":{"name":"Acme","credential":{"scheme":"none"}}
},
"models":[
{"id":"acme/a","provider":"acme","wire_model":"a","limits":{"context_tokens":8192},"price":[{"meter":"request","usd_per_unit":"0"}],"operations":{"embedding":{"protocol":["openai_embeddings"],"input_kinds":["text"],"dimensions":{"default":2,"allowed":[1,2]},"evidence":{"support":"probed"}}}},
{"id":"acme/b","provider":"acme","wire_model":"b","operations":{}}
]
}
`

func TestOpen(t *testing.T) {
	c, err := catalog.Open([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	if c.JSON() != small || c.Len() != 2 || c.RouteCount("embedding") != 1 || c.RouteCount("text_generation") != 0 {
		t.Errorf("%d rows, %d routes, text:\n%s", c.Len(), c.RouteCount("embedding"), c.JSON())
	}
	r, ok := c.Find("acme/a")
	if !ok || !r.Has("embedding") || r.Has("text_generation") || r.Support("embedding") != "probed" || !r.Takes("embedding", "text") || r.Takes("embedding", "image") {
		t.Errorf("the index knows %q: %v %v %v", r.ID(), r.Operations(), r.Support("embedding"), r.InputKinds("embedding"))
	}
	row := r.Row()
	if n, ok := row.Limits.ContextTokens.Get(); n != 8192 || !ok {
		t.Errorf("context_tokens is %v", row.Limits.ContextTokens)
	}
	if _, ok := row.Limits.OutputTokens.Get(); ok || row.Limits.OutputTokens.Or(-1) != -1 {
		t.Error("a limit that nobody stated is known")
	}
	if p := row.Price[0].USDPerUnit; !p.IsZero() || row.Price[0].USDPerMillion.IsKnown() || row.Price[0].ServiceTier != "standard" {
		t.Errorf("the price is %+v", row.Price[0])
	}
	e, ok := r.Contract("embedding")
	if !ok || e.Operation != "embedding" || e.Embedding.Dimensions.Default != 2 || e.TextGeneration != nil {
		t.Errorf("the contract is %+v", e)
	}
	for _, id := range []string{"", "acme", "acme/", "acme/aa", "acme/c", "b/a"} {
		if _, ok := c.Row(id); ok {
			t.Errorf("there is a row %q", id)
		}
	}
	if got := r.JSONFor("embedding"); got != r.JSON() || r.JSONFor("reranking") != "" {
		t.Errorf("the row's only contract alone: %s", got)
	}
}

// What a caller does to a result changes nobody else's.
func TestResultsAreCopies(t *testing.T) {
	c, err := catalog.Open([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	row, _ := c.Row("acme/a")
	row.Price[0].Meter = "page"
	row.Limits.ContextTokens = catalog.Known[int64](1)
	row.Contracts[0].InputKinds[0] = "audio"
	row.Contracts[0].Embedding.Dimensions.Allowed[0] = 7
	again, _ := c.Row("acme/a")
	if b, _ := again.MarshalJSON(); string(b) != strings.Split(small, "\n")[8][:len(b)] {
		t.Errorf("the catalog changed: %s", b)
	}
}

// Any blanks are fine; the digest is that of the canonical text.
func TestBlanksDoNotCount(t *testing.T) {
	want, err := catalog.Open([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"pretty":   string(want.Pretty()),
		"one line": strings.ReplaceAll(small, "\n", ""),
		"crlf":     strings.ReplaceAll(small, "\n", "\r\n"),
		"spaced":   strings.NewReplacer(`":`, `" :  `, `,"`, " , \t\"").Replace(small),
	} {
		got, err := catalog.Open([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got.Digest() != want.Digest() || got.JSON() != small {
			t.Errorf("%s: another catalog:\n%s", name, got.JSON())
		}
	}
	if !strings.Contains(string(want.Pretty()), "\n      \"wire_model\": \"b\",\n") {
		t.Errorf("pretty:\n%s", want.Pretty())
	}
}

// Each of these is refused, with what is wrong and where.
func TestOpenRefuses(t *testing.T) {
	for _, tc := range []struct{ name, old, new, want string }{
		{"nothing", small, "", "a JSON object is wanted"},
		{"an empty object", small, "{}", "a JSON object is wanted"},
		{"no object", small, "[]", "a JSON object is wanted"},
		{"a newer schema", "catalog@1", "catalog@2", `unknown word "opcat.catalog@2"`},
		{"an unknown member", `"holds":{}`, `"holdings":{}`, `misplaced member "holdings"`},
		{"no date", "\"as_of\":\"2026-11-30\",\n", "", "no as_of"},
		{"no rows", strings.Join(strings.Split(small, "\n")[7:11], "\n"), "", "byte"},
		{"a null row", `{"id":"acme/b","provider":"acme","wire_model":"b","operations":{}}`, "null", "no table"},
		{"an unknown key", `"limits"`, `"limit"`, `unknown or misplaced key "limit"`},
		{"a repeated key", `"wire_model":"b"`, `"wire_model":"b","wire_model":"b"`, `misplaced key "wire_model"`},
		{"keys out of order", `"id":"acme/b","provider":"acme"`, `"provider":"acme","id":"acme/b"`, `"provider" where id must stand`},
		{"a repeated row", `"acme/b"`, `"acme/a"`, "the id is not provider/wire_model"},
		{"rows out of order", `{"id":"acme/b","provider":"acme","wire_model":"b"`, `{"id":"acme/Z","provider":"acme","wire_model":"Z"`, "repeated or out of order"},
		{"a provider that is not there", `"acme":{"name"`, `"acne":{"name"`, "a provider that the catalog does not have"},
		{"another id", `"wire_model":"a"`, `"wire_model":"c"`, "the id is not provider/wire_model"},
		{"a number for a price", `"usd_per_unit":"0"`, `"usd_per_unit":0`, "no string"},
		{"a price with a comma", `"usd_per_unit":"0"`, `"usd_per_unit":"1,5"`, "not a decimal number"},
		{"a price in another spelling", `"usd_per_unit":"0"`, `"usd_per_unit":"0.50"`, "not a decimal number in its one spelling"},
		{"not a number", `"usd_per_unit":"0"`, `"usd_per_unit":"NaN"`, "not a decimal number"},
		{"a fraction for a count", "8192", "8192.5", "no comma or brace"},
		{"a count of zero", "8192", "0", "out of range"},
		{"a count too large for a number", "8192", "9007199254740992", "another spelling"},
		{"a count with zeros", "8192", "08192", "another spelling"},
		{"an unknown meter", `"meter":"request"`, `"meter":"requests"`, `unknown word "requests"`},
		{"an unknown operation", `"operations":{}`, `"operations":{"embeding":{}}`, `operation "embeding"`},
		{"a set out of order", "[1,2]", "[2,1]", "misplaced count"},
		{"an empty set that may not be", `"input_kinds":["text"]`, `"input_kinds":[]`, "an empty list"},
		{"an unneeded escape", `"Acme"`, `"\u0041cme"`, "an escape that is not needed"},
		{"a stated default", `"usd_per_unit":"0"`, `"usd_per_unit":"0","service_tier":"standard"`, "says what leaving it out means"},
		{"an empty text", `"Acme"`, `""`, "an empty text"},
		{"no date at all", `"2026-11-30"`, `"soon"`, "is not a date"},
		{"bytes that are no text", "Acme", "Ac\xffe", "not UTF-8"},
		{"a line break in a string", "Acme", "Ac\nme", "byte"},
		{"joined words", "8192", "81 92", "blanks within a value"},
		{"a tail", "]\n}\n", "]\n}\n{}", "byte"},
		{"a cut", "\n]\n}\n", "", "ends within a value"},
	} {
		text := strings.Replace(small, tc.old, tc.new, 1)
		if text == small && tc.old != "" {
			t.Fatalf("%s: nothing was replaced", tc.name)
		}
		c, err := catalog.Open([]byte(text))
		if err == nil {
			t.Errorf("%s: accepted:\n%s", tc.name, c.JSON())
		} else if !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %q does not say %q", tc.name, err, tc.want)
		}
	}
}

func TestIndexBelongsToItsText(t *testing.T) {
	built, err := build.Catalog(testcat.Large(200))
	if err != nil {
		t.Fatal(err)
	}
	text, index := built.JSON(), built.Index()
	c, err := catalog.OpenIndexed(text, index)
	if err != nil || c.Verify() != nil {
		t.Fatalf("%v, %v", err, c.Verify())
	}
	other := strings.Replace(text, "usd_per_million\":\"1.", "usd_per_million\":\"2.", 1)
	if _, err := catalog.OpenIndexed(other, index); err == nil {
		t.Error("an index was taken for another text of the same length")
	}
	for i := range index {
		damaged := []byte(index)
		damaged[i] ^= 0x40
		if _, err := catalog.OpenIndexed(text, string(damaged)); err == nil {
			t.Fatalf("a damaged index was taken (byte %d)", i)
		}
	}
	for _, n := range []int{0, 7, 50, 95, 96, len(index) - 1} {
		if _, err := catalog.OpenIndexed(text, index[:n]); err == nil {
			t.Errorf("the first %d bytes of an index were taken", n)
		}
	}
}

// What Open takes is canonical, whole and closed under its own writing.
func FuzzOpen(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte("{}"))
	f.Add([]byte("{\n\"schema\":\"opcat.catalog@1\",\n\"as_of\":\"2026-11-30\",\n\"holds\":{},\n\"providers\":{},\n\"models\":[]\n}\n"))
	for seed := range uint64(6) {
		c, err := build.Catalog(testcat.New(seed, 0.1).Draft(1))
		if err != nil {
			f.Fatal(err)
		}
		f.Add([]byte(c.JSON()))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := catalog.Open(data)
		if err != nil {
			return
		}
		if err := c.Verify(); err != nil {
			t.Fatal(err)
		}
		for r := range c.Refs() {
			if again, _ := r.Row().MarshalJSON(); string(again) != r.JSON() {
				t.Fatalf("row changed by a round trip:\n%s\n%s", r.JSON(), again)
			}
			for _, o := range r.Operations() {
				if _, ok := r.Contract(o); !ok || r.JSONFor(o) == "" {
					t.Fatalf("%s has no contract for %s", r.ID(), o)
				}
			}
		}
		for p := range c.Providers() {
			if again, _ := p.MarshalJSON(); string(again) != c.ProviderJSON(p.ID) {
				t.Fatalf("provider changed by a round trip:\n%s\n%s", c.ProviderJSON(p.ID), again)
			}
		}
		c.Aliases()
		c.Defaults()
		c.Ladders()
		c.GenerationDefaults()
		c.Roles()
		c.Suggest()
		c.DataControlsPolicy()
		c.Presentation()
		c.Removed()
		pretty, err := catalog.Open(c.Pretty())
		if err != nil || pretty.Digest() != c.Digest() {
			t.Fatalf("the pretty form is another catalog: %v", err)
		}
	})
}

// No index makes OpenIndexed panic, whatever its checksums say of it.
func FuzzOpenIndexed(f *testing.F) {
	c, err := build.Catalog(testcat.New(3, 0.5).Draft(3))
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(c.Index()), 100, byte(1))
	f.Fuzz(func(t *testing.T, data []byte, at int, flip byte) {
		if at >= 0 && at < len(data) {
			data = append([]byte{}, data...)
			data[at] ^= flip
		}
		catalog.OpenIndexed(c.JSON(), string(catalog.Resealed(data)))
	})
}

// A record of provenance may say anything; reading it only fails.
func FuzzOpenProvenance(f *testing.F) {
	d := testcat.New(3, 0.2).Draft(2)
	c, err := build.Catalog(d)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(build.Provenance(d, c.Digest())))
	f.Fuzz(func(t *testing.T, text string) {
		p, err := catalog.OpenProvenance(text)
		if err != nil {
			return
		}
		for r := range c.Refs() {
			p.Row(r)
		}
		for _, id := range c.ProviderIDs() {
			p.Provider(c, id)
		}
	})
}

// A catalog that is printed is its digest, and never its text.
func TestPrintedCatalogIsItsDigest(t *testing.T) {
	c, err := catalog.Open([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	for _, verb := range []string{"%v", "%+v", "%s", "%#v"} {
		if got := fmt.Sprintf(verb, c); got != c.Digest() {
			t.Errorf("%s prints %.100q", verb, got)
		}
	}
}
