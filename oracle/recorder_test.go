package oracle

import (
	"bytes"
	"encoding/json"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/opcat/opcat/dispatch/wire"
	snapshot "github.com/opcat/opcat/gen/json"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
)

// A recorder is a loopback server that keeps the one request it gets and answers
// it with a canned response.
type recorder struct {
	*httptest.Server
	path   string
	header http.Header
	body   []byte
	count  int
}

func record(t *testing.T, response string) *recorder {
	t.Helper()
	r := &recorder{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		r.count++
		r.path, r.header = q.URL.EscapedPath(), q.Header
		r.body, _ = io.ReadAll(q.Body)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, response)
	}))
	t.Cleanup(r.Close)
	return r
}

// ours encodes a request for a route of the embedded catalog, and gives what
// decodes an answer to it.
func ours[R op.Request[R], A any](t *testing.T, codec wire.Codec[R, A], route string, request R) (wire.Request, func(string) (wire.Answer[A], *wire.Failure)) {
	t.Helper()
	c, err := snapshot.Catalog()
	if err != nil {
		t.Fatal(err)
	}
	a, err := operations.Admit(c, route, request, operations.Terms{Protocol: codec.Protocol})
	if err != nil {
		t.Fatal(err)
	}
	out, err := codec.Encode(a)
	if err != nil {
		t.Fatal(err)
	}
	return out, func(body string) (wire.Answer[A], *wire.Failure) {
		return codec.Decode(a, wire.Response{Status: 200, Header: http.Header{}, Body: []byte(body)})
	}
}

// sameRequest compares path and body member by member; numbers by value. extra are
// members of ours that the SDK leaves out, each with the reason.
func sameRequest(t *testing.T, out wire.Request, theirs *recorder, extra map[string]string) {
	t.Helper()
	if theirs.count != 1 {
		t.Fatalf("the SDK made %d requests", theirs.count)
	}
	u, err := url.Parse(out.URL)
	if err != nil {
		t.Fatal(err)
	}
	if got := u.EscapedPath(); !strings.HasSuffix(got, theirs.path) {
		t.Errorf("path %s, the SDK's is %s", got, theirs.path)
	}
	a, b := members(t, out.Body), members(t, theirs.body)
	for name := range extra {
		if _, sent := b[name]; sent {
			t.Errorf("the SDK does send %q", name)
		}
		delete(a, name)
	}
	if diff := cmp.Diff(b, a); diff != "" {
		t.Errorf("body (-SDK +ours):\n%s", diff)
	}
}

func members(t *testing.T, body []byte) map[string]any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var v map[string]any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	return exact(v).(map[string]any)
}

// exact writes numbers in one spelling, and JSON inside of a string as its value.
func exact(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			v[name] = exact(member)
		}
	case []any:
		for i := range v {
			v[i] = exact(v[i])
		}
	case json.Number:
		if r, ok := new(big.Rat).SetString(v.String()); ok {
			return r.RatString()
		}
	}
	return v
}

// total sums the meters that an SDK counts as one.
func total[A any](a wire.Answer[A], meters ...string) (n int64) {
	for _, meter := range meters {
		k, _ := a.Usage.Get(meter)
		n += k
	}
	return n
}

func equal[T comparable](t *testing.T, what string, got, theirs T) {
	t.Helper()
	if got != theirs {
		t.Errorf("%s: %v, the SDK reads %v", what, got, theirs)
	}
}
