// Package moderation declares moderation: content in, a score for each of the
// model's fixed categories out.
package moderation

import (
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/operations/price"
	"github.com/opcat/opcat/shape"
)

// Operation is the registry's member.
var Operation = op.Operation{
	Name:          "moderation",
	Version:       "1.0.0",
	Summary:       "scores content against the fixed categories of a model",
	Inputs:        []string{"text", "image"},
	Outputs:       []string{"categories"},
	Uncertainty:   "score",
	RequestSchema: requestSchema,
	ResultSchema:  resultSchema,
	Limit:         limit,
	Protocols: []op.Protocol{
		{Name: "openai_moderations", Codec: true},
		{Name: "mistral_moderations"},
	},
	Keys: []*shape.Key{
		shape.F("categories", shape.SetOf(shape.Of(shape.Text)).Full()).Says("as the wire spells them"),
		shape.F("flagged", shape.Of(shape.Bool)).Says("the answer also says flagged or not"),
	},
	Limits: []*shape.Key{
		shape.F("items", count()),
		shape.F("input_tokens", count()),
	},
	Meters: []string{"input_token", "request", "input_image"},
	Usual:  price.Usage{Lines: []price.Line{{Meter: "input_token", Count: 1000}}},
}

func count() *shape.Type { return shape.CountOf(1, 0) }
