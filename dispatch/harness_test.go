package dispatch

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/internal/stub"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/embedding"
)

// sources are providers that differ in how their credential rides. Their rows
// differ in what they promise about the served model's name.
const sources = `schema = "1.0"
[provider.bearer]
name = "Bearer"
headers = { "X-Team" = "blue" }
credential = { scheme = "bearer", env = ["BEARER_KEY", "OLD_BEARER_KEY"], origins = ["https://api.bearer.example"] }
endpoint.openai_embeddings = { url = "https://api.bearer.example/v1/embeddings" }
[provider.header]
name = "Header"
credential = { scheme = "header", header = "x-api-key", env = ["HEADER_KEY"], origins = ["https://api.header.example"] }
endpoint.openai_embeddings = { url = "https://api.header.example/v1/embeddings" }
[provider.query]
name = "Query"
credential = { scheme = "query", query = "key", env = ["QUERY_KEY"], origins = ["https://api.query.example"] }
endpoint.openai_embeddings = { url = "https://api.query.example/v1/embeddings?v=1" }
[provider.signed]
name = "Signed"
credential = { scheme = "aws_sigv4", env = ["AWS_ACCESS_KEY_ID"], origins = ["https://api.signed.example"] }
endpoint.openai_embeddings = { url = "https://api.signed.example/v1/embeddings" }
[provider.adc]
name = "ADC"
credential = { scheme = "gcp_adc", env = ["GOOGLE_APPLICATION_CREDENTIALS"], origins = ["https://api.adc.example"] }
endpoint.openai_embeddings = { url = "https://api.adc.example/v1/embeddings" }
[provider.local]
name = "Local"
credential = { scheme = "none" }
endpoint.openai_embeddings = { url = "http://localhost:8080/v1/embeddings" }
`

const rules = `schema = "1.0"
`

var promises = []string{"exact", "dated", "resolved", "echo", "absent"}

// testCatalog has, for each provider, the row embed-1, which promises nothing, and
// one row for each promise.
func testCatalog(t testing.TB) *catalog.Catalog {
	t.Helper()
	var rows, contracts strings.Builder
	rows.WriteString(sources)
	contracts.WriteString(rules)
	for _, p := range []string{"bearer", "header", "query", "signed", "adc", "local"} {
		for _, promise := range append([]string{""}, promises...) {
			model, more := "embed-1", ""
			if promise != "" {
				model, more = promise+"-1", "served_model = \""+promise+"\"\n"
			}
			rows.WriteString("[[model]]\nprovider = \"" + p + "\"\nwire_model = \"" + model + "\"\nlimits = { context_tokens = 8192 }\n" +
				"price = [{ meter = \"input_token\", usd_per_million = \"0.02\" }]\nsource = [{ url = \"https://a.example\", checked_on = \"2026-11-01\" }]\n")
			contracts.WriteString("[[provider." + p + "]]\nmodels = [\"" + model + "\"]\n[provider." + p + ".operations.embedding]\n" +
				"protocol = \"openai_embeddings\"\ninput_kinds = [\"text\"]\ndimensions = { default = 2, min = 1, max = 4 }\n" + more + "settings = { dimensions = \"supported\" }\n")
		}
	}
	return compiled(t, fstest.MapFS{
		"catalog_sources/a.toml":    {Data: []byte(rows.String())},
		"capability_sources/a.toml": {Data: []byte(contracts.String())},
	})
}

func compiled(t testing.TB, fs fstest.MapFS) *catalog.Catalog {
	t.Helper()
	_, r := compile.Start(compile.Input{Trees: []fragment.Tree{{FS: fs, Layer: "bundled"}}, AsOf: "2026-11-30"})
	if r.Catalog == nil {
		t.Fatal(r.Diags.String())
	}
	return r.Catalog
}

// admit admits one text for vectors.
func admit(t testing.TB, route string) operations.Admitted[embedding.Request] {
	t.Helper()
	a, err := operations.Admit(testCatalog(t), route, embedding.Request{Items: []embedding.Item{{Kind: "text", Text: "hello"}}}, operations.Terms{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// canary stands in every variable that holds a credential.
const canary = "sk-canary-0123456789abcdef"

// newClient is a client that reaches a stub, whatever host it dials. Its deadline
// is far away unless the test changes it.
func newClient(t testing.TB, s *stub.Server, change ...func(*Config)) *Client {
	t.Helper()
	config := Config{Timeout: 5 * time.Second, Roots: stub.Roots(), Dial: s.Dial, Lookup: func(name string) (string, bool) { return canary, true }}
	for _, f := range change {
		f(&config)
	}
	c, err := NewClient(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// vector is a right answer for one text, from a model.
func vector(model string) string {
	return `{"object":"list","model":"` + model + `","data":[{"object":"embedding","index":0,"embedding":[0.5,0.25]}],"usage":{"prompt_tokens":3,"total_tokens":3}}`
}

func answering(model string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, vector(model))
	}
}

func send(ctx context.Context, c *Client, a operations.Admitted[embedding.Request]) (wire.Answer[embedding.Result], Report, error) {
	return Embedding.Send(ctx, c, a)
}

// failed checks that a call failed in a way, after one request and no answer.
func wantFailure(t *testing.T, s *stub.Server, r Report, err error, kind wire.Kind) *wire.Failure {
	t.Helper()
	f, ok := errors.AsType[*wire.Failure](err)
	if !ok || f.Kind != kind {
		t.Fatalf("got %v, want a failure %s", err, kind)
	}
	if r.Attempts != 1 || r.Boundary == NeverConnected || r.Proof.Valid() {
		t.Errorf("report %+v, want one attempt and no proof", r)
	}
	if n := s.Connections(); n != 1 {
		t.Errorf("%d connections, want 1", n)
	}
	return f
}
