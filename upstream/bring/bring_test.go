package bring_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/plan"
	"github.com/opcat/opcat/plan/files"
	"github.com/opcat/opcat/upstream/bring"
	"github.com/opcat/opcat/upstream/fact"
	"github.com/opcat/opcat/upstream/want"
)

const date = "2026-11-30"

var litellm = fact.Source{Name: "litellm", Kind: fact.Aggregator, URL: "pkg:pypi/litellm@1.84.0", Version: "1.84.0", Date: date}

// A world is sources and what the upstreams want of them.
type world struct {
	t     *testing.T
	tree  *files.Snapshot
	set   *want.Set
	kept  []plan.Kept
	adopt []string
	read  []fact.Source
}

func newWorld(t *testing.T, sources map[string]string) *world {
	tree, err := files.Load(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range sources {
		tree.Put(name, []byte(text))
	}
	return &world{t: t, tree: tree, read: []fact.Source{litellm}, set: &want.Set{Providers: []want.Provider{acme()}}}
}

func acme(rows ...want.Row) want.Provider {
	return want.Provider{ID: "acme", Rows: rows, Provider: catalog.Provider{
		ID: "acme", Name: "Acme", Docs: "https://acme.example/docs",
		Credential: &catalog.Credential{Scheme: "bearer", Env: []string{"ACME_API_KEY"}, Origins: []string{"https://api.acme.example"}},
		Endpoint:   map[string]catalog.Endpoint{"openai_chat_completions": {URL: "https://api.acme.example/v1/chat/completions"}},
	}}
}

// chat is a row as the upstreams have it.
func chat(wire, input string) want.Row {
	return want.Row{From: []fact.Source{litellm}, Row: catalog.Row{
		ID: "acme/" + wire, Provider: "acme", WireModel: wire, Name: strings.ToUpper(wire),
		Limits: &catalog.Limits{ContextTokens: catalog.Known(int64(8192)), OutputTokens: catalog.Known(int64(1024))},
		Price: []catalog.Price{
			{Meter: "input_token", USDPerMillion: catalog.Decimal(input)},
			{Meter: "output_token", USDPerMillion: "2"},
		},
		Source: []catalog.Source{{URL: litellm.URL, CheckedOn: date}},
		Contracts: []catalog.Contract{{Operation: "text_generation", Protocol: []catalog.Protocol{{Name: "openai_chat_completions"}},
			InputKinds: []string{"text"}, TextGeneration: &catalog.TextGeneration{},
			Evidence: &catalog.Evidence{Support: "declared", Source: litellm.URL, CheckedOn: date}}},
	}}
}

func (w *world) wants(rows ...want.Row) { w.set = &want.Set{Providers: []want.Provider{acme(rows...)}} }

// bring plans and applies, and gives the items.
func (w *world) bring() []plan.Item {
	w.t.Helper()
	p, _, found, err := bring.Settle(bring.Input{Tree: w.tree, Want: w.set, Read: w.read, Adopt: w.adopt, Date: date}, date)
	if err != nil || found != nil {
		w.t.Fatalf("%v\n%s", err, found)
	}
	if w.tree, err = w.tree.After(p.Items); err != nil {
		w.t.Fatal(err)
	}
	w.kept = p.Kept
	return p.Items
}

func (w *world) file(name string) string {
	b, _ := w.tree.File(name)
	return string(b)
}

func (w *world) edit(name, old, new string) {
	w.t.Helper()
	if strings.Count(w.file(name), old) != 1 {
		w.t.Fatalf("%q stands not once in %s:\n%s", old, name, w.file(name))
	}
	w.tree.Put(name, []byte(strings.Replace(w.file(name), old, new, 1)))
}

func (w *world) wantFile(name, text string) {
	w.t.Helper()
	if diff := cmp.Diff(text, w.file(name)); diff != "" {
		w.t.Errorf("%s: -want +got\n%s", name, diff)
	}
}

func (w *world) wantKept(kept ...plan.Kept) {
	w.t.Helper()
	if diff := cmp.Diff(kept, w.kept); diff != "" {
		w.t.Errorf("kept: -want +got\n%s", diff)
	}
}

const (
	rows  = "catalog_sources/acme/upstream.toml"
	rules = "capability_sources/acme/upstream.toml"
)

// A provider that the sources do not have comes with its rows and rules, and a second
// plan has nothing to do.
func TestNewProvider(t *testing.T) {
	w := newWorld(t, nil)
	w.wants(chat("a", "1"), chat("b", "1.5"))
	items := w.bring()
	var ids []string
	for _, it := range items {
		ids = append(ids, it.Action+" "+it.ID)
	}
	if diff := cmp.Diff([]string{"create catalog_sources/acme/provider.toml", "create " + rows, "create " + rules, "create catalog_sources/acme/.upstream"}, ids); diff != "" {
		t.Error(diff)
	}
	w.wantFile("catalog_sources/acme/provider.toml", `schema = "1.0"

[provider.acme]
name = "Acme"
docs = "https://acme.example/docs"

[provider.acme.credential]
scheme = "bearer"
env = ["ACME_API_KEY"]
origins = ["https://api.acme.example"]

[provider.acme.endpoint.openai_chat_completions]
url = "https://api.acme.example/v1/chat/completions"
`)
	w.wantFile(rules, `schema = "1.0"

[[provider.acme]]
models = ["a", "b"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
evidence = { support = "declared", source = "pkg:pypi/litellm@1.84.0", checked_on = "2026-11-30" }
`)
	if items := w.bring(); len(items) != 0 || len(w.kept) != 0 {
		t.Errorf("a second plan: %v, %v", items, w.kept)
	}
}

// What an upstream changes is changed, and nothing else of the file, its comments
// least of all. Another version of the upstream alone changes nothing.
func TestFollows(t *testing.T) {
	w := newWorld(t, nil)
	w.wants(chat("a", "1"), chat("b", "1"))
	w.bring()
	w.edit(rows, "name = \"A\"", "# The small one.\nname = \"A\" # sic")
	before := w.file(rows)
	next := chat("a", "0.5")
	next.Row.Source[0].URL = "pkg:pypi/litellm@1.85.0"
	next.Row.Limits.InputTokens = catalog.Known(int64(7000))
	next.Row.Price = append(next.Row.Price, catalog.Price{Meter: "cache_read_token", USDPerMillion: "0.1"})
	same := chat("b", "1")
	same.Row.Source[0].URL = "pkg:pypi/litellm@1.85.0"
	w.wants(next, same)
	w.bring()
	want := strings.Replace(before, `usd_per_million = "1" }`, `usd_per_million = "0.5" }`, 1)
	want = strings.Replace(want, "context_tokens = 8192,", "context_tokens = 8192, input_tokens = 7000,", 1)
	want = strings.Replace(want, "\"2\" },\n", "\"2\" },\n  { meter = \"cache_read_token\", usd_per_million = \"0.1\" },\n", 1)
	want = strings.Replace(want, "litellm@1.84.0", "litellm@1.85.0", 1)
	w.wantFile(rows, want)
	if items := w.bring(); len(items) != 0 {
		t.Errorf("a second plan: %v", items)
	}
}

// What a person wrote, changed or took out stays, and the plan says so.
func TestPinnedIsNeverOverwritten(t *testing.T) {
	w := newWorld(t, nil)
	w.wants(chat("a", "1"))
	w.bring()
	w.edit(rows, "output_tokens = 1024", "output_tokens = 2000")
	w.edit(rows, "name = \"A\"\n", "")
	w.edit(rows, `{ meter = "input_token", usd_per_million = "1" }`, `{ meter = "input_token", usd_per_million = "1", source = "https://acme.example/prices", checked_on = "2026-11-30" }`)
	w.edit(rules, `input_kinds = ["text"]`, `input_kinds = ["text", "image"]`)
	held := w.file(rows) + w.file(rules)
	next := chat("a", "3")
	next.Row.Limits.OutputTokens = catalog.Known(int64(4096))
	next.Row.Name = "Another"
	next.Row.Contracts[0].InputKinds = []string{"text", "audio"}
	w.wants(next)
	w.bring()
	if got := w.file(rows) + w.file(rules); got != held {
		t.Error(cmp.Diff(held, got))
	}
	w.wantKept(
		plan.Kept{Resource: "acme/a", Field: "name", Theirs: "Another", Reason: "a person took it out"},
		plan.Kept{Resource: "acme/a", Field: "limits.output_tokens", Ours: "2000", Theirs: "4096", Reason: "a person wrote or changed it"},
		plan.Kept{Resource: "acme/a", Field: "price.input_token", Ours: "1", Theirs: "3", Reason: "a person wrote or changed it"},
		plan.Kept{Resource: "acme/a", Field: "operations.text_generation", Ours: w.kept[3].Ours, Theirs: w.kept[3].Theirs, Reason: "a person wrote or changed it"},
	)
	// Until they hand it back.
	w.adopt = []string{"acme/a"}
	w.bring()
	if got := w.file(rows); !strings.Contains(got, "output_tokens = 4096") || !strings.Contains(got, `usd_per_million = "3"`) || !strings.Contains(got, `"Another"`) {
		t.Errorf("not adopted:\n%s", got)
	}
	w.adopt = nil
	if items := w.bring(); len(items) != 0 || len(w.kept) != 0 {
		t.Errorf("a second plan: %v, %v", items, w.kept)
	}
}

// A row that a person wrote is left alone, and one that they took out does not come back.
func TestRowsOfPeople(t *testing.T) {
	w := newWorld(t, nil)
	w.wants(chat("a", "1"), chat("b", "1"))
	w.bring()
	own := strings.Replace(w.file(rows), `wire_model = "b"`, `wire_model = "mine"`, 1)
	w.tree.Put(rows, []byte(own))
	w.edit(rules, `["a", "b"]`, `["a", "mine"]`)
	w.wants(chat("a", "1"), chat("b", "1"), chat("mine", "9"))
	if items := w.bring(); len(items) != 0 {
		t.Errorf("%s", items[0].Params)
	}
	w.wantKept(
		plan.Kept{Resource: "acme/b", Reason: "a person took the row out; --adopt brings it back"},
		plan.Kept{Resource: "acme/mine", Field: "name", Ours: "B", Theirs: "MINE", Reason: "a person wrote the row"},
		plan.Kept{Resource: "acme/mine", Field: "price.input_token", Ours: "1", Theirs: "9", Reason: "a person wrote the row"},
	)
}

// A row that no upstream lists any more is said to be deprecated and stays; when it is
// back, that goes. One that is kept back is not gone.
func TestGoneIsDeprecated(t *testing.T) {
	w := newWorld(t, nil)
	w.wants(chat("a", "1"), chat("b", "1"))
	w.bring()
	before := w.file(rows)
	w.wants(chat("a", "1"))
	w.set.Held = []want.Held{{Provider: "acme", Row: "acme/b", Why: "the catalog shrank by half"}}
	if items := w.bring(); len(items) != 0 {
		t.Errorf("%s", items[0].Params)
	}
	w.set.Held = nil
	w.bring()
	if !strings.Contains(w.file(rows), "lifecycle = { deprecated = true, note = \"no longer in litellm on 2026-11-30\" }\n") {
		t.Errorf("not deprecated:\n%s", w.file(rows))
	}
	if items := w.bring(); len(items) != 0 {
		t.Errorf("a second plan: %s", items[0].Params)
	}
	w.wants(chat("a", "1"), chat("b", "1"))
	w.bring()
	w.wantFile(rows, before)
}

// A row that the sources would not compile with is kept out and costs no other its place.
func TestBadRowIsKeptOut(t *testing.T) {
	w := newWorld(t, nil)
	bad := chat("bad", "1")
	bad.Row.Limits.OutputTokens = catalog.Known(int64(1 << 20)) // above its context
	worse := chat("worse", "1e9")
	w.wants(chat("a", "1"), bad, worse)
	w.bring()
	if got := w.file(rows); strings.Count(got, "[[model]]") != 1 {
		t.Error(got)
	}
	if len(w.kept) != 2 || w.kept[0].Resource != "acme/worse" || w.kept[1].Resource != "acme/bad" || !strings.Contains(w.kept[1].Reason, "would not compile") {
		t.Errorf("%+v", w.kept)
	}
	if items := w.bring(); len(items) != 0 {
		t.Errorf("a second plan: %s", items[0].Params)
	}
}

// A contract that changes moves its row to another rule; the last row takes the old
// rule with it.
func TestContractsFollow(t *testing.T) {
	w := newWorld(t, nil)
	w.wants(chat("a", "1"), chat("b", "1"))
	w.bring()
	next := chat("b", "1")
	next.Row.Contracts[0].InputKinds = []string{"text", "image"}
	w.wants(chat("a", "1"), next)
	w.bring()
	w.wantFile(rules, `schema = "1.0"

[[provider.acme]]
models = ["a"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
evidence = { support = "declared", source = "pkg:pypi/litellm@1.84.0", checked_on = "2026-11-30" }

[[provider.acme]]
models = ["b"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text", "image"]
evidence = { support = "declared", source = "pkg:pypi/litellm@1.84.0", checked_on = "2026-11-30" }
`)
	if items := w.bring(); len(items) != 0 {
		t.Errorf("a second plan: %s", items[0].Params)
	}
}

// The order in which upstreams list things changes nothing in a plan.
func TestShuffledUpstreamSamePlan(t *testing.T) {
	var list []want.Row
	for _, wire := range []string{"a", "b", "c", "d", "e"} {
		list = append(list, chat(wire, "1"))
	}
	list[2].Row.Contracts[0].InputKinds = []string{"text", "image"}
	plans := map[string]bool{}
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		w := newWorld(t, nil)
		mixed := slices.Clone(list)
		r.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		other := acme()
		other.ID, other.Provider.ID = "beta", "beta"
		other.Provider.Credential.Env, other.Provider.Credential.Origins = []string{"BETA_API_KEY"}, []string{"https://api.acme.example"}
		for _, m := range mixed {
			m.Row.ID, m.Row.Provider = "beta/"+m.Row.WireModel, "beta"
			other.Rows = append(other.Rows, m)
		}
		w.set = &want.Set{Providers: []want.Provider{acme(mixed...), other}}
		r.Shuffle(2, func(i, j int) { w.set.Providers[i], w.set.Providers[j] = w.set.Providers[j], w.set.Providers[i] })
		text := ""
		for _, it := range w.bring() {
			text += it.ID + string(it.Params)
		}
		plans[text] = true
	}
	if len(plans) != 1 {
		t.Errorf("%d plans", len(plans))
	}
}

