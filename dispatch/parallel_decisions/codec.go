// Package parallel_decisions is POST /v1/decisions of Parallel, which is not
// OpenAI's wire of that path.
//
// Answers rest on pages that the server finds, not on the state alone: the
// contract's evidence kind says so. It is billed by the request.
package parallel_decisions

import (
	"fmt"

	"github.com/go-json-experiment/json"

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
	Protocol: "parallel_decisions",
	Encode:   encode,
	Decode:   decode,
}

// mode is the one that the catalog's price is for.
const mode = "fast"

type request struct {
	Mode string `json:"mode"`
	systemone.Body
	IncludeExcerpts bool `json:"include_excerpts"`
}

func encode(a operations.Admitted[decision.Request]) (wire.Request, error) {
	body, err := systemone.Encode(questions.SystemOne, a.Lent(lent.Own()))
	if err != nil {
		return wire.Request{}, err
	}
	return post.JSON(a.URL(), request{Mode: mode, Body: body})
}

type answer struct {
	systemone.Answer
	Mode       string `json:"mode"`
	DecisionID string `json:"decision_id"`
}

func decode(a operations.Admitted[decision.Request], r wire.Response) (wire.Answer[decision.Result], *wire.Failure) {
	if f := systemone.Failure(r); f != nil {
		return wire.Answer[decision.Result]{}, f
	}
	var body answer
	if err := json.Unmarshal(r.Body, &body); err != nil {
		return wire.Answer[decision.Result]{}, wire.BadAnswer(r, err)
	}
	if err := questions.Spelled(r.Body, systemone.Members); err != nil {
		return wire.Answer[decision.Result]{}, wire.BadAnswer(r, err)
	}
	meta := wire.Meta{RequestID: body.DecisionID}
	meta.Usage.Add("request", 1)
	if body.Mode != "" && body.Mode != mode {
		return systemone.Bad(r, meta, fmt.Errorf("it was served in mode %.40q, and %q was asked", body.Mode, mode))
	}
	result, err := questions.SystemOne.Read(a.Lent(lent.Own()).Questions, body.Answers, a.Contract().DecisionEvaluation.ProbabilityDecimals)
	if err != nil {
		return systemone.Bad(r, meta, err)
	}
	return wire.Answer[decision.Result]{Result: result, Meta: meta}, nil
}
