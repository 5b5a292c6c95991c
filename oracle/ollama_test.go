package oracle

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	ollamaapi "github.com/ollama/ollama/api"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/dispatch/ollama_chat"
	"github.com/opcat/opcat/dispatch/ollama_embed"
	"github.com/opcat/opcat/operations/embedding"
	"github.com/opcat/opcat/operations/textgen"
)

func ollama(t *testing.T, r *recorder) *ollamaapi.Client {
	t.Helper()
	base, err := url.Parse(r.URL)
	if err != nil {
		t.Fatal(err)
	}
	return ollamaapi.NewClient(base, http.DefaultClient)
}

// One line: the client reads a line at a time.
const ollamaAnswer = `{"model":"llama3.2","created_at":"2026-11-29T10:00:00Z","message":{"role":"assistant","content":"I look.","tool_calls":[{"id":"call_2","function":{"index":0,"name":"weather","arguments":{"city":"Rome"}}}]},"done":true,"done_reason":"stop","prompt_eval_count":90,"eval_count":20}`

func TestOllamaChat(t *testing.T) {
	request := conversation(textgen.Settings{MaxOutputTokens: catalog.Known[int64](64), Temperature: "0.5", TopP: "0.9",
		TopK: catalog.Known[int64](40), MinP: "0.05", Seed: catalog.Known[int64](7), RepetitionPenalty: "1.1", Stop: []string{"END"}})
	request.Messages[1].Parts = request.Messages[1].Parts[:1] // the model reads no images
	request.Tools[0].Parameters = `{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`
	out, read := ours(t, ollama_chat.Codec, "ollama/llama3.2", request)

	arguments := ollamaapi.NewToolCallFunctionArguments()
	arguments.Set("city", "Oslo")
	properties := ollamaapi.NewToolPropertiesMap()
	properties.Set("city", ollamaapi.ToolProperty{Type: ollamaapi.PropertyType{"string"}})
	rec := record(t, ollamaAnswer)
	var theirs ollamaapi.ChatResponse
	err := ollama(t, rec).Chat(t.Context(), &ollamaapi.ChatRequest{
		Model: "llama3.2", Stream: new(bool), Truncate: new(bool), Shift: new(bool),
		Messages: []ollamaapi.Message{
			{Role: "system", Content: "Be brief."},
			{Role: "user", Content: "Weather in Oslo and Rome?"},
			{Role: "assistant", ToolCalls: []ollamaapi.ToolCall{{ID: "call_1", Function: ollamaapi.ToolCallFunction{Name: "weather", Arguments: arguments}}}},
			{Role: "tool", Content: "3 degrees", ToolName: "weather", ToolCallID: "call_1"},
		},
		Tools: ollamaapi.Tools{{Type: "function", Function: ollamaapi.ToolFunction{Name: "weather", Description: "Looks up the weather",
			Parameters: ollamaapi.ToolFunctionParameters{Type: "object", Properties: properties, Required: []string{"city"}}}}},
		Options: map[string]any{"num_predict": 64, "temperature": 0.5, "top_p": 0.9, "top_k": 40, "min_p": 0.05, "seed": 7, "repeat_penalty": 1.1, "stop": []string{"END"}},
	}, func(r ollamaapi.ChatResponse) error { theirs = r; return nil })
	if err != nil {
		t.Fatal(err)
	}
	sameRequest(t, out, rec, "messages.2.tool_calls.0.function.index") // the client always writes a zero there, which says nothing

	a, f := read(ollamaAnswer)
	if f != nil {
		t.Fatal(f)
	}
	call := theirs.Message.ToolCalls[0]
	equal(t, "text", a.Result.Text(), theirs.Message.Content)
	equal(t, "call", a.Result.ToolCalls[0].Name, call.Function.Name)
	equal(t, "call id", a.Result.ToolCalls[0].ID, call.ID)
	equal(t, "arguments", string(a.Result.ToolCalls[0].Arguments), call.Function.Arguments.String())
	equal(t, "model", a.Served, theirs.Model)
	equal(t, "input", total(a, "input_token"), int64(theirs.PromptEvalCount))
	equal(t, "output", total(a, "output_token"), int64(theirs.EvalCount))
}

func TestOllamaChatUnderSchema(t *testing.T) {
	request := question(textgen.Settings{})
	request.Messages[0].Parts = append(request.Messages[0].Parts, textgen.Part{Kind: "image", MediaType: "image/png", Data: "iVBORw0KGgo="})
	out, _ := ours(t, ollama_chat.Codec, "ollama/gemma4:26b", request)
	rec := record(t, ollamaAnswer)
	err := ollama(t, rec).Chat(t.Context(), &ollamaapi.ChatRequest{
		Model: "gemma4:26b", Stream: new(bool), Truncate: new(bool), Shift: new(bool), Format: json.RawMessage(request.ResponseSchema.Schema),
		Messages: []ollamaapi.Message{{Role: "user", Content: "Is 7 prime?", Images: []ollamaapi.ImageData{[]byte("\x89PNG\r\n\x1a\n")}}},
	}, func(ollamaapi.ChatResponse) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	sameRequest(t, out, rec, "options") // the client writes null where there are none
}

func TestOllamaEmbed(t *testing.T) {
	v := "[" + strings.TrimSuffix(strings.Repeat("0.25,-0.5,", 512), ",") + "]"
	answer := `{"model":"bge-large","embeddings":[` + v + `,` + v + `],"total_duration":1,"prompt_eval_count":4}`
	severalItems := stating(t, `[[provider.ollama]]
models = ["bge-large"]
[provider.ollama.operations.embedding]
limits = { items = 8 }
`)
	out, read := oursIn(t, severalItems, ollama_embed.Codec, "ollama/bge-large", embedding.Request{
		Items: []embedding.Item{{Kind: "text", Text: "red fox"}, {Kind: "text", Text: "blue whale"}},
	})
	rec := record(t, answer)
	theirs, err := ollama(t, rec).Embed(t.Context(), &ollamaapi.EmbedRequest{Model: "bge-large", Input: []string{"red fox", "blue whale"}, Truncate: new(bool)})
	if err != nil {
		t.Fatal(err)
	}
	sameRequest(t, out, rec, "options") // the client writes null where there are none

	a, f := read(answer)
	if f != nil {
		t.Fatal(f)
	}
	equal(t, "vectors", len(a.Result.Vectors), len(theirs.Embeddings))
	for i, e := range theirs.Embeddings {
		equal(t, "length", len(a.Result.Vectors[i].Floats), len(e))
		for k, x := range e {
			equal(t, "number", a.Result.Vectors[i].Floats[k], x)
		}
	}
	equal(t, "model", a.Served, theirs.Model)
	equal(t, "input", total(a, "input_token"), int64(theirs.PromptEvalCount))
}
