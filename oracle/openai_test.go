package oracle

import (
	"encoding/json"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/dispatch/openai_chat_completions"
	"github.com/opcat/opcat/dispatch/openai_embeddings"
	"github.com/opcat/opcat/dispatch/openai_moderations"
	"github.com/opcat/opcat/dispatch/openai_responses"
	"github.com/opcat/opcat/operations/embedding"
	"github.com/opcat/opcat/operations/moderation"
	"github.com/opcat/opcat/operations/textgen"
)

func openAI(r *recorder) openai.Client {
	return openai.NewClient(option.WithBaseURL(r.URL+"/v1/"), option.WithAPIKey("none"), option.WithMaxRetries(0))
}

const chatAnswer = `{"id":"chatcmpl-1","object":"chat.completion","created":1796000000,"model":"gpt-4.1-2025-04-14","service_tier":"priority",
 "choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","content":"I look.","refusal":null,
  "tool_calls":[{"id":"call_2","type":"function","function":{"name":"weather","arguments":"{\"city\":\"Rome\"}"}}]},
  "logprobs":{"content":[{"token":"I","logprob":-0.25,"bytes":null,"top_logprobs":[{"token":"I","logprob":-0.25,"bytes":null}]}],"refusal":null}}],
 "usage":{"prompt_tokens":80,"completion_tokens":25,"total_tokens":105,"prompt_tokens_details":{"cached_tokens":64,"audio_tokens":0},
  "completion_tokens_details":{"reasoning_tokens":10,"audio_tokens":0}}}`

func TestChatCompletions(t *testing.T) {
	out, read := ours(t, openai_chat_completions.Codec, "openai/gpt-4.1", conversation(textgen.Settings{
		MaxOutputTokens: catalog.Known[int64](256), Temperature: "0.2", TopP: "0.95", Seed: catalog.Known[int64](7),
		FrequencyPenalty: "-0.5", PresencePenalty: "1.25", Stop: []string{"END"}, Logprobs: catalog.Known[int64](2),
		LogitBias: map[string]catalog.Decimal{"9642": "-100"}, ServiceTier: "priority",
		ToolChoice: "tool", ToolName: "weather", ParallelToolCalls: catalog.Known(false),
	}))
	rec := record(t, chatAnswer)
	client := openAI(rec)
	theirs, err := client.Chat.Completions.New(t.Context(), openai.ChatCompletionNewParams{
		Model: "gpt-4.1",
		Messages: []openai.ChatCompletionMessageParamUnion{
			openai.SystemMessage("Be brief."),
			openai.UserMessage([]openai.ChatCompletionContentPartUnionParam{
				openai.TextContentPart("Weather in Oslo and Rome?"),
				openai.ImageContentPart(openai.ChatCompletionContentPartImageImageURLParam{URL: "data:image/png;base64,iVBORw0KGgo="}),
			}),
			{OfAssistant: &openai.ChatCompletionAssistantMessageParam{ToolCalls: []openai.ChatCompletionMessageToolCallUnionParam{{
				OfFunction: &openai.ChatCompletionMessageFunctionToolCallParam{ID: "call_1", Function: openai.ChatCompletionMessageFunctionToolCallFunctionParam{
					Name: "weather", Arguments: `{"city":"Oslo"}`}},
			}}}},
			openai.ToolMessage("3 degrees", "call_1"),
		},
		MaxCompletionTokens: openai.Int(256), Temperature: openai.Float(0.2), TopP: openai.Float(0.95), Seed: openai.Int(7),
		FrequencyPenalty: openai.Float(-0.5), PresencePenalty: openai.Float(1.25),
		Stop:     openai.ChatCompletionNewParamsStopUnion{OfStringArray: []string{"END"}},
		Logprobs: openai.Bool(true), TopLogprobs: openai.Int(2), LogitBias: map[string]int64{"9642": -100},
		ServiceTier: openai.ChatCompletionNewParamsServiceTierPriority, ParallelToolCalls: openai.Bool(false),
		ToolChoice: openai.ToolChoiceOptionFunctionToolChoice(openai.ChatCompletionNamedToolChoiceFunctionParam{Name: "weather"}),
		Tools: []openai.ChatCompletionToolUnionParam{openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{
			Name: "weather", Description: openai.String("Looks up the weather"), Parameters: shared.FunctionParameters{"type": "object"},
		})},
	})
	if err != nil {
		t.Fatal(err)
	}
	sameRequest(t, out, rec)

	a, f := read(chatAnswer)
	if f != nil {
		t.Fatal(f)
	}
	c := theirs.Choices[0]
	equal(t, "text", a.Result.Text(), c.Message.Content)
	equal(t, "call", a.Result.ToolCalls[0].Name, c.Message.ToolCalls[0].Function.Name)
	equal(t, "call id", a.Result.ToolCalls[0].ID, c.Message.ToolCalls[0].ID)
	equal(t, "arguments", string(a.Result.ToolCalls[0].Arguments), c.Message.ToolCalls[0].Function.Arguments)
	equal(t, "stop", a.Result.Stop, c.FinishReason)
	equal(t, "token", a.Result.Logprobs[0].Token, c.Logprobs.Content[0].Token)
	equal(t, "model", a.Served, theirs.Model)
	equal(t, "id", a.RequestID, theirs.ID)
	equal(t, "tier", a.ServiceTier, string(theirs.ServiceTier))
	equal(t, "input", total(a, "input_token", "cache_read_token"), theirs.Usage.PromptTokens)
	equal(t, "cached", total(a, "cache_read_token"), theirs.Usage.PromptTokensDetails.CachedTokens)
	equal(t, "output", total(a, "output_token", "reasoning_token"), theirs.Usage.CompletionTokens)
	equal(t, "reasoning", total(a, "reasoning_token"), theirs.Usage.CompletionTokensDetails.ReasoningTokens)
}

