package oracle

import "github.com/opcat/opcat/operations/textgen"

func text(s string) []textgen.Part { return []textgen.Part{{Kind: "text", Text: s}} }

// conversation is a turn after a tool has run.
func conversation(s textgen.Settings) textgen.Request {
	return textgen.Request{
		Messages: []textgen.Message{
			{Role: "system", Parts: text("Be brief.")},
			{Role: "user", Parts: append(text("Weather in Oslo and Rome?"), textgen.Part{Kind: "image", MediaType: "image/png", Data: "iVBORw0KGgo="})},
			{Role: "assistant", ToolCalls: []textgen.ToolCall{{ID: "call_1", Name: "weather", Arguments: `{"city":"Oslo"}`}}},
			{Role: "tool", ToolCallID: "call_1", Parts: text("3 degrees")},
		},
		Tools:    []textgen.Tool{{Name: "weather", Description: "Looks up the weather", Parameters: `{"type":"object"}`}},
		Settings: s,
	}
}

// question asks for a yes or no under a schema.
func question(s textgen.Settings) textgen.Request {
	return textgen.Request{
		Messages: []textgen.Message{{Role: "user", Parts: text("Is 7 prime?")}},
		ResponseSchema: &textgen.ResponseSchema{Name: "verdict",
			Schema: `{"type":"object","properties":{"verdict":{"type":"boolean"}},"required":["verdict"],"additionalProperties":false}`},
		Settings: s,
	}
}

// verdict is the schema as an SDK takes it.
var verdict = map[string]any{
	"type": "object", "properties": map[string]any{"verdict": map[string]any{"type": "boolean"}},
	"required": []string{"verdict"}, "additionalProperties": false,
}
