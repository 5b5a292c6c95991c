package openai_chat_completions

import (
	"bytes"
	"errors"
	"testing"

	"github.com/opcat/opcat/catalog"
	snapshot "github.com/opcat/opcat/gen/json"
	"github.com/opcat/opcat/internal/codectest"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/textgen"
)

func TestCases(t *testing.T) { codectest.Run(t, Codec) }

// The rows of three dialects: one that takes its thoughts back with tools alone, one
// that always does, and a gateway's list.
const (
	withTools = "deepseek/deepseek-flash"
	always    = "moonshot/kimi-k3"
	listed    = "openrouter/google/gemini-4-argon"
	never     = "openai/gpt-4.1"
)

const call = `"tool_calls":[{"id":"call_1","type":"function","function":{"name":"weather","arguments":"{\"city\":\"Oslo\"}"}}]`

// What a model thought is sent again with its message, as the member that it came in,
// where the row takes it back; nobody else's is kept.
func TestThoughtsComeBack(t *testing.T) {
	const (
		content = `"reasoning_content":"Rain?\\n\u2026"`
		text    = `"reasoning":"Rain?"`
		details = `"reasoning_details":[{"type":"reasoning.encrypted","data":"EqQB/+8=","format":"x-v1","index":0},{"type":"reasoning.text","text":"Rain\\n","signature":"c2ln","later":1.50}]`
	)
	q := codectest.Question()
	q.ResponseSchema = nil
	for _, c := range []struct{ name, route, members, want string }{
		{"with tools", withTools, content, content},
		{"none is not the same as an empty one", withTools, `"reasoning_content":""`, `"reasoning_content":""`},
		{"none", withTools, `"reasoning_content":null`, ""},
		{"under a name that the row does not have", withTools, text + "," + details, ""},
		{"always", always, content, content},
		{"a list, and not its text besides", listed, text + "," + details, details},
		{"a text without a list", listed, text + `,"reasoning_details":[]`, text},
		{"a row that takes none back", never, content + "," + text + "," + details, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer := `{"choices":[{"finish_reason":"tool_calls","message":{"role":"assistant","content":null,` + c.members + "," + call + `}}]}`
			got, body := codectest.Again(t, Codec, c.route, q, answer)
			want := `{"role":"assistant",` + call
			if c.want != "" {
				want += "," + c.want
			}
			if !bytes.Contains(body, []byte(want+"}")) {
				t.Errorf("the message went back as other than\n%s}\nin\n%s", want, body)
			}
			if (len(got.Thoughts) == 1) != (c.want != "") {
				t.Errorf("the thoughts are %v", got.Thoughts)
			}
		})
	}
	q.Tools = nil
	answer := `{"choices":[{"finish_reason":"stop","message":{"role":"assistant","content":"Dry.",` + content + `}}]}`
	if got, _ := codectest.Again(t, Codec, withTools, q, answer); got.Thoughts != nil {
		t.Errorf("without tools nothing is taken back, and %v is kept", got.Thoughts)
	}
	if got, _ := codectest.Again(t, Codec, always, q, answer); len(got.Thoughts) != 1 {
		t.Errorf("the thoughts are %v", got.Thoughts)
	}
}

// A row takes its own thoughts in its own member alone: what another member holds is
// refused before anything is sent.
func TestThoughtsThatHaveNoPlace(t *testing.T) {
	c, err := snapshot.Catalog()
	if err != nil {
		t.Fatal(err)
	}
	const content, list = `{"reasoning_content":"Rain?"}`, `{"reasoning_details":[{"type":"reasoning.text"}]}`
	for _, x := range []struct {
		name, route, data string
		tools             bool
	}{
		{"a list where a text is taken", withTools, list, true},
		{"the same under an escaped name", withTools, `{"reasoning_d\u0065tails":[]}`, true},
		{"a text where a list is taken", listed, content, true},
		{"the same with the other's name inside", listed, `{"reasoning_\u0063ontent":"a"}`, true},
		{"without tools", withTools, content, false},
		{"a row that takes none", never, content, true},
	} {
		q := codectest.Question()
		q.ResponseSchema = nil
		if !x.tools {
			q.Tools = nil
		}
		thought := textgen.Thought{Route: x.route, Protocol: Codec.Protocol, Data: catalog.JSON(x.data)}
		q.Messages = append(q.Messages, textgen.Message{Role: "assistant", Parts: q.Messages[0].Parts, Thoughts: []textgen.Thought{thought}}, q.Messages[0])
		_, err := operations.Admit(c, x.route, q, operations.Terms{})
		if r, ok := errors.AsType[*operations.Refusal](err); !ok || r.Code != operations.UnsupportedOptions || r.Field != "thoughts" {
			t.Errorf("%s: %v", x.name, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	codectest.FuzzText(f, Codec, never, codectest.Question())
}

// The thoughts of the dialects that take them back.
func FuzzDecodeThoughts(f *testing.F) {
	q := codectest.Question()
	q.ResponseSchema = nil
	codectest.FuzzText(f, Codec, withTools, q)
}

func FuzzDecodeListedThoughts(f *testing.F) {
	q := codectest.Question()
	q.ResponseSchema = nil
	codectest.FuzzText(f, Codec, listed, q)
}
