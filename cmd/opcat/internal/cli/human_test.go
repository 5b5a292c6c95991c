package cli

import (
	"strings"
	"testing"

	"github.com/opcat/opcat/diag"
)

func TestTable(t *testing.T) {
	s := newShop(thing{ID: "a", Kind: "cup"}, thing{ID: "bbbb", Kind: "pot", Note: "x\x1b[31my\u202e"})
	r := s.run(t, "thing", "list", "--limit", "2")
	want := "ID    KIND  NOTE\na     cup\nbbbb  pot   x\\u001b[31my\\u202e\n"
	if r.out != want || r.stderr != "" || r.writes != 1 {
		t.Errorf("got %q and %q", r.out, r.stderr)
	}
	r = s.run(t, "thing", "list", "--limit", "1")
	if !strings.Contains(r.stderr, "1 of 2 shown") || !strings.Contains(r.stderr, "--cursor ") {
		t.Errorf("stderr is %q", r.stderr)
	}
	if r := s.run(t, "thing", "list", "--fields", "items.id"); r.out != "ID\na\nbbbb\n" {
		t.Errorf("got %q", r.out)
	}
	if r := s.run(t, "thing", "count", "--fields", "counts,items.id"); r.out != "counts:\n  cup: 2\n  pot: 1\n\nID\na\nbbbb\n" {
		t.Errorf("got %q", r.out)
	}
	if r := newShop().run(t, "thing", "list"); r.out != "" || r.exit != 0 {
		t.Errorf("an empty list prints %q", r.out)
	}
}

func TestColourOnlyOnATerminal(t *testing.T) {
	s := newShop(thing{ID: "a", Kind: "cup", Note: strings.Repeat("n", 100)})
	s.outTTY = true
	for _, tc := range []struct {
		env    map[string]string
		json   bool
		colour bool
	}{
		{nil, false, true},
		{map[string]string{"NO_COLOR": "1", "CLICOLOR_FORCE": "1"}, false, false},
		{map[string]string{"TERM": "dumb"}, false, false},
		{nil, true, false},
	} {
		s.env = tc.env
		argv := []string{"thing", "list"}
		if tc.json {
			argv = append(argv, "--json")
		}
		r := s.run(t, argv...)
		if strings.Contains(r.out, "\x1b[") != tc.colour || strings.Contains(r.stderr, "\x1b") {
			t.Errorf("%+v: got %q", tc, r.out)
		}
		if !tc.json && (strings.Contains(r.out, strings.Repeat("n", 61)) || !strings.Contains(r.out, "n…")) {
			t.Errorf("a cell is not cut on a terminal: %q", r.out)
		}
	}
	s.outTTY = false
	s.env = map[string]string{"CLICOLOR_FORCE": "1", "TERM": "xterm-256color"}
	if r := s.run(t, "thing", "list"); strings.Contains(r.out, "\x1b") || !strings.Contains(r.out, strings.Repeat("n", 100)) {
		t.Errorf("got %q", r.out)
	}
}

// Integers that a reader with floating point would change are strings, and the
// outcome says null where there is no figure.
func TestValues(t *testing.T) {
	r := newShop().run(t, "thing", "value", "--json")
	for _, want := range []string{`"value":["1152921504606846976","two\u001b[31m` + "\u202e" + `",null,[1]]`,
		`"outcome":{"unit":"usd","projected":1.25,"realized":null,"cost_usd":0,"confidence":null}`} {
		if !strings.Contains(r.out, want) {
			t.Errorf("%s is not in %s", want, r.out)
		}
	}
	if r := newShop().run(t, "thing", "value"); r.out != "value:\n  - 1152921504606846976\n  - two\\u001b[31m\\u202e\n  -\n  - 1\n" {
		t.Errorf("got %q", r.out)
	}
}

// Findings print as a compiler prints them: all for a person, twenty in an envelope.
func TestFindings(t *testing.T) {
	found := diag.List{{Code: "W", Warning: true, At: diag.Pos{File: "a.toml"}}}
	for i := range 30 {
		found = append(found, diag.Diagnostic{Code: "UNKNOWN_FIELD", At: diag.Pos{File: "a.toml", Line: i + 1, Col: 2},
			Message: "is not a field", Got: "x", Help: "did you mean y?"})
	}
	e := FromDiagnostics(DecodeFailed, found)
	if e.Message != "30 mistakes in 1 file, and 1 warning" {
		t.Errorf("got %s", e.Message)
	}
	text, err := marshal(e)
	if err != nil || !strings.Contains(string(text), `{"code":"UNKNOWN_FIELD","message":"is not a field","retryable":false,"got":"x",`+
		`"at":{"file":"a.toml","line":1,"column":2},"hint":"did you mean y?"}`) || !strings.HasSuffix(string(text), `"more":10}`) || strings.Count(string(text), "UNKNOWN_FIELD") != 20 {
		t.Errorf("got %s, %v", text, err)
	}
	var stderr strings.Builder
	r := &run{app: &App{Tool: "shop"}, streams: Streams{Err: &stderr}, report: &report{}}
	r.printError(e)
	if !strings.HasPrefix(stderr.String(), "a.toml: warning W: \na.toml:1:2: error UNKNOWN_FIELD: is not a field\n\tgot: x\n\thelp: did you mean y?\na.toml:2:2") ||
		!strings.HasSuffix(stderr.String(), "\na.toml:30:2: error UNKNOWN_FIELD: is not a field\n\tgot: x\n\thelp: did you mean y?\nshop: DECODE_FAILED: 30 mistakes in 1 file, and 1 warning\n") {
		t.Errorf("got %s", stderr.String())
	}
}

func TestErrorBounds(t *testing.T) {
	e := NotIn(InvalidEnum, "--x", strings.Repeat("é", 5000), slicesOf(30)).Saying("a\nb")
	text, err := marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(e.line()); n > 500 || strings.Contains(e.line(), "\n") {
		t.Errorf("a message of %d bytes", n)
	}
	if !strings.Contains(e.line(), "w18, w19 and 10 more") || !strings.Contains(string(text), `"hint":"a b"`) {
		t.Errorf("got %s", text)
	}
	e = Fail(Internal, "%s", strings.Repeat("x\ny\xff", 500))
	if n := len(e.line()); n > 500 || strings.Contains(e.line(), "\n") {
		t.Errorf("a message of %d bytes", n)
	}
}

func slicesOf(n int) []string {
	var out []string
	for i := range n {
		out = append(out, "w"+string(rune('0'+i/10))+string(rune('0'+i%10)))
	}
	return out
}
