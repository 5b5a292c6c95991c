// Package openai_moderations is POST /v1/moderations of OpenAI.
//
// It counts nothing: the operation's usage is one request. The contract lists the
// categories, and an answer that lacks one or adds one is not what was admitted.
package openai_moderations

import (
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/dispatch/internal/openai"
	"github.com/opcat/opcat/dispatch/internal/post"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/internal/lent"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/moderation"
)

// Codec is the protocol.
var Codec = wire.Codec[moderation.Request, moderation.Result]{
	Protocol: "openai_moderations",
	Encode:   encode,
	Decode:   decode,
}

type request struct {
	Model string `json:"model"`
	Input any    `json:"input"` // texts, or the parts of one item where there is an image
}

type part struct {
	Type     string    `json:"type"`
	Text     string    `json:"text,omitzero"`
	ImageURL *imageURL `json:"image_url,omitzero"`
}

type imageURL struct {
	URL post.Text `json:"url"`
}

func encode(a operations.Admitted[moderation.Request]) (wire.Request, error) {
	r := a.Lent(lent.Own())
	texts := make([]post.Text, len(r.Items))
	for i, item := range r.Items {
		if item.Kind == "image" {
			return encodeParts(a, r.Items)
		}
		texts[i] = post.Text(item.Text)
	}
	return post.JSON(a.URL(), request{a.WireModel(), texts})
}

// encodeParts writes one image. Several parts are one item to the server and get
// one verdict, so more of them would leave items without any.
func encodeParts(a operations.Admitted[moderation.Request], items []moderation.Item) (wire.Request, error) {
	if len(items) != 1 {
		return wire.Request{}, fmt.Errorf("%d items with an image among them: the protocol judges parts together and gives one verdict", len(items))
	}
	image := part{Type: "image_url", ImageURL: &imageURL{post.Text(items[0].URL)}}
	if items[0].URL == "" {
		image.ImageURL.URL = post.Text("data:" + items[0].MediaType + ";base64," + items[0].Data)
	}
	return post.JSON(a.URL(), request{a.WireModel(), []part{image}})
}

type answer struct {
	ID      string    `json:"id"`
	Model   string    `json:"model"`
	Results []verdict `json:"results"`
}

type verdict struct {
	Flagged    jsontext.Value            `json:"flagged"`
	Categories map[string]jsontext.Value `json:"categories"`
	Scores     map[string]wire.Number    `json:"category_scores"`
}

func decode(a operations.Admitted[moderation.Request], r wire.Response) (wire.Answer[moderation.Result], *wire.Failure) {
	if f := openai.Failure(r); f != nil {
		return wire.Answer[moderation.Result]{}, f
	}
	var body answer
	if err := json.Unmarshal(r.Body, &body); err != nil {
		return wire.Answer[moderation.Result]{}, wire.BadAnswer(r, err)
	}
	meta := wire.Meta{Served: body.Model, RequestID: r.Header.Get("X-Request-Id")}
	meta.Usage.Add("request", 1)
	result, err := read(a, body.Results)
	if err != nil {
		f := wire.BadAnswer(r, err)
		f.Meta = meta
		return wire.Answer[moderation.Result]{}, f
	}
	return wire.Answer[moderation.Result]{Result: result, Meta: meta}, nil
}

func read(a operations.Admitted[moderation.Request], list []verdict) (moderation.Result, error) {
	items := a.Lent(lent.Own()).Items
	if len(list) != len(items) {
		return moderation.Result{}, fmt.Errorf("%d verdicts for %d items", len(list), len(items))
	}
	result := moderation.Result{Verdicts: make([]moderation.Verdict, len(list))}
	for i, v := range list {
		flagged, err := yesNo(v.Flagged)
		if err != nil {
			return moderation.Result{}, fmt.Errorf("flagged of item %d: %w", i, err)
		}
		out := moderation.Verdict{Flagged: flagged}
		names := a.Contract().Moderation.Categories
		if names == nil { // the contract leaves open which there are
			names = slices.Sorted(maps.Keys(v.Scores))
		}
		if len(v.Scores) != len(names) || len(v.Categories) != len(names) {
			return moderation.Result{}, fmt.Errorf("item %d has %d categories and %d scores, and the contract lists %d", i, len(v.Categories), len(v.Scores), len(names))
		}
		for _, name := range names {
			c, err := category(name, v)
			if err != nil {
				return moderation.Result{}, fmt.Errorf("item %d, %s: %w", i, name, err)
			}
			out.Categories = append(out.Categories, c)
		}
		result.Verdicts[i] = out
	}
	return result, nil
}

func category(name string, v verdict) (moderation.Category, error) {
	score, err := v.Scores[name].Decimal()
	if err != nil {
		return moderation.Category{}, fmt.Errorf("the score is absent or no number")
	}
	if score.Compare("0") < 0 || score.Compare("1") > 0 {
		return moderation.Category{}, fmt.Errorf("the score %s is not from 0 to 1", score)
	}
	flagged, err := yesNo(v.Categories[name])
	return moderation.Category{Name: name, Score: score, Flagged: flagged}, err
}

// yesNo reads a yes or a no; anything else is an error, and so is nothing.
func yesNo(v jsontext.Value) (catalog.Opt[bool], error) {
	switch v.Kind() {
	case 't':
		return catalog.Known(true), nil
	case 'f':
		return catalog.Known(false), nil
	}
	return catalog.Opt[bool]{}, fmt.Errorf("it is not true or false")
}
