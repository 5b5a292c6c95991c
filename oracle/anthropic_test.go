package oracle

import (
	"testing"

	"github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/dispatch/anthropic_messages"
	"github.com/opcat/opcat/operations/textgen"
)

const messagesAnswer = `{"id":"msg_1","type":"message","role":"assistant","model":"claude-haiku-5-5","content":[{"type":"text","text":"I look."},
 {"type":"tool_use","id":"toolu_2","name":"weather","input":{"city":"Rome"}}],"stop_reason":"tool_use","stop_sequence":null,
 "usage":{"input_tokens":3,"output_tokens":550,"cache_read_input_tokens":100,"cache_creation_input_tokens":304,"cache_creation":{"ephemeral_5m_input_tokens":300,"ephemeral_1h_input_tokens":4},
 "output_tokens_details":{"thinking_tokens":500},"service_tier":"standard","speed":"standard"}}`

func TestMessages(t *testing.T) {
	request := conversation(textgen.Settings{MaxOutputTokens: catalog.Known[int64](4096), Effort: "low", Thinking: "adaptive",
		ToolChoice: "auto", ParallelToolCalls: catalog.Known(false), Stop: []string{"END"}, PromptCacheTTL: "1h"})
	request.ResponseSchema = question(textgen.Settings{}).ResponseSchema
	out, read := ours(t, anthropic_messages.Codec, "anthropic/claude-haiku-5-5", request)
	rec := record(t, messagesAnswer)
	client := anthropic.NewClient(option.WithBaseURL(rec.URL), option.WithAPIKey("none"), option.WithMaxRetries(0))
	theirs, err := client.Messages.New(t.Context(), anthropic.MessageNewParams{
		Model: "claude-haiku-5-5", MaxTokens: 4096,
		System: []anthropic.TextBlockParam{{Text: "Be brief."}},
		Messages: []anthropic.MessageParam{
			anthropic.NewUserMessage(anthropic.NewTextBlock("Weather in Oslo and Rome?"), anthropic.NewImageBlockBase64("image/png", "iVBORw0KGgo=")),
			anthropic.NewAssistantMessage(anthropic.NewToolUseBlock("call_1", map[string]any{"city": "Oslo"}, "weather")),
			anthropic.NewUserMessage(anthropic.ContentBlockParamUnion{OfToolResult: &anthropic.ToolResultBlockParam{ToolUseID: "call_1",
				Content: []anthropic.ToolResultBlockParamContentUnion{{OfText: &anthropic.TextBlockParam{Text: "3 degrees"}}}}}),
		},
		Tools: []anthropic.ToolUnionParam{{OfTool: &anthropic.ToolParam{Name: "weather", Description: anthropic.String("Looks up the weather"),
			InputSchema: anthropic.ToolInputSchemaParam{Type: "object"}}}},
		ToolChoice:    anthropic.ToolChoiceUnionParam{OfAuto: &anthropic.ToolChoiceAutoParam{DisableParallelToolUse: anthropic.Bool(true)}},
		OutputConfig:  anthropic.OutputConfigParam{Effort: "low", Format: anthropic.JSONOutputFormatParam{Schema: verdict}},
		Thinking:      anthropic.ThinkingConfigParamUnion{OfAdaptive: &anthropic.ThinkingConfigAdaptiveParam{}},
		CacheControl:  anthropic.CacheControlEphemeralParam{TTL: "1h"},
		StopSequences: []string{"END"},
	})
	if err != nil {
		t.Fatal(err)
	}
	sameRequest(t, out, rec)
	equal(t, "version", out.Header.Get("Anthropic-Version"), rec.header.Get("Anthropic-Version"))

	a, f := read(messagesAnswer)
	if f != nil {
		t.Fatal(f)
	}
	equal(t, "text", a.Result.Text(), theirs.Content[0].Text)
	equal(t, "call", a.Result.ToolCalls[0].Name, theirs.Content[1].Name)
	equal(t, "call id", a.Result.ToolCalls[0].ID, theirs.Content[1].ID)
	equal(t, "arguments", string(a.Result.ToolCalls[0].Arguments), string(theirs.Content[1].Input))
	equal(t, "model", a.Served, string(theirs.Model))
	equal(t, "input", total(a, "input_token"), theirs.Usage.InputTokens)
	equal(t, "cached", total(a, "cache_read_token"), theirs.Usage.CacheReadInputTokens)
	equal(t, "written", total(a, "cache_write_token"), theirs.Usage.CacheCreationInputTokens)
	equal(t, "output", total(a, "output_token", "reasoning_token"), theirs.Usage.OutputTokens)
	equal(t, "thinking", total(a, "reasoning_token"), theirs.Usage.OutputTokensDetails.ThinkingTokens)
}

// A turn whose text follows a call is sent again as the SDK sends it: the blocks of
// the answer, in their order.
func TestMessagesInTurn(t *testing.T) {
	const answer = `{"id":"msg_1","type":"message","role":"assistant","model":"claude-haiku-5-5","content":[{"type":"thinking","thinking":"Rain?","signature":"EqQB"},
 {"type":"text","text":"I look."},{"type":"tool_use","id":"toolu_1","name":"weather","input":{"city":"Rome"}},{"type":"text","text":"And there."},
 {"type":"tool_use","id":"toolu_2","name":"weather","input":{"city":"Oslo"}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":3,"output_tokens":5}}`
	request := textgen.Request{Messages: []textgen.Message{{Role: "user", Parts: text("Is 7 prime?")}},
		Tools:    []textgen.Tool{{Name: "weather", Parameters: `{"type":"object"}`}},
		Settings: textgen.Settings{MaxOutputTokens: catalog.Known[int64](4096)}}
	_, read := ours(t, anthropic_messages.Codec, "anthropic/claude-haiku-5-5", request)
	a, f := read(answer)
	if f != nil {
		t.Fatal(f)
	}
	request.Messages = append(request.Messages,
		textgen.Message{Role: "assistant", Parts: a.Result.Parts, ToolCalls: a.Result.ToolCalls, Thoughts: a.Result.Thoughts},
		textgen.Message{Role: "tool", ToolCallID: "toolu_1", Parts: text("3 degrees")},
		textgen.Message{Role: "tool", ToolCallID: "toolu_2", Parts: text("1 degree")})
	out, _ := ours(t, anthropic_messages.Codec, "anthropic/claude-haiku-5-5", request)

	rec := record(t, answer)
	client := anthropic.NewClient(option.WithBaseURL(rec.URL), option.WithAPIKey("none"), option.WithMaxRetries(0))
	var theirs anthropic.Message
	if err := theirs.UnmarshalJSON([]byte(answer)); err != nil {
		t.Fatal(err)
	}
	gave := func(id, said string) anthropic.ContentBlockParamUnion {
		return anthropic.ContentBlockParamUnion{OfToolResult: &anthropic.ToolResultBlockParam{ToolUseID: id,
			Content: []anthropic.ToolResultBlockParamContentUnion{{OfText: &anthropic.TextBlockParam{Text: said}}}}}
	}
	_, err := client.Messages.New(t.Context(), anthropic.MessageNewParams{
		Model: "claude-haiku-5-5", MaxTokens: 4096,
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock("Is 7 prime?")), theirs.ToParam(),
			anthropic.NewUserMessage(gave("toolu_1", "3 degrees"), gave("toolu_2", "1 degree"))},
		Tools: []anthropic.ToolUnionParam{{OfTool: &anthropic.ToolParam{Name: "weather", InputSchema: anthropic.ToolInputSchemaParam{Type: "object"}}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	sameRequest(t, out, rec)
}
