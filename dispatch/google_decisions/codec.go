// Package google_decisions is POST /v1beta/decisions of Gemini.
//
// A blocked request has a block reason and no answers, with a status of success.
// An answer names no model. A yes-or-no probability never leaves 0.01 to 0.99,
// and its confidence is that of the likelier side.
package google_decisions

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/dispatch/internal/google"
	"github.com/opcat/opcat/dispatch/internal/post"
	"github.com/opcat/opcat/dispatch/internal/questions"
	"github.com/opcat/opcat/dispatch/internal/systemone"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/internal/lent"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/decision"
)

// Codec is the protocol.
var Codec = wire.Codec[decision.Request, decision.Result]{
	Protocol: "google_decisions",
	Encode:   encode,
	Decode:   decode,
}

var form = questions.Form{Boolean: "noul", True: "true_description", False: "false_description", Probability: "noul", BooleanSure: true}

type request struct {
	Model     string         `json:"model"`
	Input     []part         `json:"input"`
	Questions jsontext.Value `json:"questions"`
}

type part struct {
	Type     string `json:"type"`
	Text     string `json:"text,omitzero"`
	MimeType string `json:"mime_type,omitzero"`
	Data     string `json:"data,omitzero"`
	URI      string `json:"uri,omitzero"`
}

func encode(a operations.Admitted[decision.Request]) (wire.Request, error) {
	r := a.Lent(lent.Own())
	list, err := form.Write(r.Questions)
	if err != nil {
		return wire.Request{}, err
	}
	body := request{Model: a.WireModel(), Questions: list}
	for _, p := range r.State {
		switch p.Kind {
		case "text":
			body.Input = append(body.Input, part{Type: "text", Text: p.Text})
		case "image", "audio", "video":
			body.Input = append(body.Input, part{Type: p.Kind, MimeType: p.MediaType, Data: p.Data, URI: p.URL})
		default:
			return wire.Request{}, fmt.Errorf("the state has a part that is %s, and the protocol has no place for it", p.Kind)
		}
	}
	return post.JSON(a.URL(), body)
}

type answer struct {
	Answers  map[string]jsontext.Value `json:"answers"`
	Feedback *struct {
		BlockReason string `json:"block_reason"`
	} `json:"prompt_feedback"`
	Usage struct {
		Input  jsontext.Value `json:"total_input_tokens"`
		Output jsontext.Value `json:"total_output_tokens"`
	} `json:"usage"`
}

var members = append([]string{"prompt_feedback"}, systemone.Members...)

func decode(a operations.Admitted[decision.Request], r wire.Response) (wire.Answer[decision.Result], *wire.Failure) {
	if f := google.Failure(r); f != nil {
		return wire.Answer[decision.Result]{}, f
	}
	var body answer
	if err := json.Unmarshal(r.Body, &body); err != nil {
		return wire.Answer[decision.Result]{}, wire.BadAnswer(r, err)
	}
	if err := questions.Spelled(r.Body, members); err != nil {
		return wire.Answer[decision.Result]{}, wire.BadAnswer(r, err)
	}
	counted := systemone.Answer{Answers: body.Answers, Usage: systemone.Usage{InputTokens: body.Usage.Input, OutputTokens: body.Usage.Output}}
	if b := body.Feedback; b != nil && b.BlockReason != "" { // whatever else it holds
		f := &wire.Failure{Kind: wire.Refused, Message: "the request was blocked", Vendor: wire.Bounded(b.BlockReason), Status: r.Status}
		counted.Usage.Count(&f.Meta)
		return wire.Answer[decision.Result]{}, f
	}
	return systemone.Read(a, form, r, wire.Meta{}, counted)
}
