// Package vllm_rerank is POST /rerank of vLLM. Scores can be raw: the contract
// says their range.
package vllm_rerank

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/dispatch/internal/openai"
	"github.com/opcat/opcat/dispatch/internal/post"
	"github.com/opcat/opcat/dispatch/internal/ranking"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/internal/lent"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/rerank"
)

// Codec is the protocol.
var Codec = wire.Codec[rerank.Request, rerank.Result]{
	Protocol: "vllm_rerank",
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
	Usage   struct {
		PromptTokens jsontext.Value `json:"prompt_tokens"`
	} `json:"usage"`
}

func decode(a operations.Admitted[rerank.Request], r wire.Response) (wire.Answer[rerank.Result], *wire.Failure) {
	if f := openai.Failure(r); f != nil {
		return wire.Answer[rerank.Result]{}, f
	}
	var body answer
	if err := json.Unmarshal(r.Body, &body); err != nil {
		return wire.Answer[rerank.Result]{}, wire.BadAnswer(r, err)
	}
	meta := wire.Meta{Served: body.Model, RequestID: body.ID}
	ranking.Count(&meta, "input_token", "usage.prompt_tokens", body.Usage.PromptTokens)
	return ranking.Answer(a, r, meta, body.Results)
}
