package oracle

import (
	"bytes"
	"encoding/json"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/fragment"
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
	return oursIn(t, c, codec, route, request)
}

// evidence is what a layer states that widens a limit.
const evidence = `evidence = { support = "declared", source = "https://example.com/limits", checked_on = "2026-11-29" }
`

// stating is the catalog with a user's layer over it, for what a codec carries and
// no row of ours promises yet. The overlay ends in the contract that it changes.
func stating(t *testing.T, overlay string) *catalog.Catalog {
	t.Helper()
	r := compile.Run(compile.Input{AsOf: "2026-11-30", Trees: []fragment.Tree{
		{Layer: "bundled", FS: os.DirFS("..")},
		{Layer: "user", Rank: 1, FS: fstest.MapFS{"capability_sources/stated.toml": {Data: []byte("schema = \"1.0\"\n\n" + overlay + evidence)}}},
	}})
	if r.Catalog == nil {
		t.Fatal(r.Diags, r.Err)
	}
	return r.Catalog
}

// oursIn is ours for a route of any catalog.
func oursIn[R op.Request[R], A any](t *testing.T, c *catalog.Catalog, codec wire.Codec[R, A], route string, request R) (wire.Request, func(string) (wire.Answer[A], *wire.Failure)) {
	t.Helper()
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

// sameRequest compares path and body member by member; numbers by value. oneSided
// are members that one of the two alone sends, by their path; each call says why.
func sameRequest(t *testing.T, out wire.Request, theirs *recorder, oneSided ...string) {
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
	if out.Header.Get("Content-Type") != "application/json" || !strings.HasPrefix(theirs.header.Get("Content-Type"), "application/json") {
		t.Errorf("content type %s, the SDK's is %s", out.Header.Get("Content-Type"), theirs.header.Get("Content-Type"))
	}
	ours, body := members(t, out.Body), members(t, theirs.body)
	for _, path := range oneSided {
		if drop(ours, path) == drop(body, path) {
			t.Errorf("%s is not what one of the two alone sends", path)
		}
	}
	if diff := cmp.Diff(body, ours); diff != "" {
		t.Errorf("body (-SDK +ours):\n%s", diff)
	}
}

// drop removes the member at a dotted path, and reports whether it was there.
func drop(v any, path string) bool {
	name, rest, deeper := strings.Cut(path, ".")
	var inner any
	switch v := v.(type) {
	case map[string]any:
		member, there := v[name]
		if !deeper {
			delete(v, name)
			return there
		}
		inner = member
	case []any:
		if i, err := strconv.Atoi(name); err == nil && i < len(v) {
			inner = v[i]
		}
	}
	return deeper && inner != nil && drop(inner, rest)
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

// exact writes numbers in one spelling.
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

// number is a decimal of ours as an SDK reads it.
func number(t *testing.T, d catalog.Decimal) float64 {
	t.Helper()
	n, err := strconv.ParseFloat(string(d), 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
