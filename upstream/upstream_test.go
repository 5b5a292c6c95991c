package upstream_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/upstream"
	"github.com/opcat/opcat/upstream/amount"
	"github.com/opcat/opcat/upstream/fact"
	"github.com/opcat/opcat/upstream/want"
)

// readFrom reads files with the reader of a name.
func readFrom(t testing.TB, reader, name string, files map[string]string) fact.Catalog {
	t.Helper()
	c, err := tryRead(reader, name, files)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func tryRead(reader, name string, files map[string]string) (fact.Catalog, error) {
	fsys := fstest.MapFS{}
	for n, text := range files {
		fsys[n] = &fstest.MapFile{Data: []byte(text)}
	}
	r, _ := upstream.Find(reader)
	return r.Read(upstream.Input{FS: fsys, Name: name, AsOf: "2026-11-30",
		Source: fact.Source{Name: reader, Kind: r.Kind, URL: "pkg:generic/" + reader + "@1", Version: "1", Checked: "2026-11-30"}})
}

func model(t testing.TB, c fact.Catalog, wire string) *fact.Model {
	t.Helper()
	for i := range c.Models {
		if c.Models[i].Row.WireModel == wire {
			return c.Models[i]
		}
	}
	t.Fatalf("%s is not read: %+v", wire, c.Faults)
	return nil
}

// Units are exact: the digits of the source, at another place of the point.
func TestAmounts(t *testing.T) {
	for _, c := range []struct {
		text   string
		places int
		want   catalog.Decimal
		err    error
	}{
		{"0.0000002", 6, "0.2", nil}, {"0.000000042", 6, "0.042", nil}, {"0.0000033", 6, "3.3", nil}, {"1e-06", 6, "1", nil}, {"1.5E-7", 6, "0.15", nil},
		{"100", 0, "100", nil}, {"12", -3, "0.012", nil}, {"2.4999999999999998e-07", 6, "0.24999999999999998", nil}, {"0.0", 6, "0", nil}, {"-0", 6, "0", nil},
		{"1e308", 6, "", amount.ErrTooLong}, {"-1", 6, "", amount.ErrNegative}, {"nan", 6, "", amount.ErrNotNumber}, {"0x10", 0, "", amount.ErrNotNumber},
		{"1e999999999999", 0, "", amount.ErrTooLong}, {"", 0, "", amount.ErrNotNumber}, {".", 0, "", amount.ErrNotNumber},
	} {
		got, err := amount.Shifted(c.text, c.places)
		if got != c.want || err != c.err {
			t.Errorf("%s by %d: %q, %v; want %q, %v", c.text, c.places, got, err, c.want, c.err)
		}
	}
}

const litellmFile = `{
 "acme/chat": {"litellm_provider": "acme", "mode": "chat", "input_cost_per_token": 2e-06, "output_cost_per_token": 4e-06, "input_cost_per_token_above_200k_tokens": 3e-06,
   "input_cost_per_token_batches": 1e-06, "cache_creation_input_token_cost": 2.5e-06, "cache_creation_input_token_cost_above_1hr": 4e-06, "max_input_tokens": 400000,
   "max_output_tokens": 8000, "supports_function_calling": true, "brand_new_field": 7, "input_cost_per_tokn_flex": 1},
 "acme/embed": {"litellm_provider": "acme", "mode": "embedding", "input_cost_per_token": 1e-07, "output_cost_per_token": 0.0, "output_vector_size": 1024, "max_input_tokens": 512},
 "acme/width": {"litellm_provider": "acme", "mode": "embedding", "input_cost_per_token": 1e-07, "output_vector_size": 3072, "max_output_tokens": 3072},
 "acme/odd": {"litellm_provider": "acme", "mode": "one of: chat, embedding", "input_cost_per_token": 1e-07},
 "acme/whisper": {"litellm_provider": "acme", "mode": "audio_transcription", "input_cost_per_second": 0.0001, "output_cost_per_second": 0.0},
 "acme/free": {"litellm_provider": "acme", "mode": "chat", "input_cost_per_token": 0.0, "output_cost_per_token": 0.0},
 "acme/typo": {"litellm_provider": "acme", "mode": "chat", "input_cost_per_token": 0.015}
}`

func prices(m *fact.Model) (out []string) {
	for _, p := range m.Row.Price {
		s := p.Meter + " " + string(p.USDPerMillion) + string(p.USDPerUnit)
		for _, c := range []string{p.ServiceTier, p.CacheLifetime, p.Variant, p.Region} {
			if c != "" {
				s += " " + c
			}
		}
		if n, ok := p.AboveInputTokens.Get(); ok && n > 0 {
			s += " above " + p.AboveInputTokens.String()
		}
		out = append(out, s)
	}
	return out
}

// Tiers, batches and lifetimes come through; what nobody knows is counted and kept, and
// a zero that nobody stated is no price.
func TestLiteLLM(t *testing.T) {
	c := readFrom(t, "litellm", "f.json", map[string]string{"f.json": litellmFile})
	if diff := cmp.Diff([]string{"input_token 2", "input_token 3 above 200000", "input_token 1 batch", "output_token 4", "cache_write_token 4 1h", "cache_write_token 2.5 5m"}, prices(model(t, c, "chat"))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"input_audio_second 0.0001"}, prices(model(t, c, "whisper"))); diff != "" {
		t.Error(diff)
	}
	if free := model(t, c, "free"); len(free.Row.Price) != 0 || len(free.Unread) != 2 {
		t.Errorf("a zero that LiteLLM also writes for unknown is taken for free: %v %v", prices(free), free.Unread)
	}
	if typo := model(t, c, "typo"); len(typo.Row.Price) != 0 || len(typo.Unread) != 1 || !strings.Contains(typo.Unread[0].Why, "15000 USD") {
		t.Errorf("a price in another unit is believed: %v %v", prices(typo), typo.Unread)
	}
	var news []string
	for _, n := range c.News {
		news = append(news, n.Path)
	}
	if !slices.Equal(news, []string{"brand_new_field", "input_cost_per_tokn_flex"}) {
		t.Errorf("unknown fields: %v", news)
	}
}

