package tei_embed

import (
	"testing"

	"github.com/opcat/opcat/internal/codectest"
	"github.com/opcat/opcat/operations/embedding"
)

func TestCases(t *testing.T) { codectest.Run(t, Codec) }

func FuzzDecode(f *testing.F) {
	request := embedding.Request{
		Items: []embedding.Item{{Kind: "text", Text: "red fox"}, {Kind: "text", Text: "blue whale"}},
	}
	codectest.Fuzz(f, Codec, codectest.Admit(f, "tei/BAAI/bge-base-en-v1.5", request), func(r embedding.Result) error {
		return codectest.Vectors(request, r)
	})
}
