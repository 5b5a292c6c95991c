package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// Options say what of the suite is run, and how.
type Options struct {
	Only  []string      // the ids of the checks to report; nil for all
	Skip  []string      // and not to report
	Limit time.Duration // of one probe; 10 s when 0
	Jobs  int           // probes side by side; as many as processors when 0

	// Progress is told of what begins: first the reading of --describe, then each check. Nil for nobody.
	Progress func(done, all int, id string)
}

// Run holds a binary against the contract. An error says that nothing could be
// looked at: there is no such binary, or no room for the probes. What the binary
// does wrong is in the report.
func Run(ctx context.Context, binary string, profile *Profile, o Options) (*Report, error) {
	began := time.Now()
	if info, err := os.Stat(binary); err != nil {
		return nil, err
	} else if info.IsDir() {
		return nil, fmt.Errorf("%s is a directory, not a binary", info.Name())
	}
	for _, id := range slices.Concat(o.Only, o.Skip) {
		if !slices.ContainsFunc(checks, func(c check) bool { return c.id == id }) {
			return nil, fmt.Errorf("there is no check %s", id)
		}
	}
	if profile == nil {
		profile = new(Profile)
	}
	root, err := os.MkdirTemp("", "conformance-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(root)
	s := &suite{
		ctx: ctx, runner: newRunner(binary, root), profile: profile, jobs: o.Jobs,
		prepared: map[string]*prepared{}, schemas: map[string]compiled{},
	}
	if s.jobs <= 0 {
		s.jobs = runtime.GOMAXPROCS(0)
	}
	if o.Limit > 0 {
		s.limit = o.Limit
	}
	s.fixture, s.env = profile.Fixture, map[string]string{}
	for name, value := range profile.Env {
		s.env[name] = value
	}
	defer kill(s.mark)
	defer s.close()
	defer s.work(s.jobs)()

	// A check that looks at every answer comes after those that ask.
	wanted := func(c *check) bool {
		return (len(o.Only) == 0 || slices.Contains(o.Only, c.id)) && !slices.Contains(o.Skip, c.id)
	}
	all := slices.ContainsFunc(checks, func(c check) bool { return c.passive && wanted(&c) })
	var order []*check
	for _, passive := range []bool{false, true} {
		for i := range checks {
			if c := &checks[i]; c.passive == passive && (wanted(c) || all && !passive) {
				order = append(order, c)
			}
		}
	}
	tell := o.Progress
	if tell == nil {
		tell = func(int, int, string) {}
	}
	tell(0, len(order), "what the tool says of itself")
	s.learn()
	report := &Report{Tool: s.desc.Tool, Contract: ContractVersion, Isolated: s.apart, Describe: s.desc}
	for i, c := range order {
		tell(i, len(order), c.id)
		at := time.Now()
		r := s.check(c)
		if r.Took = time.Since(at); wanted(c) {
			report.Results = append(report.Results, r)
		}
	}
	report.Runs = s.runs.Load()
	report.Took = time.Since(began)
	report.count()
	return report, nil
}

// A check is one rule of the contract.
type check struct {
	id      string
	level   Level
	asks    string
	mend    string
	passive bool // it looks at what other checks asked
	alone   bool // it needs no describe document that can be read
	run     func(*trial)
}

// A suite is one run of the checks.
type suite struct {
	*runner
	ctx     context.Context
	profile *Profile
	jobs    int

	describe *answer   // to --describe
	desc     *Describe // what could be read of it; never nil
	unread   error     // why it could not be

	mu       sync.Mutex
	captured []*answer
	prepared map[string]*prepared
	schemas  map[string]compiled
	closers  []func()
}

func (s *suite) close() {
	for _, f := range s.closers {
		f()
	}
}

// learn asks for the describe document and seeds the canaries.
func (s *suite) learn() {
	s.describe = s.each(s.ctx, []call{{argv: []string{"--describe"}}})[0]
	s.captured = append(s.captured, s.describe)
	if s.desc, s.unread = ReadDescribe(bytes.TrimSpace(s.describe.stdout)); s.unread != nil {
		s.desc = new(Describe)
	}
	for i, name := range append(s.desc.secrets(), "API_TOKEN", "SERVICE_PASSWORD") {
		if s.env[name] == "" {
			c := fmt.Sprintf("canary%02dsecret%s", i, strings.ToLower(s.mark[len(s.mark)-12:]))
			s.env[name] = c
			s.canary = append(s.canary, c)
		}
	}
}

// ask makes probes and keeps what came of them for the checks of all answers.
func (s *suite) ask(calls ...call) []*answer {
	answers := s.each(s.ctx, calls)
	s.mu.Lock()
	s.captured = append(s.captured, answers...)
	s.mu.Unlock()
	return answers
}

// A trial is one check under way.
type trial struct {
	*suite
	looked int    // how much was looked at
	skip   string // the profile's key that would enable the check, or why there is nothing to check
	probes []Probe
	more   int
	broken error // why it could not be made
}

// check runs one check and never fails itself.
func (s *suite) check(c *check) (r Result) {
	r = Result{ID: c.id, Level: c.level, Asks: c.asks}
	t := &trial{suite: s}
	defer func() {
		if p := recover(); p != nil {
			r.Status, r.Saw = Errored, oneLine(fmt.Sprintf("the check itself failed: %v", p), 300)
		}
	}()
	if s.unread != nil && !c.alone {
		r.Status, r.Saw, r.Mend = Errored, "the describe document cannot be read: "+oneLine(s.unread.Error(), 200), "see C001 and C002"
		return r
	}
	c.run(t)
	r.Probes, r.More = t.probes, t.more
	switch {
	case len(t.probes) > 0:
		r.Status, r.Saw, r.Mend = Failed, t.probes[0].Saw, c.mend
		if n := len(t.probes) + t.more; n > 1 {
			r.Saw = fmt.Sprintf("%s (and %s more)", r.Saw, plural(n-1, "failure"))
		}
	case s.ctx.Err() != nil:
		r.Status, r.Saw = Errored, "the run was ended before this check was done"
	case t.broken != nil:
		r.Status, r.Saw = Errored, oneLine(t.broken.Error(), 300)
	case t.looked == 0:
		r.Status, r.Saw, r.Mend = Skipped, "nothing to look at", t.skip
		if t.skip != "" {
			r.Saw = "not looked at"
		}
	default:
		r.Status, r.Saw = Passed, fmt.Sprintf("%d looked at", t.looked)
	}
	return r
}

// maxProbes bounds what a result shows.
const maxProbes = 5

// fail notes what is wrong in an answer; a may be nil where no run shows it.
func (t *trial) fail(a *answer, format string, args ...any) {
	t.looked++
	if len(t.probes) == maxProbes {
		t.more++
		return
	}
	p := Probe{Saw: oneLine(fmt.Sprintf(format, args...), 400), Argv: []string{}}
	if a != nil {
		p.Exit, p.Stdout, p.Stderr = a.exit, show(a.stdout), show(a.stderr)
		for _, word := range a.argv {
			p.Argv = append(p.Argv, oneLine(word, 200))
		}
		for name := range a.env {
			p.Env = append(p.Env, name)
		}
		slices.Sort(p.Env)
		if len(a.argv) > 0 {
			p.Saw = oneLine(strings.Join(p.Argv, " "), 120) + ": " + p.Saw
		}
	}
	t.probes = append(t.probes, p)
}

func show(stream []byte) string {
	return cut(strings.ToValidUTF8(string(stream[:min(len(stream), 4096)]), "?"), 1024)
}

// saw counts an answer that was looked at. An answer that never came is a failure
// of the tool where it hung or flooded, and of the check where it was not asked.
func (t *trial) saw(a *answer) bool {
	switch {
	case a.failed != nil && !errors.Is(a.failed, errGivenUp):
		t.broken = a.failed
		return false
	case a.failed != nil:
		if t.broken == nil {
			t.broken = a.failed
		}
		return false
	case a.hung:
		t.fail(a, "it did not end in %s", t.limit)
		return false
	case a.flooded:
		t.fail(a, "it printed more than %d MiB", maxStream>>20)
		return false
	}
	t.looked++
	return true
}

// wants notes that the check needs a key of the profile.
func (t *trial) wants(key string) { t.skip = "say it in the profile: " + key }

// all are the answers that were to be envelopes.
func (s *suite) all() []*answer {
	return slices.DeleteFunc(slices.Clone(s.captured), func(a *answer) bool {
		return a.failed != nil || !a.json() || a.hung || a.flooded
	})
}

// A prepared is how a command is called.
type prepared struct {
	line  line
	tried *answer // what came of it as it stands; nil where it may not be run
	made  bool    // its arguments are made up
}

// lines gives for each command a call that is well formed: the profile's, else the
// example, else a made-up one. Harmless ones are run once, all side by side.
func (s *suite) lines() map[string]*prepared {
	if len(s.prepared) > 0 {
		return s.prepared
	}
	var calls []call
	var of []*prepared
	for i := range s.desc.Commands {
		c := &s.desc.Commands[i]
		p := &prepared{}
		s.prepared[c.Name] = p
		given, ok := s.profile.Commands[c.Name]
		switch {
		case ok:
			p.line = split(c, append(c.words(), given.Args...))
		case c.harmless() && len(c.Example) > 0:
			p.line = split(c, c.Example)
		default:
			p.line, p.made = made(c), true
		}
		p.line = p.line.without("--json")
		if c.harmless() {
			calls, of = append(calls, s.call(c, p.line)), append(of, p)
		}
	}
	for i, a := range s.ask(calls...) {
		of[i].tried = a
	}
	return s.prepared
}

// works gives the call of a command that was seen to succeed; false for none.
func (s *suite) works(c *Command) (line, bool) {
	p := s.lines()[c.Name]
	return p.line, p.tried != nil && p.tried.failed == nil && p.tried.ok()
}

// call is a call of a command with --json. What may change or cost something is
// told not to.
func (s *suite) call(c *Command, l line) call {
	l = l.with("--json", "")
	if !c.harmless() {
		l = l.with("--dry-run", "")
	}
	return call{argv: l.argv(c), command: c.Name, fixture: true}
}