const modelsDevProvider = "name = \"Acme\"\nnpm = \"@ai-sdk/openai-compatible\"\napi = \"https://api.acme.example/v1\"\nenv = [\"ACME_API_KEY\"]\ndoc = \"https://acme.example\"\n"

func modelsDev(models map[string]string) map[string]string {
	files := map[string]string{"providers/acme/provider.toml": modelsDevProvider}
	for name, text := range models {
		files["providers/acme/models/"+name+".toml"] = text
	}
	return files
}

const textOut = "name = \"M\"\ntool_call = %\nreasoning = false\n[modalities]\ninput = [\"text\"]\noutput = [\"text\"]\n[limit]\ncontext = 8192\noutput = 1024\n"

// Text that comes out grants nothing on its own, another sign does, and an upstream that
// says otherwise takes it back.
func TestTextAloneGrantsNothing(t *testing.T) {
	c := readFrom(t, "models.dev", ".", modelsDev(map[string]string{
		"alone": strings.Replace(textOut, "%", "false", 1), "tools": strings.Replace(textOut, "%", "true", 1), "embed": strings.Replace(textOut, "%", "true", 1)}))
	l := readFrom(t, "litellm", "f.json", map[string]string{"f.json": litellmFile})
	got := jobs(want.Build([]fact.Catalog{c, l}, nil, nil))
	for id, job := range map[string]string{
		"acme/alone": "listed unknown", "acme/tools": "text_generation", "acme/embed": "listed embedding", "acme/chat": "text_generation",
		"acme/width": "listed embedding", "acme/odd": "listed unknown", "acme/whisper": "listed transcription",
	} {
		if got[id] != job {
			t.Errorf("%s: %s, want %s", id, got[id], job)
		}
	}
}

