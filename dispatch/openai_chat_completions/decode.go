package openai_chat_completions

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/dispatch/internal/openai"
	"github.com/opcat/opcat/dispatch/internal/turn"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/operations/textgen"
)

type response struct {
	ID          string   `json:"id"`
	Model       string   `json:"model"`
	Choices     []choice `json:"choices"`
	ServiceTier *string  `json:"service_tier"`
	Usage       *usage   `json:"usage"`

	Error jsontext.Value `json:"error"` // where an answer belongs
}

type choice struct {
	FinishReason *string   `json:"finish_reason"`
	Message      *answer   `json:"message"`
	Logprobs     *logprobs `json:"logprobs"`
}

type answer struct {
	Content   *string    `json:"content"`
	Refusal   *string    `json:"refusal"`
	ToolCalls []toolCall `json:"tool_calls"`

	// What the model thought, under the names that servers have for it.
	ReasoningContent jsontext.Value `json:"reasoning_content"`
	Reasoning        jsontext.Value `json:"reasoning"`
	ReasoningDetails jsontext.Value `json:"reasoning_details"`
}

type logprobs struct {
	Content []turn.TokenProb `json:"content"`
}

// endings is every stop word of the protocol, and of the servers that follow it.
var endings = turn.Endings{
	"stop":       {Stop: "end"},
	"eos":        {Stop: "end"}, // Together
	"tool_calls": {Stop: "tool_calls"},

	"length":         {Failure: wire.Truncated, Message: "cut off by the cap or the window"},
	"model_length":   {Failure: wire.Truncated, Message: "cut off by the window"}, // Mistral
	"content_filter": {Failure: wire.Filtered, Message: "stopped by a content filter"},
	"function_call":  {Failure: wire.Invalid, Message: "a function call in the old shape, which nobody asked for"},
	"error":          {Failure: wire.ServerError, Message: "the server failed while it answered"}, // Mistral, OpenRouter

	"insufficient_system_resource": {Failure: wire.Overloaded, Message: "the server had no room to go on"}, // DeepSeek
}

func decode(a turn.Admitted, r wire.Response) (turn.Answer, *wire.Failure) {
	if r.Status < 200 || r.Status >= 300 {
		return turn.Answer{}, openai.Failure(r)
	}
	var body response
	err := json.Unmarshal(r.Body, &body)
	if len(body.Error) > 0 || err != nil {
		if f := openai.Failure(r); f != nil {
			return turn.Answer{}, f
		}
	}
	if err != nil {
		return turn.Answer{}, wire.BadAnswer(r, err)
	}
	m := meta(a, r, &body)
	if len(body.Choices) != 1 {
		return turn.Answer{}, turn.Invalid(r, m, fmt.Errorf("%d choices where one was asked for", len(body.Choices)))
	}
	c := &body.Choices[0]
	if c.FinishReason == nil {
		return turn.Answer{}, turn.Invalid(r, m, errors.New("the answer has no stop word"))
	}
	stop, f := endings.Of(r, m, *c.FinishReason)
	switch {
	case f != nil:
		return turn.Answer{}, f
	case c.Message == nil:
		return turn.Answer{}, turn.Invalid(r, m, errors.New("the answer has no message"))
	case c.Message.Refusal != nil:
		return turn.Answer{}, turn.Fail(r, m, wire.Refused, "the model declined", "")
	}
	ask := turn.Of(a, ownTransport)
	t, err := c.turn(stop)
	if err == nil {
		err = c.Message.think(&ask, &t)
	}
	if err == nil {
		err = t.Sign(a)
	}
	if err != nil {
		return turn.Answer{}, turn.Invalid(r, m, err)
	}
	return ask.Answer(r, m, t)
}

// think keeps what the model thought where the row takes it back, as the member that
// it came in. A list holds what the text beside it says, and the seals besides.
func (m *answer) think(a *turn.Ask, t *turn.Turn) error {
	member, withTools := textgen.ChatThoughts(a.Contract)
	name, value, kind := member, m.ReasoningContent, jsontext.Kind('"')
	switch {
	case member == "", withTools && len(a.Tools) == 0:
		return nil
	case member == "reasoning_details" && m.ReasoningDetails.Kind() == '[' && !bytes.Equal(m.ReasoningDetails, emptyList):
		value, kind = m.ReasoningDetails, '['
	case member == "reasoning_details":
		name, value = "reasoning", m.Reasoning
	}
	if value.Kind() != kind { // null, or nothing that could be taken back
		return nil
	}
	object, err := turn.Object(`{"` + name + `":` + string(value) + `}`)
	t.Thoughts = []textgen.Thought{{Data: object}}
	return err
}

var emptyList = []byte("[]")

// turn reads a choice that ended whole. A call that was forced by name ends with
// "stop", as OpenAI says it.
func (c *choice) turn(stop string) (turn.Turn, error) {
	t := turn.Turn{Stop: stop}
	if text := c.Message.Content; text != nil && *text != "" {
		t.Parts = []textgen.Part{{Kind: "text", Text: *text}}
	} else if text == nil && len(c.Message.ToolCalls) == 0 {
		return t, errors.New("the message has neither content nor tool calls")
	}
	for _, call := range c.Message.ToolCalls {
		arguments, err := turn.Object(string(call.Function.Arguments))
		switch {
		case err != nil:
			return t, fmt.Errorf("the arguments of a tool call: %w", err)
		case call.ID == "" || call.Function.Name == "":
			return t, errors.New("a tool call lacks its id or its name")
		}
		t.Calls = append(t.Calls, textgen.ToolCall{ID: call.ID, Name: call.Function.Name, Arguments: arguments})
		t.Stop = "tool_calls"
	}
	if c.Logprobs != nil {
		var err error
		t.Logprobs, err = turn.Logprobs(c.Logprobs.Content)
		return t, err
	}
	return t, nil
}