func TestChatResponseFormat(t *testing.T) {
	out, _ := ours(t, openai_chat_completions.Codec, "openai/gpt-5.4-mini", question(textgen.Settings{Effort: "low", ServiceTier: "standard"}))
	rec := record(t, chatAnswer)
	client := openAI(rec)
	_, err := client.Chat.Completions.New(t.Context(), openai.ChatCompletionNewParams{
		Model:           "gpt-5.4-mini",
		Messages:        []openai.ChatCompletionMessageParamUnion{openai.UserMessage("Is 7 prime?")},
		ReasoningEffort: shared.ReasoningEffortLow,
		ServiceTier:     openai.ChatCompletionNewParamsServiceTierDefault,
		ResponseFormat: openai.ChatCompletionNewParamsResponseFormatUnion{OfJSONSchema: &shared.ResponseFormatJSONSchemaParam{
			JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{Name: "verdict", Strict: openai.Bool(true), Schema: verdict},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	sameRequest(t, out, rec)
}

const responsesAnswer = `{"id":"resp_1","object":"response","created_at":1796000000.0,"model":"gpt-5.4-mini-2026-03-17","status":"completed","error":null,"incomplete_details":null,"service_tier":"default",
 "output":[{"type":"reasoning","id":"rs_1","summary":[]},{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"I look.","annotations":[]}]},
  {"type":"function_call","id":"fc_1","call_id":"call_2","name":"weather","arguments":"{\"city\":\"Rome\"}","status":"completed"}],
 "usage":{"input_tokens":3000,"input_tokens_details":{"cached_tokens":1024,"cache_write_tokens":1500},"output_tokens":48,"output_tokens_details":{"reasoning_tokens":40},"total_tokens":3048}}`

func TestResponses(t *testing.T) {
	request := conversation(textgen.Settings{MaxOutputTokens: catalog.Known[int64](256), Effort: "low", ToolChoice: "required", ParallelToolCalls: catalog.Known(true), Verbosity: "low"})
	request.ResponseSchema = question(textgen.Settings{}).ResponseSchema
	out, read := ours(t, openai_responses.Codec, "openai/gpt-5.4-mini", request)
	rec := record(t, responsesAnswer)
	client := openAI(rec)
	theirs, err := client.Responses.New(t.Context(), responses.ResponseNewParams{
		Model: "gpt-5.4-mini", Store: openai.Bool(false), MaxOutputTokens: openai.Int(256),
		Reasoning: shared.ReasoningParam{Effort: shared.ReasoningEffortLow}, ParallelToolCalls: openai.Bool(true),
		Include: []responses.ResponseIncludable{responses.ResponseIncludableReasoningEncryptedContent},
		Text: responses.ResponseTextConfigParam{Verbosity: responses.ResponseTextConfigVerbosityLow,
			Format: responses.ResponseFormatTextConfigUnionParam{OfJSONSchema: &responses.ResponseFormatTextJSONSchemaConfigParam{
				Name: "verdict", Strict: openai.Bool(true), Schema: verdict}}},
		Input: responses.ResponseNewParamsInputUnion{OfInputItemList: responses.ResponseInputParam{
			easy("system", responses.EasyInputMessageContentUnionParam{OfString: openai.String("Be brief.")}),
			easy("user", responses.EasyInputMessageContentUnionParam{OfInputItemContentList: responses.ResponseInputMessageContentListParam{
				{OfInputText: &responses.ResponseInputTextParam{Text: "Weather in Oslo and Rome?"}},
				{OfInputImage: &responses.ResponseInputImageParam{ImageURL: openai.String("data:image/png;base64,iVBORw0KGgo="), Detail: responses.ResponseInputImageDetailAuto}},
			}}),
			responses.ResponseInputItemParamOfFunctionCall(`{"city":"Oslo"}`, "call_1", "weather"),
			{OfFunctionCallOutput: &responses.ResponseInputItemFunctionCallOutputParam{CallID: openai.String("call_1"),
				Output: responses.ResponseInputItemFunctionCallOutputOutputUnionParam{OfString: openai.String("3 degrees")}}},
		}},
		Tools: []responses.ToolUnionParam{{OfFunction: &responses.FunctionToolParam{Name: "weather", Description: openai.String("Looks up the weather"),
			Parameters: map[string]any{"type": "object"}, Strict: openai.Bool(false)}}},
		ToolChoice: responses.ResponseNewParamsToolChoiceUnion{OfToolChoiceMode: openai.Opt(responses.ToolChoiceOptionsRequired)},
	})
	if err != nil {
		t.Fatal(err)
	}
	sameRequest(t, out, rec)

	a, f := read(responsesAnswer)
	if f != nil {
		t.Fatal(f)
	}
	equal(t, "text", a.Result.Text(), theirs.OutputText())
	call := theirs.Output[2].AsFunctionCall()
	equal(t, "call", a.Result.ToolCalls[0].Name, call.Name)
	equal(t, "call id", a.Result.ToolCalls[0].ID, call.CallID)
	equal(t, "arguments", string(a.Result.ToolCalls[0].Arguments), call.Arguments)
	equal(t, "model", a.Served, theirs.Model)
	equal(t, "id", a.RequestID, theirs.ID)
	equal(t, "input", total(a, "input_token", "cache_read_token", "cache_write_token"), theirs.Usage.InputTokens)
	equal(t, "cached", total(a, "cache_read_token"), theirs.Usage.InputTokensDetails.CachedTokens)
	equal(t, "written", total(a, "cache_write_token"), theirs.Usage.InputTokensDetails.CacheWriteTokens)
	equal(t, "output", total(a, "output_token", "reasoning_token"), theirs.Usage.OutputTokens)
}

// A turn with sealed thoughts between its texts and calls is sent again as the SDK
// sends it: the items of the answer, in their order.
func TestResponsesThoughts(t *testing.T) {
	const answer = `{"id":"resp_1","object":"response","created_at":1796000000.0,"model":"gpt-5.4-mini","status":"completed","error":null,"incomplete_details":null,
 "output":[{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"Rain?"}],"encrypted_content":"gAAA+/8="},
  {"type":"message","id":"msg_1","role":"assistant","status":"completed","phase":"commentary","content":[{"type":"output_text","text":"Let me see.","annotations":[]}]},
  {"type":"function_call","id":"fc_1","call_id":"call_1","name":"weather","arguments":"{\"city\":\"Oslo\"}","status":"completed"},
  {"type":"reasoning","id":"rs_2","summary":[],"encrypted_content":"gBBB"}]}`
	request := textgen.Request{Messages: []textgen.Message{{Role: "user", Parts: text("Is 7 prime?")}},
		Tools: []textgen.Tool{{Name: "weather", Parameters: `{"type":"object"}`}}}
	_, read := ours(t, openai_responses.Codec, "openai/gpt-5.4-mini", request)
	a, f := read(answer)
	if f != nil {
		t.Fatal(f)
	}
	request.Messages = append(request.Messages,
		textgen.Message{Role: "assistant", Parts: a.Result.Parts, ToolCalls: a.Result.ToolCalls, Thoughts: a.Result.Thoughts},
		textgen.Message{Role: "tool", ToolCallID: "call_1", Parts: text("3 degrees")})
	out, _ := ours(t, openai_responses.Codec, "openai/gpt-5.4-mini", request)

	rec := record(t, answer)
	client := openAI(rec)
	var theirs responses.Response
	if err := theirs.UnmarshalJSON([]byte(answer)); err != nil {
		t.Fatal(err)
	}
	input := responses.ResponseInputParam{easy("user", responses.EasyInputMessageContentUnionParam{OfString: openai.String("Is 7 prime?")})}
	for _, o := range theirs.Output {
		switch o.Type {
		case "reasoning":
			p := o.AsReasoning().ToParam()
			input = append(input, responses.ResponseInputItemUnionParam{OfReasoning: &p})
		case "message":
			p := o.AsMessage().ToParam()
			input = append(input, responses.ResponseInputItemUnionParam{OfOutputMessage: &p})
		case "function_call":
			call := o.AsFunctionCall()
			input = append(input, responses.ResponseInputItemParamOfFunctionCall(call.Arguments, call.CallID, call.Name))
		}
	}
	input = append(input, responses.ResponseInputItemUnionParam{OfFunctionCallOutput: &responses.ResponseInputItemFunctionCallOutputParam{CallID: openai.String("call_1"),
		Output: responses.ResponseInputItemFunctionCallOutputOutputUnionParam{OfString: openai.String("3 degrees")}}})
	_, err := client.Responses.New(t.Context(), responses.ResponseNewParams{
		Model: "gpt-5.4-mini", Store: openai.Bool(false),
		Include: []responses.ResponseIncludable{responses.ResponseIncludableReasoningEncryptedContent},
		Input:   responses.ResponseNewParamsInputUnion{OfInputItemList: input},
		Tools:   []responses.ToolUnionParam{{OfFunction: &responses.FunctionToolParam{Name: "weather", Parameters: map[string]any{"type": "object"}, Strict: openai.Bool(false)}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	sameRequest(t, out, rec)
}

func easy(role responses.EasyInputMessageRole, content responses.EasyInputMessageContentUnionParam) responses.ResponseInputItemUnionParam {
	return responses.ResponseInputItemUnionParam{OfMessage: &responses.EasyInputMessageParam{Role: role, Content: content, Type: responses.EasyInputMessageTypeMessage}}
}

const embeddingsAnswer = `{"object":"list","model":"text-embedding-3-small","data":[{"object":"embedding","index":0,"embedding":[0.25,-0.5]},{"object":"embedding","index":1,"embedding":[0.75,1]}],"usage":{"prompt_tokens":4,"total_tokens":4}}`

func TestEmbeddings(t *testing.T) {
	out, read := ours(t, openai_embeddings.Codec, "openai/text-embedding-3-small", embedding.Request{
		Items:    []embedding.Item{{Kind: "text", Text: "red fox"}, {Kind: "text", Text: "blue whale"}},
		Settings: embedding.Settings{Dimensions: catalog.Known[int64](2)},
	})
	rec := record(t, embeddingsAnswer)
	client := openAI(rec)
	theirs, err := client.Embeddings.New(t.Context(), openai.EmbeddingNewParams{
		Model: "text-embedding-3-small", Input: openai.EmbeddingNewParamsInputUnion{OfArrayOfStrings: []string{"red fox", "blue whale"}},
		Dimensions: openai.Int(2), EncodingFormat: openai.EmbeddingNewParamsEncodingFormatFloat,
	})
	if err != nil {
		t.Fatal(err)
	}
	sameRequest(t, out, rec)
	a, f := read(embeddingsAnswer)
	if f != nil {
		t.Fatal(f)
	}
	equal(t, "vectors", len(a.Result.Vectors), len(theirs.Data))
	for i, v := range theirs.Data {
		equal(t, "length", len(a.Result.Vectors[i].Floats), len(v.Embedding))
		for k, x := range v.Embedding {
			equal(t, "number", float64(a.Result.Vectors[i].Floats[k]), x)
		}
	}
	equal(t, "input", total(a, "input_token"), theirs.Usage.PromptTokens)
	equal(t, "model", a.Served, theirs.Model)
}

const moderationAnswer = `{"id":"modr-1","model":"omni-moderation-2024-09-26","results":[{"flagged":true,
 "categories":{"harassment":false,"harassment/threatening":true,"hate":false,"hate/threatening":false,"illicit":false,"illicit/violent":false,"self-harm":false,
  "self-harm/instructions":false,"self-harm/intent":false,"sexual":false,"sexual/minors":false,"violence":true,"violence/graphic":false},
 "category_scores":{"harassment":0.21,"harassment/threatening":0.62,"hate":0.03,"hate/threatening":0.04,"illicit":0.05,"illicit/violent":0.06,"self-harm":1.7e-05,
  "self-harm/instructions":0.0008,"self-harm/intent":0.0009,"sexual":0.01,"sexual/minors":0,"violence":0.93,"violence/graphic":0.13},
 "category_applied_input_types":{"violence":["text"]}}]}`

func TestModerations(t *testing.T) {
	out, read := ours(t, openai_moderations.Codec, "openai/omni-moderation-2024-09-26", moderation.Request{Items: []moderation.Item{{Kind: "text", Text: "I hit him."}}})
	rec := record(t, moderationAnswer)
	client := openAI(rec)
	theirs, err := client.Moderations.New(t.Context(), openai.ModerationNewParams{
		Model: openai.ModerationModelOmniModeration2024_09_26, Input: openai.ModerationNewParamsInputUnion{OfStringArray: []string{"I hit him."}},
	})
	if err != nil {
		t.Fatal(err)
	}
	sameRequest(t, out, rec)

	a, f := read(moderationAnswer)
	if f != nil {
		t.Fatal(f)
	}
	equal(t, "model", a.Served, theirs.Model)
	equal(t, "verdicts", len(a.Result.Verdicts), len(theirs.Results))
	v, r := a.Result.Verdicts[0], theirs.Results[0]
	equal(t, "flagged", v.Flagged, catalog.Known(r.Flagged))
	flags, scores := byName[bool](t, r.Categories), byName[float64](t, r.CategoryScores)
	equal(t, "categories", len(v.Categories), len(flags))
	for _, c := range v.Categories {
		flag, known := flags[c.Name]
		equal(t, c.Name+" is a category", true, known)
		equal(t, c.Name, c.Flagged, catalog.Known(flag))
		equal(t, "score of "+c.Name, number(t, c.Score), scores[c.Name])
	}
}

// byName is what an SDK holds in a struct of one field for each name.
func byName[V any](t *testing.T, v any) (out map[string]V) {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}
