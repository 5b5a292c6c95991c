package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Every code of the registry comes out with its exit and says whether to retry.
func TestEveryCodeHasItsExit(t *testing.T) {
	s := newShop()
	for exit, codes := range registry {
		for _, code := range codes {
			if r := s.fails(t, code, "thing", "fail", "--code", string(code)); r.exit != exit || r.env.Error.Retryable != (exit == 4) {
				t.Errorf("%s: exit %d, retryable %v", code, r.exit, r.env.Error.Retryable)
			}
		}
	}
}

// What was spent and warned of is reported on failure too.
func TestFailureReportsCost(t *testing.T) {
	m := newShop().fails(t, UpstreamFailed, "thing", "fail", "--code", "UPSTREAM_FAILED").env.Meta
	if m.CostUSD != "2.500000001" || m.Uncertain != "2.5" || m.Tokens != nil {
		t.Errorf("got cost %s, uncertain %s, tokens %v", m.CostUSD, m.Uncertain, m.Tokens)
	}
	if len(m.Warnings) != 1 || m.Warnings[0].Message != "it was tried" {
		t.Errorf("got warnings %v", m.Warnings)
	}
}

func TestPlainAndUnregisteredErrorsAreOurs(t *testing.T) {
	s := newShop()
	if r := s.fails(t, Internal, "thing", "fail", "--code", "plain"); r.exit != 1 || r.env.Error.Message != "a plain error of two lines" {
		t.Errorf("got %s", r.out)
	}
	s.fails(t, Internal, "thing", "fail", "--code", "NOBODY_KNOWS")
}

func TestPanicIsAnEnvelope(t *testing.T) {
	r := newShop().fails(t, Internal, "thing", "break")
	if r.exit != 1 || r.writes != 1 || !strings.Contains(r.env.Error.Message, "index out of range") {
		t.Errorf("exit %d after %d writes: %s", r.exit, r.writes, r.out)
	}
	if !strings.Contains(r.stderr, "app_test.go") {
		t.Errorf("stderr has no stack: %s", r.stderr)
	}
}

// A signal ends a read with INTERNAL, whether the command notices it or not, and
// leaves a write its report.
func TestSignal(t *testing.T) {
	for _, verb := range []string{"wait", "hang"} {
		s := newShop()
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		s.ctx = ctx
		if r := s.fails(t, Internal, "thing", verb); r.exit != 1 || r.env.Error.Hint != "interrupted" {
			t.Errorf("%s: exit %d: %s", verb, r.exit, r.out)
		}
	}
	s := newShop()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	s.ctx = ctx
	if r := s.run(t, "thing", "apply", "--json"); r.exit != 1 || r.env.Data.Value != "partial" {
		t.Errorf("apply: exit %d: %s", r.exit, r.out)
	}
}

// The signal of a real interrupt arrives too.
func TestInterrupt(t *testing.T) {
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(50*time.Millisecond, func() {
		if err := self.Signal(os.Interrupt); err != nil {
			t.Log(err)
		}
	})
	var out strings.Builder
	exit := newShop().app.Main([]string{"thing", "wait", "--json"}, Streams{Out: &out, Err: io.Discard, Getenv: os.Getenv, Now: time.Now})
	if exit != 1 || !strings.Contains(out.String(), `"hint":"interrupted"`) {
		t.Errorf("exit %d: %s", exit, out.String())
	}
}

type closedPipe struct{}

func (closedPipe) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// A reader that went away is exit 1 and not a word.
func TestClosedStdout(t *testing.T) {
	s := newShop(things(3)...)
	for _, argv := range [][]string{{"thing", "list"}, {"thing", "list", "--json"}, {"--describe"}, {"--help"}} {
		var stderr strings.Builder
		exit := s.app.Run(t.Context(), argv, Streams{Out: closedPipe{}, Err: &stderr, Getenv: os.Getenv, Now: time.Now})
		if exit != 1 || stderr.Len() > 0 {
			t.Errorf("%q: exit %d, stderr %q", argv, exit, stderr.String())
		}
	}
}

