// Package voyage_rerank is POST /v1/rerank of Voyage: the list is data, and how
// many are asked for is top_k.
//
// The server cuts over-long texts without a word unless it is told not to, so it
// is told not to unless the caller asked for it.
package voyage_rerank

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
	Protocol: "voyage_rerank",
	Encode:   encode,
	Decode:   decode,
}

type request struct {
	Model      string             `json:"model"`
	Query      string             `json:"query"`
	Documents  []post.Text        `json:"documents"`
	TopK       catalog.Opt[int64] `json:"top_k,omitzero"`
	Truncation bool               `json:"truncation"`
}

func encode(a operations.Admitted[rerank.Request]) (wire.Request, error) {
	r := a.Lent(lent.Own())
	texts, err := ranking.Texts(r)
	if err != nil {
		return wire.Request{}, err
	}
	return post.JSON(a.URL(), request{a.WireModel(), r.Query, texts, r.Settings.TopN, r.Settings.Truncate == "end"})
}

type answer struct {
	Model string          `json:"model"`
	Data  []ranking.Entry `json:"data"`
	Usage struct {
		TotalTokens jsontext.Value `json:"total_tokens"`
	} `json:"usage"`
}

func decode(a operations.Admitted[rerank.Request], r wire.Response) (wire.Answer[rerank.Result], *wire.Failure) {
	if f := detail.Failure(r); f != nil {
		return wire.Answer[rerank.Result]{}, f
	}
	var body answer
	if err := json.Unmarshal(r.Body, &body); err != nil {
		return wire.Answer[rerank.Result]{}, wire.BadAnswer(r, err)
	}
	meta := wire.Meta{Served: body.Model}
	ranking.Count(&meta, "input_token", "usage.total_tokens", body.Usage.TotalTokens)
	return ranking.Answer(a, r, meta, body.Data)
}
