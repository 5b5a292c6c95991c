// Package openai_embeddings is POST /v1/embeddings as OpenAI, and who follows it,
// serves it.
//
// Vectors are asked for as numbers; an over-long item is an error of the server,
// never a silent cut. An answer places each vector by its index.
package openai_embeddings

import (
	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/dispatch/internal/openai"
	"github.com/opcat/opcat/dispatch/internal/post"
	"github.com/opcat/opcat/dispatch/internal/vectors"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/embedding"
)

// Codec is the protocol.
var Codec = wire.Codec[embedding.Request, embedding.Result]{
	Protocol: "openai_embeddings",
	Encode:   encode,
	Decode:   decode,
}

type request struct {
	Model          string             `json:"model"`
	Input          []post.Text        `json:"input"`
	Dimensions     catalog.Opt[int64] `json:"dimensions,omitzero"`
	EncodingFormat string             `json:"encoding_format"`
}

func encode(a operations.Admitted[embedding.Request]) (wire.Request, error) {
	ask := vectors.Of(a)
	texts, err := ask.Texts()
	if err != nil {
		return wire.Request{}, err
	}
	return post.JSON(a.URL(), request{a.WireModel(), texts, ask.Settings.Dimensions, "float"})
}

func decode(a operations.Admitted[embedding.Request], r wire.Response) (wire.Answer[embedding.Result], *wire.Failure) {
	if f := openai.Failure(r); f != nil {
		return wire.Answer[embedding.Result]{}, f
	}
	return vectors.Of(a).Answer(r)
}
