package gemini_generate_content

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/dispatch/internal/google"
	"github.com/opcat/opcat/dispatch/internal/turn"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/operations/textgen"
)

type answer struct {
	Candidates     []candidate `json:"candidates"`
	PromptFeedback *struct {
		BlockReason string `json:"blockReason"`
	} `json:"promptFeedback"`
	ModelVersion  string `json:"modelVersion"`
	ResponseID    string `json:"responseId"`
	UsageMetadata *usage `json:"usageMetadata"`
}

type candidate struct {
	Content struct {
		Parts []piece `json:"parts"`
	} `json:"content"`
	FinishReason   string    `json:"finishReason"`
	LogprobsResult *logprobs `json:"logprobsResult"`
}

// piece has one of its members; a thought is a text that is not of the answer.
type piece struct {
	Text             *string `json:"text"`
	Thought          bool    `json:"thought"`
	ThoughtSignature string  `json:"thoughtSignature"`
	InlineData       *blob   `json:"inlineData"`
	FunctionCall     *struct {
		ID   string         `json:"id"`
		Name string         `json:"name"`
		Args jsontext.Value `json:"args"`
	} `json:"functionCall"`

	place turn.Place
}

// UnmarshalJSONFrom notes where the piece stands, for a thought is kept as it is.
func (p *piece) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type plain piece
	return p.place.Read(d, (*plain)(p))
}

type logprobs struct {
	Chosen []tokenProb `json:"chosenCandidates"`
	Top    []struct {
		Candidates []tokenProb `json:"candidates"`
	} `json:"topCandidates"`
}

type tokenProb struct {
	Token   string      `json:"token"`
	Logprob wire.Number `json:"logProbability"`
}

func filtered(message string) turn.Ending {
	return turn.Ending{Failure: wire.Filtered, Message: message}
}
func invalid(message string) turn.Ending {
	return turn.Ending{Failure: wire.Invalid, Message: message}
}

// endings is every finish reason, in capitals; servers write them in both.
var endings = turn.Endings{
	"STOP": {Stop: "end"},

	"MAX_TOKENS":   {Failure: wire.Truncated, Message: "cut off by the cap or the window"},
	"CONTINUATION": {Failure: wire.Truncated, Message: "paused, to be sent again to go on"},

	"SAFETY":                   filtered("stopped by a safety filter"),
	"RECITATION":               filtered("stopped for what it recited"),
	"LANGUAGE":                 filtered("stopped for its language"),
	"BLOCKLIST":                filtered("stopped for a word on a list"),
	"PROHIBITED_CONTENT":       filtered("stopped for prohibited content"),
	"SPII":                     filtered("stopped for what it says of a person"),
	"MODEL_ARMOR":              filtered("stopped by a filter of the account"),
	"IMAGE_SAFETY":             filtered("an image was stopped by a safety filter"),
	"IMAGE_PROHIBITED_CONTENT": filtered("an image was stopped for prohibited content"),
	"IMAGE_RECITATION":         filtered("an image was stopped for what it recited"),
	"IMAGE_OTHER":              filtered("an image was stopped"),
	"NO_IMAGE":                 filtered("an image was to be made, and none was"),

	"OTHER":                     invalid("stopped for a reason that the server does not say"),
	"MALFORMED_FUNCTION_CALL":   invalid("the call of a tool is malformed"),
	"MALFORMED_RESPONSE":        invalid("the answer is malformed"),
	"UNEXPECTED_TOOL_CALL":      invalid("a call of a tool where none may be"),
	"TOO_MANY_TOOL_CALLS":       invalid("too many calls of tools"),
	"MISSING_THOUGHT_SIGNATURE": {Failure: wire.BadRequest, Message: "the model wants the signature of a thought back"},
	"ESCALATION":                invalid("handed on by the server"),
	"PUP_LIMITED_DISABLED":      invalid("disabled for this account"),
}

