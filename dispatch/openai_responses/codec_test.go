package openai_responses

import (
	"bytes"
	"testing"

	snapshot "github.com/opcat/opcat/gen/json"
	"github.com/opcat/opcat/internal/codectest"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/textgen"
)

func TestCases(t *testing.T) { codectest.Run(t, Codec) }

// A turn is sent again as it came, with what the model thought and what it said on the
// way to its answer: the same bytes in the same places.
func TestThoughtsComeBack(t *testing.T) {
	const (
		sealed  = `{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"Rain?\\n\u2026"}],"encrypted_content":"gAAA+/8="}`
		newer   = `{"id":"rs_2","type":"reasoning","summary":[],"content":null,"encrypted_content":"gBBB","status":null,"later":1.50}`
		unkept  = `{"type":"reasoning","id":"rs_3","summary":[],"encrypted_content":null}`
		comment = `{"type":"message","id":"msg_0","role":"assistant","status":"completed","phase":"commentary","content":[{"type":"output_text","text":"Let me see.","annotations":[]}]}`
		text    = `{"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[{"type":"output_text","text":"I look.","annotations":[]}]}`
		final   = `{"type":"message","id":"msg_2","role":"assistant","status":"completed","phase":"final_answer","content":[{"type":"output_text","text":"Dry.","annotations":[]}]}`
		call    = `{"type":"function_call","id":"fc_1","call_id":"call_1","name":"weather","arguments":"{\"city\":\"Oslo\"}"}`
		other   = `{"type":"function_call","id":"fc_2","call_id":"call_2","name":"weather","arguments":"{}"}`

		sentText  = `{"type":"message","role":"assistant","content":"I look."}`
		sentFinal = `{"type":"message","role":"assistant","content":"Dry.","phase":"final_answer"}`
		sentCall  = `{"type":"function_call","call_id":"call_1","name":"weather","arguments":"{\"city\":\"Oslo\"}"}`
		sentOther = `{"type":"function_call","call_id":"call_2","name":"weather","arguments":"{}"}`
	)
	q := codectest.Question()
	q.ResponseSchema = nil
	for _, c := range []struct{ name, output, want string }{
		{"before a text", sealed + "," + text, sealed + "," + sentText},
		{"before each call", sealed + "," + call + "," + newer + "," + other, sealed + "," + sentCall + "," + newer + "," + sentOther},
		{"at the end", text + "," + sealed, sentText + "," + sealed},
		{"what nobody sealed is found nowhere again", unkept + "," + text, sentText},
		{"on the way to the answer", sealed + "," + comment + "," + newer + "," + final, sealed + "," + comment + "," + newer + "," + sentFinal},
		{"a comment before a call", comment + "," + call, comment + "," + sentCall},
		{"texts around calls", text + "," + call + "," + final + "," + other, sentText + "," + sentCall + "," + sentFinal + "," + sentOther},
		{"a text after a call", sealed + "," + call + "," + newer + "," + text, sealed + "," + sentCall + "," + newer + "," + sentText},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer := `{"model":"gpt-5.4-mini","status":"completed","output" : [ ` + c.output + ` ]}`
			if _, body := codectest.Again(t, Codec, "openai/gpt-5.4-mini", q, answer); !bytes.Contains(body, []byte(`},`+c.want)) {
				t.Errorf("the turn went back as other than\n%s\nin\n%s", c.want, body)
			}
		})
	}
}

// Sealed thoughts are asked for on rows that reason, and on no others: they would
// refuse it.
func TestSealedThoughtsAreAskedFor(t *testing.T) {
	q := textgen.Request{Messages: []textgen.Message{{Role: "user", Parts: []textgen.Part{{Kind: "text", Text: "Hi"}}}}}
	c, err := snapshot.Catalog()
	if err != nil {
		t.Fatal(err)
	}
	for route, want := range map[string]bool{"openai/gpt-5.3-codex": true, "openai/gpt-4.1": false} {
		sent, err := Codec.Encode(codectest.AdmitTo(t, c, route, q, operations.Terms{Protocol: Codec.Protocol}))
		if err != nil {
			t.Fatal(err)
		}
		if got := bytes.Contains(sent.Body, []byte(`"include":["reasoning.encrypted_content"]`)); got != want {
			t.Errorf("%s: asked for is %v, want %v", route, got, want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	codectest.FuzzText(f, Codec, "openai/gpt-5.4-mini", codectest.Question())
}
