package operations_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/decision"
	"github.com/opcat/opcat/operations/embedding"
	"github.com/opcat/opcat/operations/moderation"
	"github.com/opcat/opcat/operations/rerank"
	"github.com/opcat/opcat/operations/textgen"
)

func saying(messages ...textgen.Message) textgen.Request {
	return textgen.Request{Messages: messages}
}

func text(s string) []textgen.Part { return []textgen.Part{{Kind: "text", Text: s}} }

func asked(change func(*decision.Question)) decision.Request {
	return judging(func(r *decision.Request) { change(&r.Questions[0]) })
}

func thinks(change ...func(*textgen.Thought)) func() error {
	return on("acme/chat-a", thinking("acme/chat-a", "anthropic_messages", change...))
}

func gemini(data catalog.JSON) func(*textgen.Thought) {
	return func(t *textgen.Thought) { t.Protocol, t.Data = "gemini_generate_content", data }
}

func item(data catalog.JSON) func(*textgen.Thought) {
	return func(t *textgen.Thought) { t.Protocol, t.Data = "openai_responses", data }
}

func members(data catalog.JSON) func(*textgen.Thought) {
	return func(t *textgen.Thought) { t.Protocol, t.Data = "openai_chat_completions", data }
}

func inside(t *textgen.Thought) { t.Inside = true }

// callsBefore is a turn of one text with calls that stand before parts of it.
func callsBefore(before ...catalog.Opt[int64]) textgen.Message {
	m := textgen.Message{Role: "assistant", Parts: text("hi")}
	for i, at := range before {
		m.ToolCalls = append(m.ToolCalls, textgen.ToolCall{ID: strconv.Itoa(i), Name: "f", Arguments: "{}", Before: at})
	}
	return m
}

// twice has a thought two times in one place.
func twice(change func(*textgen.Thought)) textgen.Request {
	r := thinking("acme/chat-a", "gemini_generate_content", change)
	m := &r.Messages[1]
	m.Thoughts = append(m.Thoughts, m.Thoughts[0])
	return r
}

