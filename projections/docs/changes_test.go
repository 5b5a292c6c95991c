package docs

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile/build"
	"github.com/opcat/opcat/internal/testcat"
	"github.com/opcat/opcat/projections/emit"
)

func edition(t *testing.T, rows, rules string) *catalog.Catalog {
	return compiled(t, `schema = "1.0"
[provider.acme]
name = "Acme"
credential = { scheme = "none" }
endpoint.openai_chat_completions = { url = "https://api.acme.example/v1/chat/completions" }
endpoint.openai_moderations = { url = "https://api.acme.example/v1/moderations" }
`+rows, `schema = "1.0"
`+rules)
}

const grantOld = `
[[provider.acme]]
models = ["old"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
`

const grantChat = `
[[provider.acme]]
models = ["chat"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
`

const grantBoth = grantChat + `
[provider.acme.operations.moderation]
protocol = "openai_moderations"
input_kinds = ["text"]
`

const chat = `
[[model]]
provider = "acme"
wire_model = "chat"
limits = { context_tokens = 1000 }
price = [{ meter = "input_token", usd_per_million = "2" }, { meter = "input_token", usd_per_million = "1", service_tier = "batch" }]
source = [{ url = "https://acme.example/m", checked_on = "2026-11-01" }]
`

func TestCompareSaysEachFact(t *testing.T) {
	old := "[[model]]\nprovider = \"acme\"\nwire_model = \"old\"\n"
	a := edition(t, chat+old, grantBoth+grantOld)
	b := edition(t, strings.NewReplacer(`= "1", service`, `= "0.5", service`, "context_tokens = 1000", "context_tokens = 2000", "2026-11-01", "2026-11-02").Replace(chat)+strings.ReplaceAll(old, "old", "new"),
		grantChat+strings.ReplaceAll(grantOld, "old", "new"))
	d := Compare(a, b)
	want := &Changes{Schema: ChangesSchema, From: editionOf(a), To: editionOf(b), Removed: []string{"acme/old"}, Added: []string{"acme/new"}, Sourced: []string{},
		Changed: []Changed{{"acme/chat", []Fact{
			{"limits.context_tokens", "1000", "2000"},
			{"operations.moderation", granted, ""},
			{"price input_token service_tier batch", "usd_per_million 1", "usd_per_million 0.5"},
		}}}}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	page := string(file1(t, WithChanges(nil, b, d), "changes.md"))
	for _, line := range []string{
		"**Breaking for who uses them:** 1 row or provider is gone, and 1 operation was taken from rows that stay.",
		"| `acme/old` |",
		"| [`acme/chat`](providers/acme/README.md#m-chat) | price input_token service_tier batch | usd_per_million 1 | usd_per_million 0.5 |",
		"| [`acme/chat`](providers/acme/README.md#m-chat) | operations.moderation | granted | not stated |",
		"| [`acme/new`](providers/acme/README.md#m-new) |",
	} {
		if !strings.Contains(page, line) {
			t.Errorf("the page does not say %s\n%s", line, page)
		}
	}
}

func file1(t *testing.T, files []emit.File, name string) []byte {
	t.Helper()
	i := slices.IndexFunc(files, func(f emit.File) bool { return f.Path == name })
	if i < 0 {
		t.Fatalf("there is no %s", name)
	}
	return files[i].Bytes()
}

// What changed in two steps is what changed from the first to the last.
func TestChangesAddUp(t *testing.T) {
	for seed := range uint64(6) {
		var c [3]*catalog.Catalog
		for i := range c {
			var err error
			if c[i], err = build.Catalog(testcat.New(seed*3+uint64(i), 0.5).Draft(30 - 7*i)); err != nil {
				t.Fatal(err)
			}
		}
		got, want := Compare(c[0], c[1]).then(Compare(c[1], c[2])), Compare(c[0], c[2])
		if len(want.Changed) == 0 || len(want.Removed) == 0 {
			t.Error("nothing changed")
		}
		// Of a contract that goes and comes again with something else, the one knows what is
		// else and the other does not.
		simple := func(d *Changes) *Changes {
			for i := range d.Changed {
				d.Changed[i].Facts = slices.DeleteFunc(d.Changed[i].Facts, func(f Fact) bool { return strings.HasPrefix(f.Fact, "operations.") })
			}
			return d
		}
		if diff := cmp.Diff(simple(want), simple(got)); diff != "" {
			t.Errorf("seed %d (-at once +in steps):\n%.2000s", seed, diff)
		}
	}
}

// A record goes on within a date, starts again at the next, and stays where nothing
// changed.
func TestEditions(t *testing.T) {
	first, second, third := edition(t, chat, grantChat), edition(t, strings.ReplaceAll(chat, "1000", "2000"), grantChat), edition(t, strings.ReplaceAll(chat, "1000", "3000"), grantChat)
	if Since(nil, nil, first) != nil || Since(nil, first, first) != nil {
		t.Error("something changed from nothing")
	}
	one := Since(nil, first, second)
	two := Since(one, second, third)
	if got := two.Changed[0].Facts; len(got) != 1 || got[0] != (Fact{"limits.context_tokens", "1000", "3000"}) {
		t.Errorf("two compiles for one date changed %v", got)
	}
	if Since(two, third, third) != two {
		t.Error("a compile without a change wrote another record")
	}
	if back := Since(two, third, first); len(back.Changed) != 0 || back.From.Catalog != first.Digest() {
		t.Errorf("what was changed and changed back is %v", back)
	}
	earlier := *one
	earlier.To.Catalog = "sha256:" + strings.Repeat("0", 64) // of a tree that is not this one
	if got := Since(&earlier, second, third); got.From.Catalog != second.Digest() {
		t.Error("a record of another tree was gone on with")
	}
}

// A record is read as it was written, and only then.
func TestRecordOfChanges(t *testing.T) {
	a, err := build.Catalog(testcat.New(1, 0.5).Draft(20))
	if err != nil {
		t.Fatal(err)
	}
	b, err := build.Catalog(testcat.New(2, 0.5).Draft(10))
	if err != nil {
		t.Fatal(err)
	}
	d := Compare(a, b)
	again, err := ReadChanges(d.text())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(d, again); diff != "" {
		t.Error(diff)
	}
	for _, bad := range []string{"", "{}", "[]", `{"schema":"opcat.catalog_changes@2"}`, strings.Replace(string(d.text()), `"from"`, `"form"`, 1)} {
		if _, err := ReadChanges([]byte(bad)); err == nil {
			t.Errorf("%.40q was read", bad)
		}
	}
}

// A day on which everything changed does not flood the tree.
func TestChangesAreBounded(t *testing.T) {
	d := &Changes{}
	for range 3000 {
		d.Changed = append(d.Changed, Changed{"a/b", make([]Fact, 10)})
	}
	n := 0
	for _, r := range d.bounded().Changed {
		n += len(r.Facts)
	}
	if n == 0 || n > maxFacts {
		t.Errorf("%d facts are recorded", n)
	}
}

// What is read is written as it was read, or refused.
func FuzzReadChanges(f *testing.F) {
	f.Add((&Changes{Schema: ChangesSchema, Removed: []string{"a/b"}, Added: []string{"a/c"}, Sourced: []string{"a/d"},
		Changed: []Changed{{"a/e", []Fact{{"limits.context_tokens", "1", ""}}}}}).text())
	f.Add([]byte(`{"schema":"opcat.catalog_changes@1"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := ReadChanges(text)
		if err != nil {
			return
		}
		again, err := ReadChanges(d.text())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(d, again, cmpopts.EquateEmpty()); diff != "" {
			t.Error(diff)
		}
	})
}
