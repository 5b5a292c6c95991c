// Package databricks_ai_decide is POST /api/2.0/ai-functions/ai-decide of
// Databricks.
//
// Neither request nor answer names a model, and nothing is counted. A yes-or-no
// answer is of type noul and gives its number as probability.
package databricks_ai_decide

import (
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
	Protocol: "databricks_ai_decide",
	Encode:   encode,
	Decode:   decode,
}

var form = questions.Form{Boolean: "noul", True: "true", False: "false", Probability: "probability"}

// version is that of the API which this package reads.
const version = "1.0"

type request struct {
	systemone.Body
	Options options `json:"options"`
}

type options struct {
	Version string `json:"version"`
}

func encode(a operations.Admitted[decision.Request]) (wire.Request, error) {
	body, err := systemone.Encode(form, a.Lent(lent.Own()))
	if err != nil {
		return wire.Request{}, err
	}
	return post.JSON(a.URL(), request{body, options{version}})
}

type answer struct {
	Response *struct {
		Answers map[string]jsontext.Value `json:"answers"`
	} `json:"response"`
}

func decode(a operations.Admitted[decision.Request], r wire.Response) (wire.Answer[decision.Result], *wire.Failure) {
	if f := systemone.Failure(r); f != nil {
		return wire.Answer[decision.Result]{}, f
	}
	var body answer
	if err := json.Unmarshal(r.Body, &body); err != nil {
		return wire.Answer[decision.Result]{}, wire.BadAnswer(r, err)
	}
	if err := questions.Spelled(r.Body, []string{"response", "error"}); err != nil {
		return wire.Answer[decision.Result]{}, wire.BadAnswer(r, err)
	}
	var counted systemone.Answer
	if body.Response != nil {
		counted.Answers = body.Response.Answers
	}
	return systemone.Read(a, form, r, wire.Meta{}, counted)
}
