// Package gemini_embed is embedContent of Gemini, and batchEmbedContents where
// there are several items.
//
// In a batch each item names the model again, and the answer's member has another
// name. Neither answer names a model.
package gemini_embed

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/dispatch/internal/google"
	"github.com/opcat/opcat/dispatch/internal/post"
	"github.com/opcat/opcat/dispatch/internal/vectors"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/embedding"
)

// Codec is the protocol.
var Codec = wire.Codec[embedding.Request, embedding.Result]{
	Protocol: "gemini_embed",
	Encode:   encode,
	Decode:   decode,
}

type request struct {
	Model                string             `json:"model"`
	Content              content            `json:"content"`
	TaskType             string             `json:"taskType,omitzero"`
	OutputDimensionality catalog.Opt[int64] `json:"outputDimensionality,omitzero"`
}

type content struct {
	Parts []part `json:"parts"`
}

type part struct {
	Text       post.Text `json:"text,omitzero"`
	InlineData *blob     `json:"inlineData,omitzero"`
	FileData   *fileData `json:"fileData,omitzero"`
}

type blob struct {
	MimeType string    `json:"mimeType"`
	Data     post.Text `json:"data"`
}

type fileData struct {
	MimeType string `json:"mimeType,omitzero"`
	FileURI  string `json:"fileUri"`
}

type batch struct {
	Requests []request `json:"requests"`
}

const single, several = ":embedContent", ":batchEmbedContents"

func encode(a operations.Admitted[embedding.Request]) (wire.Request, error) {
	ask := vectors.Of(a)
	requests := make([]request, len(ask.Items))
	for i, item := range ask.Items {
		p := part{Text: post.Text(item.Text)}
		switch {
		case item.URL != "":
			p = part{FileData: &fileData{item.MediaType, item.URL}}
		case item.Kind != "text":
			p = part{InlineData: &blob{item.MediaType, post.Text(item.Data)}}
		}
		requests[i] = request{"models/" + strings.TrimPrefix(a.WireModel(), "models/"), content{[]part{p}}, ask.Settings.Task, ask.Settings.Dimensions}
	}
	if len(requests) == 1 {
		return post.JSON(a.URL(), requests[0])
	}
	url, ok := strings.CutSuffix(a.URL(), single)
	if !ok {
		return wire.Request{}, fmt.Errorf("the endpoint of gemini_embed does not end in %s, so it has none for several items", single)
	}
	return post.JSON(url+several, batch{requests})
}

type values struct {
	Values jsontext.Value `json:"values"`
}

type answer struct {
	Embedding     *values  `json:"embedding"`
	Embeddings    []values `json:"embeddings"`
	UsageMetadata struct {
		PromptTokenCount jsontext.Value `json:"promptTokenCount"`
	} `json:"usageMetadata"`
}

func decode(a operations.Admitted[embedding.Request], r wire.Response) (wire.Answer[embedding.Result], *wire.Failure) {
	if f := google.Failure(r); f != nil {
		return wire.Answer[embedding.Result]{}, f
	}
	ask := vectors.Of(a)
	var body answer
	if err := json.Unmarshal(r.Body, &body); err != nil {
		return wire.Answer[embedding.Result]{}, wire.BadAnswer(r, err)
	}
	var meta wire.Meta
	var t wire.Tally
	n, ok := t.Count("usageMetadata.promptTokenCount", body.UsageMetadata.PromptTokenCount)
	ask.Tokens(&meta, n, ok)
	meta.UsageError = t.Err
	one := len(ask.Items) == 1
	if (body.Embedding != nil) != one || (body.Embeddings != nil) == one {
		return ask.Result(r, meta, nil, fmt.Errorf("one item is answered under embedding, several under embeddings, and nothing under the other"))
	}
	if one {
		body.Embeddings = []values{*body.Embedding}
	}
	list := make([]jsontext.Value, len(body.Embeddings))
	for i, e := range body.Embeddings {
		list[i] = e.Values
	}
	return ask.Result(r, meta, list, nil)
}
