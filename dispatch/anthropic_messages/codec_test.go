package anthropic_messages

import (
	"bytes"
	"testing"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/internal/codectest"
)

func TestCases(t *testing.T) { codectest.Run(t, Codec) }

// What a model thought is sent again as it came: the same bytes in the same places.
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
	for _, c := range []struct{ name, content, stop, want string }{
		{"before a text", signed + "," + text, "end_turn", ""},
		{"before a call", signed + "," + call, "tool_use", ""},
		{"several in front", signed + "," + sealed + "," + newer + "," + text, "end_turn", ""},
		{"between", signed + "," + text + "," + sealed + "," + more + "," + newer + "," + call + "," + sealed + "," + other, "tool_use", ""},
		{"at the end", text + "," + sealed, "end_turn", ""},
		{"a text after a call takes its thoughts along", signed + "," + call + "," + sealed + "," + text, "tool_use", sealed + "," + text + "," + signed + "," + call},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.want == "" {
				c.want = c.content
			}
			answer := `{"type":"message","model":"claude-haiku-5-5","content" : [ ` + c.content + `],"stop_reason":"` + c.stop + `"}`
			if _, body := codectest.Again(t, Codec, "anthropic/claude-haiku-5-5", q, answer); !bytes.Contains(body, []byte(`"content":[`+c.want+`]`)) {
				t.Errorf("the turn went back as other than\n%s\nin\n%s", c.want, body)
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	q := codectest.Question()
	q.Settings.MaxOutputTokens = catalog.Known[int64](256)
	codectest.FuzzText(f, Codec, "anthropic/claude-haiku-5-5", q)
}
