package dispatch

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/opcat/opcat/dispatch/openai_chat_completions"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/internal/stub"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/textgen"
)

// chat4K is a chat whose request and answer are about 4 KB each.
func chat4K(tb testing.TB) (operations.Admitted[textgen.Request], wire.Response) {
	tb.Helper()
	say := func(role string, n int) textgen.Message {
		return textgen.Message{Role: role, Parts: []textgen.Part{{Kind: "text", Text: strings.Repeat("Rain is likely in the west. ", n)}}}
	}
	r := textgen.Request{Messages: []textgen.Message{say("system", 30), say("user", 40), say("assistant", 40), say("user", 35)}}
	a, err := operations.Admit(bundled(tb), "openai/gpt-4.1", r, operations.Terms{})
	if err != nil {
		tb.Fatal(err)
	}
	body := `{"id":"chatcmpl-1","object":"chat.completion","created":1780000000,"model":"gpt-4.1","choices":[{"index":0,"message":{"role":"assistant","content":"` +
		strings.Repeat("It rains in the west today. ", 140) + `","refusal":null},"finish_reason":"stop"}],"usage":{"prompt_tokens":900,"completion_tokens":800,"total_tokens":1700,` +
		`"prompt_tokens_details":{"cached_tokens":0},"completion_tokens_details":{"reasoning_tokens":0}},"service_tier":"default"}`
	return a, wire.Response{Status: 200, Header: http.Header{}, Body: []byte(body)}
}

// Encode and decode of a 4 KB chat exchange. Goal: 25 us for both.
func BenchmarkCodec(b *testing.B) {
	a, answer := chat4K(b)
	q, err := openai_chat_completions.Codec.Encode(a)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(q.Body) + len(answer.Body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := openai_chat_completions.Codec.Encode(a); err != nil {
			b.Fatal(err)
		}
		if _, failure := openai_chat_completions.Codec.Decode(a, answer); failure != nil {
			b.Fatal(failure)
		}
	}
}

// A whole call over loopback, and beside it a bare POST of the same bytes by
// net/http. Goal: 30 us more at the median.
func BenchmarkSend(b *testing.B) {
	a, answer := chat4K(b)
	s := stub.NewTLS1(b, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(answer.Body) })
	s.Forget()
	client := newClient(b, s)
	q, err := openai_chat_completions.Codec.Encode(a)
	if err != nil {
		b.Fatal(err)
	}
	bare := &http.Client{Transport: client.transport.Load().Clone()}
	b.Run("opcat", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, _, err := TextGeneration.Send(b.Context(), client, a); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("bare", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			r, err := bare.Post(q.URL, "application/json", strings.NewReader(string(q.Body)))
			if err != nil {
				b.Fatal(err)
			}
			if _, err := io.Copy(io.Discard, r.Body); err != nil {
				b.Fatal(err)
			}
			_ = r.Body.Close()
		}
	})
}
