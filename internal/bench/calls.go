package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing/fstest"
	"time"

	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/dispatch"
	"github.com/opcat/opcat/dispatch/openai_chat_completions"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/textgen"
)

// chatAnswer is an answer of some 4 KB.
var chatAnswer = []byte(`{"id":"chatcmpl-1","object":"chat.completion","created":1780000000,"model":"chat-1","choices":[{"index":0,"message":{"role":"assistant","content":"` +
	strings.Repeat("It rains in the west today. ", 140) + `","refusal":null},"finish_reason":"stop"}],"usage":{"prompt_tokens":900,"completion_tokens":800,"total_tokens":1700}}`)

// chatOf4K is a request of some 4 KB, admitted to a row behind an address.
func chatOf4K(address string) (a operations.Admitted[textgen.Request], err error) {
	r := compile.Run(compile.Input{AsOf: asOf, Trees: []fragment.Tree{{Layer: "bundled", FS: fstest.MapFS{
		"catalog_sources/a.toml": {Data: []byte("schema = \"1.0\"\n[provider.acme]\nname = \"Acme\"\ncredential = { scheme = \"none\" }\n" +
			"endpoint.openai_chat_completions = { url = \"http://" + address + "/v1/chat/completions\" }\n" +
			"[[model]]\nprovider = \"acme\"\nwire_model = \"chat-1\"\nlimits = { context_tokens = 100000, output_tokens = 5000 }\n" +
			"source = [{ url = \"https://a.example\", checked_on = \"2026-11-01\" }]\n")},
		"capability_sources/a.toml": {Data: []byte("schema = \"1.0\"\n[[provider.acme]]\nmodels = [\"chat-1\"]\n" +
			"[provider.acme.operations.text_generation]\nprotocol = \"openai_chat_completions\"\ninput_kinds = [\"text\"]\n")},
	}}}})
	if r.Catalog == nil {
		return a, fmt.Errorf("the catalog does not compile: %v", r.Diags)
	}
	var q textgen.Request
	for _, role := range []string{"system", "user", "assistant", "user"} {
		q.Messages = append(q.Messages, textgen.Message{Role: role, Parts: []textgen.Part{{Kind: "text", Text: strings.Repeat("Rain is likely in the west. ", 36)}}})
	}
	return operations.Admit(r.Catalog, "acme/chat-1", q, operations.Terms{})
}

// codec encodes and decodes an exchange, and measures one by CPU.
func codec(w *world) (result, error) {
	const times = 2000
	a, err := chatOf4K("localhost:1")
	if err != nil {
		return result{}, err
	}
	response := wire.Response{Status: http.StatusOK, Header: http.Header{}, Body: chatAnswer}
	s, err := turns(w.rounds, func() (sample, error) {
		return inside(func() error {
			for range times {
				if _, err := openai_chat_completions.Codec.Encode(a); err != nil {
					return err
				}
				if _, failure := openai_chat_completions.Codec.Decode(a, response); failure != nil {
					return failure
				}
			}
			return nil
		})
	})
	if err != nil {
		return result{}, err
	}
	return result{ours: us(median(each(s[0], cpu)) / times), against: "-", ratio: "-"}, nil
}

// call sends over loopback, and beside it posts the same bytes with net/http, one
// after the other. Both are the wall time of a median call.
func call(w *world) (result, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return result{}, err
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = w.Write(chatAnswer)
	})}
	go func() { _ = server.Serve(l) }() // ends with the server
	defer server.Close()
	a, err := chatOf4K(l.Addr().String())
	if err != nil {
		return result{}, err
	}
	client, err := dispatch.NewClient(dispatch.Config{})
	if err != nil {
		return result{}, err
	}
	defer client.Close()
	q, err := openai_chat_completions.Codec.Encode(a)
	if err != nil {
		return result{}, err
	}
	var ours, bare []time.Duration
	for range 300 * w.rounds {
		began := time.Now()
		if _, _, err := dispatch.TextGeneration.Send(context.Background(), client, a); err != nil {
			return result{}, err
		}
		between := time.Now()
		if err := post(q.URL, string(q.Body)); err != nil {
			return result{}, err
		}
		ours, bare = append(ours, between.Sub(began)), append(bare, time.Since(between))
	}
	mine, theirs := median(ours), median(bare)
	return result{ours: us(mine), against: us(theirs) + ", net/http alone", ratio: us(mine-theirs) + " more"}, nil
}

func post(url, body string) error {
	r, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		return err
	}
	defer r.Body.Close()
	_, err = io.Copy(io.Discard, r.Body)
	return err
}

func us(d time.Duration) string { return fmt.Sprintf("%.1f us", float64(d)/1e3) }
