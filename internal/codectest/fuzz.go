package codectest

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
)

// Fuzz holds the laws of every decoder against any status and body: there is an
// answer or a failure of a known kind and never both, the same response reads the
// same again, and outside 2xx there is no answer. Check sees each answer; what it
// returns is why the answer should not have been given.
func Fuzz[R op.Request[R], A any](f *testing.F, codec wire.Codec[R, A], a operations.Admitted[R], check func(A) error) {
	f.Helper()
	seeds, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(seeds) == 0 {
		f.Fatal("no cases to start from")
	}
	for _, file := range seeds {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, part := range txtar.Parse(data).Files {
			if strings.HasPrefix(part.Name, "response") {
				r := Response(f, part.Data)
				f.Add(r.Status, r.Body)
			}
		}
	}
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		r := wire.Response{Status: status, Body: body}
		answer, failure := codec.Decode(a, r)
		again, failureAgain := codec.Decode(a, r)
		if !reflect.DeepEqual(answer, again) || !reflect.DeepEqual(failure, failureAgain) {
			t.Fatalf("read twice, said two things: %+v %v, then %+v %v", answer, failure, again, failureAgain)
		}
		if failure != nil {
			if failure.Kind == "" || failure.Message == "" {
				t.Fatalf("a failure that does not say what it is: %+v", failure)
			}
			return
		}
		if status < 200 || status >= 300 {
			t.Fatalf("an answer from a response with status %d", status)
		}
		if err := check(answer.Result); err != nil {
			t.Fatal(err)
		}
	})
}
