package gemini_embed

import (
	"testing"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/internal/codectest"
	"github.com/opcat/opcat/operations/embedding"
)

func TestCases(t *testing.T) { codectest.Run(t, Codec) }

func FuzzDecode(f *testing.F) {
	request := embedding.Request{
		Items:    []embedding.Item{{Kind: "text", Text: "red fox"}},
		Settings: embedding.Settings{Dimensions: catalog.Known[int64](128)},
	}
	codectest.Fuzz(f, Codec, codectest.Admit(f, "google/gemini-embedding-001", request), func(r embedding.Result) error {
		return codectest.Vectors(request, r)
	})
}
