package migrate

import (
	"slices"
	"strings"
	"testing"

	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// legacyTree reads a snippet of format 0 in which tables of both roots are mixed,
// with what each row and provider must say beside what matters.
func legacyTree(t testing.TB, snippet string) []fragment.Fragment {
	t.Helper()
	var catalog, rules, section strings.Builder
	var header string
	flush := func() {
		text := section.String()
		if strings.HasPrefix(header, "[models.") && !strings.Contains(header, `".`) {
			for key, line := range map[string]string{"name": `name = "A row"`, "provider": `provider = "acme"`, "context_window": "context_window = 128000"} {
				if !strings.Contains("\n"+text, "\n"+key+" ") {
					text += line + "\n"
				}
			}
		}
		into := &catalog
		for _, prefix := range []string{"[[provider.", "[provider.", "[provider_family", "[provider_defaults", "[provider_limits"} {
			if strings.HasPrefix(header, prefix) {
				into = &rules
			}
		}
		into.WriteString(header + "\n" + text)
		section.Reset()
	}
	for _, line := range strings.Split(strings.TrimSpace(snippet), "\n") {
		if strings.HasPrefix(line, "[") {
			flush()
			header = line
			continue
		}
		section.WriteString(line + "\n")
	}
	flush()
	for _, id := range []string{"acme", "gate", "bolt"} {
		if !strings.Contains(snippet, "[providers."+id+"]") {
			catalog.WriteString("[providers." + id + "]\ndisplay_name = \"P\"\nbase_url = \"https://" + id + ".example/v1\"\nauth_style = \"none\"\nchat_endpoint = \"/chat/completions\"\n")
		}
	}
	var out []fragment.Fragment
	for path, text := range map[string]string{"catalog_sources/a.toml": catalog.String(), "capability_sources/a.toml": rules.String()} {
		f, diags := fragment.File(&tree.File{Path: path, Layer: "bundled"}, []byte(text))
		if len(diags) > 0 {
			t.Fatalf("%v\n%s", diags, text)
		}
		out = append(out, f)
	}
	return out
}

func find(l diag.List, code diag.Code) (diag.Diagnostic, bool) {
	i := slices.IndexFunc(l, func(d diag.Diagnostic) bool { return d.Code == code })
	if i < 0 {
		return diag.Diagnostic{}, false
	}
	return l[i], true
}

// Each snippet contradicts itself once. A conflict names the other place.
var quarrels = []struct {
	name    string
	code    diag.Code
	got     string
	places  int // notes: 1 where two places quarrel
	snippet string
}{
	{"row and contract do different jobs", diag.OperationSetMismatch, "row [embedding], contract [text_generation]", 1, `
[models."acme/vec-1"]
operations = ["embedding"]
[[provider.acme]]
model_match = "acme/vec-1"
[provider.acme.operations.text_generation]
protocol = "openai_chat_completions"
`},
	{"no rule says how a decision is dialled", diag.OperationWithoutContract, "no contract", 0, `
[models."acme/judge-2"]
operations = ["decision"]
`},
	{"a contract for a job that the row does not do", diag.ContractWithoutOperation, "decision_evaluation", 1, `
[models."acme/chat-1"]
operations = ["text_generation"]
[[provider.acme]]
model_match = "acme/chat-1"
[provider.acme.operations.decision]
implementation = "native"
protocol = "typesafe_system_one"
question_kinds = ["boolean"]
`},
	{"only a wildcard would admit", diag.WildcardCannotAdmit, `model_match = "*"`, 1, `
[models."gate/acme/judge-3"]
provider = "gate"
operations = ["decision"]
[[provider.gate]]
model_match = "*"
[provider.gate.operations.decision]
implementation = "native"
protocol = "openrouter_decisions"
question_kinds = ["boolean"]
`},
	{"only a wildcard would admit, in flat fields", diag.WildcardCannotAdmit, `model_match = "*"`, 1, `
[models."gate/acme/judge-3"]
provider = "gate"
operations = ["decision"]
[[provider.gate]]
model_match = "*"
decision_protocol = "openrouter_decisions"
decision_question_kinds = ["boolean"]
decision_limits = { max_choice_options = 9, score_levels_min = 2, score_levels_max = 5, state_window_tokens = 8192 }
`},
	{"a wildcard's chat fact meets a decision row", diag.ChatFactOnNonTextRow, `responses_api = true via "*"`, 1, `
[models."gate/acme/judge-4"]
provider = "gate"
operations = ["decision"]
[[provider.gate]]
model_match = "*"
extends = true
responses_api = true
`},
	{"a label that the rules deny", diag.LabelContradictsContract, "vision", 1, `
[models."acme/chat-7"]
capabilities = ["vision"]
[[provider.acme]]
model_match = "acme/chat-7"
vision = false
`},
	{"a strength that the rules deny", diag.StrengthWithoutAbility, "vision", 1, `
[models."acme/chat-8"]
strengths = ["vision"]
[[provider.acme]]
model_match = "acme/chat-8"
vision = false
`},
	{"dialect against wire format", diag.ProtocolStatedTwice, "openai_chat, anthropic", 1, `
[models."acme/chat-11"]
api_dialect = "openai_chat"
[[provider.acme]]
model_match = "acme/chat-11"
message_wire_format = "anthropic"
`},
	{"responses dialect, responses denied", diag.ProtocolStatedTwice, "openai_responses, false", 1, `
[models."acme/chat-12"]
api_dialect = "openai_responses"
[[provider.acme]]
model_match = "acme/chat-12"
responses_api = false
`},
	{"no protocol left", diag.NoProtocol, "chat_completions_unsupported = true, responses_api = false", 1, `
[[provider.acme]]
model_match = "acme/chat-13"
chat_completions_unsupported = true
responses_api = false
`},
	{"endpoint family of another dialect", diag.ProtocolFactNotApplicable, "gemini_interactions", 1, `
[[provider.acme]]
model_match = "acme/chat-14"
message_wire_format = "openai"
live_endpoint_family = "gemini_interactions"
`},
	{"decision fields on a text row", diag.ContractWithoutOperation, "[text_generation]", 1, `
[models."acme/chat-16"]
operations = ["text_generation"]
[[provider.acme]]
model_match = "acme/chat-16"
decision_protocol = "typesafe_system_one"
decision_question_kinds = ["boolean"]
`},
	{"a judgement through a schema on a row without text", diag.ProtocolNeedsOperation, "[decision_evaluation]", 1, `
[models."acme/judge-7"]
operations = ["decision"]
[[provider.acme]]
model_match = "acme/judge-7"
decision_protocol = "structured_llm"
decision_question_kinds = ["boolean"]
`},
	{"a judgement through a schema without one", diag.ProtocolNeedsCapability, "none", 1, `
[models."acme/chat-17"]
operations = ["text_generation", "decision"]
[[provider.acme]]
model_match = "acme/chat-17"
decision_protocol = "structured_llm"
structured_output = "none"
`},
	{"native protocol without limits", diag.DecisionLimitsMissing, "absent", 0, `
[[provider.acme]]
model_match = "acme/judge-8"
decision_protocol = "vercel_evaluate"
decision_question_kinds = ["boolean"]
decision_upstream_provider = "acme"
`},
	{"native protocol without kinds", diag.DecisionKindsEmpty, "[]", 0, `
[[provider.acme]]
model_match = "acme/judge-9"
decision_protocol = "openrouter_decisions"
decision_question_kinds = []
`},
	{"score bounds reversed", diag.RangeReversed, "9 > 2", 1, `
[[provider.acme]]
model_match = "acme/judge-12"
decision_limits = { max_choice_options = 20, score_levels_min = 9, score_levels_max = 2, state_window_tokens = 8192 }
`},
	{"a score of one level", diag.OutOfRange, "1", 0, `
[[provider.acme]]
model_match = "acme/judge-13"
decision_question_kinds = ["score"]
decision_limits = { max_choice_options = 20, score_levels_min = 1, score_levels_max = 1, state_window_tokens = 8192 }
`},
	{"no room for options", diag.OutOfRange, "0", 0, `
[[provider.acme]]
model_match = "acme/judge-14"
decision_question_kinds = ["choice"]
decision_limits = { max_choice_options = 0, score_levels_min = 2, score_levels_max = 5, state_window_tokens = 8192 }
`},
	{"state above request", diag.LimitExceedsWindow, "64000 > 32000", 1, `
[[provider.acme]]
model_match = "acme/judge-15"
decision_limits = { max_choice_options = 9, score_levels_min = 2, score_levels_max = 5, state_window_tokens = 64000, request_window_tokens = 32000 }
`},
	{"gateway protocol without a pin", diag.UpstreamPinMissing, "absent", 0, `
[[provider.acme]]
model_match = "acme/judge-17"
decision_protocol = "vercel_evaluate"
decision_question_kinds = ["boolean"]
`},
	{"a pin on a direct protocol", diag.FieldNotApplicable, "acme", 1, `
[[provider.acme]]
model_match = "acme/judge-18"
decision_protocol = "typesafe_system_one"
decision_upstream_provider = "acme"
`},
	{"a native contract of no native protocol", diag.ImplementationContradictsProtocol, "native", 1, `
[[provider.acme]]
model_match = "acme/judge-18"
[provider.acme.operations.decision]
implementation = "native"
protocol = "structured_llm"
`},
	{"a rationale of a native answer", diag.EvidenceContradictsKind, "model_rationale", 1, `
[[provider.acme]]
model_match = "acme/judge-18"
[provider.acme.operations.decision]
implementation = "native"
protocol = "typesafe_system_one"
evidence_kind = "model_rationale"
`},
	{"chat options of a native decision", diag.OptionNotInProtocol, "temperature, effort", 1, `
[[provider.acme]]
model_match = "acme/judge-18"
[provider.acme.operations.decision]
implementation = "native"
protocol = "typesafe_system_one"
options = { temperature = true, effort = ["low"] }
`},
	{"two spellings of image input", diag.AliasContradicts, "false, true", 1, `
[[provider.acme]]
model_match = "acme/chat-18"
vision = false
vision_supported = true
`},
	{"two spellings of audio input", diag.AliasContradicts, "true, false", 1, `
[[provider.acme]]
model_match = "acme/chat-19"
audio = true
audio_supported = false
`},
	{"image input of a decision row", diag.FlagOfOtherOperation, "vision_supported", 1, `
[models."acme/judge-20"]
operations = ["decision"]
[[provider.acme]]
model_match = "acme/judge-20"
vision_supported = true
`},
	{"two structured outputs", diag.AliasContradicts, `"native", "tool_use"`, 1, `
[[provider.acme]]
model_match = "acme/chat-20"
structured_output = "native"
json_schema = "tool_use"
`},
	{"a JSON shape without transport", diag.StructuredModeWithoutTransport, "native_json", 1, `
[[provider.acme]]
model_match = "acme/chat-22"
structured_output = "none"
structured_output_mode = "native_json"
`},
	{"thinking flag against modes", diag.AliasContradicts, `false, ["enabled"]`, 1, `
[[provider.acme]]
model_match = "acme/chat-23"
thinking = false
thinking_modes = ["enabled"]
`},
	{"effort flag against levels", diag.EffortContradicts, `false with ["low", "high"]`, 1, `
[[provider.acme]]
model_match = "acme/chat-24"
reasoning_effort_supported = false
reasoning_effort_levels = ["low", "high"]
`},
	{"none supported, and no level", diag.EffortNoneContradicts, `["high"]`, 1, `
[[provider.acme]]
model_match = "acme/chat-25"
reasoning_none_supported = true
reasoning_effort_levels = ["high"]
`},
	{"reasoning off for tools", diag.ReasoningOffForTools, "agent = off", 1, `
[[provider.acme]]
model_match = "acme/chat-26"
reasoning_required_for_tools = true
auto_reasoning_overrides = { agent = "off" }
`},
	{"native preferred and not offered", diag.ToolFormatContradicts, "native", 1, `
[[provider.acme]]
model_match = "acme/chat-27"
native_tools = false
preferred_tool_format = "native"
`},
	{"text preferred and not offered", diag.ToolFormatContradicts, "text", 1, `
[[provider.acme]]
model_match = "acme/chat-28"
text_tool_wire_format_supported = false
preferred_tool_format = "text"
`},
	{"none preferred though tools are offered", diag.ToolFormatContradicts, "none", 1, `
[[provider.acme]]
model_match = "acme/chat-29"
native_tools = true
preferred_tool_format = "none"
`},
	{"choices of tools that are not there", diag.ToolFactWithoutTools, `["auto"]`, 1, `
[[provider.acme]]
model_match = "acme/chat-30"
native_tools = false
allowed_tool_choice_modes = ["auto"]
`},
	{"parallel calls allowed and switched off", diag.FlagContradicts, "true, true", 1, `
[[provider.acme]]
model_match = "acme/chat-31"
supports_parallel_tool_calls = true
requires_parallel_tool_calls_false = true
`},
	{"cache lifetimes without a cache", diag.CacheFactWithoutCache, `["5m"]`, 1, `
[[provider.acme]]
model_match = "acme/chat-32"
prompt_caching = false
prompt_cache_ttls = ["5m"]
`},
	{"batches denied and described", diag.BatchContradicts, "batch_wire_format", 1, `
[[provider.acme]]
model_match = "acme/chat-33"
batch_api = false
batch_wire_format = "openai"
`},
	{"batches without a wire", diag.BatchIncomplete, "no batch_wire_format, batch_input_mode", 0, `
[[provider.acme]]
model_match = "acme/chat-34"
batch_api = true
`},
	{"reasoning sent back under no key", diag.RoundTripIncomplete, "no reasoning_history_wire_field", 0, `
[[provider.acme]]
model_match = "acme/chat-35"
reasoning_round_trip = "echo_same_key"
`},
	{"an option excluded and admitted", diag.OptionContradicts, "both", 1, `
[[provider.acme]]
model_match = "acme/chat-36"
temperature_supported = true
reasoning_excluded_portable_options = ["temperature"]
portable_option_effort_support = { temperature = ["high"] }
`},
	{"tool flags of an embedding row", diag.FlagOfOtherOperation, "native_tools", 1, `
[models."acme/vec-13"]
operations = ["embedding"]
embedding_dim = 768
[[provider.acme]]
model_match = "acme/vec-13"
native_tools = true
`},
	{"uploads without a wire", diag.FilesIncomplete, "no file_upload_wire_format", 0, `
[[provider.acme]]
model_match = "acme/chat-36"
files_api_supported = true
`},
	{"a family of a provider that only decides", diag.FamilyCrossesOperation, "gate -> bolt", 1, `
[models."gate/judge-1"]
provider = "gate"
operations = ["decision"]
[[provider.gate]]
model_match = "gate/judge-1"
decision_protocol = "typesafe_system_one"
decision_question_kinds = ["boolean"]
[provider_family]
gate = "bolt"
`},
	{"a family that goes round", diag.FamilyCycle, "acme -> bolt -> acme", 1, `
[provider_family]
acme = "bolt"
bolt = "acme"
`},
	{"a family of no provider", diag.UnknownProvider, "atme", 0, `
[provider_family]
gate = "atme"
`},
	{"two rules of equal weight disagree", diag.RuleAmbiguous, `vision = false, vision = true`, 1, `
[models."acme/chat-mini"]
[[provider.acme]]
model_match = "acme/chat-*"
vision = true
[[provider.acme]]
model_match = "acme/*-mini"
vision = false
`},
	{"a bound of one number", diag.VersionBoundInvalid, "[5]", 0, `
[[provider.acme]]
model_match = "gpt-*"
version_min = [5]
`},
	{"a bound on ids without versions", diag.VersionBoundUnparseable, `"acme/nova-*"`, 1, `
[[provider.acme]]
model_match = "acme/nova-*"
version_min = [2, 0]
`},
	{"rules of no provider", diag.UnknownProvider, "atme", 0, `
[[provider.atme]]
model_match = "*"
`},
	{"a rule for a row that is gone", diag.RuleMatchesNothing, `"acme/chat-gone"`, 0, `
[[provider.acme]]
model_match = "acme/chat-gone"
native_tools = true
`},
}

func TestQuarrelsAreFound(t *testing.T) {
	for _, q := range quarrels {
		t.Run(q.name, func(t *testing.T) {
			_, diags := Fields(legacyTree(t, q.snippet), nil)
			d, ok := find(diags, q.code)
			if !ok {
				t.Fatalf("no %s among\n%s", q.code, diags)
			}
			if d.Got != q.got {
				t.Errorf("got is %q, want %q", d.Got, q.got)
			}
			if len(d.Notes) != q.places {
				t.Errorf("%d other places are named, want %d", len(d.Notes), q.places)
			}
			if d.At.Line == 0 || d.Message == "" || len(d.Allowed) == 0 {
				t.Errorf("no place, no message or nothing allowed:\n%s", d)
			}
		})
	}
}
