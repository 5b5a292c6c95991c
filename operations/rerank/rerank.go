// Package rerank declares reranking: a query and documents in, a relevance score
// for each document out.
package rerank

import (
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/operations/price"
	"github.com/opcat/opcat/shape"
)

// truncates are the ends from which a text that is too long can be cut.
var truncates = []string{"none", "start", "end"}

// The places of the settings.
const (
	atTopN = iota
	atTruncate
)

// Operation is the registry's member.
var Operation = op.Operation{
	Name:          "reranking",
	Version:       "1.0.0",
	Summary:       "scores documents by their relevance to a query",
	Inputs:        []string{"text", "image"},
	Outputs:       []string{"scores"},
	Uncertainty:   "score",
	RequestSchema: requestSchema,
	ResultSchema:  resultSchema,
	Limit:         limit,
	Units:         units,
	Protocols: []op.Protocol{
		{Name: "cohere_rerank", Codec: true, Carries: []string{"top_n"}, Misfit: texts.Misfit},
		{Name: "voyage_rerank", Codec: true, Carries: []string{"top_n", "truncate"}, Misfit: texts.Misfit},
		{Name: "jina_rerank", Codec: true, Carries: []string{"top_n"}, Misfit: texts.Misfit},
		{Name: "vllm_rerank", Codec: true, Carries: []string{"top_n"}, Misfit: texts.Misfit},
		{Name: "tei_rerank", Codec: true, Carries: []string{"truncate"}, Misfit: texts.Misfit},
		{Name: "vllm_score"},
		{Name: "bedrock_invoke"},
	},
	Keys: []*shape.Key{
		shape.F("score_range", shape.EnumOf("unit", "raw")),
		shape.F("truncates", shape.EnumOf("never", "on_request", "always")),
		shape.F("search_unit", shape.Rec(shape.New("what a search unit holds",
			shape.F("documents", count()).Always(),
			shape.F("document_tokens", count()),
		))),
	},
	Limits: []*shape.Key{
		shape.F("documents", count()),
		shape.F("query_tokens", count()),
		shape.F("document_tokens", count()),
		shape.F("request_tokens", count()),
	},
	Settings: []op.Setting{
		atTopN:     {Name: "top_n", Kind: shape.Count},
		atTruncate: {Name: "truncate", Kind: shape.Enum, Values: truncates},
	},
	Meters: []string{"input_token", "input_image_token", "search_unit", "query", "request", "gpu_second"},
	Usual:  price.Usage{Lines: []price.Line{{Meter: "input_token", Count: 20000}, {Meter: "search_unit", Count: 1}}}, // a hundred documents of 200 tokens
}

func count() *shape.Type { return shape.CountOf(1, 0) }

// texts is all that these wires have a place for.
var texts = op.Place{Inputs: []string{"text"}}