// Where another upstream's word comes to count, each price is still said to be from who
// states it, a disagreement takes the lines of the one that it replaces, and what a
// person added to the sources stays.
func TestAnotherWordCounts(t *testing.T) {
	catwalk := fact.Source{Name: "catwalk", Kind: fact.Aggregator, URL: "pkg:github/charmbracelet/catwalk@1", Version: "1", Date: date}
	w := newWorld(t, nil)
	w.read = []fact.Source{litellm, catwalk}
	first := chat("a", "1")
	first.Row.Source = []catalog.Source{{URL: catwalk.URL, CheckedOn: date}, {URL: litellm.URL, CheckedOn: date}}
	first.Row.Price = append(first.Row.Price, catalog.Price{Meter: "cache_read_token", USDPerMillion: "0.5"})
	first.Row.Disagreement = []catalog.Disagreement{{Field: "price.input_token", Value: "3 per million", Source: litellm.URL, CheckedOn: date, Why: "another comes first"}}
	w.wants(first)
	w.bring()
	w.edit(rows, "  { url = \"pkg:pypi/litellm", "  { url = \"https://acme.example/prices\", checked_on = \"2026-11-30\" },\n  { url = \"pkg:pypi/litellm")
	next := chat("a", "3")
	next.Row.Source = []catalog.Source{{URL: litellm.URL, CheckedOn: date}, {URL: catwalk.URL, CheckedOn: date}}
	next.Row.Price = append(next.Row.Price, catalog.Price{Meter: "cache_read_token", USDPerMillion: "0.5", Source: catwalk.URL, CheckedOn: date})
	next.Row.Disagreement = []catalog.Disagreement{{Field: "price.input_token", Value: "1 per million", Source: catwalk.URL, CheckedOn: date, Why: "another comes first"}}
	w.wants(next)
	w.bring()
	w.wantFile(rows, `schema = "1.0"

[[model]]
provider = "acme"
wire_model = "a"
name = "A"
limits = { context_tokens = 8192, output_tokens = 1024 }
price = [
  { meter = "input_token", usd_per_million = "3" },
  { meter = "output_token", usd_per_million = "2" },
  { meter = "cache_read_token", usd_per_million = "0.5", source = "pkg:github/charmbracelet/catwalk@1", checked_on = "2026-11-30" },
]
source = [
  { url = "pkg:pypi/litellm@1.84.0", checked_on = "2026-11-30" },
  { url = "pkg:github/charmbracelet/catwalk@1", checked_on = "2026-11-30" },
  { url = "https://acme.example/prices", checked_on = "2026-11-30" },
]

[[model.disagreement]]
field = "price.input_token"
value = "1 per million"
source = "pkg:github/charmbracelet/catwalk@1"
checked_on = "2026-11-30"
why = "another comes first"
`)
	if items := w.bring(); len(items) != 0 {
		t.Errorf("a second plan: %s", items[0].Params)
	}
}

