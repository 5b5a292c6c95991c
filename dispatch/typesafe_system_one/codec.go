// Package typesafe_system_one is POST /v1/systemone of TypeSafe, and of who
// follows it under this path or another.
//
// Answers are rounded, mostly to two decimals; they are kept as they are sent. A
// yes-or-no answer has no confidence of its own. What those who follow do
// otherwise is in the table of dialects.
package typesafe_system_one

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

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
	Protocol: "typesafe_system_one",
	Encode:   encode,
	Decode:   decode,
}

type request struct {
	Model string `json:"model"`
	systemone.Body
}

func encode(a operations.Admitted[decision.Request]) (wire.Request, error) {
	d, ok := dialects[a.Dialect()]
	if !ok {
		return wire.Request{}, fmt.Errorf("typesafe_system_one has no dialect %q", a.Dialect())
	}
	body, err := systemone.Encode(d.form, a.Lent(lent.Own()))
	if err != nil {
		return wire.Request{}, err
	}
	return post.JSON(a.URL(), request{a.WireModel(), body})
}

type answer struct {
	systemone.Answer
	Model     string `json:"model"`
	RequestID string `json:"request_id"`
	Usage     struct {
		systemone.Usage
		Truncated jsontext.Value `json:"truncated"`
		Dropped   jsontext.Value `json:"state_tokens_dropped"`
	} `json:"usage"`
	Meta struct {
		RequestID string `json:"request_id"`
	} `json:"meta"`
	Routing struct {
		Model string `json:"model"`
	} `json:"routing"`
	Diagnostics map[string]struct {
		ArgmaxIsLabel jsontext.Value `json:"argmax_is_label"`
	} `json:"diagnostics"`
}

func decode(a operations.Admitted[decision.Request], r wire.Response) (wire.Answer[decision.Result], *wire.Failure) {
	if f := systemone.Failure(r); f != nil {
		f.RequestID = r.Header.Get("X-Typesafe-Request-Id")
		return wire.Answer[decision.Result]{}, f
	}
	var body answer
	if err := json.Unmarshal(r.Body, &body); err != nil {
		return wire.Answer[decision.Result]{}, wire.BadAnswer(r, err)
	}
	if err := questions.Spelled(r.Body, systemone.Members); err != nil {
		return wire.Answer[decision.Result]{}, wire.BadAnswer(r, err)
	}
	d := dialects[a.Dialect()]
	meta := wire.Meta{Served: body.Model, RequestID: r.Header.Get("X-Typesafe-Request-Id")}
	if d.servedInRouting {
		meta.Served = body.Routing.Model
	}
	for _, id := range []string{body.RequestID, body.Meta.RequestID} {
		if meta.RequestID == "" {
			meta.RequestID = id
		}
	}
	body.Answer.Usage = body.Usage.Usage
	answer, failure := systemone.Read(a, d.form, r, meta, body.Answer)
	if failure != nil {
		return answer, failure
	}
	if body.Usage.Truncated.Kind() == 't' || body.Usage.Dropped.Kind() == '0' && string(body.Usage.Dropped) != "0" {
		f := wire.BadAnswer(r, fmt.Errorf("the server dropped a part of the state before it judged"))
		f.Kind, f.Meta, f.Withheld = wire.InputTruncated, answer.Meta, answer.Result
		return wire.Answer[decision.Result]{}, f
	}
	for id, said := range body.Diagnostics {
		if said.ArgmaxIsLabel.Kind() == 'f' {
			return systemone.Bad(r, answer.Meta, fmt.Errorf("the model wanted to say something else than an answer to %q", id))
		}
	}
	return answer, nil
}
