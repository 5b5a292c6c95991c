// Package openrouter_decisions is POST /api/alpha/decisions of OpenRouter: the
// System One body, and who may serve it.
//
// Fallbacks to another server are turned off: one request is one request. Where the
// contract pins a server, an answer of another is no answer. A distribution and a
// legend may be left out. The cost is a number of US dollars.
package openrouter_decisions

import (
	"fmt"
	"strings"
	"unicode"

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
	Protocol: "openrouter_decisions",
	Encode:   encode,
	Decode:   decode,
}

var form = func() questions.Form {
	f := questions.SystemOne
	f.Loose = true
	return f
}()

type request struct {
	Model string `json:"model"`
	systemone.Body
	Provider provider `json:"provider"`
}

type provider struct {
	Only           []string `json:"only,omitzero"`
	AllowFallbacks bool     `json:"allow_fallbacks"`
}

func encode(a operations.Admitted[decision.Request]) (wire.Request, error) {
	body, err := systemone.Encode(form, a.Lent(lent.Own()))
	if err != nil {
		return wire.Request{}, err
	}
	out := request{Model: a.WireModel(), Body: body}
	if upstream := a.Contract().DecisionEvaluation.Upstream; upstream != "" {
		out.Provider.Only = []string{upstream}
	}
	return post.JSON(a.URL(), out)
}

type answer struct {
	systemone.Answer
	ID       string `json:"id"`
	Model    string `json:"model"`
	Provider string `json:"provider"` // the server's name for people
	Usage    struct {
		systemone.Usage
		Cost jsontext.Value `json:"cost"`
	} `json:"usage"`
}

func decode(a operations.Admitted[decision.Request], r wire.Response) (wire.Answer[decision.Result], *wire.Failure) {
	if f := systemone.Failure(r); f != nil {
		switch r.Status {
		case 502, 524:
			f.Kind = wire.Overloaded // of the server behind the gateway
		}
		return wire.Answer[decision.Result]{}, f
	}
	var body answer
	if err := json.Unmarshal(r.Body, &body); err != nil {
		return wire.Answer[decision.Result]{}, wire.BadAnswer(r, err)
	}
	if err := questions.Spelled(r.Body, systemone.Members); err != nil {
		return wire.Answer[decision.Result]{}, wire.BadAnswer(r, err)
	}
	meta := wire.Meta{Served: body.Model, RequestID: body.ID}
	meta.ReadUSD("usage.cost", body.Usage.Cost)
	body.Answer.Usage = body.Usage.Usage
	answer, failure := systemone.Read(a, form, r, meta, body.Answer)
	if only := a.Contract().DecisionEvaluation.Upstream; failure == nil && only != "" && body.Provider != "" && plain(body.Provider) != plain(only) {
		answer, failure = systemone.Bad(r, answer.Meta, fmt.Errorf("%.40q answered, and only %q may", body.Provider, only))
		failure.Kind = wire.ModelMismatch
	}
	return answer, failure
}

// plain is a server's name with its letters and digits alone: "Google AI Studio" is
// pinned as google-ai-studio, and a slash begins which of its endpoints.
func plain(server string) string {
	server, _, _ = strings.Cut(server, "/")
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, server)
}
