// Package vercel_evaluate is POST /v1/evaluate of Vercel's AI Gateway.
//
// The gateway may ask several servers behind one request, so the one of the
// contract is pinned, and an answer that says it took more attempts than one is
// refused. The model that it names is the one that was asked for; who answered is
// in its routing.
package vercel_evaluate

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/dispatch/internal/openai"
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
	Protocol: "vercel_evaluate",
	Encode:   encode,
	Decode:   decode,
}

var form = questions.Form{Boolean: "boolean", True: "true", False: "false", Probability: "probability", Loose: true}

type request struct {
	Model string `json:"model"`
	systemone.Body
	ProviderOptions options `json:"providerOptions"`
}

type options struct {
	Gateway gateway `json:"gateway"`
}

type gateway struct {
	Only []string `json:"only"` // servers that may answer
}

func encode(a operations.Admitted[decision.Request]) (wire.Request, error) {
	body, err := systemone.Encode(form, a.Lent(lent.Own()))
	if err != nil {
		return wire.Request{}, err
	}
	return post.JSON(a.URL(), request{a.WireModel(), body, options{gateway{[]string{a.Contract().DecisionEvaluation.Upstream}}}})
}

type answer struct {
	Model   string                    `json:"model"`
	Answers map[string]jsontext.Value `json:"answers"`
	Usage   struct {
		InputTokens  jsontext.Value `json:"inputTokens"`
		OutputTokens jsontext.Value `json:"outputTokens"`
	} `json:"usage"`
	ProviderMetadata struct {
		Gateway struct {
			Routing struct {
				FinalProvider    string         `json:"finalProvider"`
				ModelAttempts    jsontext.Value `json:"modelAttemptCount"`
				ProviderAttempts jsontext.Value `json:"totalProviderAttemptCount"`
			} `json:"routing"`
			Cost         jsontext.Value `json:"cost"`
			MarketCost   jsontext.Value `json:"marketCost"`
			GenerationID string         `json:"generationId"`
		} `json:"gateway"`
	} `json:"providerMetadata"`
}

func decode(a operations.Admitted[decision.Request], r wire.Response) (wire.Answer[decision.Result], *wire.Failure) {
	if f := openai.Failure(r); f != nil {
		if f.Vendor == "failed_dependency" {
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
	g := body.ProviderMetadata.Gateway
	meta := wire.Meta{Served: body.Model, RequestID: g.GenerationID}
	meta.ReadUSD("providerMetadata.gateway.cost", g.Cost)
	if !meta.VendorUSD.IsKnown() || meta.VendorUSD.IsZero() { // zero says: not charged here, not that it is free
		meta.VendorUSD = ""
		meta.ReadUSD("providerMetadata.gateway.marketCost", g.MarketCost)
	}
	counted := systemone.Answer{Answers: body.Answers, Usage: systemone.Usage{InputTokens: body.Usage.InputTokens, OutputTokens: body.Usage.OutputTokens}}
	answer, failure := systemone.Read(a, form, r, meta, counted)
	if failure != nil {
		return answer, failure
	}
	for _, attempts := range []jsontext.Value{g.Routing.ModelAttempts, g.Routing.ProviderAttempts} {
		if len(attempts) > 0 && string(attempts) != "1" {
			answer.UsageError = "the usage is of the last of several attempts, each of which was billed"
			return unusable(r, answer.Meta, wire.HiddenAttempts, fmt.Errorf("the gateway made %.20s attempts behind one request", attempts))
		}
	}
	if only := a.Contract().DecisionEvaluation.Upstream; g.Routing.FinalProvider != "" && g.Routing.FinalProvider != only {
		return unusable(r, answer.Meta, wire.ModelMismatch, fmt.Errorf("%.40q answered, and only %q may", g.Routing.FinalProvider, only))
	}
	return answer, nil
}

func unusable(r wire.Response, m wire.Meta, k wire.Kind, err error) (wire.Answer[decision.Result], *wire.Failure) {
	answer, f := systemone.Bad(r, m, err)
	f.Kind = k
	return answer, f
}