// A request that is wrong by itself is an error of its own, whatever the route.
func TestRequestsThatAreWrong(t *testing.T) {
	for _, x := range []struct {
		name string
		ask  func() error
		want string
	}{
		{"no messages", on("acme/chat-a", textgen.Request{}), "messages: there are none"},
		{"a role", on("acme/chat-a", saying(textgen.Message{Role: "bot", Parts: text("hi")})), `role "bot"`},
		{"an empty message", on("acme/chat-a", saying(textgen.Message{Role: "user"})), "message 0 is empty"},
		{"only system messages", on("acme/chat-a", saying(textgen.Message{Role: "system", Parts: text("hi")})), "nothing to answer"},
		{"an empty text", on("acme/chat-a", chat("")), "the text is empty"},
		{"a text that is not UTF-8", on("acme/chat-a", chat("a\xff")), "not valid UTF-8"},
		{"a kind", on("acme/chat-a", saying(textgen.Message{Role: "user", Parts: []textgen.Part{{Kind: "smell"}}})), `kind "smell"`},
		{"an image of nowhere", on("acme/chat-a", saying(textgen.Message{Role: "user", Parts: []textgen.Part{{Kind: "image"}}})), "one of data, url and file_id"},
		{"an image twice", on("acme/chat-a", saying(textgen.Message{Role: "user", Parts: []textgen.Part{{Kind: "image", MediaType: "image/png", Data: image, URL: "https://x.example"}}})), "one of data, url and file_id"},
		{"data of no type", on("acme/chat-a", saying(textgen.Message{Role: "user", Parts: []textgen.Part{{Kind: "image", Data: image}}})), "media_type"},
		{"data that is not base64", on("acme/chat-a", saying(textgen.Message{Role: "user", Parts: []textgen.Part{{Kind: "image", MediaType: "image/png", Data: "a b="}}})), "not base64"},
		{"an image of the system", on("acme/chat-a", saying(textgen.Message{Role: "system", Parts: []textgen.Part{picture}}, textgen.Message{Role: "user", Parts: text("hi")})), "only the user"},
		{"calls of the user", on("acme/chat-a", saying(textgen.Message{Role: "user", ToolCalls: []textgen.ToolCall{{ID: "a", Name: "f", Arguments: "{}"}}})), "only the assistant calls"},
		{"an answer to no call", on("acme/chat-a", saying(textgen.Message{Role: "tool", ToolCallID: "a", Parts: text("hi")})), "none of the calls before it"},
		{"arguments that are a list", on("acme/chat-a", saying(textgen.Message{Role: "assistant", ToolCalls: []textgen.ToolCall{{ID: "a", Name: "f", Arguments: "[]"}}})), "not a JSON object"},
		{"thoughts of the user", on("acme/chat-a", saying(textgen.Message{Role: "user", Parts: text("hi"), Thoughts: []textgen.Thought{{}}})), "only the assistant has thoughts"},
		{"thoughts and nothing else", on("acme/chat-a", saying(textgen.Message{Role: "assistant", Thoughts: []textgen.Thought{{}}})), "message 0 is empty"},
		{"a thought of nobody", thinks(func(t *textgen.Thought) { t.Route = "" }), "it needs its route"},
		{"a thought of a wire without any", thinks(func(t *textgen.Thought) { t.Protocol = "ollama_chat" }), "no thoughts are sent over the protocol ollama_chat"},
		{"a thought behind the turn", thinks(func(t *textgen.Thought) { t.At = 2 }), "at 2 is no place in a turn of 1"},
		{"a mark on nothing", thinks(func(t *textgen.Thought) { t.At, t.Inside = 1, true }), "at 1 is no place"},
		{"a place before the first", thinks(func(t *textgen.Thought) { t.At = -1 }), "at -1 is no place"},
		{"a thinking block as a mark", thinks(func(t *textgen.Thought) { t.Inside = true }), "not a thinking block"},
		{"an image as a thought", thinks(func(t *textgen.Thought) { t.Data = `{"type":"image","thinking":""}` }), "not a thinking block"},
		{"two types of a thought", thinks(func(t *textgen.Thought) { t.Data = `{"type":"image","type":"thinking"}` }), "not a thinking block"},
		{"a thought that is no object", thinks(func(t *textgen.Thought) { t.Data = `null` }), "not a thinking block"},
		{"no signature", thinks(gemini(`{"text":"hi"}`)), "nor a thoughtSignature"},
		{"a call as a thought", thinks(gemini(`{"thought":true,"functionCall":{"name":"f"}}`)), "nor a thoughtSignature"},
		{"an image under a signature", thinks(gemini(`{"inlineData":{"mimeType":"image/png","data":"AA=="},"thoughtSignature":"a"}`)), "holds a part that is no thought"},
		{"a text under a signature", thinks(gemini(`{"text":"hi","thoughtSignature":"a"}`)), "holds a part that is no thought"},
		{"a thought as a mark", thinks(gemini(`{"text":"hi","thought":true}`), func(t *textgen.Thought) { t.Inside = true }), "a thoughtSignature alone"},
		{"a reasoning item that nobody sealed", thinks(item(`{"type":"reasoning","id":"rs_1","summary":[]}`)), "nor a message of commentary"},
		{"an item of another kind", thinks(item(`{"type":"function_call","encrypted_content":"a"}`)), "nor a message of commentary"},
		{"an answer as a thought", thinks(item(`{"type":"message","role":"assistant","phase":"final_answer","content":[]}`)), "nor a message of commentary"},
		{"commentary of the user", thinks(item(`{"type":"message","role":"user","phase":"commentary","content":[]}`)), "nor a message of commentary"},
		{"an image in the commentary", thinks(item(`{"type":"message","role":"assistant","phase":"commentary","content":[{"type":"input_image"}]}`)), "more than text"},
		{"a phase and more", thinks(item(`{"phase":"final_answer","role":"user"}`), inside), "a phase alone"},
		{"a sealed mark", thinks(item(`{"type":"reasoning","encrypted_content":"a"}`), inside), "a phase alone"},
		{"members of other kinds", thinks(members(`{"reasoning_content":"a","role":"system"}`)), "neither reasoning_content nor"},
		{"both names", thinks(members(`{"reasoning_content":"a","reasoning":"a"}`)), "neither reasoning_content nor"},
		{"no members", thinks(members(`{}`)), "neither reasoning_content nor"},
		{"members in the middle", thinks(members(`{"reasoning":"a"}`), func(t *textgen.Thought) { t.At = 1 }), "stand at 0"},
		{"members as a mark", thinks(members(`{"reasoning":"a"}`), inside), "stand at 0"},
		{"two objects of members", on("acme/chat-a", twice(members(`{"reasoning":"a"}`))), "one object of thoughts"},
		{"a call before a part that is not there", on("acme/chat-a", saying(callsBefore(count(1)))), "before 1 is none of its 1 parts"},
		{"a call before the first", on("acme/chat-a", saying(callsBefore(count(-1)))), "before -1 is none"},
		{"calls out of order", on("acme/chat-a", saying(callsBefore(catalog.Opt[int64]{}, count(0)))), "it stands before the call in front of it"},
		{"two marks on one part", on("acme/chat-a", twice(inside)), "a second mark on one place"},
		{"two tools of one name", on("acme/chat-a", asking(tools("f", "f"))), `two called "f"`},
		{"a tool without parameters", on("acme/chat-a", asking(func(r *textgen.Request) { r.Tools = []textgen.Tool{{Name: "f"}} })), "not a JSON Schema"},
		{"a choice of no tool", on("acme/chat-a", with(func(s *textgen.Settings) { s.ToolChoice = "required" })), "there are no tools"},
		{"a tool that is none", on("acme/chat-a", asking(func(r *textgen.Request) { tools("f")(r); r.Settings.ToolChoice, r.Settings.ToolName = "tool", "g" })), "none of the tools"},
		{"a schema's name", on("acme/chat-a", asking(func(r *textgen.Request) { r.ResponseSchema = &textgen.ResponseSchema{Name: "a b", Schema: "{}"} })), "letters, digits"},
		{"a schema that is none", on("acme/chat-a", asking(func(r *textgen.Request) { r.ResponseSchema = &textgen.ResponseSchema{Name: "a", Schema: "{"} })), "not a JSON object"},
		{"an output twice", on("acme/chat-a", asking(func(r *textgen.Request) { r.Outputs = []string{"text", "text"} })), "repeated"},
		{"a cap of none", on("acme/chat-a", with(func(s *textgen.Settings) { s.MaxOutputTokens = count(0) })), "max_output_tokens: 0 is less than 1"},
		{"an effort", on("acme/chat-a", with(func(s *textgen.Settings) { s.Effort = "extreme" })), `"extreme" is not one of`},
		{"no number", on("acme/chat-a", with(func(s *textgen.Settings) { s.Temperature = "NaN" })), `"NaN" is not a decimal number`},
		{"another spelling", on("acme/chat-a", with(func(s *textgen.Settings) { s.Temperature = "0.70" })), `write "0.7" for "0.70"`},
		{"an empty stop", on("acme/chat-a", with(func(s *textgen.Settings) { s.Stop = []string{""} })), "a sequence is empty"},
		{"too many alternatives", on("acme/chat-a", with(func(s *textgen.Settings) { s.Logprobs = count(21) })), "more than 20"},
		{"a bias that is none", on("acme/chat-a", with(func(s *textgen.Settings) { s.LogitBias = map[string]catalog.Decimal{"5": "x"} })), "logit_bias"},
		{"a lifetime of no cache", on("acme/chat-a", with(func(s *textgen.Settings) { s.Cache, s.PromptCacheTTL = catalog.Known(false), "5m" })), "although cache is false"},
		{"a count below zero", on("acme/chat-a", counted(-1)), "less than 0"},

		{"no items", on("acme/embed-1", embedding.Request{}), "items: there are none"},
		{"no width", on("acme/embed-1", embedding1(func(s *embedding.Settings) { s.Dimensions = count(0) })), "dimensions: 0"},
		{"no query", on("acme/rank-1", rerank.Request{Documents: []rerank.Document{{Kind: "text", Text: "d"}}}), "query: it is empty"},
		{"no documents", on("acme/rank-1", rerank.Request{Query: "q"}), "documents: there are none"},
		{"more than all", on("acme/rank-1", func() rerank.Request { r := rank("q", "d"); r.Settings.TopN = count(2); return r }()), "more than the 1 documents"},
		{"nothing to moderate", on("acme/moderate-1", moderation.Request{}), "items: there are none"},

		{"no state", on("judge", judging(func(r *decision.Request) { r.State = nil })), "state: there is none"},
		{"no questions", on("judge", judging(func(r *decision.Request) { r.Questions = nil })), "questions: there are none"},
		{"no id", on("judge", asked(func(q *decision.Question) { q.ID = "" })), "empty or another's"},
		{"an id twice", on("judge", judging(func(r *decision.Request) { r.Questions = append(r.Questions, r.Questions[0]) })), "empty or another's"},
		{"a question that asks nothing", on("judge", asked(func(q *decision.Question) { q.Instructions = "" })), "asks nothing"},
		{"a choice of nothing", on("judge", asked(func(q *decision.Question) { q.Kind = "choice" })), "need some"},
		{"options of a boolean", on("judge", asked(func(q *decision.Question) { q.Options = []decision.Option{{Label: "a"}} })), "of choice questions"},
		{"an option twice", on("judge", asked(func(q *decision.Question) {
			q.Kind, q.Options = "choice", []decision.Option{{Label: "a"}, {Label: "a"}}
		})), "stands twice"},
		{"a yes twice", on("judge", asked(func(q *decision.Question) {
			q.Kind, q.Options = "choice", []decision.Option{{Label: "a", Yes: catalog.Known(true)}, {Label: "b", Yes: catalog.Known(true)}}
		})), "stands twice"},
		{"a level twice", on("judge", asked(func(q *decision.Question) { q.Kind, q.Levels = "score", []string{"a", "a"} })), "stands twice"},
		{"criteria of a choice", on("judge", asked(func(q *decision.Question) {
			q.Kind, q.Options, q.True = "choice", []decision.Option{{Label: "a"}}, "x"
		})), "of boolean questions"},
		{"JSON that is a number", on("judge", judging(func(r *decision.Request) { r.State = []decision.Part{{Kind: "json", JSON: "7"}} })), "an object or a list"},
		{"instructions twice", on("judge", asked(func(q *decision.Question) { q.Structured = "{}" })), "give one"},
	} {
		t.Run(x.name, func(t *testing.T) {
			err := x.ask()
			var r *operations.Refusal
			switch {
			case err == nil:
				t.Error("it was admitted")
			case errors.As(err, &r):
				t.Errorf("the route refuses what is wrong by itself: %v", err)
			case !strings.Contains(err.Error(), x.want):
				t.Errorf("got %q, want %q", err, x.want)
			}
		})
	}
}
