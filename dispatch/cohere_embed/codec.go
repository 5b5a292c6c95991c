// Package cohere_embed is POST /v2/embed of Cohere.
//
// An answer holds its vectors under their element type, so exactly one type is
// asked for. The server cuts over-long texts without a word unless it is told not
// to, so it is told not to unless the caller asked for it.
package cohere_embed

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

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
	Protocol: "cohere_embed",
	Encode:   encode,
	Decode:   decode,
}

type request struct {
	Model           string             `json:"model"`
	InputType       string             `json:"input_type"`
	Texts           []post.Text        `json:"texts,omitzero"`
	Inputs          []input            `json:"inputs,omitzero"` // where one is not a text
	EmbeddingTypes  []string           `json:"embedding_types"`
	OutputDimension catalog.Opt[int64] `json:"output_dimension,omitzero"`
	Truncate        string             `json:"truncate"`
}

type input struct {
	Content []content `json:"content"`
}

type content struct {
	Type     string    `json:"type"`
	Text     post.Text `json:"text,omitzero"`
	ImageURL *imageURL `json:"image_url,omitzero"`
}

type imageURL struct {
	URL post.Text `json:"url"`
}

var truncations = map[string]string{"": "NONE", "none": "NONE", "start": "START", "end": "END"}

func encode(a operations.Admitted[embedding.Request]) (wire.Request, error) {
	ask := vectors.Of(a)
	s := ask.Settings
	body := request{Model: a.WireModel(), InputType: s.Task, EmbeddingTypes: []string{ask.ElementType()}, OutputDimension: s.Dimensions,
		Truncate: truncations[s.Truncate]}
	if ask.AllText() {
		body.Texts, _ = ask.Texts() // they are all texts
		return post.JSON(a.URL(), body)
	}
	for i, item := range ask.Items {
		var c content
		switch item.Kind {
		case "text":
			c = content{Type: "text", Text: post.Text(item.Text)}
		case "image":
			c = content{Type: "image_url", ImageURL: &imageURL{post.Text(item.URL)}}
			if item.URL == "" {
				c.ImageURL.URL = post.Text("data:" + item.MediaType + ";base64," + item.Data)
			}
		default:
			return wire.Request{}, fmt.Errorf("item %d is %s, and the protocol takes text and images", i, item.Kind)
		}
		body.Inputs = append(body.Inputs, input{[]content{c}})
	}
	return post.JSON(a.URL(), body)
}

type answer struct {
	ID         string                      `json:"id"`
	Embeddings map[string][]jsontext.Value `json:"embeddings"`
	Meta       struct {
		Billed struct {
			InputTokens jsontext.Value `json:"input_tokens"`
			ImageTokens jsontext.Value `json:"image_tokens"`
		} `json:"billed_units"`
	} `json:"meta"`
}

func decode(a operations.Admitted[embedding.Request], r wire.Response) (wire.Answer[embedding.Result], *wire.Failure) {
	if f := detail.Failure(r); f != nil {
		return wire.Answer[embedding.Result]{}, f
	}
	ask := vectors.Of(a)
	var body answer
	if err := json.Unmarshal(r.Body, &body); err != nil {
		return wire.Answer[embedding.Result]{}, wire.BadAnswer(r, err)
	}
	meta := wire.Meta{RequestID: body.ID}
	var t wire.Tally
	if n, ok := t.Count("meta.billed_units.input_tokens", body.Meta.Billed.InputTokens); ok {
		meta.Usage.Add("input_token", n)
	} else {
		meta.Usage.Unknown = append(meta.Usage.Unknown, "input_token")
	}
	if n, ok := t.Count("meta.billed_units.image_tokens", body.Meta.Billed.ImageTokens); ok {
		meta.Usage.Add("input_image_token", n)
	} else if !ask.AllText() {
		meta.Usage.Unknown = append(meta.Usage.Unknown, "input_image_token")
	}
	meta.UsageError = t.Err
	values, ok := body.Embeddings[ask.ElementType()]
	if !ok || len(body.Embeddings) != 1 {
		return ask.Result(r, meta, nil, fmt.Errorf("the answer does not hold vectors of type %s alone", ask.ElementType()))
	}
	return ask.Result(r, meta, values, nil)
}
