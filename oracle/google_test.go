package oracle

import (
	"fmt"
	"strings"
	"testing"

	"google.golang.org/genai"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/dispatch/gemini_embed"
	"github.com/opcat/opcat/dispatch/gemini_generate_content"
	"github.com/opcat/opcat/operations/embedding"
	"github.com/opcat/opcat/operations/textgen"
)

func google(t *testing.T, r *recorder) *genai.Client {
	t.Helper()
	client, err := genai.NewClient(t.Context(), &genai.ClientConfig{Backend: genai.BackendGeminiAPI, APIKey: "none",
		HTTPOptions: genai.HTTPOptions{BaseURL: r.URL, APIVersion: "v1beta"}})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

const generateAnswer = `{"candidates":[{"content":{"role":"model","parts":[{"text":"Let me think.","thought":true},{"text":"I look."},
  {"functionCall":{"id":"fc_2","name":"weather","args":{"city":"Rome"}},"thoughtSignature":"c2ln"}]},"finishReason":"STOP","index":0}],
 "modelVersion":"gemini-2.5-flash","responseId":"resp-1",
 "usageMetadata":{"promptTokenCount":300,"cachedContentTokenCount":100,"candidatesTokenCount":20,"thoughtsTokenCount":40,"totalTokenCount":360,
  "promptTokensDetails":[{"modality":"TEXT","tokenCount":42},{"modality":"IMAGE","tokenCount":258}],"cacheTokensDetails":[{"modality":"IMAGE","tokenCount":100}]}}`

func TestGenerateContent(t *testing.T) {
	out, read := ours(t, gemini_generate_content.Codec, "google/gemini-2.5-flash", conversation(textgen.Settings{
		MaxOutputTokens: catalog.Known[int64](4096), Temperature: "0.5", TopP: "0.75", Stop: []string{"END"},
		Thinking: "adaptive", ToolChoice: "tool", ToolName: "weather", ServiceTier: "flex",
	}))
	rec := record(t, generateAnswer)
	theirs, err := google(t, rec).Models.GenerateContent(t.Context(), "gemini-2.5-flash", []*genai.Content{
		genai.NewContentFromParts([]*genai.Part{genai.NewPartFromText("Weather in Oslo and Rome?"),
			genai.NewPartFromBytes([]byte("\x89PNG\r\n\x1a\n"), "image/png")}, genai.RoleUser),
		genai.NewContentFromParts([]*genai.Part{{FunctionCall: &genai.FunctionCall{ID: "call_1", Name: "weather", Args: map[string]any{"city": "Oslo"}}}}, genai.RoleModel),
		genai.NewContentFromParts([]*genai.Part{{FunctionResponse: &genai.FunctionResponse{ID: "call_1", Name: "weather", Response: map[string]any{"output": "3 degrees"}}}}, genai.RoleUser),
	}, &genai.GenerateContentConfig{
		SystemInstruction: &genai.Content{Parts: []*genai.Part{genai.NewPartFromText("Be brief.")}},
		MaxOutputTokens:   4096, Temperature: genai.Ptr[float32](0.5), TopP: genai.Ptr[float32](0.75), StopSequences: []string{"END"},
		ThinkingConfig: &genai.ThinkingConfig{ThinkingBudget: genai.Ptr[int32](-1)}, ServiceTier: genai.ServiceTierFlex,
		Tools: []*genai.Tool{{FunctionDeclarations: []*genai.FunctionDeclaration{{Name: "weather", Description: "Looks up the weather",
			ParametersJsonSchema: map[string]any{"type": "object"}}}}},
		ToolConfig: &genai.ToolConfig{FunctionCallingConfig: &genai.FunctionCallingConfig{Mode: genai.FunctionCallingConfigModeAny, AllowedFunctionNames: []string{"weather"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	sameRequest(t, out, rec, "systemInstruction.role") // the SDK names the user there, and the API needs no role

	a, f := read(generateAnswer)
	if f != nil {
		t.Fatal(f)
	}
	call := theirs.FunctionCalls()[0]
	equal(t, "text", a.Result.Text(), theirs.Candidates[0].Content.Parts[1].Text)
	equal(t, "calls", len(a.Result.ToolCalls), len(theirs.FunctionCalls()))
	equal(t, "call", a.Result.ToolCalls[0].Name, call.Name)
	equal(t, "call id", a.Result.ToolCalls[0].ID, call.ID)
	equal(t, "arguments", string(a.Result.ToolCalls[0].Arguments), fmt.Sprintf(`{"city":%q}`, call.Args["city"]))
	equal(t, "model", a.Served, theirs.ModelVersion)
	equal(t, "id", a.RequestID, theirs.ResponseID)
	u := theirs.UsageMetadata
	equal(t, "input", total(a, "input_token", "input_image_token", "cache_read_token", "cache_read_image_token"), int64(u.PromptTokenCount))
	equal(t, "cached", total(a, "cache_read_token", "cache_read_image_token"), int64(u.CachedContentTokenCount))
	equal(t, "images", total(a, "input_image_token", "cache_read_image_token"), int64(u.PromptTokensDetails[1].TokenCount))
	equal(t, "output", total(a, "output_token"), int64(u.CandidatesTokenCount))
	equal(t, "thoughts", total(a, "reasoning_token"), int64(u.ThoughtsTokenCount))
}

func TestGenerateContentUnderSchema(t *testing.T) {
	out, _ := ours(t, gemini_generate_content.Codec, "google/gemini-3.8-flash", question(textgen.Settings{Effort: "low"}))
	rec := record(t, generateAnswer)
	_, err := google(t, rec).Models.GenerateContent(t.Context(), "gemini-3.8-flash", genai.Text("Is 7 prime?"), &genai.GenerateContentConfig{
		ResponseMIMEType: "application/json", ResponseJsonSchema: verdict,
		ThinkingConfig: &genai.ThinkingConfig{ThinkingLevel: genai.ThinkingLevelLow},
	})
	if err != nil {
		t.Fatal(err)
	}
	sameRequest(t, out, rec)
}

// The SDK has one call for one item and for several, and sends either to
// batchEmbedContents: what we send to embedContent is the only one of its requests.
func TestEmbedContent(t *testing.T) {
	severalItems := stating(t, `[[provider.google]]
models = ["gemini-embedding-001"]
[provider.google.operations.embedding]
limits = { items = 100 }
`)
	v := "[" + strings.TrimSuffix(strings.Repeat("0.25,-0.5,", 64), ",") + "]"
	for _, c := range []struct {
		name, answer string
		texts        []string
	}{
		{"one", `{"embedding":{"values":` + v + `}}`, []string{"red fox"}},
		{"several", `{"embeddings":[{"values":` + v + `},{"values":` + v + `}]}`, []string{"red fox", "blue whale"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			request := embedding.Request{Settings: embedding.Settings{Dimensions: catalog.Known[int64](128), Task: "RETRIEVAL_DOCUMENT"}}
			var contents []*genai.Content
			for _, text := range c.texts {
				request.Items = append(request.Items, embedding.Item{Kind: "text", Text: text})
				contents = append(contents, &genai.Content{Parts: []*genai.Part{genai.NewPartFromText(text)}})
			}
			out, read := oursIn(t, severalItems, gemini_embed.Codec, "google/gemini-embedding-001", request)
			// what the SDK reads is a batch, of one or of several
			rec := record(t, strings.NewReplacer(`{"embedding":`, `{"embeddings":[`, `]}}`, `]}]}`).Replace(c.answer))
			theirs, err := google(t, rec).Models.EmbedContent(t.Context(), "gemini-embedding-001", contents,
				&genai.EmbedContentConfig{TaskType: "RETRIEVAL_DOCUMENT", OutputDimensionality: genai.Ptr[int32](128)})
			if err != nil {
				t.Fatal(err)
			}
			if len(c.texts) == 1 {
				out.URL = strings.Replace(out.URL, ":embedContent", ":batchEmbedContents", 1)
				out.Body = []byte(`{"requests":[` + string(out.Body) + `]}`)
			}
			sameRequest(t, out, rec)
			a, f := read(c.answer)
			if f != nil {
				t.Fatal(f)
			}
			equal(t, "vectors", len(a.Result.Vectors), len(theirs.Embeddings))
			for i, e := range theirs.Embeddings {
				equal(t, "length", len(a.Result.Vectors[i].Floats), len(e.Values))
				for k, x := range e.Values {
					equal(t, "number", a.Result.Vectors[i].Floats[k], x)
				}
			}
		})
	}
}
