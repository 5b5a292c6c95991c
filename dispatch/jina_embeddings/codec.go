// Package jina_embeddings is POST /v1/embeddings as Jina serves it.
//
// Items are texts or images. What is left out of the request is the server's
// choice, but over-long items are never cut without having been asked for.
package jina_embeddings

import (
	"fmt"

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
	Protocol: "jina_embeddings",
	Encode:   encode,
	Decode:   decode,
}

type request struct {
	Model         string             `json:"model"`
	Task          string             `json:"task,omitzero"`
	Input         any                `json:"input"` // texts, or items where one is not a text
	Dimensions    catalog.Opt[int64] `json:"dimensions,omitzero"`
	EmbeddingType string             `json:"embedding_type,omitzero"`
	Truncate      bool               `json:"truncate"`
}

type item struct {
	Text  post.Text `json:"text,omitzero"`
	Image post.Text `json:"image,omitzero"` // its address, or its bytes in base64
}

func encode(a operations.Admitted[embedding.Request]) (wire.Request, error) {
	ask := vectors.Of(a)
	s := ask.Settings
	body := request{a.WireModel(), s.Task, nil, s.Dimensions, s.ElementType, s.Truncate == "end"}
	if ask.AllText() {
		body.Input, _ = ask.Texts() // they are all texts
		return post.JSON(a.URL(), body)
	}
	items := make([]item, len(ask.Items))
	for i, x := range ask.Items {
		switch x.Kind {
		case "text":
			items[i].Text = post.Text(x.Text)
		case "image":
			items[i].Image = post.Text(x.Data)
			if x.URL != "" {
				items[i].Image = post.Text(x.URL)
			}
		default:
			return wire.Request{}, fmt.Errorf("item %d is %s, and the protocol takes text and images", i, x.Kind)
		}
	}
	body.Input = items
	return post.JSON(a.URL(), body)
}

func decode(a operations.Admitted[embedding.Request], r wire.Response) (wire.Answer[embedding.Result], *wire.Failure) {
	if f := detail.Failure(r); f != nil {
		return wire.Answer[embedding.Result]{}, f
	}
	return vectors.Of(a).Answer(r)
}
