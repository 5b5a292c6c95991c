// Package ollama_embed is POST /api/embed of Ollama.
//
// The server cuts over-long items without a word unless it is told not to, so it
// is told not to unless the caller asked for it.
package ollama_embed

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/dispatch/internal/ollama"
	"github.com/opcat/opcat/dispatch/internal/post"
	"github.com/opcat/opcat/dispatch/internal/vectors"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/embedding"
)

// Codec is the protocol.
var Codec = wire.Codec[embedding.Request, embedding.Result]{
	Protocol: "ollama_embed",
	Encode:   encode,
	Decode:   decode,
}

type request struct {
	Model      string             `json:"model"`
	Input      []post.Text        `json:"input"`
	Truncate   bool               `json:"truncate"`
	Dimensions catalog.Opt[int64] `json:"dimensions,omitzero"`
}

func encode(a operations.Admitted[embedding.Request]) (wire.Request, error) {
	ask := vectors.Of(a)
	texts, err := ask.Texts()
	if err != nil {
		return wire.Request{}, err
	}
	return post.JSON(a.URL(), request{a.WireModel(), texts, ask.Settings.Truncate == "end", ask.Settings.Dimensions})
}

type answer struct {
	Model           string           `json:"model"`
	Embeddings      []jsontext.Value `json:"embeddings"`
	PromptEvalCount jsontext.Value   `json:"prompt_eval_count"` // left out when it is zero
}

func decode(a operations.Admitted[embedding.Request], r wire.Response) (wire.Answer[embedding.Result], *wire.Failure) {
	if f := ollama.Failure(r); f != nil {
		return wire.Answer[embedding.Result]{}, f
	}
	ask := vectors.Of(a)
	var body answer
	if err := json.Unmarshal(r.Body, &body); err != nil {
		return wire.Answer[embedding.Result]{}, wire.BadAnswer(r, err)
	}
	meta := wire.Meta{Served: body.Model}
	var t wire.Tally
	n, ok := t.Count("prompt_eval_count", body.PromptEvalCount)
	ask.Tokens(&meta, n, ok)
	meta.UsageError = t.Err
	return ask.Result(r, meta, body.Embeddings, nil)
}
