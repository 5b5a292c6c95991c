package compile_test

import (
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/diag"
)

// What these tests keep out is what opcat exists to keep out. Each has a negative
// control in internal/controls: without the rule, the test must fail.

const (
	providerTOML = `schema = "1.0"
[provider.acme]
name = "Acme"
credential = { scheme = "bearer", env = ["ACME_KEY"], origins = ["https://api.acme.example"] }
[provider.acme.endpoint.openai_chat_completions]
url = "https://api.acme.example/v1/chat/completions"
[provider.acme.endpoint.openai_embeddings]
url = "https://api.acme.example/v1/embeddings"
`
	rowsTOML = `schema = "1.0"
[[model]]
provider = "acme"
wire_model = "chat-1"
limits = { context_tokens = 8192 }
price = [{ meter = "input_token", usd_per_million = "1" }, { meter = "output_token", usd_per_million = "2" }]
source = [{ url = "https://acme.example/m", checked_on = "2026-11-01" }]
[[model]]
provider = "acme"
wire_model = "embed-1"
limits = { context_tokens = 512 }
source = [{ url = "https://acme.example/m", checked_on = "2026-11-01" }]
`
	rulesTOML = `schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
input_kinds = ["text"]
evidence = { support = "declared", source = "https://acme.example/m", checked_on = "2026-11-01" }
[[provider.acme]]
models = ["embed-1"]
[provider.acme.operations.embedding]
protocol = "openai_embeddings"
input_kinds = ["text"]
dimensions = 64
evidence = { support = "declared", source = "https://acme.example/m", checked_on = "2026-11-01" }
`
)

// base is a clean tree of one provider with a chat and an embedding row.
func base() map[string]string {
	return map[string]string{
		"catalog_sources/provider.toml": providerTOML,
		"catalog_sources/rows.toml":     rowsTOML,
		"capability_sources/rules.toml": rulesTOML,
	}
}

func with(files map[string]string, name, text string) map[string]string {
	out := maps.Clone(files)
	out[name] = text
	return out
}

