package openai_chat_completions

import (
	"net/http"
	"strings"
	"testing"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/internal/codectest"
	"github.com/opcat/opcat/operations/textgen"
)

// An exchange of about 4 KB of text, encoded and decoded: a conversation of four
// turns, and an answer to it.
func BenchmarkExchange(b *testing.B) {
	turn := strings.Repeat("The quick brown fox jumps over the lazy dog. ", 15)
	message := func(role string) textgen.Message {
		return textgen.Message{Role: role, Parts: []textgen.Part{{Kind: "text", Text: turn}}}
	}
	a := codectest.Admit(b, "openai/gpt-4.1", textgen.Request{
		Messages: []textgen.Message{message("system"), message("user"), message("assistant"), message("user")},
		Settings: textgen.Settings{MaxOutputTokens: catalog.Known[int64](1000), Temperature: "0.2"},
	})
	r := wire.Response{Status: 200, Header: http.Header{"X-Request-Id": {"req_1"}}, Body: []byte(
		`{"id":"chatcmpl-1","object":"chat.completion","created":1796000000,"model":"gpt-4.1-2025-04-14","choices":[{"index":0,` +
			`"message":{"role":"assistant","content":"` + strings.Repeat(turn, 2) + `","refusal":null},"finish_reason":"stop","logprobs":null}],` +
			`"usage":{"prompt_tokens":600,"completion_tokens":300,"total_tokens":900,"prompt_tokens_details":{"cached_tokens":0}}}`)}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Codec.Encode(a); err != nil {
			b.Fatal(err)
		}
		if _, f := Codec.Decode(a, r); f != nil {
			b.Fatal(f)
		}
	}
}
