// Package cohere_rerank is POST /v2/rerank of Cohere, and of gateways that follow
// it. It is billed by the search unit. The server cuts long documents without a
// word, and cannot be told not to.
package cohere_rerank

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/dispatch/internal/detail"
	"github.com/opcat/opcat/dispatch/internal/post"
	"github.com/opcat/opcat/dispatch/internal/ranking"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/internal/lent"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/rerank"
)

// Codec is the protocol.
var Codec = wire.Codec[rerank.Request, rerank.Result]{
	Protocol: "cohere_rerank",
	Encode:   encode,
	Decode:   decode,
}

type request struct {
	Model     string             `json:"model"`
	Query     string             `json:"query"`
	Documents []post.Text        `json:"documents"`
	TopN      catalog.Opt[int64] `json:"top_n,omitzero"`
}

func encode(a operations.Admitted[rerank.Request]) (wire.Request, error) {
	r := a.Lent(lent.Own())
	texts, err := ranking.Texts(r)
	if err != nil {
		return wire.Request{}, err
	}
	return post.JSON(a.URL(), request{a.WireModel(), r.Query, texts, r.Settings.TopN})
}

type answer struct {
	ID      string          `json:"id"`
	Model   string          `json:"model"`
	Results []ranking.Entry `json:"results"`
	Meta    struct {
		Billed struct {
			SearchUnits jsontext.Value `json:"search_units"`
		} `json:"billed_units"`
	} `json:"meta"`
}

func decode(a operations.Admitted[rerank.Request], r wire.Response) (wire.Answer[rerank.Result], *wire.Failure) {
	if f := detail.Failure(r); f != nil {
		return wire.Answer[rerank.Result]{}, f
	}
	var body answer
	if err := json.Unmarshal(r.Body, &body); err != nil {
		return wire.Answer[rerank.Result]{}, wire.BadAnswer(r, err)
	}
	meta := wire.Meta{Served: body.Model, RequestID: body.ID}
	ranking.Count(&meta, "search_unit", "meta.billed_units.search_units", body.Meta.Billed.SearchUnits)
	return ranking.Answer(a, r, meta, body.Results)
}