// run compiles trees, one for each layer from the bundled one up; a nil tree is
// a layer that says nothing.
func run(layers ...map[string]string) compile.Result {
	in := compile.Input{AsOf: "2026-11-30"}
	for rank, files := range layers {
		fsys := fstest.MapFS{}
		for name, text := range files {
			fsys[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
		}
		in.Trees = append(in.Trees, fragment.Tree{FS: fsys, Layer: compile.Layers[rank], Rank: rank})
	}
	return compile.Run(in)
}

// refused wants a compile to fail with the code, at the place.
func refused(t *testing.T, r compile.Result, code diag.Code, at string) {
	t.Helper()
	if r.Catalog != nil {
		t.Errorf("a catalog was made of it:\n%s", r.Catalog.JSON())
	}
	for _, d := range r.Diags {
		if d.Code == code && d.IsError() && strings.HasPrefix(d.At.String(), at) {
			return
		}
	}
	t.Errorf("no %s at %s in:\n%v", code, at, r.Diags)
}

func TestBaseIsClean(t *testing.T) {
	if r := run(base()); r.Catalog == nil || len(r.Diags) > 0 {
		t.Fatal(r.Diags, r.Err)
	}
}

// A misspelt price key is refused, not dropped.
func TestMisspeltKeyIsRefused(t *testing.T) {
	files := with(base(), "catalog_sources/rows.toml", strings.Replace(rowsTOML, `usd_per_million = "2"`, `usd_per_milion = "2", dynamic = true`, 1))
	refused(t, run(files), diag.UnknownField, "catalog_sources/rows.toml:6:")
}

// A pattern makes no row do a new job, and hands out no setting.
func TestGlobNeverGrants(t *testing.T) {
	files := with(base(), "capability_sources/glob.toml", `schema = "1.0"
[[provider.acme]]
model_match = "*"
[provider.acme.operations.text_generation]
settings = { temperature = "supported" }
`)
	refused(t, run(files), diag.GlobGrants, "capability_sources/glob.toml:5:")
}

// Two rules that name one row and say different things are a mistake in two
// places, whichever file comes first.
func TestTieIsAnError(t *testing.T) {
	files := with(base(), "capability_sources/more.toml", `schema = "1.0"
[[provider.acme]]
models = ["chat-1"]
[provider.acme.operations.text_generation]
protocol = "openai_responses"
`)
	r := run(files)
	refused(t, r, diag.RuleAmbiguous, "capability_sources/")
	for _, d := range r.Diags {
		if d.Code == diag.RuleAmbiguous && len(d.Notes) == 0 {
			t.Error("the other place is not named")
		}
	}
}

// A layer that comes with a repository does not send a key elsewhere.
func TestProjectLayerMovesNoCredential(t *testing.T) {
	for name, tc := range map[string]struct {
		code diag.Code
		text string
	}{
		"an endpoint": {diag.OriginNotAllowed, `schema = "1.0"
[provider.acme.endpoint.openai_chat_completions]
url = "https://evil.example/v1/chat/completions"
`},
		"an added origin": {diag.CredentialNotAllowed, `schema = "1.0"
[provider.acme.credential]
origins = ["https://api.acme.example", "https://evil.example"]
`},
		"a provider of its own that names the variable": {diag.CredentialNotAllowed, `schema = "1.0"
[provider.mine]
add = true
name = "Mine"
credential = { scheme = "bearer", env = ["ACME_KEY"], origins = ["https://evil.example"] }
endpoint.openai_chat_completions = { url = "https://evil.example/v1/chat/completions" }
[[model]]
add = true
provider = "mine"
wire_model = "m"
`},
	} {
		t.Run(name, func(t *testing.T) {
			overlay := map[string]string{"catalog_sources/o.toml": tc.text}
			refused(t, run(base(), nil, nil, overlay), tc.code, "project:catalog_sources/o.toml:")
		})
	}
}

// Nor does it take away what a lower layer bounds a route with, or pretend to.
func TestProjectLayerTakesNoBoundAway(t *testing.T) {
	lower := with(base(), "capability_sources/rules.toml", strings.Replace(rulesTOML, "dimensions = 64", "dimensions = 64\nlimits = { items = 8 }", 1))
	overlay := map[string]string{"capability_sources/o.toml": `schema = "1.0"
[[provider.acme]]
models = ["embed-1"]
[provider.acme.operations.embedding]
unset = ["limits.items"]
`}
	refused(t, run(lower, nil, nil, overlay), diag.LayerRight, "project:capability_sources/o.toml:5:")
	if r := run(lower, nil, overlay); r.Catalog == nil {
		t.Errorf("the user layer may: %v", r.Diags)
	}
}

// An old and a new spelling of one fact that disagree are refused.
func TestOldAndNewSpellingContradict(t *testing.T) {
	files := map[string]string{
		"catalog_sources/all.toml": `[providers.acme]
display_name = "Acme"
base_url = "https://api.acme.example/v1"
chat_endpoint = "/chat/completions"
auth_env = "ACME_KEY"
[models."chat-1"]
name = "Chat 1"
provider = "acme"
context_window = 8192
`,
		"capability_sources/all.toml": `[[provider.acme]]
model_match = "chat-1"
vision = false
vision_supported = true
`,
	}
	refused(t, run(files), diag.AliasContradicts, "capability_sources/all.toml:")
}

// A limit of zero is a guess written down, and a price that nobody stated is not
// there at all.
func TestUnknownIsNotZero(t *testing.T) {
	files := with(base(), "catalog_sources/rows.toml", strings.Replace(rowsTOML, "context_tokens = 512", "context_tokens = 0", 1))
	refused(t, run(files), diag.OutOfRange, "catalog_sources/rows.toml:")

	r := run(base())
	row, ok := r.Catalog.Row("acme/embed-1")
	if !ok {
		t.Fatal("acme/embed-1 is not there")
	}
	if len(row.Price) != 0 {
		t.Errorf("a price that nobody stated is %v", row.Price)
	}
}

// Files, tables and rules in another order give the same bytes.
func TestOrderNeverMatters(t *testing.T) {
	want := run(base()).Catalog.JSON()
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		files := map[string]string{}
		for name, text := range base() {
			files[strings.Replace(name, "/", "/z"+string(rune('a'+rng.IntN(26)))+"/", 1)] = shuffleTables(text, rng)
		}
		r := run(files)
		if r.Catalog == nil {
			t.Fatal(r.Diags)
		}
		if got := r.Catalog.JSON(); got != want {
			t.Fatalf("seed %d gives other bytes:\n%s\nwant\n%s", seed, got, want)
		}
	}
}

