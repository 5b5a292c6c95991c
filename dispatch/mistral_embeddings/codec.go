// Package mistral_embeddings is POST /v1/embeddings as Mistral serves it.
package mistral_embeddings

import (
	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/dispatch/internal/detail"
	"github.com/opcat/opcat/dispatch/internal/post"
	"github.com/opcat/opcat/dispatch/internal/vectors"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/embedding"
)

// Codec is the protocol.
var Codec = wire.Codec[embedding.Request, embedding.Result]{
	Protocol: "mistral_embeddings",
	Encode:   encode,
	Decode:   decode,
}

type request struct {
	Model           string             `json:"model"`
	Input           []post.Text        `json:"input"`
	OutputDimension catalog.Opt[int64] `json:"output_dimension,omitzero"`
	OutputDtype     string             `json:"output_dtype,omitzero"`
}

func encode(a operations.Admitted[embedding.Request]) (wire.Request, error) {
	ask := vectors.Of(a)
	texts, err := ask.Texts()
	if err != nil {
		return wire.Request{}, err
	}
	return post.JSON(a.URL(), request{a.WireModel(), texts, ask.Settings.Dimensions, ask.Settings.ElementType})
}

func decode(a operations.Admitted[embedding.Request], r wire.Response) (wire.Answer[embedding.Result], *wire.Failure) {
	if f := detail.Failure(r); f != nil {
		return wire.Answer[embedding.Result]{}, f
	}
	return vectors.Of(a).Answer(r)
}
