package conformance

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

func noColour(t *trial) {
	env := map[string]string{"TERM": "xterm-256color", "CLICOLOR_FORCE": "1", "FORCE_COLOR": "1"}
	calls := []call{{argv: []string{"--json"}, env: env, usage: true}}
	for i := range t.desc.Commands {
		c := &t.desc.Commands[i]
		one := t.call(c, t.lines()[c.Name].line)
		one.env = env
		calls = append(calls, one)
	}
	for _, a := range t.ask(calls...) {
		if t.saw(a) && (bytes.IndexByte(a.stdout, 0x1b) >= 0 || bytes.IndexByte(a.stderr, 0x1b) >= 0) {
			t.fail(a, "it printed an escape sequence")
		}
	}
}

// first gives the commands whose call was seen to work, few enough to be tried often.
func (t *trial) working(most int) []*Command {
	var out []*Command
	for i := range t.desc.Commands {
		if _, ok := t.works(&t.desc.Commands[i]); ok && len(out) < most {
			out = append(out, &t.desc.Commands[i])
		}
	}
	return out
}

func streams(t *trial) {
	calls := []call{{argv: []string{"--json"}, usage: true, noErr: true}, {argv: []string{"--json"}, usage: true, noOut: true},
		{argv: []string{"--describe"}, noOut: true}}
	for _, c := range t.working(4) {
		l, _ := t.works(c)
		one := t.call(c, l)
		one.noErr = true
		calls = append(calls, one)
		two := t.call(c, l)
		two.noOut = true
		calls = append(calls, two)
	}
	for _, a := range t.ask(calls...) {
		if !t.saw(a) {
			continue
		}
		p := t.lines()[a.command]
		switch {
		case a.noErr && a.envelope().frame != nil:
			t.fail(a, "with stderr closed: %v", a.envelope().frame)
		case a.noErr && p != nil && timeless(t.desc.command(a.command)) && (a.exit != 0 || !sameJSON(a.envelope().Data, p.tried.envelope().Data)):
			t.fail(a, "with stderr closed, exit %d or other data than with it open", a.exit)
		case a.noOut && a.exit == 0 && len(a.argv) > 1:
			t.fail(a, "with stdout closed nobody has the result, and it exits 0")
		case a.noOut && bytes.Contains(a.stderr, []byte("goroutine ")):
			t.fail(a, "with stdout closed it crashes")
		}
	}
}

func silentStdin(t *trial) {
	calls := []call{{argv: []string{"--json"}, stdin: idleStdin, usage: true}, {argv: []string{"--describe"}, stdin: idleStdin}}
	for i := range t.desc.Commands {
		c := &t.desc.Commands[i]
		one := t.call(c, t.lines()[c.Name].line)
		one.stdin = idleStdin
		calls = append(calls, one)
	}
	for _, a := range t.ask(calls...) {
		t.saw(a)
	}
}

func terminates(t *trial) {
	slow := t.profile.Slow
	if slow == nil {
		t.wants("[slow]")
		return
	}
	c := t.desc.command(slow.Command)
	if c == nil {
		t.fail(nil, "the profile's slow command %q is not declared", slow.Command)
		return
	}
	one := call{argv: append(append(c.words(), slow.Args...), "--json"), command: c.Name, env: slow.Env, fixture: true, term: 300 * time.Millisecond}
	a := t.ask(one)[0]
	if !t.saw(a) {
		return
	}
	switch e := readEnvelope(a.stdout); {
	case a.took < one.term:
		t.fail(a, "it ended after %s, before the signal: it is not slow", a.took.Round(time.Millisecond))
	case a.took > one.term+5*time.Second:
		t.fail(a, "it took %s after SIGTERM", (a.took - one.term).Round(time.Millisecond))
	case e.frame != nil || a.exit != 1:
		t.fail(a, "exit %d, want 1 and an envelope", a.exit)
	}
}

func coldStart(t *trial) {
	const most = 300 * time.Millisecond
	calls := []call{{argv: []string{"--describe"}}}
	for _, c := range t.working(100) {
		if l, _ := t.works(c); slices.Contains(tier1, c.Verb) {
			calls = append(calls, t.call(c, l))
			break
		}
	}
	for _, one := range calls {
		var best *answer
		for range 5 { // the machine has other work: the fastest counts
			a := t.ask(one)[0]
			if !t.saw(a) {
				return
			}
			if best == nil || a.took < best.took {
				best = a
			}
			if best.took < most {
				break
			}
		}
		if best.took >= most {
			t.fail(best, "it took %s", best.took.Round(time.Millisecond))
		}
	}
}