func jobs(s *want.Set) map[string]string {
	out := map[string]string{}
	for _, p := range s.Providers {
		for _, r := range p.Rows {
			var names []string
			for _, c := range r.Row.Contracts {
				names = append(names, c.Operation)
			}
			if len(names) == 0 {
				names = append([]string{"listed"}, r.Row.ListedAs...)
			}
			out[r.Row.ID] = strings.Join(names, " ")
		}
	}
	return out
}

// A misspelt price is reported with what it probably means, and is no price.
func TestMisspeltKeysAreNotGuessed(t *testing.T) {
	c := readFrom(t, "models.dev", ".", modelsDev(map[string]string{"m": "name = \"M\"\n[cost]\ninput = 1\noutput = 2\ncached_input = 0.1\ncached_write = 3\n"}))
	if diff := cmp.Diff([]string{"input_token 1", "output_token 2"}, prices(c.Models[0])); diff != "" {
		t.Error(diff)
	}
	if len(c.News) != 2 || c.News[0].Like != "cost.cache_read" || c.News[1].Like != "cost.cache_write" {
		t.Errorf("%+v", c.News)
	}
	if len(c.Models[0].Unread) != 2 {
		t.Errorf("%+v", c.Models[0].Unread)
	}
}

// Links that were checked out as text are followed inside the tree and nowhere else,
// and a ring of them ends.
func TestLinks(t *testing.T) {
	c := readFrom(t, "models.dev", ".", modelsDev(map[string]string{
		"a": strings.Replace(textOut, "%", "true", 1), "b": "a.toml", "ring1": "ring2.toml", "ring2": "ring1.toml", "out": "../../../../../etc/passwd.toml", "gone": "nobody.toml",
		"ext": "[extends]\nfrom = \"acme/a\"\nomit = [\"limit.output\"]\n"}))
	var ids []string
	for _, m := range c.Models {
		ids = append(ids, m.Row.WireModel)
	}
	if !slices.Equal(ids, []string{"a", "b", "ext"}) || len(c.Faults) != 4 {
		t.Errorf("read %v, faults %+v", ids, c.Faults)
	}
	if ext := model(t, c, "ext"); ext.Row.Limits.OutputTokens.IsKnown() || ext.Row.Limits.ContextTokens.Or(0) != 8192 {
		t.Errorf("%+v", ext.Row.Limits)
	}
}

// What is no entry is a fault, and a member that stands twice with two values is not
// read; the rest is.
func TestOddEntries(t *testing.T) {
	c := readFrom(t, "litellm", "f.json", map[string]string{"f.json": `{
 "acme/ok": {"litellm_provider": "acme", "mode": "chat", "input_cost_per_token": 1e-06},
 "acme/null": null,
 "acme/list": [1],
 "acme/twice": {"litellm_provider": "acme", "mode": "chat", "max_input_tokens": 1, "max_input_tokens": 2}
}`})
	if len(c.Models) != 2 || len(c.Faults) != 3 {
		t.Errorf("%d models, faults %+v", len(c.Models), c.Faults)
	}
	if m := model(t, c, "twice"); m.Row.Limits != nil {
		t.Errorf("of two limits one was taken: %+v", m.Row.Limits)
	}
	if m := model(t, c, "ok"); len(m.Row.Price) != 1 {
		t.Errorf("%+v", m.Row)
	}
}

