package gemini_generate_content

import (
	"bytes"
	"testing"

	"github.com/opcat/opcat/internal/codectest"
)

func TestCases(t *testing.T) { codectest.Run(t, Codec) }

// A turn is sent again as it came, with what the model thought and its signatures on
// parts and calls: the same bytes in the same places.
func TestThoughtsComeBack(t *testing.T) {
	const (
		thought = `{"text":"Rain\\n\u2026","thought":true}`
		signed  = `{"thought":true,"text":"","thoughtSignature":"c2ln"}`
		alone   = `{"thoughtSignature":"YWxvbmU="}`
		empty   = `{"text":"","thoughtSignature":"ZW1wdHk="}`
		text    = `{"text":"I look."}`
		marked  = `{"text":"Twice.","thoughtSignature":"bWFyaw=="}`
		call    = `{"functionCall":{"id":"fc_1","name":"weather","args":{"city":"Oslo"}},"thoughtSignature":"Y2FsbA/+"}`
		other   = `{"functionCall":{"name":"weather","args":{}}}`
	)
	q := codectest.Question()
	q.ResponseSchema = nil
	for _, c := range []struct{ name, parts string }{
		{"a thought before a text", thought + "," + text},
		{"a signature on a text", text + "," + marked},
		{"a signature on the first of two calls", thought + "," + call + "," + other},
		{"a signature by itself, and on an empty text", text + "," + alone + "," + empty},
		{"all of it", thought + "," + signed + "," + marked + "," + alone + "," + other + "," + thought + "," + call + "," + empty},
		{"a text after a call", call + "," + thought + "," + marked},
		{"texts around calls", text + "," + other + "," + marked + "," + call},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer := `{"candidates":[{"content":{"parts" : [ ` + c.parts + `]},"finishReason":"STOP"}]}`
			if _, body := codectest.Again(t, Codec, "google/gemini-3.1-flash-lite", q, answer); !bytes.Contains(body, []byte(`"parts":[`+c.parts+`]`)) {
				t.Errorf("the turn went back as other than\n%s\nin\n%s", c.parts, body)
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	codectest.FuzzText(f, Codec, "google/gemini-3.1-flash-lite", codectest.Question())
}
