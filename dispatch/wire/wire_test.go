package wire

import (
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// D19: when to try again is as the response says; absent and unreadable are
// unknown, not zero.
func TestRetryAfter(t *testing.T) {
	const now, later = "Mon, 30 Nov 2026 11:00:00 GMT", "Mon, 30 Nov 2026 11:00:09 GMT"
	for _, c := range []struct {
		header http.Header
		want   string
	}{
		{http.Header{"Retry-After": {"7"}}, "7000"},
		{http.Header{"Retry-After": {"0"}}, "0"},
		{http.Header{"Retry-After-Ms": {"250"}, "Retry-After": {"7"}}, "250"},
		{http.Header{"Retry-After-Ms": {"soon"}, "Retry-After": {"7"}}, "7000"},
		{http.Header{"Retry-After": {later}, "Date": {now}}, "9000"},
		{http.Header{"Retry-After": {now}, "Date": {later}}, "unknown"},
		{http.Header{"Retry-After": {later}}, "unknown"},
		{http.Header{"Retry-After": {"-1"}}, "unknown"},
		{http.Header{"Retry-After": {"1e9"}}, "unknown"},
		{http.Header{}, "unknown"},
	} {
		if got := RetryAfter(c.header).String(); got != c.want {
			t.Errorf("%v: %s, want %s", c.header, got, c.want)
		}
	}
}

// D08, D09: a number is a JSON number, exactly, and nothing else is one.
func TestNumber(t *testing.T) {
	for text, want := range map[string]string{
		"0.93": "0.93", "1": "1", "1.70": "1.7", "-0.01": "-0.01", "9.3e-1": "0.93", "93E-2": "0.93", "1.5e3": "1500", "0e5": "0",
		"1e999": "", "1e-999": "", `"0.93"`: "", "true": "", "null": "", "[0.93]": "", "{}": "",
	} {
		var n Number
		got := ""
		if json.Unmarshal([]byte(text), &n) == nil {
			if d, err := n.Decimal(); err == nil {
				got = string(d)
			}
		}
		if got != want {
			t.Errorf("%s reads as %q, want %q", text, got, want)
		}
	}
}

// D24: a count that is none spoils the usage and is never taken for zero.
func TestTally(t *testing.T) {
	for text, want := range map[string]int64{"96": 96, "96.0": 96, "0": 0, "9.6e1": 96} {
		var tally Tally
		if n, ok := tally.Count("a", jsontext.Value(text)); !ok || n != want || tally.Err != "" {
			t.Errorf("%s: %d %v %q", text, n, ok, tally.Err)
		}
	}
	for _, text := range []string{"-1", "96.5", `"96"`, "100000000000000000000", "true", "[]"} {
		var tally Tally
		if n, ok := tally.Count("a", jsontext.Value(text)); ok || n != 0 || tally.Err == "" {
			t.Errorf("%s: %d %v %q", text, n, ok, tally.Err)
		}
	}
	var tally Tally
	if _, ok := tally.Count("a", nil); ok || tally.Err != "" {
		t.Error("an absent count is unknown and no mistake")
	}
	if n := tally.Inside("input", 10, 4, 3); n != 3 || tally.Err != "" {
		t.Errorf("%d %q", n, tally.Err)
	}
	if tally.Inside("input", 10, 11); tally.Err == "" {
		t.Error("a part is more than the whole")
	}
}

// What a vendor says is kept short and printable.
func TestBounded(t *testing.T) {
	for text, want := range map[string]string{"rate_limit": "rate_limit", "a\nb\x1b[31m": "ab[31m", "a\xffb": "ab"} {
		if got := Bounded(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
	if got := Bounded(strings.Repeat("é", 100)); len(got) > maxVendorWord || !utf8.ValidString(got) {
		t.Errorf("%d bytes: %q", len(got), got)
	}
}

// What a status says where no protocol says more: a wrong request is told from a
// server without room and from one that failed.
func TestStatusKinds(t *testing.T) {
	for status, want := range map[int]Kind{
		400: BadRequest, 401: Unauthorized, 402: QuotaExhausted, 403: Unauthorized, 404: ModelMissing, 408: ServerError, 409: BadRequest, 413: InputTooLong,
		418: BadRequest, 422: BadRequest, 429: RateLimited, 500: ServerError, 502: ServerError, 503: Overloaded, 504: ServerError, 529: Overloaded, 304: Invalid,
	} {
		if f := StatusFailure(Response{Status: status}, ""); f.Kind != want || f.Status != status {
			t.Errorf("HTTP %d is %s, want %s", status, f.Kind, want)
		}
	}
	for code, want := range map[string]Kind{"503": Overloaded, "502": Overloaded, "524": Overloaded, "429": RateLimited, "200": ServerError, "oops": ServerError, "": ServerError} {
		if got := ErrorInside(code); got != want {
			t.Errorf("the code %q inside an answer is %s, want %s", code, got, want)
		}
	}
}
