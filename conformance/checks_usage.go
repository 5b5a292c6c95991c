package conformance

import (
	"slices"
	"strconv"
	"strings"
)

func universalFlags(t *trial) {
	// One call has them all; where it is refused, each is asked alone.
	together := []pair{{"--dry-run", ""}, {"--limit", "1"}, {"--force", ""}, {"--yes", ""}, {"--no-input", ""}, {"--wait", ""}, {"--timeout", "5s"},
		{"--run-dir", "run"}}
	alone := append(slices.Clone(together), pair{"--fields", "id"}, pair{"--help", ""}, pair{"--version", ""})
	var calls []call
	for i := range t.desc.Commands {
		c := &t.desc.Commands[i]
		l := t.lines()[c.Name].line
		for _, f := range together {
			l = l.with(f.name, f.value)
		}
		calls = append(calls, t.call(c, l))
		one := alone[len(together)+i%3] // the rest in turn: they change what is done
		calls = append(calls, t.call(c, t.lines()[c.Name].line.with(one.name, one.value)))
	}
	refused := func(a *answer) bool { return a.code() == "UNKNOWN_FLAG" }
	for _, a := range t.ask(calls...) {
		if !t.saw(a) || !refused(a) {
			continue
		}
		c := t.desc.command(a.command)
		var each []call
		for _, f := range alone {
			each = append(each, t.call(c, t.lines()[c.Name].line.with(f.name, f.value)))
		}
		found := false
		for _, one := range t.ask(each...) {
			if t.saw(one) && refused(one) {
				found = true
				t.fail(one, "a universal flag is refused")
			}
		}
		if !found {
			t.fail(a, "a universal flag is refused")
		}
	}
}

func foreignFlags(t *trial) {
	foreign := [][]string{{"--format=json"}, {"--output", "json"}, {"--agent"}, {"--deliver", "x"}}
	for _, c := range t.desc.Commands {
		for _, f := range foreign {
			if name, _, _ := strings.Cut(f[0], "="); c.flag(name) != nil {
				t.fail(nil, "%q declares %s", c.Name, name)
			}
		}
	}
	var calls []call
	for i := range t.desc.Commands {
		c := &t.desc.Commands[i]
		if c.RW == "write" {
			continue
		}
		for j, f := range foreign {
			if i > 0 && i%len(foreign) != j { // all of them once, then each in turn
				continue
			}
			one := t.call(c, t.lines()[c.Name].line)
			one.argv, one.usage = append(one.argv, f...), true
			calls = append(calls, one)
		}
	}
	for _, a := range t.ask(calls...) {
		if t.saw(a) && a.exit != 2 {
			t.fail(a, "exit %d, want 2", a.exit)
		}
	}
}

func usageErrors(t *trial) {
	calls := []call{
		{argv: []string{"--json"}, usage: true},
		{argv: []string{"--json", "--no-such-flag"}, usage: true},
		{argv: []string{"--no-such-flag", "--json"}, usage: true},
	}
	for i := range t.desc.Commands {
		c := &t.desc.Commands[i]
		l := t.lines()[c.Name].line
		// An unknown flag, before and behind --json; a flag without its value; what is required left out.
		calls = append(calls, call{argv: append(l.argv(c), "--no-such-flag", "--json"), command: c.Name, usage: true})
		calls = append(calls, call{argv: append(l.argv(c), "--json", "--limit"), command: c.Name, usage: true})
		if bare := (line{path: l.path}); needsMore(c) {
			calls = append(calls, call{argv: append(bare.argv(c), "--json"), command: c.Name, usage: true})
		}
	}
	for _, a := range t.ask(calls...) {
		if !t.saw(a) {
			continue
		}
		switch e := a.envelope(); {
		case a.exit != 2:
			t.fail(a, "exit %d, want 2", a.exit)
		case e.frame != nil || e.Error == nil:
			t.fail(a, "no envelope with an error")
		}
	}
}

func needsMore(c *Command) bool {
	return slices.ContainsFunc(c.Flags, func(f Flag) bool { return f.Required }) ||
		slices.ContainsFunc(c.Args, func(a Arg) bool { return a.Required })
}

func unknownCommand(t *trial) {
	calls := []call{}
	for _, at := range append([]string{""}, t.desc.resources()...) {
		calls = append(calls, call{argv: append(strings.Fields(at), "frobnicate", "--json"), command: at, usage: true})
	}
	for _, a := range t.ask(calls...) {
		if !t.saw(a) {
			continue
		}
		switch e := a.envelope().Error; {
		case a.exit != 2 || a.code() != "UNKNOWN_COMMAND":
			t.fail(a, "exit %d with the code %q, want 2 and UNKNOWN_COMMAND", a.exit, a.code())
		case missing(e.Allowed, t.desc.after(a.command)) != "":
			t.fail(a, "allowed does not list %q", missing(e.Allowed, t.desc.after(a.command)))
		}
	}
}

