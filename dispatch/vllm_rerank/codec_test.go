package vllm_rerank

import (
	"testing"

	"github.com/opcat/opcat/internal/codectest"
	"github.com/opcat/opcat/operations/rerank"
)

func TestCases(t *testing.T) { codectest.Run(t, Codec) }

func FuzzDecode(f *testing.F) {
	request := rerank.Request{
		Query:     "fox",
		Documents: []rerank.Document{{Kind: "text", Text: "red fox"}},
	}
	codectest.Fuzz(f, Codec, codectest.Admit(f, "vllm/Alibaba-NLP/gte-multilingual-reranker-base", request), func(r rerank.Result) error {
		return codectest.Ranking(request, r)
	})
}
