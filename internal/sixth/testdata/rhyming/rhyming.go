// Package rhyming declares rhyming: a word in, verses that end on it out.
package rhyming

import (
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/shape"
)

// The places of the settings.
const (
	atVerses = iota
	atMetre
)

// Operation is the registry's member.
var Operation = op.Operation{
	Name:          "rhyming",
	Version:       "1.0.0",
	Summary:       "writes verses that end on a word",
	Inputs:        []string{"text"},
	Outputs:       []string{"verses"},
	Uncertainty:   "none",
	RequestSchema: requestSchema,
	ResultSchema:  resultSchema,
	Limit:         limit,
	Protocols:     []op.Protocol{{Name: "acme_rhymes", Codec: true, Carries: []string{"verses", "metre"}}},
	Keys:          []*shape.Key{shape.F("languages", shape.SetOf(shape.Of(shape.Text)).Full())},
	Limits:        []*shape.Key{shape.F("words", shape.CountOf(1, 0))},
	Settings: []op.Setting{
		atVerses: {Name: "verses", Kind: shape.Count, Max: "14"},
		atMetre:  {Name: "metre", Kind: shape.Enum, Values: []string{"iamb", "trochee", "dactyl"}},
	},
	Meters: []string{"input_token", "output_token", "request"},
}
