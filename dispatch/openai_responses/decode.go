package openai_responses

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/dispatch/internal/openai"
	"github.com/opcat/opcat/dispatch/internal/turn"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/operations/price"
	"github.com/opcat/opcat/operations/textgen"
)

type response struct {
	ID         string `json:"id"`
	Model      string `json:"model"`
	Status     string `json:"status"`
	Incomplete *struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
	Output      []output `json:"output"`
	ServiceTier *string  `json:"service_tier"`
	Usage       *usage   `json:"usage"`
}

// output is a message, a call or what the model thought; Type says which.
type output struct {
	Type      string  `json:"type"`
	Status    string  `json:"status"`
	Phase     *string `json:"phase"`
	Content   []piece `json:"content"`
	CallID    string  `json:"call_id"`
	Name      string  `json:"name"`
	Arguments string  `json:"arguments"`
	Sealed    *string `json:"encrypted_content"`

	place turn.Place
}

// UnmarshalJSONFrom notes where the item stands, for a thought is kept as it is.
func (o *output) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type plain output
	return o.place.Read(d, (*plain)(o))
}

type piece struct {
	Type     string           `json:"type"`
	Text     string           `json:"text"`
	Logprobs []turn.TokenProb `json:"logprobs"`
}

// statuses are the words for how an answer ended. One that is not whole says why
// in another word.
var statuses = turn.Endings{
	"completed":   {Stop: "end"},
	"failed":      {Failure: wire.ServerError, Message: "the server failed while it answered"},
	"cancelled":   {Failure: wire.ServerError, Message: "the answer was cancelled"},
	"queued":      {Failure: wire.Invalid, Message: "the answer is not there yet, and nobody asked to wait"},
	"in_progress": {Failure: wire.Invalid, Message: "the answer is not there yet, and nobody asked to wait"},
}

// reasons are the words for why an answer is not whole.
var reasons = turn.Endings{
	"max_output_tokens": {Failure: wire.Truncated, Message: "cut off by the cap or the window"},
	"max_messages":      {Failure: wire.Truncated, Message: "cut off after too many messages"},
	"content_filter":    {Failure: wire.Filtered, Message: "stopped by a content filter"},
	"steered":           {Failure: wire.Truncated, Message: "cut off for another input, which nobody gave"},
}

// codes are what the error of a failed answer means where the status cannot say it.
var codes = map[string]wire.Kind{
	"server_error":                   wire.Overloaded,
	"rate_limit_exceeded":            wire.RateLimited,
	"invalid_prompt":                 wire.BadRequest,
	"data_residency_mismatch":        wire.BadRequest,
	"bio_policy":                     wire.Filtered,
	"misalignment_policy_violation":  wire.Filtered,
	"image_content_policy_violation": wire.Filtered,
	"vector_store_timeout":           wire.ServerError,
	"invalid_image":                  wire.BadRequest,
	"invalid_image_format":           wire.BadRequest,
	"invalid_base64_image":           wire.BadRequest,
	"invalid_image_url":              wire.BadRequest,
	"image_too_large":                wire.BadRequest,
	"image_too_small":                wire.BadRequest,
	"image_parse_error":              wire.BadRequest,
	"invalid_image_mode":             wire.BadRequest,
	"image_file_too_large":           wire.BadRequest,
	"unsupported_image_media_type":   wire.BadRequest,
	"empty_image_file":               wire.BadRequest,
	"failed_to_download_image":       wire.BadRequest,
	"image_file_not_found":           wire.BadRequest,
}

func decode(a turn.Admitted, r wire.Response) (turn.Answer, *wire.Failure) {
	if r.Status < 200 || r.Status >= 300 {
		return turn.Answer{}, openai.Failure(r)
	}
	var body response
	if err := json.Unmarshal(r.Body, &body); err != nil {
		return turn.Answer{}, wire.BadAnswer(r, err)
	}
	m := meta(a, r, &body)
	if f := body.unfinished(r, m); f != nil {
		return turn.Answer{}, f
	}
	t, f := body.turn(r, m)
	if f != nil {
		return turn.Answer{}, f
	}
	if err := t.Sign(a); err != nil {
		return turn.Answer{}, turn.Invalid(r, m, err)
	}
	ask := turn.Of(a, ownTransport)
	return ask.Answer(r, m, t)
}

// unfinished says why an answer is not whole; nil if it is.
func (b *response) unfinished(r wire.Response, m wire.Meta) *wire.Failure {
	if code, failed := openai.ErrorCode(r.Body); failed {
		f := turn.Fail(r, m, wire.ServerError, "the answer failed", code)
		if kind, ok := codes[code]; ok {
			f.Kind = kind
		}
		return f
	}
	if b.Status == "incomplete" {
		reason := ""
		if b.Incomplete != nil {
			reason = b.Incomplete.Reason
		}
		_, f := reasons.Of(r, m, reason)
		return f
	}
	_, f := statuses.Of(r, m, b.Status)
	return f
}

