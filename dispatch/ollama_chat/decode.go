package ollama_chat

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/dispatch/internal/ollama"
	"github.com/opcat/opcat/dispatch/internal/turn"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/operations/textgen"
)

type response struct {
	Model      string           `json:"model"`
	Message    *message         `json:"message"`
	Done       bool             `json:"done"`
	DoneReason string           `json:"done_reason"`
	Logprobs   []turn.TokenProb `json:"logprobs"`
	Read       jsontext.Value   `json:"prompt_eval_count"`
	Wrote      jsontext.Value   `json:"eval_count"`
}

// endings is every reason for being done.
var endings = turn.Endings{
	"stop":   {Stop: "end"},
	"length": {Failure: wire.Truncated, Message: "cut off by the cap or the window"},
	"load":   {Failure: wire.Invalid, Message: "the model was loaded, and has not answered"},
	"unload": {Failure: wire.Invalid, Message: "the model was unloaded, and has not answered"},
}

func decode(a turn.Admitted, r wire.Response) (turn.Answer, *wire.Failure) {
	if f := ollama.Failure(r); f != nil {
		return turn.Answer{}, f
	}
	var body response
	if err := json.Unmarshal(r.Body, &body); err != nil {
		return turn.Answer{}, wire.BadAnswer(r, err)
	}
	m := body.meta()
	if !body.Done {
		return turn.Answer{}, turn.Invalid(r, m, errors.New("the answer is not done, and no stream was asked for"))
	}
	stop, f := endings.Of(r, m, body.DoneReason)
	if f != nil {
		return turn.Answer{}, f
	}
	t, err := body.turn(stop)
	if err != nil {
		return turn.Answer{}, turn.Invalid(r, m, err)
	}
	ask := turn.Of(a, ownTransport)
	return ask.Answer(r, m, t)
}

// turn reads a message; one with calls ends as others do.
func (b *response) turn(stop string) (turn.Turn, error) {
	t := turn.Turn{Stop: stop}
	if b.Message == nil {
		return t, errors.New("the answer has no message")
	}
	if string(b.Message.Content) != "" {
		t.Parts = []textgen.Part{{Kind: "text", Text: string(b.Message.Content)}}
	}
	for i, c := range b.Message.ToolCalls {
		arguments, err := turn.Object(string(c.Function.Arguments))
		switch {
		case err != nil:
			return t, fmt.Errorf("the arguments of a tool call: %w", err)
		case c.Function.Name == "":
			return t, errors.New("a tool call lacks its name")
		}
		t.Calls = append(t.Calls, textgen.ToolCall{ID: turn.IDOf(c.ID, i), Name: c.Function.Name, Arguments: arguments})
		t.Stop = "tool_calls"
	}
	var err error
	t.Logprobs, err = turn.Logprobs(b.Logprobs)
	return t, err
}

// meta counts what was read and written. A count of zero is left out on this wire,
// and so is one that is not known.
func (b *response) meta() wire.Meta {
	m := wire.Meta{Served: b.Model}
	var t wire.Tally
	for _, c := range []struct {
		meter, name string
		count       jsontext.Value
	}{{"input_token", "prompt_eval_count", b.Read}, {"output_token", "eval_count", b.Wrote}} {
		if n, ok := t.Count(c.name, c.count); ok {
			m.Usage.Add(c.meter, n)
		} else {
			m.Usage.Unknown = append(m.Usage.Unknown, c.meter)
		}
	}
	m.UsageError = t.Err
	return m
}
