package openai_moderations

import (
	"fmt"
	"testing"

	"github.com/opcat/opcat/internal/codectest"
	"github.com/opcat/opcat/operations/moderation"
)

func TestCases(t *testing.T) { codectest.Run(t, Codec) }

func FuzzDecode(f *testing.F) {
	request := moderation.Request{Items: []moderation.Item{{Kind: "text", Text: "red fox"}}}
	a := codectest.Admit(f, "openai/omni-moderation-2024-09-26", request)
	codectest.Fuzz(f, Codec, a, func(r moderation.Result) error {
		if len(r.Verdicts) != 1 || len(r.Verdicts[0].Categories) != len(a.Contract().Moderation.Categories) {
			return fmt.Errorf("not one verdict with every category: %+v", r)
		}
		return nil
	})
}
