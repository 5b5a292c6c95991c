package conformance

import (
	"bytes"
	"slices"
	"strings"
	"time"
)

// tier1 is the closed set of verbs.
var tier1 = []string{"get", "list", "create", "update", "delete", "plan", "apply"}

// forbidden are words that no command has anywhere.
var forbidden = []string{"info", "ls", "show", "fetch", "rm", "new", "make", "run"}

func describePrints(t *trial) {
	a := t.suite.describe
	if !t.saw(a) {
		return
	}
	switch err := oneObject(ended(a.stdout)); {
	case a.exit != 0:
		t.fail(a, "exit %d, want 0", a.exit)
	case err != nil:
		t.fail(a, "%v", err)
	case a.took > 2*time.Second:
		t.fail(a, "it took %s", a.took.Round(time.Millisecond))
	}
}

// ended gives text with the newline that the describe document may leave out.
func ended(text []byte) []byte {
	if len(text) == 0 {
		return nil // and is said to be empty
	}
	return append(bytes.TrimSuffix(slices.Clone(text), []byte("\n")), '\n')
}

func describeCore(t *trial) {
	a := t.suite.describe
	if !t.saw(a) {
		return
	}
	if t.unread != nil {
		t.fail(a, "it cannot be read: %v", t.unread)
		return
	}
	for _, p := range t.desc.problems(bytes.TrimSpace(a.stdout)) {
		t.fail(a, "%s", p)
	}
}

func describeStable(t *trial) {
	calls := []call{{argv: []string{"--describe"}}, {argv: []string{"--describe", "--limit", "3"}}, {argv: []string{"--json", "--describe"}}}
	if len(t.desc.Commands) > 0 {
		c := &t.desc.Commands[0]
		calls = append(calls, call{argv: append(c.words(), "--describe")})
	}
	for _, a := range t.ask(calls...) {
		if t.saw(a) && (a.exit != t.suite.describe.exit || !bytes.Equal(a.stdout, t.suite.describe.stdout)) {
			t.fail(a, "exit %d, and another document than --describe alone gave", a.exit)
		}
	}
}

func describePure(t *trial) {
	a := t.suite.describe
	if t.saw(a) && len(a.changed) > 0 {
		t.fail(a, "it changed %s", strings.Join(a.changed, ", "))
	}
}

func commandShape(t *trial) {
	for _, c := range t.desc.Commands {
		t.looked++
		w := c.words()
		switch {
		case len(w) < 1 || len(w) > 2 || strings.Join(w, " ") != c.Name:
			t.fail(nil, "%q is not `resource verb` or `verb`", c.Name)
		case c.Verb != w[len(w)-1]:
			t.fail(nil, "%q has the verb %q, not its last word", c.Name, c.Verb)
		}
	}
}

func commandTiers(t *trial) {
	for _, c := range t.desc.Commands {
		t.looked++
		closed := slices.Contains(tier1, c.Verb)
		switch {
		case closed && c.Tier != 1, !closed && c.Tier != 2:
			t.fail(nil, "%q has tier %d", c.Name, c.Tier)
		case !closed && !verbName().MatchString(c.Verb):
			t.fail(nil, "%q: the verb %q does not look like one", c.Name, c.Verb)
		}
	}
}

func noForbiddenWords(t *trial) {
	for _, c := range t.desc.Commands {
		t.looked++
		for _, w := range slices.Concat(c.words(), c.Aliases) {
			if slices.Contains(forbidden, w) {
				t.fail(nil, "%q has the word %q", c.Name, w)
			}
		}
	}
}

func forbiddenWordsFail(t *trial) {
	var calls []call
	for _, at := range append([]string{""}, t.desc.resources()...) {
		for _, w := range forbidden {
			calls = append(calls, call{argv: append(strings.Fields(at), w, "--json"), command: at, usage: true})
		}
	}
	for _, a := range t.ask(calls...) {
		if t.saw(a) && (a.exit != 2 || a.code() == "") {
			t.fail(a, "exit %d with the code %q, want exit 2 and a code", a.exit, a.code())
		}
	}
}

func noLuckyHits(t *trial) {
	var calls []call
	var want [][]string
	add := func(at string, words []string) {
		for _, w := range words {
			for _, wrong := range misspelt(w) {
				if slices.Contains(words, wrong) {
					continue
				}
				calls = append(calls, call{argv: append(strings.Fields(at), wrong, "--json"), command: at, usage: true})
				want = append(want, words)
			}
		}
	}
	add("", t.desc.after(""))
	for _, r := range t.desc.resources() {
		add(r, t.desc.after(r))
	}
	for i, a := range t.ask(calls...) {
		if !t.saw(a) {
			continue
		}
		switch e := a.envelope().Error; {
		case a.exit != 2 || e == nil:
			t.fail(a, "exit %d, want 2 and an error", a.exit)
		case missing(e.Allowed, want[i]) != "":
			t.fail(a, "allowed does not list %q", missing(e.Allowed, want[i]))
		}
	}
}

// misspelt gives a prefix of a word and the word with two letters changed about.
func misspelt(w string) []string {
	if len(w) < 3 {
		return nil
	}
	out := []string{w[:len(w)-1]}
	for i := 1; i+1 < len(w); i++ {
		if w[i] != w[i+1] {
			return append(out, w[:i]+w[i+1:i+2]+w[i:i+1]+w[i+2:])
		}
	}
	return out
}

// missing gives the first word that a list lacks; "" for none.
func missing(list, words []string) string {
	for _, w := range words {
		if !slices.Contains(list, w) {
			return w
		}
	}
	return ""
}

func onlyApplyWrites(t *trial) {
	for i := range t.desc.Commands {
		c := &t.desc.Commands[i]
		t.looked++
		switch c.Verb {
		case "apply":
			if c.RW != "write" {
				t.fail(nil, "%q is an apply that only reads", c.Name)
			}
			if t.desc.command(strings.TrimSpace(c.resource()+" plan")) == nil {
				t.fail(nil, "%q can be applied and not planned", c.Name)
			}
		case "create", "update", "delete":
			if c.Scope != "run_dir" && (c.RW != "read" || !strings.Contains(c.ResultSchema, ".plan@")) {
				t.fail(nil, "%q neither makes a plan nor stays in the run dir", c.Name)
			}
		default:
			if c.RW == "write" {
				t.fail(nil, "%q writes, and is no apply", c.Name)
			}
		}
	}
}
