package compile_test

import (
	"testing"

	"github.com/opcat/opcat/diag"
)

// A tree of format 0 with a provider that makes promises, a chat row and a row
// that only decides.
var format0 = map[string]string{
	"catalog_sources/acme.toml": `[providers.acme]
display_name = "Acme"
base_url = "https://api.acme.example/v1"
auth_env = "ACME_KEY"
chat_endpoint = "/chat/completions"
data_controls = { control_scope = "account", retention_default = "retained", training_default = "does_not_train", checked_on = "2026-11-01", sources = ["https://acme.example/data"] }
[models."acme/chat-1"]
name = "Chat 1"
provider = "acme"
wire_model = "chat-1"
context_window = 128000
pricing = { input_per_mtok = 1.0, output_per_mtok = 2.0, input_token_bands = [{ minimum_input_tokens = 1001, input_multiplier = 2.0, output_multiplier = 1.5 }] }
[models."gate/judge-1"]
name = "Judge 1"
provider = "gate"
wire_model = "judge-1"
context_window = 32000
operations = ["decision"]
[providers.gate]
base_url = "https://gate.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
`,
	"capability_sources/acme.toml": `[[provider.gate]]
model_match = "gate/judge-1"
decision_protocol = "vercel_evaluate"
decision_question_kinds = ["boolean"]
decision_upstream_provider = "acme"
decision_limits = { max_choice_options = 20, score_levels_min = 2, score_levels_max = 5, state_window_tokens = 8192 }
`,
}

func TestFormat0Overlays(t *testing.T) {
	if r := run(format0); r.Catalog == nil {
		t.Fatalf("the tree itself does not compile:\n%s", r.Diags)
	}
	for _, c := range []struct {
		name  string
		layer int // 1 host .. 4 run
		files map[string]string
		want  diag.Code // "" if the overlay is right
	}{
		{"a patch", 2, map[string]string{"catalog_sources/a.toml": "[patch.models.\"acme/chat-1\"]\ntier = \"small\"\n"}, ""},
		{"a rate of a banded card", 1, map[string]string{"catalog_sources/a.toml": "[patch.models.\"acme/chat-1\".pricing]\ninput_per_mtok = 1.5\n"}, ""},
		{"other bands", 1, map[string]string{"catalog_sources/a.toml": "[patch.models.\"acme/chat-1\".pricing]\ninput_token_bands = [{ minimum_input_tokens = 5001, input_multiplier = 3.0, output_multiplier = 1.0 }]\n"}, ""},
		{"a new row", 1, map[string]string{"catalog_sources/a.toml": "[models.chat-2]\nname = \"Chat 2\"\nprovider = \"acme\"\ncontext_window = 8192\n"}, ""},
		{"a copy without operations", 2, map[string]string{"catalog_sources/a.toml": "[models.\"gate/judge-1\"]\nname = \"Judge\"\nprovider = \"gate\"\nwire_model = \"judge-1\"\ncontext_window = 32000\n"}, diag.OperationDroppedByOverlay},
		{"a silent change of operations", 2, map[string]string{"catalog_sources/a.toml": "[patch.models.\"gate/judge-1\"]\noperations = [\"text_generation\"]\n"}, diag.OperationChangedByOverlay},
		{"a project layer's change of operations", 3, map[string]string{"catalog_sources/a.toml": "[patch.models.\"acme/chat-1\"]\nchange_operations = { from = [\"text_generation\"], to = [] }\n"}, diag.OperationChangedByOverlay},
		{"a vector width on a text row", 2, map[string]string{"catalog_sources/a.toml": "[patch.models.\"acme/chat-1\"]\nembedding_dim = 1536\n"}, diag.EmbeddingDimWithoutOperation},
		{"a patch of the wrong type", 2, map[string]string{"catalog_sources/a.toml": "[patch.models.\"acme/chat-1\"]\nstream_timeout = \"soon\"\n"}, diag.OverlayType},
		{"a patch with an unknown field", 2, map[string]string{"catalog_sources/a.toml": "[patch.models.\"acme/chat-1\"]\nconext_window = 8192\n"}, diag.UnknownField},
		{"a patch of no row", 2, map[string]string{"catalog_sources/a.toml": "[patch.models.\"acme/chat-000\"]\ntier = \"small\"\n"}, diag.PatchDangles},
		{"a claim without a source", 2, map[string]string{"catalog_sources/a.toml": "[patch.models.\"acme/chat-1\"]\ndata_controls = { training_default = \"does_not_train\", checked_on = \"2026-11-01\", sources = [] }\n"}, diag.OverlayClaimUnsourced},
		{"another root under promises", 1, map[string]string{"catalog_sources/a.toml": "[providers.acme]\nbase_url = \"https://proxy.acme.example/v1\"\n"}, diag.EndpointPromiseLost},
		{"a project layer's other root", 3, map[string]string{"catalog_sources/a.toml": "[providers.acme]\nbase_url = \"https://proxy.acme.example/v1\"\n"}, diag.OriginNotAllowed},
		{"a project layer's key", 3, map[string]string{"catalog_sources/a.toml": "[providers.acme]\nauth_env = \"OTHER_KEY\"\n"}, diag.CredentialNotAllowed},
		{"a hidden route", 2, map[string]string{"catalog_sources/a.toml": "[suppress]\nroutes = [\"gate:gate/judge-1\"]\n"}, ""},
		{"a hidden route without a provider", 2, map[string]string{"catalog_sources/a.toml": "[suppress]\nroutes = [\"judge-1\"]\n"}, diag.SuppressShape},
		{"a hidden route that is not there", 2, map[string]string{"catalog_sources/a.toml": "[suppress]\nroutes = [\"acme:chat-0\"]\n"}, diag.SuppressMatchesNothing},
	} {
		t.Run(c.name, func(t *testing.T) {
			layers := make([]map[string]string, c.layer+1)
			layers[0], layers[c.layer] = format0, c.files
			r := run(layers...)
			if c.want == "" && (len(r.Diags) > 0 || r.Catalog == nil) || c.want != "" && !has(r.Diags, c.want) {
				t.Errorf("want %q, found\n%s", c.want, r.Diags)
			}
		})
	}
}