// A turn deals out the values of flags that many commands share: the first command
// with a flag gets all, each other one of them.
type turn map[string]int

func (t turn) values(f *Flag, all []string) []string {
	key := f.Name + " " + f.Type + " " + strings.Join(f.Enum, ",")
	n := t[key]
	t[key]++
	if n == 0 || len(all) == 0 {
		return all
	}
	return all[n%len(all) : n%len(all)+1]
}

func enums(t *trial) {
	turns := turn{}
	type asked struct {
		flag  *Flag
		value string
	}
	var calls []call
	var of []asked
	for i := range t.desc.Commands {
		c := &t.desc.Commands[i]
		for j := range c.Flags {
			f := &c.Flags[j]
			if len(f.Enum) == 0 {
				continue
			}
			values := []string{"urgent"}
			if f.Type == "enum" {
				values = append(values, "", strings.Repeat("long", 2560), strings.ToUpper(f.Enum[0]))
			}
			for _, v := range turns.values(f, values) {
				if slices.Contains(f.Enum, v) {
					continue
				}
				one := t.call(c, t.lines()[c.Name].line.with(f.Name, v))
				one.usage = true
				calls, of = append(calls, one), append(of, asked{f, v})
			}
		}
	}
	for i, a := range t.ask(calls...) {
		if !t.saw(a) {
			continue
		}
		e, f, value := a.envelope().Error, of[i].flag, of[i].value
		switch {
		case a.exit != 2 || a.code() != "INVALID_ENUM":
			t.fail(a, "%s takes %q: exit %d with the code %q, want 2 and INVALID_ENUM", f.Name, cut(value, 40), a.exit, a.code())
		case missing(e.Allowed, f.Enum) != "":
			t.fail(a, "%s: allowed does not hold %q", f.Name, missing(e.Allowed, f.Enum))
		case e.Got == nil || !echoes(*e.Got, value):
			t.fail(a, "%s: got does not echo the value", f.Name)
		default:
			for _, w := range f.Enum[:min(len(f.Enum), 20)] {
				if !strings.Contains(e.Message, w) {
					t.fail(a, "%s: the message does not name %q", f.Name, w)
					break
				}
			}
		}
	}
}

// echoes reports whether got is the value, or its start where it is long.
func echoes(got, value string) bool {
	if len(value) <= 150 {
		return got == value
	}
	return len(got) <= 200 && strings.HasPrefix(got, value[:50])
}

func integers(t *trial) {
	var calls []call
	for i := range t.desc.Commands {
		c := &t.desc.Commands[i]
		names := []string{}
		if c.Bounded != nil || i == 0 {
			names = append(names, "--limit")
		}
		for _, f := range c.Flags {
			if f.Type == "int" {
				names = append(names, f.Name)
			}
		}
		for _, name := range names {
			for _, v := range []string{"abc", "-1", "9e9", "9223372036854775808"} {
				one := t.call(c, t.lines()[c.Name].line.with(name, v))
				one.usage = true
				calls = append(calls, one)
			}
		}
	}
	for _, a := range t.ask(calls...) {
		if code := a.code(); t.saw(a) && (a.exit != 2 || code != "INVALID_RANGE" && code != "INVALID_VALUE") {
			t.fail(a, "exit %d with the code %q, want 2 and INVALID_RANGE or INVALID_VALUE", a.exit, code)
		}
	}
}

func noInput(t *trial) {
	p := t.profile.Prompt
	if p == nil {
		t.wants("[prompt]")
		return
	}
	c := t.desc.command(p.Command)
	if c == nil {
		t.fail(nil, "the profile's prompting command %q is not declared", p.Command)
		return
	}
	argv := append(c.words(), p.Args...)
	for _, extra := range [][]string{{"--json", "--no-input"}, {"--json"}} {
		a := t.ask(call{argv: slices.Concat(argv, extra), command: c.Name, env: p.Env, fixture: true, stdin: idleStdin})[0]
		if t.saw(a) && (a.exit != 2 || a.code() != "INPUT_REQUIRED") {
			t.fail(a, "exit %d with the code %q, want 2 and INPUT_REQUIRED", a.exit, a.code())
		}
	}
}

