package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// Long work says on a terminal how far it is, and leaves no trace of it; short work
// says nothing, and where nobody looks nothing is ever written.
func TestProgress(t *testing.T) {
	at := time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
	var out bytes.Buffer
	p := &progress{w: &out, tool: "opcat", now: func() time.Time { return at }}
	p.say(0, 3, "one")
	if out.Len() > 0 {
		t.Errorf("short work says %q", out.String())
	}
	at = at.Add(time.Second)
	p.say(1, 3, "two\x1b[31m")
	if got := out.String(); !strings.Contains(got, "opcat: 1 of 3, two") || strings.Contains(got, "[31m\n") || strings.Count(got, "\x1b") != 1 {
		t.Errorf("got %q", got)
	}
	p.say(0, 0, "")
	if !strings.HasSuffix(out.String(), "\r\x1b[K") {
		t.Errorf("the line stays: %q", out.String())
	}
	for _, s := range []Streams{{ErrTTY: false, OutTTY: true}, {ErrTTY: true, OutTTY: false}} {
		s.Getenv = func(string) string { return "" }
		if r := (&run{app: Opcat(), streams: s}); r.progress() != nil {
			t.Errorf("progress goes where nobody looks: %+v", s)
		}
	}
	tty := Streams{ErrTTY: true, OutTTY: true, Getenv: func(string) string { return "" }}
	if (&run{app: Opcat(), streams: tty, json: true}).progress() != nil || (&run{app: Opcat(), streams: tty}).progress() == nil {
		t.Error("a terminal shows progress, and --json does not")
	}
}
