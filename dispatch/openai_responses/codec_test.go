package openai_responses

import (
	"testing"

	"github.com/opcat/opcat/internal/codectest"
)

func TestCases(t *testing.T) { codectest.Run(t, Codec) }

func FuzzDecode(f *testing.F) {
	codectest.FuzzText(f, Codec, "openai/gpt-5.4-mini", codectest.Question())
}
