package textgen

import (
	"testing"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
)

// What a wire has no place for under a contract is found before anything is
// encoded, by its field.
func TestMisfit(t *testing.T) {
	user := []Message{{Role: "user", Parts: []Part{{Kind: "text", Text: "Hi"}}}}
	tool := []Tool{{Name: "f", Parameters: `{"type":"object"}`}}
	schema := &ResponseSchema{Name: "s", Schema: `{"type":"object"}`}
	for _, c := range []struct {
		name, protocol string
		contract       catalog.TextGeneration
		request        Request
		field          string
	}{
		{"plain", "openai_chat_completions", catalog.TextGeneration{}, Request{Messages: user}, ""},
		{"thinking, and nobody knows how", "openai_chat_completions", catalog.TextGeneration{},
			Request{Messages: user, Settings: Settings{Thinking: "enabled"}}, "thinking"},
		{"thinking with its wire", "openai_chat_completions", catalog.TextGeneration{Reasoning: &catalog.Reasoning{Wire: "thinking_type"}},
			Request{Messages: user, Settings: Settings{Thinking: "enabled"}}, ""},
		{"a tier that the wire has no word for", "openai_chat_completions", catalog.TextGeneration{},
			Request{Messages: user, Settings: Settings{ServiceTier: "ultrafast"}}, "service_tier"},
		{"the same, with a word", "openai_responses", catalog.TextGeneration{},
			Request{Messages: user, Settings: Settings{ServiceTier: "ultrafast"}}, ""},
		{"a schema by prompt", "openai_chat_completions", catalog.TextGeneration{Structured: &catalog.StructuredOutput{Transport: "prompt_validation"}},
			Request{Messages: user, ResponseSchema: schema}, "response_schema"},
		{"a schema as the only tool, and others", "anthropic_messages", catalog.TextGeneration{Structured: &catalog.StructuredOutput{Transport: "tool_schema"}},
			Request{Messages: user, ResponseSchema: schema, Tools: tool}, "response_schema"},
		{"a forced tool and thinking", "anthropic_messages", catalog.TextGeneration{Structured: &catalog.StructuredOutput{Transport: "tool_schema"}},
			Request{Messages: user, ResponseSchema: schema, Settings: Settings{Thinking: "adaptive"}}, "thinking"},
		{"a budget under too small a cap", "anthropic_messages", catalog.TextGeneration{},
			Request{Messages: user, Settings: Settings{Thinking: "enabled", MaxOutputTokens: catalog.Known[int64](1024)}}, "max_output_tokens"},
		{"a late system message", "anthropic_messages", catalog.TextGeneration{},
			Request{Messages: append(user[:1:1], Message{Role: "system", Parts: user[0].Parts})}, "messages"},
		{"a late system message where it may stand", "openai_chat_completions", catalog.TextGeneration{},
			Request{Messages: append(user[:1:1], Message{Role: "system", Parts: user[0].Parts})}, ""},
		{"the assistant last", "openai_chat_completions", catalog.TextGeneration{},
			Request{Messages: append(user[:1:1], Message{Role: "assistant", Parts: user[0].Parts})}, "messages"},
		{"a level and a budget", "gemini_generate_content", catalog.TextGeneration{},
			Request{Messages: user, Settings: Settings{Effort: "low", Thinking: "adaptive"}}, "thinking"},
		{"a level that the wire does not know", "gemini_generate_content", catalog.TextGeneration{},
			Request{Messages: user, Settings: Settings{Effort: "max"}}, "effort"},
		{"an image by its address", "ollama_chat", catalog.TextGeneration{},
			Request{Messages: []Message{{Role: "user", Parts: []Part{{Kind: "image", URL: "https://a.example/a.png"}}}}}, "messages"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var n op.Needs
			if err := c.request.Needs(&n); err != nil {
				t.Fatal(err)
			}
			for _, p := range Operation.Protocols {
				if p.Name != c.protocol {
					continue
				}
				contract := catalog.Contract{TextGeneration: &c.contract}
				if field, got := p.Misfit(&contract, &n); field != c.field {
					t.Errorf("misfit %q (%s), want %q", field, got, c.field)
				}
			}
		})
	}
}
