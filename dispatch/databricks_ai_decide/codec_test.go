package databricks_ai_decide

import (
	"testing"

	"github.com/opcat/opcat/internal/codectest"
	"github.com/opcat/opcat/operations/decision"
)

func TestCases(t *testing.T) { codectest.Run(t, Codec) }

func FuzzDecode(f *testing.F) {
	request := decision.Request{
		State:     []decision.Part{{Kind: "text", Text: "Arrived broken, send another."}},
		Questions: []decision.Question{{ID: "replace", Kind: "boolean", Instructions: "Does the customer want a replacement?"}},
	}
	codectest.Fuzz(f, Codec, codectest.Admit(f, "databricks/ai_decide", request), func(r decision.Result) error {
		return codectest.Answers(request, r)
	})
}
