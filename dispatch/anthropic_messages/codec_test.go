package anthropic_messages

import (
	"testing"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/internal/codectest"
)

func TestCases(t *testing.T) { codectest.Run(t, Codec) }

func FuzzDecode(f *testing.F) {
	q := codectest.Question()
	q.Settings.MaxOutputTokens = catalog.Known[int64](256)
	codectest.FuzzText(f, Codec, "anthropic/claude-haiku-5-5", q)
}
