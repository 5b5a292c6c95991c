// Package embedding declares embedding: content in, one vector for each item out.
package embedding

import (
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/operations/price"
	"github.com/opcat/opcat/shape"
)

// ElementTypes are how the numbers of a vector can be encoded.
var ElementTypes = []string{"float", "int8", "uint8", "binary", "ubinary"}

// truncates are the ends from which a text that is too long can be cut.
var truncates = []string{"none", "start", "end"}

// The places of the settings.
const (
	atDimensions = iota
	atTask
	atElementType
	atTruncate
)

// Operation is the registry's member.
var Operation = op.Operation{
	Name:          "embedding",
	Version:       "1.0.0",
	Summary:       "turns each item into a vector of a stated width",
	Inputs:        []string{"text", "image", "audio", "video", "pdf"},
	Outputs:       []string{"vector"},
	Uncertainty:   "none",
	RequestSchema: requestSchema,
	ResultSchema:  resultSchema,
	Judge:         judge,
	Limit:         limit,
	Protocols: []op.Protocol{
		{Name: "openai_embeddings", Codec: true, Carries: []string{"dimensions"}, Misfit: texts.Misfit},
		{Name: "gemini_embed", Codec: true, Carries: []string{"dimensions", "task"}, Misfit: anything.Misfit},
		{Name: "cohere_embed", Codec: true, Carries: []string{"dimensions", "task", "element_type", "truncate"}, Misfit: textsAndImages.Misfit},
		{Name: "voyage_embeddings", Codec: true, Carries: []string{"dimensions", "task", "element_type", "truncate"}, Misfit: texts.Misfit},
		{Name: "mistral_embeddings", Codec: true, Carries: []string{"dimensions", "element_type"}, Misfit: texts.Misfit},
		{Name: "jina_embeddings", Codec: true, Carries: []string{"dimensions", "task", "element_type", "truncate"}, Misfit: textsAndImages.Misfit},
		{Name: "ollama_embed", Codec: true, Carries: []string{"dimensions", "truncate"}, Misfit: texts.Misfit},
		{Name: "tei_embed", Codec: true, Carries: []string{"truncate"}, Misfit: texts.Misfit},
		{Name: "bedrock_invoke"},
	},
	Keys: []*shape.Key{
		shape.F("dimensions", shape.OneOf(count(), shape.Rec(dimensions))).Merged().Says("width of the vector, or which widths may be asked for"),
		shape.F("normalized", shape.Of(shape.Bool)),
		shape.F("element_types", shape.SetOf(shape.EnumOf(ElementTypes...)).Full()),
		shape.F("batch", shape.Of(shape.Bool)).Says("may be sent through the provider's batch interface"),
		shape.Elsewhere("max_output_tokens", "an embedding returns no tokens; a vector width is dimensions"),
		shape.Elsewhere("max_input_tokens", "write limits.input_tokens"),
	},
	Limits: []*shape.Key{
		shape.F("input_tokens", count()).Says("tokens of each item"),
		shape.F("request_tokens", count()).Says("tokens of all items together"),
		shape.F("items", count()),
		shape.Elsewhere("output_tokens", "an embedding returns no tokens; a vector width is the contract's dimensions"),
	},
	Settings: []op.Setting{
		atDimensions:  {Name: "dimensions", Kind: shape.Count},
		atTask:        {Name: "task", Kind: shape.Text},
		atElementType: {Name: "element_type", Kind: shape.Enum, Values: ElementTypes},
		atTruncate:    {Name: "truncate", Kind: shape.Enum, Values: truncates},
	},
	Meters: []string{
		"input_token", "input_image_token", "input_audio_token", "input_video_token", "input_character", "input_image",
		"input_pixel", "input_audio_second", "input_video_second", "page", "request", "gpu_second",
	},
	Usual: price.Usage{Lines: []price.Line{{Meter: "input_token", Count: 1000}}},
}

func count() *shape.Type { return shape.CountOf(1, 0) }

var dimensions = shape.New("the dimensions of an embedding",
	shape.F("default", count()).Always(),
	shape.F("allowed", shape.SetOf(count()).Full()),
	shape.F("min", count()),
	shape.F("max", count()),
)

// What wires have places for.
var (
	texts          = op.Place{Inputs: []string{"text"}}
	textsAndImages = op.Place{Inputs: []string{"text", "image"}, Forms: []string{FormRemote}}
	anything       = op.Place{Inputs: []string{"text", "image", "audio", "video", "pdf"}, Forms: []string{FormRemote}}
)