func sameEverywhere(t *trial) {
	places := []map[string]string{
		{"TZ": "Pacific/Kiritimati", "LANG": "tr_TR.UTF-8", "LC_ALL": "tr_TR.UTF-8"},
		{"TZ": "America/Los_Angeles", "LANG": "C", "LC_ALL": "C"},
	}
	var calls []call
	for i, c := range t.working(1000) {
		if !timeless(c) {
			continue
		}
		l, _ := t.works(c)
		one := t.call(c, l)
		one.env = places[i%len(places)]
		calls = append(calls, one)
	}
	for _, a := range t.ask(calls...) {
		if !t.saw(a) {
			continue
		}
		if first := t.lines()[a.command].tried; !sameJSON(a.envelope().Data, first.envelope().Data) {
			t.fail(a, "other data than in %s", "UTC")
		}
	}
}

// timeless reports whether the data of a command is the same whenever it is asked: a
// plan says when it was made.
func timeless(c *Command) bool { return c != nil && !strings.Contains(c.ResultSchema, ".plan@") }

func boundedSize(t *trial) {
	const most = 256 << 10
	for _, c := range t.working(1000) {
		l, _ := t.works(c)
		if c.Bounded == nil || l.has("--limit") {
			continue
		}
		t.looked++
		if a := t.lines()[c.Name].tried; len(a.stdout) > most {
			t.fail(a, "%d bytes", len(a.stdout))
		}
	}
}

func fields(t *trial) {
	type asked struct {
		path string
		want string // the code; "" for success
	}
	var calls []call
	var of []asked
	for _, c := range t.working(1000) {
		l, _ := t.works(c)
		data := t.lines()[c.Name].tried.envelope().Data
		names := members(data)
		if len(names) == 0 {
			continue
		}
		paths := []string{names[0]}
		for _, name := range names { // one path that goes deeper, through a list or an object
			below := member(data, name)
			if items, ok := elements(below); ok && len(items) > 0 {
				below = items[0]
			}
			if deeper := members(below); len(deeper) > 0 {
				paths = append(paths, name+"."+deeper[0])
				break
			}
		}
		for _, p := range paths {
			calls, of = append(calls, t.call(c, l.with("--fields", p))), append(of, asked{p, ""})
		}
		for _, p := range []string{"no_such_path_here", ""} {
			one := t.call(c, l.with("--fields", p))
			one.usage = true
			calls, of = append(calls, one), append(of, asked{p, "UNKNOWN_PATH"})
		}
	}
	for i, a := range t.ask(calls...) {
		if !t.saw(a) {
			continue
		}
		path, e := of[i].path, a.envelope()
		switch first, _, _ := strings.Cut(path, "."); {
		case path == "" && a.exit != 2:
			t.fail(a, "an empty path: exit %d, want 2", a.exit)
		case of[i].want != "" && path != "" && (a.exit != 2 || a.code() != of[i].want):
			t.fail(a, "an unknown path: exit %d with the code %q, want 2 and %s", a.exit, a.code(), of[i].want)
		case of[i].want != "":
		case !e.OK:
			t.fail(a, "exit %d with the code %q", a.exit, a.code())
		case !slices.Equal(members(e.Data), []string{first}):
			t.fail(a, "data holds %s, want %s alone", strings.Join(members(e.Data), ", "), first)
		case !onlyPath(e.Data, strings.Split(path, ".")):
			t.fail(a, "data holds more than %s", path)
		}
	}
}

// onlyPath reports whether a value holds one path and nothing beside it.
func onlyPath(v jsontext.Value, steps []string) bool {
	if items, ok := elements(v); ok {
		return !slices.ContainsFunc(items, func(item jsontext.Value) bool { return !onlyPath(item, steps) })
	}
	if len(steps) == 0 || v.Kind() != '{' {
		return true
	}
	names := members(v)
	if len(names) == 0 {
		return true // this one has no such member
	}
	return len(names) == 1 && names[0] == steps[0] && onlyPath(member(v, steps[0]), steps[1:])
}

// elements are the items of a list; false where it is none.
func elements(v jsontext.Value) ([]jsontext.Value, bool) {
	var out []jsontext.Value
	if v.Kind() != '[' || unmarshal(v, &out) != nil {
		return nil, false
	}
	return out, true
}
