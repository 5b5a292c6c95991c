package ollama_chat

import (
	"testing"

	"github.com/opcat/opcat/internal/codectest"
)

func TestCases(t *testing.T) { codectest.Run(t, Codec) }

func FuzzDecode(f *testing.F) {
	codectest.FuzzText(f, Codec, "ollama/llama3.2", codectest.Question())
}
