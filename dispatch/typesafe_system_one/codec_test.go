package typesafe_system_one

import (
	"testing"

	"github.com/opcat/opcat/internal/codectest"
	"github.com/opcat/opcat/operations/decision"
)

func TestCases(t *testing.T) { codectest.Run(t, Codec) }

func FuzzDecode(f *testing.F) {
	request := decision.Request{
		State:     []decision.Part{{Kind: "text", Text: "Arrived broken, send another."}},
		Questions: []decision.Question{{ID: "q", Kind: "boolean", Instructions: "Does the customer want a replacement?"}},
	}
	codectest.Fuzz(f, Codec, codectest.Admit(f, "typesafe/jev-1.13.0", request), func(r decision.Result) error {
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
			{ID: "queue", Kind: "choice", Instructions: "Which?", Options: []decision.Option{{Label: "returns", Description: "goods sent back"}, {Label: "billing"}}},
			{ID: "heat", Kind: "score", Instructions: "How upset?", Levels: []string{"calm", "annoyed", "furious"}},
		},
	}
	codectest.Fuzz(f, Codec, codectest.Admit(f, "typesafe/jev-1.13.0", request), func(r decision.Result) error {
		return codectest.Answers(request, r)
	})
}
