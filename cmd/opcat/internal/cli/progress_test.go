package cli

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Long work says on a terminal how far it is, and leaves no trace of it; short work
// says nothing, and where nobody looks nothing is ever written.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		p := &progress{w: &out, tool: "opcat"}
		p.say(0, 3, "one")
		p.say(0, 0, "")
		time.Sleep(time.Second)
		if out.Len() > 0 {
			t.Errorf("short work says %q", out.String())
		}
		p.say(0, 3, "the long one\x1b[31m")
		time.Sleep(time.Second)
		synctest.Wait()
		if got := out.String(); !strings.Contains(got, "opcat: 0 of 3, the long one") || strings.Count(got, "\x1b") != 1 {
			t.Errorf("during a long first step: %q", got)
		}
		p.say(1, 3, "two")
		p.say(2, 3, "three")
		time.Sleep(time.Second)
		synctest.Wait()
		if got := out.String(); strings.Contains(got, "two") || !strings.Contains(got, "opcat: 2 of 3, three") {
			t.Errorf("got %q: a line is written at most ten times a second", got)
		}
		p.say(0, 0, "")
		time.Sleep(time.Second)
		if !strings.HasSuffix(out.String(), "three\r\x1b[K") {
			t.Errorf("the line stays: %q", out.String())
		}
	})
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
