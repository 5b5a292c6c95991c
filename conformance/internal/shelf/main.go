// Command shelf is the golden tool of the conformance suite: a small tool that obeys
// the whole contract. Each check of the suite has a mutant, which is shelf with one
// rule broken: the name of the binary says which, shelf-C012 breaks C012.
//
// It shares no code with the suite or with opcat: what it does right, it does by
// reading the contract.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// broken is the check that this binary fails; "" for none.
var broken = func() string {
	name, err := os.Executable()
	if err != nil {
		return ""
	}
	_, id, _ := strings.Cut(filepath.Base(name), "-")
	return id
}()

func mutant(id string) bool { return broken == id }

type flag struct {
	name, kind string
	required   bool
	enum       []string
	min, max   int
}

type command struct {
	path, rw, cost string
	tier           int
	flags          []flag
	args           []string
	schema         string
	bounded        bool
	example        []string
	run            func(*call) (map[string]any, *failure)
}

// A call is one run understood.
type call struct {
	command *command
	path    string
	flags   map[string]string
	args    []string
	meta    map[string]any
}

// A failure is an error of the contract.
type failure struct {
	code, message string
	allowed       []string
	got           *string
}

func fail(code, format string, args ...any) *failure {
	return &failure{code: code, message: fmt.Sprintf(format, args...)}
}

var exits = map[string]int{
	"INTERNAL": 1, "UNKNOWN_COMMAND": 2, "FORBIDDEN_VERB": 2, "UNKNOWN_FLAG": 2, "MISSING_FLAG": 2, "DUPLICATE_FLAG": 2, "INVALID_ENUM": 2, "INVALID_RANGE": 2,
	"INVALID_VALUE": 2, "UNKNOWN_PATH": 2, "INVALID_CURSOR": 2, "INPUT_REQUIRED": 2, "NOT_FOUND": 3, "ARTIFACT_MISSING": 3, "ARTIFACT_INVALID": 3,
	"UNSUPPORTED_VERSION": 3, "PLAN_INVALID": 3, "PLAN_CHECKSUM_MISMATCH": 3, "PLAN_EXPIRED": 3, "PLAN_STALE": 3, "CREDENTIAL_MISSING": 3,
	"CREDENTIAL_REJECTED": 3, "UPSTREAM_FAILED": 4, "RATE_LIMITED": 4, "UPSTREAM_TIMEOUT": 4, "APPROVAL_REQUIRED": 5, "APPROVAL_INVALID": 5,
}

var universal = []flag{
	{name: "json", kind: "bool"}, {name: "describe", kind: "bool"}, {name: "dry-run", kind: "bool"}, {name: "fields", kind: "list"},
	{name: "limit", kind: "int", min: 1, max: maxLimit}, {name: "force", kind: "bool"}, {name: "yes", kind: "bool"}, {name: "no-input", kind: "bool"},
	{name: "wait", kind: "bool"}, {name: "timeout", kind: "duration"}, {name: "run-dir", kind: "path"}, {name: "help", kind: "bool"}, {name: "version", kind: "bool"},
}

const (
	defaultLimit = 3
	maxLimit     = 10
)

func main() {
	if !mutant("C027") {
		signal.Ignore(syscall.SIGPIPE) // a closed stream is an error of its write
	}
	os.Exit(tool(os.Args[1:]))
}

func tool(argv []string) int {
	began := time.Now()
	if slices.Contains(argv, "--describe") {
		return describe(argv)
	}
	asJSON := slices.Contains(argv, "--json")
	c, bad := read(argv)
	if c.command != nil && c.flags["help"] == "" && bad == nil {
		fmt.Fprintln(os.Stderr, "shelf: "+c.path)
	}
	var data map[string]any
	switch {
	case bad != nil:
	case c.flags["help"] != "":
		data = map[string]any{"help": help(c)}
		if !asJSON {
			fmt.Print(data["help"])
			return 0
		}
		c.meta["schema"] = "shelf.help@1"
	case c.flags["version"] != "":
		data = map[string]any{"version": "1.0.0"}
		c.meta["schema"] = "shelf.version@1"
	default:
		data, bad = c.do()
	}
	if broken != "" && asJSON && mutant("C026") && os.Getenv("FORCE_COLOR") != "" {
		fmt.Fprint(os.Stderr, "\x1b[31mred\x1b[0m\n")
	}
	return print(c, asJSON, data, bad, began)
}

// do runs a command whose words are well formed.
func (c *call) do() (map[string]any, *failure) {
	if dir := c.flags["run-dir"]; dir != "" {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, fail("INVALID_VALUE", "--run-dir cannot be made")
		}
		if !mutant("C035") {
			c.meta["run_dir"] = dir
		}
	}
	if e := c.checkFields(); e != nil {
		return nil, e
	}
	data, e := c.command.run(c)
	if e != nil {
		return nil, e
	}
	return c.project(data), nil
}

// checkFields knows the paths of each schema by its first two names.
func (c *call) checkFields() *failure {
	want, given := c.flags["fields"]
	if !given {
		return nil
	}
	known := paths[c.command.schema]
	for _, path := range strings.Split(want, ",") {
		if !slices.Contains(known, path) && !mutant("C034") {
			return &failure{code: "UNKNOWN_PATH", message: "data has no such path", allowed: known, got: &path}
		}
	}
	return nil
}

