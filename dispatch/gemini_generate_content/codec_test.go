package gemini_generate_content

import (
	"testing"

	"github.com/opcat/opcat/internal/codectest"
)

func TestCases(t *testing.T) { codectest.Run(t, Codec) }

func FuzzDecode(f *testing.F) {
	codectest.FuzzText(f, Codec, "google/gemini-3.1-flash-lite", codectest.Question())
}