// A provider that a plan stated follows the upstreams, but for what decides who gets its
// key; what a person wrote or changed there stays and is listed.
func TestProviderFollows(t *testing.T) {
	const file = "catalog_sources/acme/provider.toml"
	w := newWorld(t, nil)
	w.wants(chat("a", "1"))
	w.bring()
	before := w.file(file)
	p := &w.set.Providers[0].Provider
	p.Name, p.Docs = "Acme AI", "https://acme.example/reference"
	p.Endpoint = map[string]catalog.Endpoint{"openai_chat_completions": {URL: "https://api.acme.example/v2/chat/completions"}}
	w.bring()
	want := strings.Replace(before, `"Acme"`, `"Acme AI"`, 1)
	want = strings.Replace(want, "acme.example/docs", "acme.example/reference", 1)
	want = strings.Replace(want, "/v1/chat", "/v2/chat", 1)
	w.wantFile(file, want)
	w.wantKept()
	if items := w.bring(); len(items) != 0 {
		t.Errorf("a second plan: %s", items[0].Params)
	}

	// An upstream that was taken over cannot lead keys to another host.
	p.Endpoint = map[string]catalog.Endpoint{"openai_chat_completions": {URL: "https://api.acme.example.evil.example/v2/chat/completions"}}
	p.Credential = &catalog.Credential{Scheme: "bearer", Env: []string{"ACME_API_KEY"}, Origins: []string{"https://api.acme.example.evil.example"}}
	p.Name = "Evil"
	w.edit(file, `"Acme AI"`, `"Acme, Inc."`)
	held := w.file(file)
	w.bring()
	w.wantFile(file, held)
	w.wantKept(
		plan.Kept{Resource: "acme", Field: "name", Ours: "Acme, Inc.", Theirs: "Evil", Reason: "a person wrote or changed it"},
		plan.Kept{Resource: "acme", Field: "credential", Ours: w.kept[1].Ours, Theirs: w.kept[1].Theirs, Reason: w.kept[1].Reason},
		plan.Kept{Resource: "acme", Field: "endpoint.openai_chat_completions.url", Ours: "https://api.acme.example/v2/chat/completions",
			Theirs: "https://api.acme.example.evil.example/v2/chat/completions", Reason: "it says who gets the provider's key, which people alone change"},
	)

	// Of a provider that people stated, the differences are listed, until they hand it over.
	mine := newWorld(t, map[string]string{file: before, rows: w.file(rows), rules: w.file(rules)})
	mine.set = w.set
	mine.bring()
	mine.wantFile(file, before)
	if len(mine.kept) != 4 || mine.kept[0].Reason != "a person wrote the provider" {
		t.Errorf("%+v", mine.kept)
	}
	mine.adopt = []string{"acme"}
	mine.bring()
	mine.adopt = nil
	if got := mine.file(file); !strings.Contains(got, `name = "Evil"`) || strings.Contains(got, "evil.example") {
		t.Error(got)
	}
	if items := mine.bring(); len(items) != 0 {
		t.Errorf("a second plan: %s", items[0].Params)
	}
}
