package compile_test

import (
	"strings"
	"testing"

	"github.com/opcat/opcat/diag"
)

// old writes a row of format 0 with what it must say.
func old(id, provider string, more ...string) string {
	return "[models.\"" + id + "\"]\nname = \"A row\"\nprovider = \"" + provider + "\"\ncontext_window = 8192\n" + strings.Join(more, "\n") + "\n"
}

const oldProviders = `[providers.acme]
base_url = "https://api.acme.example/v1"
auth_env = "ACME_KEY"
chat_endpoint = "/chat/completions"
embeddings_endpoint = "/embeddings"
[providers.judge]
base_url = "https://judge.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
`

const oldDecision = `[[provider.judge]]
model_match = "judge-1"
decision_protocol = "vercel_evaluate"
decision_question_kinds = ["boolean"]
decision_upstream_provider = "acme"
decision_limits = { max_choice_options = 20, score_levels_min = 2, score_levels_max = 5, state_window_tokens = 4096 }
`

// What is wrong in format 0 and can be said wrongly today as well is found by the
// stages that look at today's form, once, at the place where it was written.
func TestFormat0Contradictions(t *testing.T) {
	decides := old("judge-1", "judge", `operations = ["decision"]`)
	embeds := old("vec-1", "acme", "embedding_dim = 64")
	for _, c := range []struct {
		name, catalog, rules string
		want                 diag.Code
	}{
		{"X18 a width of zero", old("vec-7", "acme", `operations = ["embedding"]`, "embedding_dim = 0"), "", diag.OutOfRange},
		{"X20 an input limit above the window", old("vec-8", "acme", "embedding_dim = 512", "embedding_max_tokens = 9000"), "", diag.LimitExceedsWindow},
		{"X21 an embedding row without an endpoint", old("vec-9", "judge", "embedding_dim = 512"), "", diag.OperationWithoutEndpoint},
		{"X29 a strength without the ability", old("chat-8", "acme", `strengths = ["vision"]`), "", diag.StrengthWithoutAbility},
		{"X40 a text row without an endpoint", "[providers.vec]\nbase_url = \"https://vec.example/v1\"\nauth_style = \"none\"\nembeddings_endpoint = \"/embeddings\"\n" + old("chat-1", "vec"), "", diag.OperationWithoutEndpoint},
		{"X52 a state above the window", strings.Replace(decides, "8192", "2048", 1), oldDecision, diag.LimitExceedsWindow},
		{"X58 a priced output without a bound", old("judge-1", "judge", `operations = ["decision"]`, "pricing = { input_per_mtok = 0.04, output_per_mtok = 1.5 }"), oldDecision, diag.UnboundedMeter},
		{"X80 an architecture that picks a protocol", old("chat-37", "acme", `architecture = { moe = true, protocol = "openai_chat" }`), "", diag.UnknownField},
		{"X81 a family that is an operation", old("vec-14", "acme", `family = "embedding"`), "", diag.FamilyAsOperation},
		{"X86 a key before the first table", "tier = \"mid\"\n" + old("chat-39", "acme"), "", diag.LeadingKey},
		{"X90 a selector that crosses operations", embeds + old("latest", "acme", `row_kind = "selector"`, `current_snapshot = "vec-1"`, `operations = ["text_generation"]`), "", diag.SelectorCrossesOperation},
		{"X92 a successor that does another job", decides + old("chat-43", "judge", `superseded_by = "judge-1"`), oldDecision, diag.SuccessorCrossesOperation},
		{"X93 an equivalence across operations", decides + old("b", "judge", `equivalence_group = "g1"`) + old("c", "acme", "embedding_dim = 64", `equivalence_group = "g1"`), oldDecision, diag.EquivalenceCrossesOperation},
		{"X95 a default that does another job", embeds + "[provider_defaults.acme]\nruntime = \"vec-1\"\n", "", diag.DefaultCrossesOperation},
		{"X96 a quality check that does another job", decides + "[qc_defaults]\njudge = \"judge-1\"\n", oldDecision, diag.DefaultCrossesOperation},
		{"X97 a ladder step that does another job", embeds + "[model_ladders.cheap]\nsteps = [{ provider = \"acme\", model = \"vec-1\" }]\n", "", diag.LadderCrossesOperation},
		{"X103 an output price of an embedding", old("vec-15", "acme", "embedding_dim = 64", "pricing = { input_per_mtok = 0.02, output_per_mtok = 0.5 }"), "", diag.MeterNotInOperation},
		{"X104 a tool fee of an embedding", old("vec-16", "acme", "embedding_dim = 64", `pricing = { input_per_mtok = 0.02, output_per_mtok = 0.0, hosted_tool_fees = { web_search = { per_1k_calls = 10.0, source_url = "https://acme.example/p" } } }`), "", diag.MeterNotInOperation},
		{"X109 a misspelt tier", old("chat-47", "acme", `tier = "forntier"`), "", diag.UnknownEnum},
		{"X110 a launch window above the window", old("chat-48", "acme", "runtime_context_window = 32768"), "", diag.LimitExceedsWindow},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := map[string]string{"catalog_sources/b.toml": oldProviders, "catalog_sources/a.toml": c.catalog}
			if c.rules != "" {
				files["capability_sources/a.toml"] = c.rules
			}
			r := run(files)
			n := 0
			for _, d := range r.Diags {
				if d.Code == c.want {
					n++
					if d.At.Line == 0 || !strings.HasSuffix(d.At.File, "/a.toml") {
						t.Errorf("it is placed at %s", d.At)
					}
				}
			}
			if n != 1 || len(r.Diags) != 1 {
				t.Errorf("want %s once and nothing else, found\n%s", c.want, r.Diags)
			}
		})
	}
	// One row in two files: both are named.
	r := run(map[string]string{"catalog_sources/b.toml": oldProviders, "catalog_sources/a.toml": old("chat-38", "acme"), "catalog_sources/c.toml": old("chat-38", "acme")})
	if len(r.Diags) != 1 || r.Diags[0].Code != diag.DuplicateRow || len(r.Diags[0].Notes) != 1 {
		t.Errorf("X85: want DUPLICATE_ROW with the other place, found\n%s", r.Diags)
	}
}
