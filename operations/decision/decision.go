// Package decision declares decision_evaluation: bounded questions over a state
// in, an answer with probabilities for each out.
package decision

import (
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/operations/price"
	"github.com/opcat/opcat/shape"
)

// QuestionKinds are the kinds of questions.
var QuestionKinds = []string{"boolean", "choice", "score", "box"}

// The places of the settings.
const (
	atPromptCacheKey = iota
	atSafetyIdentifier
)

// Operation is the registry's member.
var Operation = op.Operation{
	Name:          "decision_evaluation",
	Version:       "1.0.0",
	Summary:       "answers bounded questions about a state, each with probabilities",
	Inputs:        []string{"text", "json", "image", "audio", "video"},
	Outputs:       []string{"answers"},
	Uncertainty:   "distribution",
	RequestSchema: requestSchema,
	ResultSchema:  resultSchema,
	Judge:         judge,
	Limit:         limit,
	Protocols:     protocols,
	Keys: []*shape.Key{
		shape.F("question_kinds", shape.SetOf(shape.EnumOf(QuestionKinds...)).Full()).Merged(),
		shape.F("evidence_kind", shape.EnumOf("input_reference", "external_citation")).Merged(),
		shape.F("upstream", shape.Of(shape.Text)).Says("the exact server that a gateway must use"),
		shape.F("probability_decimals", shape.CountOf(1, 0)),
		shape.F("instructions", shape.EnumOf("string", "json")),
		shape.F("criteria", shape.EnumOf("none", "one_side", "both_sides")),
	},
	Limits: []*shape.Key{
		shape.F("questions", count()),
		shape.F("choice_options", count()),
		shape.F("score_levels_min", count()),
		shape.F("score_levels_max", count()),
		shape.F("state_tokens", count()),
		shape.F("request_tokens", count()),
		shape.F("images", count()),
	},
	Settings: []op.Setting{
		atPromptCacheKey:   {Name: "prompt_cache_key", Kind: shape.Text},
		atSafetyIdentifier: {Name: "safety_identifier", Kind: shape.Text},
	},
	Meters: []string{
		"input_token", "output_token", "cache_read_token", "cache_write_token", "input_image_token", "input_audio_token",
		"input_video_token", "input_image", "query", "request",
	},
	Usual: price.Usage{Lines: []price.Line{{Meter: "input_token", Count: 2000}, {Meter: "output_token", Count: 100}}},
}

func count() *shape.Type { return shape.CountOf(1, 0) }