// shuffleTables reorders the array-of-tables blocks of a file, and the entries of
// its inline price lists.
func shuffleTables(text string, rng *rand.Rand) string {
	head, rest, found := strings.Cut(text, "\n[[")
	if !found {
		return text
	}
	blocks := strings.Split(rest, "\n[[")
	rng.Shuffle(len(blocks), func(i, j int) { blocks[i], blocks[j] = blocks[j], blocks[i] })
	for i, b := range blocks {
		b = strings.TrimSuffix(b, "\n") + "\n"
		if before, list, ok := strings.Cut(b, "price = [{ "); ok {
			list, after, _ := strings.Cut(list, " }]")
			entries := strings.Split(list, " }, { ")
			rng.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
			b = before + "price = [{ " + strings.Join(entries, " }, { ") + " }]" + after
		}
		blocks[i] = b
	}
	return head + "\n[[" + strings.Join(blocks, "\n[[")
}

// Whatever one fact changes, the digest changes.
func TestDigestCoversEveryFact(t *testing.T) {
	seen := map[string]string{run(base()).Catalog.Digest(): "the base"}
	for _, edit := range [][3]string{
		{"catalog_sources/provider.toml", `name = "Acme"`, `name = "Acme AI"`},
		{"catalog_sources/provider.toml", `"ACME_KEY"`, `"ACME_TOKEN"`},
		{"catalog_sources/provider.toml", "/v1/embeddings", "/v2/embeddings"},
		{"catalog_sources/rows.toml", "context_tokens = 8192", "context_tokens = 8193"},
		{"catalog_sources/rows.toml", `usd_per_million = "2"`, `usd_per_million = "2.000000000000000001"`},
		{"catalog_sources/rows.toml", "2026-11-01", "2026-11-02"},
		{"catalog_sources/rows.toml", `wire_model = "embed-1"`, "wire_model = \"embed-1\"\nreleased = \"2026-01-01\""},
		{"capability_sources/rules.toml", "dimensions = 64", "dimensions = 65"},
		{"capability_sources/rules.toml", "dimensions = 64", "dimensions = 64\nnormalized = true"},
		{"capability_sources/rules.toml", `support = "declared"`, `support = "documented"`},
	} {
		files := base()
		files[edit[0]] = strings.Replace(files[edit[0]], edit[1], edit[2], 1)
		r := run(files)
		if r.Catalog == nil {
			t.Fatalf("%s: %v", edit[2], r.Diags)
		}
		digest := r.Catalog.Digest()
		if other, twice := seen[digest]; twice {
			t.Errorf("%q has the digest of %s", edit[2], other)
		}
		seen[digest] = edit[2]
	}
}

// What is written twice is looked at in one place, and each mistake in it reported in
// its own.
func TestRepeatedMistakeIsReportedWhereItStands(t *testing.T) {
	const rule = "[[provider.acme]]\nmodels = [\"%\"]\n[provider.acme.operations.text_generation]\nprotocol = \"openai_chat_completions\"\n" +
		"input_kinds = [\"text\"]\nevidence = { support = \"documented\" }\n"
	rows := rowsTOML + "[[model]]\nprovider = \"acme\"\nwire_model = \"chat-2\"\n"
	r := run(with(with(base(), "catalog_sources/rows.toml", strings.Replace(rows, "embed-1", "chat-3", 1)), "capability_sources/rules.toml",
		"schema = \"1.0\"\n"+strings.ReplaceAll(rule, "%", "chat-1")+strings.ReplaceAll(rule, "%", "chat-2")+strings.ReplaceAll(rule, "%", "chat-3")))
	var at []string
	for _, d := range r.Diags {
		at = append(at, d.At.String())
	}
	want := "capability_sources/rules.toml:7:24 capability_sources/rules.toml:13:24 capability_sources/rules.toml:19:24"
	if got := strings.Join(at, " "); got != want {
		t.Errorf("found at %s, want %s\n%s", got, want, r.Diags)
	}
}
