package openai_chat_completions

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"

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
}

type logprobs struct {
	Content []tokenProb `json:"content"`
}

type tokenProb struct {
	Token       string      `json:"token"`
	Logprob     wire.Number `json:"logprob"`
	TopLogprobs []tokenProb `json:"top_logprobs"`
}

// An ending is what a stop word means: a way to end whole, or a failure.
type ending struct {
	stop    string
	failure wire.Kind
	message string
}

// endings is every stop word of the protocol, and of the servers that follow it.
var endings = map[string]ending{
	"stop":       {stop: "end"},
	"eos":        {stop: "end"}, // Together
	"tool_calls": {stop: "tool_calls"},

	"length":         {failure: wire.Truncated, message: "cut off by the cap or the window"},
	"model_length":   {failure: wire.Truncated, message: "cut off by the window"}, // Mistral
	"content_filter": {failure: wire.Filtered, message: "stopped by a content filter"},
	"function_call":  {failure: wire.Invalid, message: "a function call in the old shape, which nobody asked for"},
	"error":          {failure: wire.ServerError, message: "the server failed while it answered"}, // Mistral, OpenRouter

	"insufficient_system_resource": {failure: wire.Overloaded, message: "the server had no room to go on"}, // DeepSeek
}

func decode(a turn.Admitted, r wire.Response) (turn.Answer, *wire.Failure) {
	if f := openai.Failure(r); f != nil {
		return turn.Answer{}, f
	}
	var body response
	if err := json.Unmarshal(r.Body, &body); err != nil {
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
	end, known := endings[*c.FinishReason]
	switch {
	case !known:
		return turn.Answer{}, turn.UnknownStop(r, m, *c.FinishReason)
	case end.failure != "":
		return turn.Answer{}, turn.Fail(r, m, end.failure, end.message, *c.FinishReason)
	case c.Message == nil:
		return turn.Answer{}, turn.Invalid(r, m, errors.New("the answer has no message"))
	case c.Message.Refusal != nil:
		return turn.Answer{}, turn.Fail(r, m, wire.Refused, "the model declined", "")
	}
	t, err := c.turn(end.stop)
	if err != nil {
		return turn.Answer{}, turn.Invalid(r, m, err)
	}
	ask := turn.Of(a, ownTransport)
	return ask.Answer(r, m, t)
}

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
		arguments, err := turn.Object(call.Function.Arguments)
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
		t.Logprobs, err = probabilities(c.Logprobs.Content)
		return t, err
	}
	return t, nil
}

// notInTop is what stands for a probability that nobody computed.
const notInTop = "-9999"

func probabilities(in []tokenProb) ([]textgen.TokenProb, error) {
	if len(in) == 0 {
		return nil, nil
	}
	out := make([]textgen.TokenProb, len(in))
	for i := range in {
		d, err := in[i].Logprob.Decimal()
		if err != nil {
			return nil, fmt.Errorf("the logprob of token %d: %w", i, err)
		}
		if d == notInTop {
			d = ""
		}
		out[i] = textgen.TokenProb{Token: in[i].Token, Logprob: d}
		if out[i].Alternatives, err = probabilities(in[i].TopLogprobs); err != nil {
			return nil, err
		}
	}
	return out, nil
}
