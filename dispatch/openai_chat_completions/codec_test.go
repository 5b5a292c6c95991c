package openai_chat_completions

import (
	"testing"

	"github.com/opcat/opcat/internal/codectest"
)

func TestCases(t *testing.T) { codectest.Run(t, Codec) }

func FuzzDecode(f *testing.F) {
	codectest.FuzzText(f, Codec, "openai/gpt-4.1", codectest.Question())
}
