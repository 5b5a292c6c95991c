package openai_decisions

import (
	"testing"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/internal/codectest"
	"github.com/opcat/opcat/operations/decision"
)

func TestCases(t *testing.T) { codectest.Run(t, Codec) }

func FuzzDecode(f *testing.F) {
	request := decision.Request{
		State:     []decision.Part{{Kind: "text", Text: "Arrived broken, send another."}},
		Questions: []decision.Question{{ID: "a", Kind: "boolean", Instructions: "Does the customer want a replacement?"}},
	}
	codectest.Fuzz(f, Codec, codectest.Admit(f, "openai/gpt-6-luna", request), func(r decision.Result) error {
		return codectest.Answers(request, r)
	})
}

// FuzzKinds asks what FuzzDecode does not: a choice and a score, whose answers
// have a distribution each.
func FuzzKinds(f *testing.F) {
	request := decision.Request{
		State: []decision.Part{{Kind: "text", Text: "Arrived broken, send another."}},
		Questions: []decision.Question{
			{ID: "replace", Kind: "boolean", Instructions: "Does the customer want a replacement?"},
			{ID: "vip", Kind: "choice", Instructions: "Which?", Options: []decision.Option{{Label: "yes", Yes: catalog.Known(true)}, {Label: "true"}, {Label: "unknown"}}},
			{ID: "heat", Kind: "score", Instructions: "How upset?", Levels: []string{"calm", "annoyed", "furious"}},
		},
	}
	codectest.Fuzz(f, Codec, codectest.Admit(f, "openai/gpt-6-luna", request), func(r decision.Result) error {
		return codectest.Answers(request, r)
	})
}