// The order of entries and of catalogs means nothing.
func TestShuffled(t *testing.T) {
	c := readFrom(t, "models.dev", ".", modelsDev(map[string]string{"alone": strings.Replace(textOut, "%", "false", 1), "chat": strings.Replace(textOut, "%", "true", 1)}))
	l := readFrom(t, "litellm", "f.json", map[string]string{"f.json": litellmFile})
	first := want.Build([]fact.Catalog{c, l}, nil, nil)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		catalogs := []fact.Catalog{l, c}
		for i := range catalogs {
			catalogs[i].Models = slices.Clone(catalogs[i].Models)
			rng.Shuffle(len(catalogs[i].Models), func(a, b int) {
				catalogs[i].Models[a], catalogs[i].Models[b] = catalogs[i].Models[b], catalogs[i].Models[a]
			})
		}
		if diff := cmp.Diff(first, want.Build(catalogs, nil, nil), cmp.Exporter(func(reflect.Type) bool { return true })); diff != "" {
			t.Fatal(diff)
		}
	}
}

// -1 is a price that depends, on OpenRouter alone; another negative amount is none.
func TestOpenRouter(t *testing.T) {
	c := readFrom(t, "openrouter", "m.json", map[string]string{"m.json": `{"data": [
 {"id": "openrouter/auto", "pricing": {"prompt": "-1", "completion": "-1"}},
 {"id": "a/b", "pricing": {"prompt": "0.0000006", "completion": "-0.5"}, "architecture": {"input_modalities": ["text", "file"], "output_modalities": ["text"]}, "supported_parameters": ["tools", "temperature"]}]}`})
	if auto := model(t, c, "openrouter/auto"); len(auto.Row.Price) != 2 || !auto.Row.Price[0].Dynamic.Or(false) {
		t.Errorf("%+v", auto.Row.Price)
	}
	b := model(t, c, "a/b")
	if diff := cmp.Diff([]string{"input_token 0.6"}, prices(b)); diff != "" || len(b.Unread) != 1 {
		t.Error(diff, b.Unread)
	}
}

// genai-prices: a later set ends the one before, and a pattern makes no model.
func TestGenAIPrices(t *testing.T) {
	c := readFrom(t, "genai-prices", ".", map[string]string{"acme.yml": `
name: Acme
id: acme
models:
  - id: chat
    match: {or: [{equals: chat}, {equals: chat-1}, {starts_with: chat-2}]}
    prices:
      - prices: {input_mtok: {base: 3, tiers: [{start: 200000, price: 6}]}}
      - constraint: {start_date: 2026-03-13}
        prices: {input_mtok: 3.50, requests_kcount: 12}
`})
	if len(c.Models) != 2 {
		t.Fatalf("%+v", c.Models)
	}
	m := model(t, c, "chat-1")
	if diff := cmp.Diff([]string{"input_token 3", "input_token 3.5", "input_token 6 above 200000", "request 0.012"}, prices(m)); diff != "" {
		t.Error(diff)
	}
	if m.Row.Price[2].ValidUntil != "2026-03-13" || m.Row.Price[1].ValidFrom != "2026-03-13" {
		t.Errorf("%+v", m.Row.Price)
	}
}

// The corpus is read whole: what is unknown in it is what is known to be.
func TestCorpus(t *testing.T) {
	dir := filepath.Join("..", "..", "shared", "corpus")
	if _, err := os.Stat(dir); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("the corpus is not here")
	}
	all, err := upstream.Load(filepath.Join("..", "upstreams.toml"))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][3]int{}
	for _, c := range all {
		got[c.Name] = [3]int{len(c.Models), len(c.News), len(c.Faults)}
	}
	if diff := cmp.Diff(map[string][3]int{"models.dev": {4417, 8, 2}, "litellm": {2407, 0, 41}, "genai-prices": {1681, 0, 10}, "catwalk": {1155, 0, 0}, "harn": {424, 0, 0}}, got); diff != "" {
		t.Error(diff)
	}
	set := want.Build(all, nil, nil)
	rows := 0
	for _, p := range set.Providers {
		for i := range p.Rows {
			rows++
			if len(p.Rows[i].Row.Source) == 0 {
				t.Errorf("%s has no source", p.Rows[i].Row.ID)
			}
		}
	}
	if rows < 5000 || len(set.Providers) < 120 {
		t.Errorf("%d rows over %d providers", rows, len(set.Providers))
	}
}