// project keeps the paths of --fields.
func (c *call) project(data map[string]any) map[string]any {
	want, given := c.flags["fields"]
	if !given {
		return data
	}
	out := map[string]any{}
	for _, path := range strings.Split(want, ",") {
		first, rest, deeper := strings.Cut(path, ".")
		v, ok := data[first]
		if !ok {
			continue
		}
		if list, isList := v.([]any); deeper && isList {
			var some []any
			for _, item := range list {
				some = append(some, map[string]any{rest: item.(map[string]any)[rest]})
			}
			v = some
		}
		out[first] = v
	}
	return out
}

// print writes the envelope, or a few words for a person.
func print(c *call, asJSON bool, data map[string]any, bad *failure, began time.Time) int {
	exit := 0
	if bad != nil {
		exit = exits[bad.code]
	}
	if mutant("C022") && bad != nil && bad.code == "NOT_FOUND" {
		exit = 2
	}
	if !asJSON {
		if bad != nil {
			fmt.Fprintln(os.Stderr, bad.code+": "+bad.message)
			return exit
		}
		text, _ := json.Marshal(data)
		fmt.Println(string(text))
		return exit
	}
	outcome := map[string]any{"unit": "count", "projected": nil, "realized": nil, "cost_usd": 0, "confidence": nil}
	c.meta["duration_ms"] = time.Since(began).Milliseconds()
	for name, value := range map[string]any{"cost_usd": 0, "llm_tokens": 0, "outcome": outcome, "schema": ""} {
		if _, set := c.meta[name]; !set {
			c.meta[name] = value
		}
	}
	e := map[string]any{"ok": bad == nil, "contract_version": 0, "tool": "shelf", "command": c.path, "meta": c.meta}
	if bad == nil {
		e["data"], e["error"] = data, nil
	} else {
		e["error"] = bad.object(exit)
		switch {
		case mutant("C013"):
			e["data"] = map[string]any{}
		case mutant("C014"):
			e["tool"] = "shelves"
		}
	}
	text, err := json.Marshal(e)
	if err != nil {
		return 1
	}
	if mutant("C012") && bad == nil && c.path == "cup get" {
		text = append(text, '\n')
	}
	if _, err := os.Stdout.Write(append(text, '\n')); err != nil {
		return 1
	}
	return exit
}

func (f *failure) object(exit int) map[string]any {
	code, message := f.code, f.message
	if mutant("C024") && code == "NOT_FOUND" {
		code = "NO_SUCH_CUP"
	}
	if mutant("C025") && code == "NOT_FOUND" {
		message += strings.Repeat(" and nothing like it", 40)
	}
	out := map[string]any{"code": code, "message": message, "retryable": exit == 4 || mutant("C023") && code == "NOT_FOUND"}
	if f.allowed != nil {
		out["allowed"] = f.allowed
	}
	if f.got != nil && !(mutant("C020") && code == "INVALID_ENUM") {
		out["got"] = (*f.got)[:min(len(*f.got), 200)]
	}
	return out
}

// read understands argv, strictly.
func read(argv []string) (*call, *failure) {
	c := &call{flags: map[string]string{}, meta: map[string]any{}}
	var words []string
	type given struct{ name, value string }
	var all []given
	at := func() []flag {
		if c.command == nil {
			return universal
		}
		return slices.Concat(universal, c.command.flags)
	}
	var bad *failure
	first := func(f *failure) {
		if bad == nil {
			bad = f
		}
	}
	for i := 0; i < len(argv); i++ {
		word := argv[i]
		if !strings.HasPrefix(word, "--") {
			if c.command != nil {
				c.args = append(c.args, word)
				continue
			}
			words = append(words, word)
			if f := c.step(words); f != nil {
				first(f)
			}
			continue
		}
		name, value, valued := strings.Cut(word[2:], "=")
		j := slices.IndexFunc(at(), func(f flag) bool { return f.name == name })
		switch {
		case mutant("C011") && name == "agent":
			continue
		case j < 0, mutant("C010") && name == "wait" && c.path == "saucer list":
			first(&failure{code: "UNKNOWN_FLAG", message: "--" + cut(name) + " is not a flag", got: &name})
			continue
		case at()[j].kind == "bool":
			value = "true"
		case !valued && (i+1 >= len(argv) || strings.HasPrefix(argv[i+1], "--")):
			if mutant("C018") && c.path == "cup get" {
				first(fail("NOT_FOUND", "there is no value"))
			}
			first(fail("INVALID_VALUE", "--%s needs a value", name))
			continue
		case !valued:
			i++
			value = argv[i]
		}
		all = append(all, given{name, value})
	}
	wantsHelp := slices.ContainsFunc(all, func(g given) bool { return g.name == "help" || g.name == "version" })
	if c.command == nil && bad == nil && !wantsHelp {
		first(&failure{code: "UNKNOWN_COMMAND", message: "one more word is needed: " + strings.Join(after(c.path), ", "), allowed: after(c.path)})
	}
	if c.command != nil {
		c.meta["schema"] = c.command.schema
	}
	if bad != nil {
		return c, bad
	}
	for _, g := range all {
		j := slices.IndexFunc(at(), func(f flag) bool { return f.name == g.name })
		if _, twice := c.flags[g.name]; twice {
			return c, fail("DUPLICATE_FLAG", "--%s is given twice", g.name)
		}
		if e := at()[j].check(g.value); e != nil {
			return c, e
		}
		c.flags[g.name] = g.value
	}
	return c, c.complete()
}

