// Package cloudflare_run is Cloudflare's run of a decision model: the System One
// body within the envelope that all of Cloudflare's API has.
//
// The envelope says whether there was success; a status of success does not.
package cloudflare_run

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
	Protocol: "cloudflare_run",
	Encode:   encode,
	Decode:   decode,
}

type request struct {
	Model string `json:"model"`
	systemone.Body
	Images []string `json:"images,omitzero"`
}

func encode(a operations.Admitted[decision.Request]) (wire.Request, error) {
	r := a.Lent(lent.Own())
	var images []string
	var state []decision.Part
	for _, p := range r.State {
		if p.Kind != "image" {
			state = append(state, p)
			continue
		}
		if p.URL != "" {
			return wire.Request{}, fmt.Errorf("the protocol takes no images from elsewhere, and one is given by its address")
		}
		images = append(images, "data:"+p.MediaType+";base64,"+p.Data)
	}
	r.State = state
	body, err := systemone.Encode(questions.SystemOne, r)
	if err != nil {
		return wire.Request{}, err
	}
	return post.JSON(a.URL(), request{a.WireModel(), body, images})
}

type envelope struct {
	Success jsontext.Value `json:"success"`
	Errors  []struct {
		Code jsontext.Value `json:"code"`
	} `json:"errors"`
	Result jsontext.Value `json:"result"`
}

type result struct {
	systemone.Answer
	Model string `json:"model"`
}

// codes are the envelope's codes that say more than the status does.
var codes = map[string]wire.Kind{
	"5006": wire.BadRequest,
	"3036": wire.QuotaExhausted, // of the day: waiting does not help
	"3040": wire.Overloaded,
}

func decode(a operations.Admitted[decision.Request], r wire.Response) (wire.Answer[decision.Result], *wire.Failure) {
	var e envelope
	err := json.Unmarshal(r.Body, &e)
	id := r.Header.Get("Cf-Ray")
	if r.Status < 200 || r.Status >= 300 || err == nil && e.Success.Kind() != 't' {
		code := ""
		if len(e.Errors) > 0 {
			code = string(e.Errors[0].Code)
		}
		f := wire.StatusFailure(r, code)
		if r.Status >= 200 && r.Status < 300 {
			f.Kind, f.Message = wire.ServerError, "the envelope does not say success"
		}
		if k, ok := codes[code]; ok {
			f.Kind = k
		}
		f.RequestID = id
		return wire.Answer[decision.Result]{}, f
	}
	if err != nil {
		return wire.Answer[decision.Result]{}, wire.BadAnswer(r, err)
	}
	var body result
	if err := json.Unmarshal(e.Result, &body); err != nil {
		return wire.Answer[decision.Result]{}, wire.BadAnswer(r, err)
	}
	if err := questions.Spelled(e.Result, systemone.Members); err != nil {
		return wire.Answer[decision.Result]{}, wire.BadAnswer(r, err)
	}
	return systemone.Read(a, questions.SystemOne, r, wire.Meta{Served: body.Model, RequestID: id}, body.Answer)
}
