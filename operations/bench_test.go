package operations_test

import (
	"testing"

	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/operations/textgen"
)

// Admission costs at most a microsecond and one allocation.
func BenchmarkAdmit(b *testing.B) {
	talk := chat("Say yes or no: is seven a prime number?")
	talk.Messages = append([]textgen.Message{{Role: "system", Parts: []textgen.Part{{Kind: "text", Text: "Answer briefly."}}}}, talk.Messages...)
	talk.Settings = textgen.Settings{MaxOutputTokens: count(256), Temperature: "0.2"}
	b.Run("chat", func(b *testing.B) { admits(b, "mistral/mistral-small-2603", talk, operations.Terms{}) })
	talk.Settings = textgen.Settings{MaxOutputTokens: count(256), Effort: "low"}
	b.Run("chat with effort and a bound", func(b *testing.B) { admits(b, "openai/gpt-6-luna", talk, operations.Terms{MaxUSD: "1"}) })
	b.Run("decision with a bound", func(b *testing.B) {
		admits(b, "typesafe/jev-1.14.0", judge("Arrived broken, send another."), operations.Terms{MaxUSD: "0.001"})
	})
	b.Run("embedding", func(b *testing.B) {
		admits(b, "openai/text-embedding-3-small", embed("a line of text"), operations.Terms{})
	})
	b.Run("reranking", func(b *testing.B) { admits(b, "voyage/rerank-2.5", rank("which?", "this", "that"), operations.Terms{}) })
	b.Run("moderation", func(b *testing.B) {
		admits(b, "openai/omni-moderation-latest", moderate("a line of text"), operations.Terms{})
	})
}

func admits[R op.Request[R]](b *testing.B, route string, r R, t operations.Terms) {
	c := bundled(b)
	if _, err := operations.Admit(c, route, r, t); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := operations.Admit(c, route, r, t); err != nil {
			b.Fatal(err)
		}
	}
}
