// Package tei_embed is POST /embed of Hugging Face's text-embeddings-inference.
//
// An answer is a bare array of vectors in the order of the items: it names no
// model and counts no tokens. The server has one model, so a request names none.
package tei_embed

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/dispatch/internal/post"
	"github.com/opcat/opcat/dispatch/internal/tei"
	"github.com/opcat/opcat/dispatch/internal/vectors"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/embedding"
)

// Codec is the protocol.
var Codec = wire.Codec[embedding.Request, embedding.Result]{
	Protocol: "tei_embed",
	Encode:   encode,
	Decode:   decode,
}

type request struct {
	Inputs   []post.Text `json:"inputs"`
	Truncate bool        `json:"truncate"`
	Side     string      `json:"truncation_direction,omitzero"`
}

func encode(a operations.Admitted[embedding.Request]) (wire.Request, error) {
	ask := vectors.Of(a)
	texts, err := ask.Texts()
	if err != nil {
		return wire.Request{}, err
	}
	body := request{Inputs: texts}
	body.Truncate, body.Side = tei.Truncation(ask.Settings.Truncate)
	return post.JSON(a.URL(), body)
}

func decode(a operations.Admitted[embedding.Request], r wire.Response) (wire.Answer[embedding.Result], *wire.Failure) {
	if f := tei.Failure(r); f != nil {
		return wire.Answer[embedding.Result]{}, f
	}
	ask := vectors.Of(a)
	var values []jsontext.Value
	if err := json.Unmarshal(r.Body, &values); err != nil {
		return wire.Answer[embedding.Result]{}, wire.BadAnswer(r, err)
	}
	var meta wire.Meta
	ask.Tokens(&meta, 0, false)
	return ask.Result(r, meta, values, nil)
}