func describeTrue(t *trial) {
	turns := turn{}
	var calls []call
	var want []string // the code; "" for any but INVALID_ENUM
	for i := range t.desc.Commands {
		c := &t.desc.Commands[i]
		full := t.lines()[c.Name].line
		for _, f := range c.Flags {
			if f.Required && full.has(f.Name) {
				one := t.call(c, full.without(f.Name))
				one.usage = true
				calls, want = append(calls, one), append(want, "MISSING_FLAG")
			}
			if c.RW == "write" {
				continue
			}
			for _, w := range turns.values(&f, f.Enum) {
				calls, want = append(calls, t.call(c, full.with(f.Name, w))), append(want, "")
			}
		}
		if n := len(full.args); n > 0 && n == required(c.Args) {
			short := full
			short.args = full.args[:n-1]
			one := t.call(c, short)
			one.usage = true
			calls, want = append(calls, one), append(want, "MISSING_FLAG")
		}
	}
	for i, a := range t.ask(calls...) {
		if !t.saw(a) {
			continue
		}
		switch {
		case want[i] != "" && (a.exit != 2 || a.code() != want[i]):
			t.fail(a, "what is required was left out: exit %d with the code %q, want 2 and %s", a.exit, a.code(), want[i])
		case want[i] == "" && a.code() == "INVALID_ENUM" && contradicts(a, t.desc.command(a.command)):
			t.fail(a, "a declared word is refused")
		}
	}
}

// contradicts reports whether a refusal names as allowed what was given. A refusal that
// allows fewer words than are declared is about another flag beside it.
func contradicts(a *answer, c *Command) bool {
	e := a.envelope().Error
	var at struct {
		Flag string `json:"flag"`
	}
	if unmarshal(e.At, &at) != nil || c.flag(at.Flag) == nil {
		return true
	}
	return len(e.Allowed) == 0 || missing(e.Allowed, c.flag(at.Flag).Enum) == ""
}

func required(args []Arg) int {
	n := 0
	for _, a := range args {
		if a.Required {
			n++
		}
	}
	return n
}

func help(t *trial) {
	calls := []call{{argv: []string{"--help"}}}
	for i := range t.desc.Commands {
		c := &t.desc.Commands[i]
		calls = append(calls, call{argv: append(c.words(), "--help"), command: c.Name})
	}
	for _, a := range t.ask(calls...) {
		if !t.saw(a) {
			continue
		}
		if a.exit != 0 || len(a.stdout) == 0 {
			t.fail(a, "exit %d with %d bytes on stdout", a.exit, len(a.stdout))
			continue
		}
		flags := t.desc.Universal
		if c := t.desc.command(a.command); c != nil {
			flags = slices.Concat(flags, c.Flags)
		}
		named := flagName().FindAllString(string(a.stdout), -1)
		for _, f := range flags {
			if !slices.Contains(named, f.Name) {
				t.fail(a, "it does not name %s", f.Name)
				break
			}
		}
	}
}

func hostile(t *trial) {
	values := []string{"two\nlines", `nul\u0000%00`, "right\u202eleft", strings.Repeat("x", 120<<10), "../../../../etc/passwd", "/proc/self/mem", "\xff\xfe", "\x1b[31m"}
	var calls []call
	turns := turn{}
	n := 0
	next := func() string { n++; return values[n%len(values)] }
	for i := range t.desc.Commands {
		c := &t.desc.Commands[i]
		full := t.lines()[c.Name].line
		for j := range full.args {
			for range 3 {
				one := full
				one.args = slices.Clone(full.args)
				one.args[j] = next()
				calls = append(calls, t.call(c, one))
			}
		}
		for _, f := range c.Flags {
			if f.Type == "string" || f.Type == "path" || f.Type == "list" {
				if n := turns[f.Name]; n < 4 { // what many commands share is tried on the first of them
					turns[f.Name]++
					calls = append(calls, t.call(c, full.with(f.Name, next())))
				}
			}
		}
	}
	for _, v := range values {
		calls = append(calls, call{argv: []string{v, "--json"}, usage: true})
	}
	for _, a := range t.ask(calls...) {
		if !t.saw(a) {
			continue
		}
		switch e := a.envelope(); {
		case e.frame != nil:
			t.fail(a, "no envelope: %v", e.frame)
		case a.exit == 1, a.exit < 0:
			t.fail(a, "exit %d: a bad value is not the tool's failure", a.exit)
		}
	}
}

func spendFlag(t *trial) {
	for i := range t.desc.Commands {
		c := &t.desc.Commands[i]
		if c.Cost != "metered" {
			continue
		}
		j := slices.IndexFunc(c.Flags, func(f Flag) bool { return f.Required && strings.Contains(f.Name, "spend") })
		if j < 0 {
			t.fail(nil, "%q is metered and requires no spend flag", c.Name)
			continue
		}
		l := t.lines()[c.Name].line.without(c.Flags[j].Name)
		one := t.call(c, l)
		one.usage = true
		a := t.ask(one)[0]
		if !t.saw(a) {
			continue
		}
		if a.exit != 2 || a.code() != "MISSING_FLAG" {
			t.fail(a, "without %s: exit %d with the code %q, want 2 and MISSING_FLAG", c.Flags[j].Name, a.exit, a.code())
		}
		if _, err := strconv.ParseFloat(string(a.envelope().Meta.CostUSD), 64); err != nil {
			t.fail(a, "no cost_usd")
		}
	}
}
