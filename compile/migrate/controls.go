package migrate

import (
	"github.com/opcat/opcat/compile/tree"
)

// controlProtocols are today's protocols of the dialects that a data control
// names as what it applies to.
var controlProtocols = map[string]string{
	"typesafe_system_one": "typesafe_system_one", "vercel_evaluate": "vercel_evaluate", "openrouter_decisions": "openrouter_decisions",
	"anthropic_sse": "anthropic_messages", "open_ai_sse": "openai_chat_completions", "ollama_ndjson": "ollama_chat",
	"gemini_json": "gemini_generate_content", "gemini_interactions_sse": "gemini_interactions",
}

// controls writes the data controls of a provider or row.
func (m *migration) controls(out, from *tree.Node) {
	if from == nil {
		return
	}
	m.put(out, "data_controls", from)
	for i, req := out.Get("data_controls").Get("request_controls").First(), from.Get("request_controls").First(); i != nil && req != nil; i, req = i.Next(), req.Next() {
		dialects := req.Get("applies_to")
		if dialects == nil {
			continue
		}
		var protocols []string
		for _, d := range dialects.Strings() {
			protocols = append(protocols, controlProtocols[d])
		}
		i.Drop("applies_to")
		m.words(i, "applies_to", dialects, protocols)
		list := i.Get("applies_to")
		sortSet(list, list.Type())
	}
}