func decode(a turn.Admitted, r wire.Response) (turn.Answer, *wire.Failure) {
	if f := google.Failure(r); f != nil {
		return turn.Answer{}, f
	}
	var body answer
	if err := json.Unmarshal(r.Body, &body); err != nil {
		return turn.Answer{}, wire.BadAnswer(r, err)
	}
	ask := turn.Of(a, ownTransport)
	m := meta(&ask, &body)
	if p := body.PromptFeedback; p != nil && p.BlockReason != "" {
		return turn.Answer{}, turn.Fail(r, m, wire.Filtered, "the prompt was blocked", p.BlockReason)
	}
	if len(body.Candidates) != 1 {
		return turn.Answer{}, turn.Invalid(r, m, fmt.Errorf("%d candidates where one was asked for", len(body.Candidates)))
	}
	c := &body.Candidates[0]
	stop, f := endings.Of(r, m, strings.ToUpper(c.FinishReason))
	if f != nil {
		return turn.Answer{}, f
	}
	t, err := c.turn(stop, ask.Outputs, r.Body)
	if err == nil {
		err = t.Sign(a)
	}
	if err != nil {
		return turn.Answer{}, turn.Invalid(r, m, err)
	}
	return ask.Answer(r, m, t)
}

// turn reads a candidate that ended whole; one with calls ends as others do.
func (c *candidate) turn(stop string, outputs []string, body []byte) (turn.Turn, error) {
	t := turn.Turn{Stop: stop}
	for i := range c.Content.Parts {
		p := &c.Content.Parts[i]
		var err error
		switch {
		case p.Thought:
			err = t.Think(p.place.In(body))
		case p.FunctionCall != nil:
			err = p.call(&t)
		case p.Text != nil && *p.Text != "":
			p.sign(&t)
			t.Part(textgen.Part{Kind: "text", Text: *p.Text})
		case p.InlineData != nil:
			kind, _, _ := strings.Cut(p.InlineData.MimeType, "/")
			if !slices.Contains(outputs, kind) {
				return t, fmt.Errorf("a part of type %.40q, which nobody asked for", p.InlineData.MimeType)
			}
			p.sign(&t)
			t.Part(textgen.Part{Kind: kind, MediaType: p.InlineData.MimeType, Data: string(p.InlineData.Data)})
		case p.ThoughtSignature != "":
			err = t.Think(p.place.In(body))
		case p.Text == nil:
			err = errors.New("a part of a kind that nobody asked for")
		}
		if err != nil {
			return t, err
		}
	}
	var err error
	if c.LogprobsResult != nil {
		t.Logprobs, err = c.LogprobsResult.read()
	}
	return t, err
}

// sign notes the signature on the part or call that is added next.
func (p *piece) sign(t *turn.Turn) {
	if p.ThoughtSignature != "" {
		t.Mark("thoughtSignature", p.ThoughtSignature)
	}
}

func (p *piece) call(t *turn.Turn) error {
	arguments := string(p.FunctionCall.Args)
	if arguments == "" {
		arguments = "{}" // an empty object is left out on this wire
	}
	object, err := turn.Object(arguments)
	switch {
	case err != nil:
		return fmt.Errorf("the arguments of a tool call: %w", err)
	case p.FunctionCall.Name == "":
		return errors.New("a tool call lacks its name")
	}
	id := turn.IDOf(p.FunctionCall.ID, len(t.Calls))
	p.sign(t)
	t.Call(textgen.ToolCall{ID: id, Name: p.FunctionCall.Name, Arguments: object})
	t.Stop = "tool_calls"
	return nil
}

func (l *logprobs) read() ([]textgen.TokenProb, error) {
	out, err := probabilities(l.Chosen)
	for i := range l.Top {
		if err != nil || i >= len(out) {
			break
		}
		out[i].Alternatives, err = probabilities(l.Top[i].Candidates)
	}
	return out, err
}

func probabilities(in []tokenProb) ([]textgen.TokenProb, error) {
	out := make([]textgen.TokenProb, len(in))
	for i := range in {
		d, err := in[i].Logprob.Decimal()
		if err != nil {
			return nil, fmt.Errorf("the logprob of token %d: %w", i, err)
		}
		out[i] = textgen.TokenProb{Token: in[i].Token, Logprob: d}
	}
	return out, nil
}