// asError names the errno of a full disk and no folder of the machine.
func TestErrno(t *testing.T) {
	e := asError(&os.PathError{Op: "write", Path: "/somewhere/private/x.json", Err: syscall.ENOSPC})
	if e.Code != Internal || e.Message != "ENOSPC: write x.json: no space left on device" {
		t.Errorf("got %v", e)
	}
	if e := asError(errors.Join(io.ErrUnexpectedEOF)); e.Message != "unexpected EOF" {
		t.Errorf("got %v", e)
	}
}

// Nobody is asked unless a person is there, and --yes answers for them.
func TestConfirm(t *testing.T) {
	s := newShop()
	s.fails(t, InputRequired, "thing", "confirm")
	for _, flag := range []string{"--yes", "--force"} {
		if r := s.run(t, "thing", "confirm", flag, "--json"); r.exit != 0 {
			t.Errorf("%s: %s", flag, r.out)
		}
	}
	s.inTTY = true
	s.fails(t, InputRequired, "thing", "confirm", "--no-input")
	for answer, exit := range map[string]int{"y\n": 0, "yes\n": 0, "\n": 2, "no\n": 2, "": 2} {
		s.in = strings.NewReader(answer)
		if r := s.run(t, "thing", "confirm"); r.exit != exit || !strings.Contains(r.stderr, "sure? [y/N]") {
			t.Errorf("%q: exit %d, %s", answer, r.exit, r.stderr)
		}
	}
}

// The run dir is a fresh one unless named, and said either way.
func TestRunDir(t *testing.T) {
	s := newShop()
	t.Setenv("TMPDIR", t.TempDir())
	r := s.run(t, "thing", "files", "--json")
	if r.exit != 0 || r.env.Meta.RunDir == "" || r.env.Meta.RunDir != r.env.Data.Value {
		t.Fatalf("got %s", r.out)
	}
	if text, err := os.ReadFile(filepath.Join(r.env.Meta.RunDir, "a/b.txt")); err != nil || string(text) != "b" {
		t.Errorf("got %q, %v", text, err)
	}
	if r := s.run(t, "thing", "get", "x", "--json"); r.env.Meta.RunDir != "" {
		t.Errorf("a run dir nobody asked for: %s", r.out)
	}
	named := filepath.Join(t.TempDir(), "new", "dir")
	if r := s.run(t, "thing", "files", "--json", "--run-dir", named); r.env.Meta.RunDir != named {
		t.Errorf("got %s", r.out)
	}
}

func TestDescribeIsPure(t *testing.T) {
	s := newShop()
	first := s.run(t, "--describe")
	for _, argv := range [][]string{{"--describe", "--limit", "3"}, {"thing", "bogus", "--describe", "--run-dir", "made"}, {"--json", "--describe"}} {
		if r := s.run(t, argv...); r.exit != 0 || r.out != first.out || r.writes != 1 {
			t.Errorf("%q: exit %d, another document", argv, r.exit)
		}
	}
	if _, err := os.Stat("made"); err == nil {
		t.Error("--describe made a run dir")
	}
}

// Help for each command names each flag that --describe lists for it.
func TestHelpNamesEveryFlag(t *testing.T) {
	s := newShop()
	for _, c := range s.commands() {
		r := s.run(t, append(strings.Fields(c.Path), "--help")...)
		if r.exit != 0 || r.stderr != "" {
			t.Errorf("%s: exit %d, stderr %q", c.Path, r.exit, r.stderr)
		}
		for _, f := range append(c.allFlags(), new(universal).flags(1, 1)...) {
			if !strings.Contains(r.out, "--"+f.Name+" ") {
				t.Errorf("%s: help does not name --%s", c.Path, f.Name)
			}
		}
	}
}