// complete looks for what is required.
func (c *call) complete() *failure {
	if c.flags["help"] != "" || c.flags["version"] != "" {
		return nil
	}
	if c.command == nil {
		return nil
	}
	for _, f := range c.command.flags {
		if f.required && c.flags[f.name] == "" {
			return fail("MISSING_FLAG", "--%s is needed", f.name)
		}
	}
	if free := mutant("C043") && c.path == "cup apply"; len(c.args) > len(c.command.args) && !free {
		return fail("INVALID_VALUE", "there are too many words")
	}
	if len(c.args) < len(c.command.args) {
		return fail("MISSING_FLAG", "<%s> is needed", c.command.args[len(c.args)])
	}
	for _, a := range c.args {
		if e := text(a); e != nil {
			return e
		}
	}
	return nil
}

// step takes the next word of the path.
func (c *call) step(words []string) *failure {
	path := strings.Join(words, " ")
	for i := range commands {
		if commands[i].path == path {
			c.command, c.path = &commands[i], path
			return nil
		}
	}
	known := after(c.path)
	if slices.Contains(known, words[len(words)-1]) && len(words) == 1 {
		c.path = path
		return nil
	}
	word := words[len(words)-1]
	f := &failure{code: "UNKNOWN_COMMAND", message: "'" + cut(word) + "' is none of " + strings.Join(known, ", "), allowed: known, got: &word}
	switch {
	case mutant("C008") && word == "show":
		f.code = "NOT_FOUND"
	case mutant("C009") && slices.ContainsFunc(known, func(k string) bool { return strings.HasPrefix(k, word) }):
		f.allowed = nil
	case mutant("C019") && word == "frobnicate":
		f.code = "INVALID_VALUE"
	}
	return f
}

func after(path string) []string {
	var out []string
	for _, c := range commands {
		w := strings.Fields(c.path)
		next := w[0]
		if path != "" {
			if w[0] != path || len(w) < 2 {
				continue
			}
			next = w[1]
		}
		if !slices.Contains(out, next) {
			out = append(out, next)
		}
	}
	return out
}

func (f *flag) check(value string) *failure {
	if len(f.enum) > 0 {
		refused := mutant("C059") && value == f.enum[1]
		if !slices.Contains(f.enum, value) || refused {
			return &failure{code: "INVALID_ENUM", message: fmt.Sprintf("--%s must be one of: %s (got: '%s')", f.name, strings.Join(f.enum, ", "), cut(value)), allowed: f.enum, got: &value}
		}
		return nil
	}
	if value == "" {
		return fail("INVALID_VALUE", "--%s is empty", f.name)
	}
	switch f.kind {
	case "int":
		n, err := strconv.Atoi(value)
		if mutant("C021") && f.name == "leaves" && value == "-1" {
			return nil
		}
		if err != nil || n < f.min || n > f.max {
			return &failure{code: "INVALID_RANGE", message: fmt.Sprintf("--%s must be from %d to %d", f.name, f.min, f.max), allowed: []string{fmt.Sprintf("%d..%d", f.min, f.max)}, got: &value}
		}
	case "duration":
		if _, err := time.ParseDuration(value); err != nil {
			return fail("INVALID_VALUE", "--%s is no duration", f.name)
		}
	case "number":
		if n, err := strconv.ParseFloat(value, 64); err != nil || n < 0 {
			return fail("INVALID_VALUE", "--%s is no amount", f.name)
		}
	}
	return text(value)
}

// text refuses what no value may hold.
func text(s string) *failure {
	control := func(r rune) bool { return r < ' ' || r == 0xfffd }
	if mutant("C064") && strings.ContainsRune(s, 0x202e) {
		return fail("INTERNAL", "unexpected text")
	}
	if len(s) > 4096 || strings.ContainsFunc(s, control) {
		return fail("INVALID_VALUE", "a value is too long or holds what it may not")
	}
	return nil
}

func cut(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0xfffd || r == 0x1b {
			return '?'
		}
		return r
	}, s)
	return s[:min(len(s), 60)]
}

func help(c *call) string {
	var b strings.Builder
	fmt.Fprintf(&b, "shelf %s\n\n", c.path)
	all := universal
	if c.command != nil {
		all = slices.Concat(all, c.command.flags)
		if c.command.bounded {
			all = append(slices.Clone(all), flag{name: "cursor"})
		}
	}
	for _, f := range all {
		if mutant("C057") && f.name == "colour" {
			continue
		}
		fmt.Fprintf(&b, "  --%s\n", f.name)
	}
	return b.String()
}
