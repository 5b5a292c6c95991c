package anthropic_messages

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/dispatch/internal/turn"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/operations/textgen"
)

type response struct {
	Model       string   `json:"model"`
	Content     []piece  `json:"content"`
	StopReason  *string  `json:"stop_reason"`
	StopDetails *details `json:"stop_details"`
	Usage       *usage   `json:"usage"`
}

// piece is a text, a call of a tool or what the model thought; Type says which.
type piece struct {
	Type  string         `json:"type"`
	Text  string         `json:"text"`
	ID    string         `json:"id"`
	Name  string         `json:"name"`
	Input jsontext.Value `json:"input"`

	place turn.Place
}

// UnmarshalJSONFrom notes where the piece stands, for a thought is kept as it is.
func (p *piece) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type plain piece
	return p.place.Read(d, (*plain)(p))
}

// details say more of a refusal.
type details struct {
	Category *string `json:"category"`
}

// endings is every stop reason.
var endings = turn.Endings{
	"end_turn":      {Stop: "end"},
	"stop_sequence": {Stop: "stop_sequence"},
	"tool_use":      {Stop: "tool_calls"},

	"max_tokens":                    {Failure: wire.Truncated, Message: "cut off by the cap"},
	"model_context_window_exceeded": {Failure: wire.Truncated, Message: "cut off by the window"},
	"refusal":                       {Failure: wire.Refused, Message: "the model declined"},
	"pause_turn":                    {Failure: wire.Truncated, Message: "paused, to be sent again to go on"},
}

func decode(a turn.Admitted, r wire.Response) (turn.Answer, *wire.Failure) {
	if f := failure(r); f != nil {
		return turn.Answer{}, f
	}
	var body response
	if err := json.Unmarshal(r.Body, &body); err != nil {
		return turn.Answer{}, wire.BadAnswer(r, err)
	}
	m := meta(r, &body)
	if body.StopReason == nil {
		return turn.Answer{}, turn.Invalid(r, m, errors.New("the answer has no stop reason"))
	}
	stop, f := endings.Of(r, m, *body.StopReason)
	if f != nil {
		if d := body.StopDetails; f.Kind == wire.Refused && d != nil && d.Category != nil {
			f.Vendor = wire.Bounded(*d.Category)
		}
		return turn.Answer{}, f
	}
	t, err := body.turn(stop, r.Body)
	if err == nil {
		err = t.Sign(a)
	}
	if err != nil {
		return turn.Answer{}, turn.Invalid(r, m, err)
	}
	ask := turn.Of(a, ownTransport)
	return ask.Answer(r, m, t)
}

func (b *response) turn(stop string, body []byte) (turn.Turn, error) {
	t := turn.Turn{Stop: stop}
	for i := range b.Content {
		p := &b.Content[i]
		switch p.Type {
		case "text":
			if p.Text != "" { // an empty one is not taken back
				t.Part(textgen.Part{Kind: "text", Text: p.Text})
			}
		case "tool_use":
			input, err := turn.Object(string(p.Input))
			switch {
			case err != nil:
				return t, fmt.Errorf("the input of a tool call: %w", err)
			case p.ID == "" || p.Name == "":
				return t, errors.New("a tool call lacks its id or its name")
			}
			t.Call(textgen.ToolCall{ID: p.ID, Name: p.Name, Arguments: input})
		case "thinking", "redacted_thinking":
			if err := t.Think(p.place.In(body)); err != nil {
				return t, err
			}
		default:
			return t, fmt.Errorf("a block of type %.40q, which nobody asked for", p.Type)
		}
	}
	return t, nil
}
