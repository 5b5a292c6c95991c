package jina_rerank

import (
	"testing"

	"github.com/opcat/opcat/internal/codectest"
	"github.com/opcat/opcat/operations/rerank"
)

func TestCases(t *testing.T) { codectest.Run(t, Codec) }

func FuzzDecode(f *testing.F) {
	request := rerank.Request{
		Query:     "fox",
		Documents: []rerank.Document{{Kind: "text", Text: "red fox"}, {Kind: "text", Text: "blue whale"}},
	}
	codectest.Fuzz(f, Codec, codectest.Admit(f, "jina/jina-reranker-v2-base-multilingual", request), func(r rerank.Result) error {
		return codectest.Ranking(request, r)
	})
}