func (b *response) turn(r wire.Response, m wire.Meta) (turn.Turn, *wire.Failure) {
	t := turn.Turn{Stop: "end"}
	said := false
	for i := range b.Output {
		o := &b.Output[i]
		var err error
		switch o.Type {
		case "reasoning":
			if o.Sealed != nil && *o.Sealed != "" { // else the server kept it, or nobody; by its id alone it is not found again
				err = t.Think(o.place.In(r.Body))
			}
		case "message":
			if o.refused() {
				return t, turn.Fail(r, m, wire.Refused, "the model declined", "")
			}
			if o.Phase != nil && *o.Phase == textgen.Commentary {
				err = t.Think(o.place.In(r.Body))
			} else {
				said, err = true, o.message(&t)
			}
		case "function_call":
			err = o.call(&t)
		default:
			err = fmt.Errorf("an item of type %.40q, which nobody asked for", o.Type)
		}
		if err != nil {
			return t, turn.Invalid(r, m, err)
		}
	}
	if !said && len(t.Calls) == 0 {
		return t, turn.Invalid(r, m, errors.New("the answer has neither a message nor a call"))
	}
	return t, nil
}

func (o *output) refused() bool {
	for i := range o.Content {
		if o.Content[i].Type == "refusal" {
			return true
		}
	}
	return false
}

func (o *output) message(t *turn.Turn) error {
	if o.Status != "" && o.Status != "completed" {
		return fmt.Errorf("a message is %.20q in an answer that is whole", o.Status)
	}
	phase := o.Phase
	for i := range o.Content {
		c := &o.Content[i]
		if c.Type != "output_text" {
			return fmt.Errorf("a part of type %.40q, which nobody asked for", c.Type)
		}
		if phase != nil && *phase != "" && c.Text != "" {
			t.Mark("phase", *phase)
			phase = nil
		}
		if c.Text != "" { // an empty one is not taken back
			t.Part(textgen.Part{Kind: "text", Text: c.Text})
		}
		probs, err := turn.Logprobs(c.Logprobs)
		if err != nil {
			return err
		}
		t.Logprobs = append(t.Logprobs, probs...)
	}
	return nil
}

func (o *output) call(t *turn.Turn) error {
	arguments, err := turn.Object(o.Arguments)
	switch {
	case err != nil:
		return fmt.Errorf("the arguments of a tool call: %w", err)
	case o.CallID == "" || o.Name == "":
		return errors.New("a tool call lacks its id or its name")
	}
	t.Call(textgen.ToolCall{ID: o.CallID, Name: o.Name, Arguments: arguments})
	t.Stop = "tool_calls"
	return nil
}

// usage counts what was used. What was read from and written to the cache lies
// inside input_tokens, reasoning inside output_tokens.
type usage struct {
	Input  jsontext.Value `json:"input_tokens"`
	Output jsontext.Value `json:"output_tokens"`
	Total  jsontext.Value `json:"total_tokens"`
	In     *struct {
		Cached  jsontext.Value `json:"cached_tokens"`
		Written jsontext.Value `json:"cache_write_tokens"`
		Lasting *struct {
			HalfHour jsontext.Value `json:"ttl_30m_tokens"`
			HalfDay  jsontext.Value `json:"ttl_12h_tokens"`
		} `json:"cache_write_tokens_details"`
	} `json:"input_tokens_details"`
	Out *struct {
		Reasoning jsontext.Value `json:"reasoning_tokens"`
	} `json:"output_tokens_details"`
}

func meta(a turn.Admitted, r wire.Response, body *response) wire.Meta {
	m := wire.Meta{Served: body.Model, RequestID: r.Header.Get("X-Request-Id")}
	if m.RequestID == "" {
		m.RequestID = body.ID
	}
	if body.ServiceTier != nil {
		m.ServiceTier = openai.Tier(*body.ServiceTier)
	}
	if body.Usage == nil {
		m.Usage.Unknown = []string{"input_token", "output_token"}
		return m
	}
	c := body.Usage.counter()
	c.Into(&m, a.Contract(), a.Provider())
	return m
}

func (u *usage) counter() (c openai.Counter) {
	c.Input = c.Read("input_tokens", u.Input)
	c.Output = c.Read("output_tokens", u.Output)
	c.Total = c.Read("total_tokens", u.Total)
	if u.In != nil {
		c.Cached = c.Read("cached_tokens", u.In.Cached)
		c.Written = c.Read("cache_write_tokens", u.In.Written)
		if l := u.In.Lasting; l != nil {
			c.Lifetimes = []price.Line{
				{Meter: "cache_write_token", CacheLifetime: "30m", Count: c.Read("ttl_30m_tokens", l.HalfHour).Or(0)},
				{Meter: "cache_write_token", CacheLifetime: "12h", Count: c.Read("ttl_12h_tokens", l.HalfDay).Or(0)},
			}
		}
	}
	if u.Out != nil {
		c.Reasoning = c.Read("reasoning_tokens", u.Out.Reasoning)
	}
	return c
}
