package openai_embeddings

import (
	"testing"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/internal/codectest"
	"github.com/opcat/opcat/operations/embedding"
)

func TestCases(t *testing.T) { codectest.Run(t, Codec) }

func FuzzDecode(f *testing.F) {
	request := embedding.Request{
		Items:    []embedding.Item{{Kind: "text", Text: "red fox"}, {Kind: "text", Text: "blue whale"}},
		Settings: embedding.Settings{Dimensions: catalog.Known[int64](2)},
	}
	codectest.Fuzz(f, Codec, codectest.Admit(f, "openai/text-embedding-3-small", request), func(r embedding.Result) error {
		return codectest.Vectors(request, r)
	})
}
