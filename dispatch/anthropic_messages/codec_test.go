package anthropic_messages

import (
	"bytes"
	"testing"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/internal/codectest"
)

func TestCases(t *testing.T) { codectest.Run(t, Codec) }

// A turn is sent again as it came, with what the model thought: the same bytes in the same places.
func TestThoughtsComeBack(t *testing.T) {
	const (
		signed = `{"type":"thinking","thinking":"Rain?\\nLet me see \u2026","signature":"EqQB/+8="}`
		sealed = `{"type":"redacted_thinking","data":"EmwKAhgB"}`
		newer  = `{"type":"thinking","thinking":"","signature":"b","later":{"n":1.50}}`
		text   = `{"type":"text","text":"I look."}`
		more   = `{"type":"text","text":"Twice."}`
		call   = `{"type":"tool_use","id":"toolu_1","name":"weather","input":{"city":"Oslo"}}`
		other  = `{"type":"tool_use","id":"toolu_2","name":"weather","input":{}}`
	)
	q := codectest.Question()
	q.ResponseSchema = nil
	q.Settings.MaxOutputTokens = catalog.Known[int64](256)
	for _, c := range []struct{ name, content, stop string }{
		{"before a text", signed + "," + text, "end_turn"},
		{"before a call", signed + "," + call, "tool_use"},
		{"several in front", signed + "," + sealed + "," + newer + "," + text, "end_turn"},
		{"between", signed + "," + text + "," + sealed + "," + more + "," + newer + "," + call + "," + sealed + "," + other, "tool_use"},
		{"at the end", text + "," + sealed, "end_turn"},
		{"a text after a call", signed + "," + call + "," + sealed + "," + text, "tool_use"},
		{"texts around calls", text + "," + call + "," + more + "," + other, "tool_use"},
		{"a call, two texts and a call", call + "," + text + "," + more + "," + sealed + "," + other + "," + newer, "tool_use"},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer := `{"type":"message","model":"claude-haiku-5-5","content" : [ ` + c.content + `],"stop_reason":"` + c.stop + `"}`
			if _, body := codectest.Again(t, Codec, "anthropic/claude-haiku-5-5", q, answer); !bytes.Contains(body, []byte(`"content":[`+c.content+`]`)) {
				t.Errorf("the turn went back as other than\n%s\nin\n%s", c.content, body)
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	q := codectest.Question()
	q.Settings.MaxOutputTokens = catalog.Known[int64](256)
	codectest.FuzzText(f, Codec, "anthropic/claude-haiku-5-5", q)
}