// A removal of a lower layer holds against a whole row of format 0 above it.
func TestFormat0RowDoesNotRevive(t *testing.T) {
	gone := map[string]string{"catalog_sources/a.toml": "[suppress]\nroutes = [\"acme:acme/chat-1\"]\n"}
	back := map[string]string{"catalog_sources/a.toml": "[models.\"acme/chat-1\"]\nname = \"Back\"\nprovider = \"acme\"\nwire_model = \"chat-1\"\ncontext_window = 8192\n"}
	if r := run(format0, gone, back); !has(r.Diags, diag.TombstoneRevived) {
		t.Errorf("the row is back without a word:\n%s", r.Diags)
	}
}

// What an overlay of format 0 says of a price reaches every product of it.
func TestFormat0PriceOverlay(t *testing.T) {
	r := run(format0, map[string]string{"catalog_sources/a.toml": "[patch.models.\"acme/chat-1\".pricing]\ninput_token_bands = [{ minimum_input_tokens = 5001, input_multiplier = 3.0, output_multiplier = 1.0 }]\n"},
		map[string]string{"catalog_sources/b.toml": "[patch.models.\"acme/chat-1\".pricing]\ninput_per_mtok = 1.5\n"})
	if r.Catalog == nil {
		t.Fatal(r.Diags)
	}
	got := map[string]string{}
	for _, row := range r.Draft.Rows {
		for e := range row.Table.Get("price").Each() {
			if row.ID == "acme/chat-1" {
				got[e.Get("meter").Str()+" "+e.Get("above_input_tokens").Str()] = e.Get("usd_per_million").Str()
			}
		}
	}
	want := map[string]string{"input_token ": "1.5", "output_token ": "2", "input_token 5000": "4.5", "output_token 5000": "2"}
	if len(got) != len(want) {
		t.Errorf("the prices are %v, want %v", got, want)
	}
	for k, v := range want {
		if got[k] != v {
			t.Errorf("%s costs %q, want %q", k, got[k], v)
		}
	}
}
