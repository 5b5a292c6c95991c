// Package tei_rerank is POST /rerank of Hugging Face's text-embeddings-inference.
//
// Documents are texts and a relevance is a score. An answer is a bare array: it
// names no model and counts no tokens.
package tei_rerank

import (
	"github.com/go-json-experiment/json"

	"github.com/opcat/opcat/dispatch/internal/post"
	"github.com/opcat/opcat/dispatch/internal/ranking"
	"github.com/opcat/opcat/dispatch/internal/tei"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/internal/lent"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/rerank"
)

// Codec is the protocol.
var Codec = wire.Codec[rerank.Request, rerank.Result]{
	Protocol: "tei_rerank",
	Encode:   encode,
	Decode:   decode,
}

type request struct {
	Query     string      `json:"query"`
	Texts     []post.Text `json:"texts"`
	RawScores bool        `json:"raw_scores"`
	Truncate  bool        `json:"truncate"`
	Side      string      `json:"truncation_direction,omitzero"`
}

func encode(a operations.Admitted[rerank.Request]) (wire.Request, error) {
	r := a.Lent(lent.Own())
	texts, err := ranking.Texts(r)
	if err != nil {
		return wire.Request{}, err
	}
	body := request{Query: r.Query, Texts: texts, RawScores: a.Contract().Reranking.ScoreRange == "raw"}
	body.Truncate, body.Side = tei.Truncation(r.Settings.Truncate)
	return post.JSON(a.URL(), body)
}

type entry struct {
	Index wire.Number `json:"index"`
	Score wire.Number `json:"score"`
}

func decode(a operations.Admitted[rerank.Request], r wire.Response) (wire.Answer[rerank.Result], *wire.Failure) {
	if f := tei.Failure(r); f != nil {
		return wire.Answer[rerank.Result]{}, f
	}
	var list []entry
	if err := json.Unmarshal(r.Body, &list); err != nil {
		return wire.Answer[rerank.Result]{}, wire.BadAnswer(r, err)
	}
	entries := make([]ranking.Entry, len(list))
	for i, e := range list {
		entries[i] = ranking.Entry{Index: e.Index, Relevance: e.Score}
	}
	var meta wire.Meta
	ranking.Count(&meta, "input_token", "", nil)
	return ranking.Answer(a, r, meta, entries)
}
