package migrate

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/opcat/opcat/compile/legacy"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
)

// Rules are judged by themselves, and where they meet on a row. What overrides
// something by design is no quarrel.
func TestWhatQuarrelsAndWhatDoesNot(t *testing.T) {
	for _, c := range []struct {
		name    string
		want    []diag.Code
		snippet string
	}{
		{"two rules that meet on rows quarrel once", []diag.Code{diag.ToolFormatContradicts}, `
[models."acme/chat-1"]
[models."acme/chat-2"]
[[provider.acme]]
model_match = "acme/*"
extends = true
native_tools = false
[[provider.acme]]
model_match = "acme/chat-*"
preferred_tool_format = "native"
`},
		{"two rules that no row brings together do not", nil, `
[models."acme/chat-1"]
[models."bolt/chat-1"]
provider = "bolt"
[[provider.acme]]
model_match = "acme/*"
native_tools = false
[[provider.bolt]]
model_match = "bolt/*"
preferred_tool_format = "native"
`},
		{"a rule overrides a default of its provider", nil, `
[models."acme/chat-1"]
[[provider.acme]]
model_match = "acme/*"
batch_api = false
prompt_caching = false
[provider_defaults.acme]
batch_wire_format = "openai"
batch_input_mode = "jsonl_file"
prompt_cache_ttls = ["5m"]
`},
		{"a default completes a rule", nil, `
[models."acme/chat-1"]
[[provider.acme]]
model_match = "acme/*"
batch_api = true
files_api_supported = true
[provider_defaults.acme]
batch_wire_format = "openai"
batch_input_mode = "jsonl_file"
file_upload_wire_format = "gemini"
`},
		{"another rule completes a rule", nil, `
[models."acme/judge-1"]
operations = ["decision"]
[[provider.acme]]
model_match = "acme/judge-1"
extends = true
decision_protocol = "typesafe_system_one"
decision_question_kinds = ["boolean"]
[[provider.acme]]
model_match = "acme/judge-*"
decision_limits = { max_choice_options = 9, score_levels_min = 2, score_levels_max = 5, state_window_tokens = 8192 }
`},
		{"defaults and families pass by a row without text", nil, `
[models."acme/judge-1"]
operations = ["decision"]
[models."acme/chat-1"]
[[provider.acme]]
model_match = "acme/judge-1"
extends = true
decision_protocol = "typesafe_system_one"
decision_question_kinds = ["boolean"]
decision_limits = { max_choice_options = 9, score_levels_min = 2, score_levels_max = 5, state_window_tokens = 8192 }
[[provider.bolt]]
model_match = "*"
native_tools = true
[provider_defaults.acme]
seed_supported = false
[provider_family]
acme = "bolt"
`},
		{"equal weight and equal words are one answer", nil, `
[models."acme/chat-mini"]
[[provider.acme]]
model_match = "acme/chat-*"
vision = true
[[provider.acme]]
model_match = "acme/*-mini"
vision = true
`},
		{"a closer rule settles what two far ones dispute", nil, `
[models."acme/chat-mini"]
[[provider.acme]]
model_match = "acme/chat-mini"
extends = true
vision = true
[[provider.acme]]
model_match = "acme/chat-*"
vision = true
[[provider.acme]]
model_match = "acme/*-mini"
vision = false
`},
		{"a family parent's contract grants no decision", []diag.Code{diag.OperationWithoutContract}, `
[models."acme/judge-1"]
operations = ["decision"]
[models."acme/chat-1"]
[[provider.bolt]]
model_match = "acme/judge-1"
decision_protocol = "typesafe_system_one"
decision_question_kinds = ["boolean"]
decision_limits = { max_choice_options = 9, score_levels_min = 2, score_levels_max = 5, state_window_tokens = 8192 }
[provider_family]
acme = "bolt"
`},
		{"one pattern of a list that meets a row is enough", nil, `
[models."acme/chat-1"]
[[provider.acme]]
model_match = ["chat-1", "acme/chat-1", "acme/chat-gone"]
native_tools = true
`},
		{"a rule of a family may name a child's row", nil, `
[models."acme/chat-1"]
[[provider.bolt]]
model_match = "acme/chat-1"
native_tools = true
[provider_family]
acme = "bolt"
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, diags := Fields(legacyTree(t, c.snippet), nil)
			var got []diag.Code
			for _, d := range diags {
				if d.Code != diag.DecisionEndpointInChatField { // the snippets' providers have no other path
					got = append(got, d.Code)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("found %v, want %v\n%s", got, c.want, diags)
			}
		})
	}
}

// Every fact that a rule can state becomes something, is dropped with a report, or
// is a finding: none is lost without a word.
func TestNoFactIsLost(t *testing.T) {
	beside := map[string]string{ // values that count only beside others
		"decision_question_kinds":        "[\"score\"]\ndecision_protocol = \"typesafe_system_one\"",
		"decision_upstream_provider":     "\"bolt\"\ndecision_protocol = \"vercel_evaluate\"",
		"portable_option_effort_support": "{ temperature = [\"none\"] }",
		"image_url_input_supported":      "true\nvision = true",
		"native_tool_wire_format":        "\"anthropic\"\nnative_tools = true",
		"tool_search":                    "[\"bm25\"]\nnative_tools = true",
		"defer_loading":                  "true\nnative_tools = true",
		"max_tools":                      "7\nnative_tools = true",
		"file_upload_wire_format":        "\"gemini\"\nfiles_api_supported = true",
		"cache_breakpoint_style":         "\"last_block\"\nprompt_caching = true",
		"live_endpoint_family":           "\"gemini_interactions\"\nmessage_wire_format = \"gemini\"",
	}
	for _, key := range legacy.Rule().Keys {
		if notFacts[key.Name] {
			continue
		}
		value := beside[key.Name]
		if value == "" {
			value = valueOf(key.Type)
		}
		if strings.HasPrefix(key.Name, "batch_") && key.Name != "batch_api" {
			value += "\nbatch_api = true"
			for _, other := range []string{`batch_wire_format = "openai"`, `batch_input_mode = "jsonl_file"`} {
				if !strings.HasPrefix(other, key.Name) {
					value += "\n" + other
				}
			}
		}
		row := "\n[models.\"openai/row-1\"]\nprovider = \"openai\"\n"
		if decisionFact()[key.Index] {
			row += "operations = [\"decision\"]\n"
		}
		frags := legacyTree(t, "[providers.openai]\nbase_url = \"https://openai.example/v1\"\nauth_style = \"none\"\nchat_endpoint = \"/chat/completions\""+row+
			"[[provider.openai]]\nmodel_match = \"openai/row-1\"\n"+key.Name+" = "+value+"\n")
		res, diags := Fields(frags, nil)
		here := func(at diag.Pos) bool { return at.File == "capability_sources/a.toml" && at.Line == 3 }
		told := slices.ContainsFunc(res.Moves, func(m Move) bool { return here(m.At) }) ||
			slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return here(d.At) })
		if !told {
			t.Errorf("%s = %s leaves no trace\n%s", key.Name, value, diags)
		}
	}
}

// valueOf writes some value of a type.
func valueOf(t *shape.Type) string {
	switch t.Kind {
	case shape.Bool:
		return "true"
	case shape.Count:
		return strconv.FormatInt(max(t.Min, 1), 10)
	case shape.Enum:
		return strconv.Quote(t.Values[len(t.Values)-1])
	case shape.List:
		return "[" + valueOf(t.Elem) + "]"
	case shape.Map:
		return "{ agent = " + valueOf(t.Elem) + " }"
	case shape.Record:
		var parts []string
		for _, k := range t.Table.Keys {
			parts = append(parts, k.Name+" = "+valueOf(k.Type))
		}
		return "{ " + strings.Join(parts, ", ") + " }"
	}
	return `"word"`
}
