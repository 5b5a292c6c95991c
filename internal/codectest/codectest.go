// Package codectest runs codecs over cases that a person reads. A case is a txtar
// of a codec's testdata:
//
//	ask.json     route, request and terms, as `opcat route admit` takes them
//	response     optional: status line, headers, a blank line, the body
//	want/request what is sent: method line, headers, a blank line, the body indented
//	want/answer  what is read from the response: an answer or a failure, as JSON
//
// A case with several responses to one request calls them response/NAME; what is
// read from each is want/answer/NAME.
//
// Routes are those of the embedded catalog, so a case shows what a user gets; of a
// route with several protocols the codec's own serves.
package codectest

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"net/textproto"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/dispatch/wire"
	snapshot "github.com/opcat/opcat/gen/json"
	"github.com/opcat/opcat/internal/golden"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
)

type ask[R any] struct {
	Route   string `json:"route"`
	Request R      `json:"request"`
	At      string `json:"at,omitzero"` // a date; the catalog's own if left out
}

// variables fill the holes that a user's own names are for.
var variables = map[string]string{"account": "acct", "workspace": "ws", "resource": "res"}

// Admit admits a request to a route of the embedded catalog, or fails the test.
func Admit[R op.Request[R]](t testing.TB, route string, request R) operations.Admitted[R] {
	t.Helper()
	c, err := snapshot.Catalog()
	if err != nil {
		t.Fatal(err)
	}
	return AdmitTo(t, c, route, request, operations.Terms{})
}

// AdmitTo admits a request to a route of any catalog, or fails the test.
func AdmitTo[R op.Request[R]](t testing.TB, c *catalog.Catalog, route string, request R, terms operations.Terms) operations.Admitted[R] {
	t.Helper()
	if terms.Variables == nil {
		terms.Variables = variables
	}
	a, err := operations.Admit(c, route, request, terms)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Run runs every case of the test's testdata folder.
func Run[R op.Request[R], A any](t *testing.T, codec wire.Codec[R, A]) {
	t.Helper()
	golden.Cases(t, "testdata", func(t *testing.T, in fs.FS) map[string][]byte {
		a := admitted[R](t, in, codec.Protocol)
		before := a.Request()
		out := map[string][]byte{"request": encoded(t, codec, a)}
		for _, name := range responses(t, in) {
			data, err := fs.ReadFile(in, name)
			if err != nil {
				t.Fatal(err)
			}
			answer, failure := codec.Decode(a, Response(t, data))
			out["answer"+strings.TrimPrefix(name, "response")] = printed(t, answer, failure)
		}
		if !reflect.DeepEqual(a.Request(), before) {
			t.Error("the codec changed what was admitted and lent to it")
		}
		return out
	})
}

// responses lists the files of a case that are responses.
func responses(t *testing.T, in fs.FS) (names []string) {
	t.Helper()
	err := fs.WalkDir(in, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && (name == "response" || strings.HasPrefix(name, "response/")) {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func admitted[R op.Request[R]](t *testing.T, in fs.FS, protocol string) operations.Admitted[R] {
	t.Helper()
	data, err := fs.ReadFile(in, "ask.json")
	if err != nil {
		t.Fatal(err)
	}
	var q ask[R]
	if err := json.Unmarshal(data, &q, json.RejectUnknownMembers(true)); err != nil {
		t.Fatal(err)
	}
	c, err := snapshot.Catalog()
	if err != nil {
		t.Fatal(err)
	}
	terms := operations.Terms{Protocol: protocol}
	if q.At != "" {
		if terms.At, err = time.Parse(time.DateOnly, q.At); err != nil {
			t.Fatal(err)
		}
	}
	return AdmitTo(t, c, q.Route, q.Request, terms)
}

func encoded[R op.Request[R], A any](t *testing.T, codec wire.Codec[R, A], a operations.Admitted[R]) []byte {
	t.Helper()
	r, err := codec.Encode(a)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "POST %s\n", r.URL)
	for _, name := range sorted(r.Header) {
		fmt.Fprintf(&b, "%s: %s\n", name, strings.Join(r.Header[name], ", "))
	}
	b.WriteByte('\n')
	b.Write(indented(t, r.Body))
	return b.Bytes()
}

func sorted(h http.Header) []string {
	var names []string
	for name := range h {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func indented(t *testing.T, body []byte) []byte {
	t.Helper()
	v := jsontext.Value(bytes.Clone(body))
	if err := v.Indent(jsontext.WithIndent("  ")); err != nil {
		t.Fatalf("the body is not JSON: %v", err)
	}
	return v
}

// Response reads a response as a case writes it. The last line break of a txtar
// file is not part of the body.
func Response(t testing.TB, data []byte) wire.Response {
	t.Helper()
	head, body, _ := bytes.Cut(data, []byte("\n\n"))
	status, rest, _ := strings.Cut(string(head), "\n")
	code, err := strconv.Atoi(strings.TrimSpace(status))
	if err != nil {
		t.Fatalf("a response starts with its status, not %q", status)
	}
	header, err := textproto.NewReader(bufio.NewReader(strings.NewReader(rest + "\n\n"))).ReadMIMEHeader()
	if err != nil {
		t.Fatal(err)
	}
	return wire.Response{Status: code, Header: http.Header(header), Body: bytes.TrimSuffix(body, []byte("\n"))}
}

// printed is an answer or a failure as JSON.
func printed[A any](t *testing.T, answer wire.Answer[A], failure *wire.Failure) []byte {
	t.Helper()
	var v any = answer
	if failure != nil {
		v = failure
	}
	b, err := json.Marshal(v, jsontext.WithIndent("  "), json.Deterministic(true))
	if err != nil {
		t.Fatal(err)
	}
	return numbers.ReplaceAllFunc(b, func(list []byte) []byte { return blanks.ReplaceAll(list, []byte(" ")) })
}

// Vectors are printed on one line.
var (
	numbers = regexp.MustCompile(`\[[-+.,0-9eE\s]+\]`)
	blanks  = regexp.MustCompile(`\s+`)
)
