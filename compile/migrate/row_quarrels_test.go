package migrate

import (
	"testing"

	"github.com/opcat/opcat/diag"
)

// Each snippet says something of a provider or row that contradicts itself once. A
// conflict names the other place.
var rowQuarrels = []struct {
	name    string
	code    diag.Code
	got     string
	places  int
	snippet string
}{
	{"no operation at all", diag.OperationsEmpty, "[]", 0, `
[models."acme/none-1"]
operations = []
`},
	{"an operation twice", diag.OperationDuplicate, "embedding x2", 1, `
[models."acme/twin-1"]
operations = ["embedding", "embedding"]
embedding_dim = 64
`},
	{"a misspelt operation", diag.UnknownOperation, "decison", 0, `
[models."acme/typo-1"]
operations = ["decison"]
`},
	{"one operation in two spellings", diag.OperationSpelledTwice, "decision, decision_evaluation", 1, `
[models."acme/judge-1"]
operations = ["decision", "decision_evaluation"]
[[provider.acme]]
model_match = "acme/judge-1"
decision_protocol = "typesafe_system_one"
decision_question_kinds = ["boolean"]
decision_limits = { max_choice_options = 20, score_levels_min = 2, score_levels_max = 5, state_window_tokens = 8192 }
`},
	{"a type beside a set", diag.LegacyModelType, `model_type = "llm"`, 1, `
[models."acme/old-1"]
model_type = "llm"
operations = ["text_generation", "embedding"]
embedding_dim = 64
`},
	{"the embedding flag with text output", diag.EmbeddingFlagContradictsOutput, "text_generation", 1, `
[models."acme/vec-3"]
is_embedding_model = true
output_modalities = ["text_generation"]
embedding_dim = 768
`},
	{"the embedding flag beside other operations", diag.EmbeddingFlagContradictsOutput, "true", 1, `
[models."acme/vec-3"]
is_embedding_model = true
operations = ["text_generation"]
`},
	{"the embedding flag without a width", diag.EmbeddingDimensionMissing, "no embedding_dim", 0, `
[models."acme/vec-4"]
is_embedding_model = true
`},
	{"the embedding flag says no, the width yes", diag.EmbeddingFlagContradictsDim, "false with 1024", 1, `
[models."acme/vec-5"]
is_embedding_model = false
embedding_dim = 1024
`},
	{"a width without the operation", diag.EmbeddingDimWithoutOperation, "[text_generation]", 1, `
[models."acme/chat-2"]
operations = ["text_generation"]
embedding_dim = 1536
`},
	{"the operation without a width", diag.EmbeddingDimensionMissing, "no embedding_dim", 0, `
[models."acme/vec-6"]
operations = ["embedding"]
`},
	{"an embedding limit on a text row", diag.FieldOfOtherOperation, "[text_generation]", 0, `
[models."acme/chat-3"]
embedding_max_tokens = 8000
`},
	{"a label without an endpoint", diag.FeatureWithoutEndpoint, "features = [embeddings]", 0, `
[providers.acme]
base_url = "https://acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
features = ["embeddings"]
`},
	{"an embeddings label on a text row", diag.LabelContradictsOperation, "embeddings", 1, `
[models."acme/chat-4"]
operations = ["text_generation"]
capabilities = ["embeddings", "streaming"]
`},
	{"a chat label on an embedding row", diag.LabelContradictsOperation, "chat", 1, `
[models."acme/vec-10"]
operations = ["embedding"]
embedding_dim = 256
capabilities = ["chat"]
`},
	{"a decision label without the operation", diag.LabelContradictsOperation, "decision", 1, `
[models."acme/chat-5"]
operations = ["text_generation"]
capabilities = ["decision"]
`},
	{"a tools label on an embedding row", diag.LabelContradictsOperation, "tools", 0, `
[models."acme/vec-11"]
embedding_dim = 256
capabilities = ["tools"]
`},
	{"a label that means nothing", diag.UnknownLabel, "telepathy", 0, `
[models."acme/chat-6"]
capabilities = ["telepathy"]
`},
	{"an operation as a route's label", diag.OperationAsLabel, "capabilities: text_generation", 0, `
[[routing_routes]]
provider = "acme"
model = "chat-9"
capabilities = ["text_generation"]
`},
	{"a chat dialect on an embedding row", diag.DialectContradictsOperation, "openai_chat", 1, `
[models."acme/vec-12"]
embedding_dim = 768
api_dialect = "openai_chat"
`},
	{"a chat dialect on a decision row", diag.DialectContradictsOperation, "openai_chat", 1, `
[models."acme/judge-6"]
operations = ["decision"]
api_dialect = "openai_chat"
[[provider.acme]]
model_match = "acme/judge-6"
decision_protocol = "typesafe_system_one"
decision_question_kinds = ["boolean"]
decision_limits = { max_choice_options = 20, score_levels_min = 2, score_levels_max = 5, state_window_tokens = 8192 }
`},
	{"a misspelt dialect", diag.UnknownDialect, "openai_chatt", 0, `
[models."acme/chat-10"]
api_dialect = "openai_chatt"
`},
	{"a decision path in the chat endpoint", diag.DecisionEndpointInChatField, `chat_endpoint = "/systemone"`, 0, `
[providers.acme]
base_url = "https://decide.acme.example/v1"
auth_style = "none"
chat_endpoint = "/systemone"
`},
	{"two rows on one wire id for different jobs", diag.WireRouteAmbiguous, "m-1 x2", 2, `
[models."acme/one"]
wire_model = "m-1"
operations = ["text_generation"]
[models."acme/two"]
wire_model = "m-1"
operations = ["embedding"]
embedding_dim = 64
`},
	{"a registration of a pattern", diag.RegistrationNeedsExactID, "acme/chat-*", 1, `
[models."acme/chat-*"]
name = "All"
[models."acme/chat-*".registration]
aliases = ["all"]
`},
	{"a snapshot that names a snapshot", diag.SnapshotContradicts, "snapshot", 1, `
[models."acme/chat-41"]
row_kind = "snapshot"
current_snapshot = "acme/chat-42"
[models."acme/chat-42"]
`},
	{"an alias of no row", diag.UnknownReference, "acme/chat-999", 0, `
[models."acme/chat-1"]
[aliases.ghost]
id = "acme/chat-999"
provider = "acme"
`},
	{"an alias with another provider than its row", diag.ReferenceProviderMismatch, "gate", 1, `
[models."acme/chat-1"]
[aliases.wrong]
id = "acme/chat-1"
provider = "gate"
`},
	{"a row that only a pattern would meet", diag.InferenceCannotAdmit, "jev-9.9", 1, `
[models."acme/chat-1"]
[[inference_rules]]
pattern = "jev-*"
provider = "acme"
[aliases.next]
id = "jev-9.9"
provider = "acme"
`},
	{"a request rate stated twice", diag.AliasContradicts, "60, 600", 1, `
[providers.acme]
base_url = "https://acme.example/v1"
auth_style = "none"
chat_endpoint = "/chat/completions"
rpm = 60
rate_limits = { rpm = 600 }
`},
	{"a sunset on an active row", diag.LifecycleContradicts, "active", 1, `
[models."acme/chat-45"]
sunset_date = "2027-01-31"
`},
	{"an announced end on a deprecated row", diag.LifecycleContradicts, "retires_on", 1, `
[models."acme/chat-46"]
deprecated = true
deprecation_note = "gone"
retires_on = "2027-01-31"
`},
	{"a fast mode", diag.RetiredField, "fast_mode", 0, `
[models."acme/chat-1"]
fast_mode = true
`},
	{"a root that is no URL", diag.BadURL, "ftp://acme.example", 0, `
[providers.acme]
base_url = "ftp://acme.example"
auth_style = "none"
chat_endpoint = "/chat/completions"
`},
	{"a rate below zero", diag.BadDecimal, "-1.0", 0, `
[models."acme/chat-1"]
pricing = { input_per_mtok = -1.0, output_per_mtok = 2.0 }
`},
	{"a product of too many digits", diag.BadDecimal, "0.0001999999999999999", 0, `
[models."acme/chat-1"]
pricing = { input_per_mtok = 0.1999999999999999, output_per_mtok = 2.0, input_token_bands = [{ minimum_input_tokens = 2, input_multiplier = 0.001, output_multiplier = 1.0 }] }
`},
}

func TestRowQuarrelsAreFound(t *testing.T) {
	for _, q := range rowQuarrels {
		t.Run(q.name, func(t *testing.T) {
			_, diags := Fields(legacyTree(t, q.snippet), nil)
			if len(diags) != 1 || diags[0].Code != q.code {
				t.Fatalf("want %s alone, found\n%s", q.code, diags)
			}
			d := diags[0]
			if d.Got != q.got {
				t.Errorf("got is %q, want %q", d.Got, q.got)
			}
			if len(d.Notes) != q.places {
				t.Errorf("%d other places are named, want %d", len(d.Notes), q.places)
			}
			if d.At.Line == 0 || d.Message == "" || d.Help == "" && len(d.Allowed) == 0 {
				t.Errorf("no place, no message or no way out:\n%s", d)
			}
		})
	}
}
