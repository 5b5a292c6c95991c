package dispatch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/internal/stub"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/embedding"
)

// The credential is in the request, and in nothing that a caller can print: no
// value, no error, no log, no stack, whatever the server does with it.
func TestCredentialIsPrintedNowhere(t *testing.T) {
	var logged bytes.Buffer
	log.SetOutput(&logged)
	t.Cleanup(func() { log.SetOutput(io.Discard) })
	echo := func(status int, body func(key string) string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ") + r.Header.Get("X-Api-Key") + r.URL.Query().Get("key")
			w.Header().Set("X-Request-Id", "req-"+key)
			w.Header().Set("Location", "https://elsewhere.example/?key="+key)
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body(key))
		}
	}
	answers := map[string]http.HandlerFunc{
		"an answer":               answering("embed-1"),
		"its model is the key":    echo(200, func(key string) string { return vector(key) }),
		"an error code":           echo(401, func(key string) string { return `{"error":{"code":"` + key + `","message":"wrong key ` + key + `"}}` }),
		"an error type":           echo(400, func(key string) string { return `{"error":{"type":"` + key + `"}}` }),
		"an error within success": echo(200, func(key string) string { return `{"error":{"code":"` + key + `"}}` }),
		"not JSON":                echo(200, func(key string) string { return key }),
		"an unknown member":       echo(200, func(key string) string { return `{"data":[{"index":"` + key + `"}]}` }),
		"a redirect":              echo(307, func(key string) string { return key }),
		"too much":                echo(200, func(key string) string { return strings.Repeat(key, 1<<16) }),
		"an encoding": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "x-"+r.Header.Get("Authorization")[7:])
		},
		"no answer": func(w http.ResponseWriter, r *http.Request) {
			c, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				panic(http.ErrAbortHandler)
			}
			_ = c.Close()
		},
	}
	for name, answer := range answers {
		for _, route := range []string{"bearer/embed-1", "header/embed-1", "query/embed-1", "bearer/exact-1"} {
			if name == "an encoding" && !strings.HasPrefix(route, "bearer") {
				continue
			}
			s := stub.NewTLS(t, answer)
			client := newClient(t, s, func(c *Config) { c.MaxBody, c.Timeout = 1<<20, 2*time.Second })
			a := admit(t, route)
			k, err := Embedding.Ticket(client, a)
			if err != nil {
				t.Fatal(err)
			}
			got, report, err := k.Send(t.Context())
			if r := s.Last(); !strings.Contains(fmt.Sprint(r.Header, r.URI), canary) {
				t.Fatalf("%s: the server never saw the key", route)
			}
			for _, v := range []any{got, report, err, client, a, k} {
				for _, text := range printed(v) {
					if strings.Contains(text, canary) {
						t.Errorf("%s, %s: %T shows the key: %.200s", name, route, v, text)
					}
				}
			}
		}
	}
	if strings.Contains(logged.String(), canary) {
		t.Error("the log shows the key")
	}
}

// printed is every way in which a value is commonly printed.
func printed(v any) []string {
	texts := []string{fmt.Sprint(v), fmt.Sprintf("%+v", v), fmt.Sprintf("%#v", v), fmt.Sprintf("%q", v)}
	if b, err := json.Marshal(v); err == nil {
		texts = append(texts, string(b))
	}
	return texts
}

// A codec that panics takes no credential with it.
func TestPanicShowsNoCredential(t *testing.T) {
	codec := Embedding.codecs[0]
	codec.Decode = func(operations.Admitted[embedding.Request], wire.Response) (wire.Answer[embedding.Result], *wire.Failure) {
		panic("no such thing")
	}
	s := stub.NewTLS(t, answering("embed-1"))
	defer func() {
		p := recover()
		if text := fmt.Sprint(p) + string(debug.Stack()); p == nil || strings.Contains(text, canary) {
			t.Errorf("panicked with %v", p)
		}
	}()
	_, _, _ = NewExecutor(codec).Send(t.Context(), newClient(t, s), admit(t, "bearer/embed-1"))
}

// What a server repeats is blotted out where it is long enough to be a key.
func TestRedact(t *testing.T) {
	h := http.Header{"A": {"x " + canary, "y"}}
	secret(canary).redactHeader(h)
	body := secret(canary).redact([]byte("<" + canary + ">" + canary))
	if got := string(body) + h.Get("A"); got != "<[credential]>[credential]x [credential]" {
		t.Error(got)
	}
	if got := string(secret("short").redact([]byte("a short word stays"))); got != "a short word stays" {
		t.Error(got)
	}
}
