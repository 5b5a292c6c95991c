package conformance

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Bounds of one probe.
const (
	defaultLimit = 10 * time.Second
	maxStream    = 4 << 20 // what is kept of a stream; a tool that prints more is stopped
	patience     = 8       // probes that may hang before the others get less time
	givenUp      = 24      // and before no more are tried
)

// A call is one run of the tool that is to be.
type call struct {
	argv    []string
	command string            // the path that the envelope is to echo
	env     map[string]string // beside the base
	unset   []string          // of the base
	fixture bool              // run where a copy of the profile's files is
	in      *world            // run here, and leave it; else in a fresh world
	stdin   stdin
	noOut   bool // stdout is closed
	noErr   bool // stderr is closed
	net     bool // a network is there
	term    time.Duration
	usage   bool // it is meant to fail before anything runs
	dies    bool // the profile makes it kill itself
	limit   time.Duration
}

type stdin int

const (
	closedStdin stdin = iota
	idleStdin         // open, and nothing is ever written
)

// An answer is what came of a call.
type answer struct {
	call
	exit    int // -1 where a signal ended it
	stdout  []byte
	stderr  []byte
	flooded bool
	hung    bool
	failed  error // it could not be started
	took    time.Duration
	changed []string // files made, changed or removed, but for those of the run dir
	leaked  []string // files that hold a canary

	read sync.Once
	env0 *envelope
}

// json reports whether the call is to print an envelope.
func (a *answer) json() bool {
	asks := func(flag string) bool {
		return slices.Contains(a.argv, flag) || slices.Contains(a.argv, flag+"=true")
	}
	return asks("--json") && !asks("--describe") && !a.noOut && !a.noErr && a.term == 0 && !a.dies
}

// envelope reads stdout once.
func (a *answer) envelope() *envelope {
	a.read.Do(func() { a.env0 = readEnvelope(a.stdout) })
	return a.env0
}

// ok reports whether it succeeded, with an envelope.
func (a *answer) ok() bool { return a.exit == 0 && !a.hung && !a.flooded && a.envelope().OK }

// code is the code of the error in the envelope; "" where there is none.
func (a *answer) code() string {
	if e := a.envelope().Error; e != nil {
		return e.Code
	}
	return ""
}

// A world is a directory with all that a run may write to.
type world struct{ root string }

func (w *world) cwd() string  { return filepath.Join(w.root, "cwd") }
func (w *world) home() string { return filepath.Join(w.root, "home") }
func (w *world) tmp() string  { return filepath.Join(w.root, "tmp") }

// A runner runs probes.
type runner struct {
	binary  string
	root    string // holds the worlds
	fixture string
	env     map[string]string
	limit   time.Duration
	apart   bool   // without a network
	inherit bool   // what a worker starts has none, as the worker has none
	mark    string // in the environment of all that is started
	canary  []string

	tasks  chan func()
	worlds atomic.Int64
	hangs  atomic.Int64
	runs   atomic.Int64
}

func newRunner(binary, root string) *runner {
	return &runner{binary: binary, root: root, limit: defaultLimit, mark: markName + "=" + rand.Text()}
}

const markName = "CONFORMANCE_PROBE"

var errGivenUp = errors.New("not tried: too many probes before it hung")

// nowhere is the upstream of runs that are to have none.
const nowhere = "http://127.0.0.1:9"

// world makes a fresh one. In the files of the fixture, {url} is no upstream's address.
func (r *runner) world(fixture bool) (*world, error) { return r.worldAt(fixture, nowhere) }

func (r *runner) worldAt(fixture bool, url string) (*world, error) {
	w := &world{filepath.Join(r.root, "w"+itoa(r.worlds.Add(1)))}
	for _, dir := range []string{w.root, w.cwd(), w.home(), w.tmp()} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return nil, err
		}
	}
	if fixture && r.fixture != "" {
		if err := os.CopyFS(w.cwd(), os.DirFS(r.fixture)); err != nil {
			return nil, err
		}
		return w, render(w.cwd(), url)
	}
	return w, nil
}

// run makes one probe.
func (r *runner) run(ctx context.Context, c call) *answer {
	a := &answer{call: c, exit: -1}
	defer func() {
		if p := recover(); p != nil { // what a tool printed must not end the suite
			a.failed = fmt.Errorf("reading the answer failed: %v", p)
		}
	}()
	limit := r.limit
	if c.limit > 0 {
		limit = c.limit
	}
	switch hangs := r.hangs.Load(); {
	case ctx.Err() != nil:
		a.failed = ctx.Err()
		return a
	case hangs >= givenUp:
		a.failed = errGivenUp
		return a
	case hangs >= patience:
		limit = min(limit, time.Second)
	}
	w := c.in
	if w == nil {
		fresh, err := r.world(c.fixture)
		if err != nil {
			a.failed = err
			return a
		}
		w = fresh
		defer os.RemoveAll(w.root)
	}
	before := survey(w.root)
	r.runs.Add(1)
	r.exec(ctx, a, w, limit)
	if a.hung {
		r.hangs.Add(1)
	}
	after := survey(w.root)
	a.changed = r.unexpected(a, w, before, after)
	a.leaked = r.leaks(w, before, after)
	return a
}

// exec starts the tool and waits for it, for its streams and for no child of it.
func (r *runner) exec(ctx context.Context, a *answer, w *world, limit time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, r.binary, a.argv...)
	cmd.Dir = w.cwd()
	cmd.Env = r.environ(a, w)
	out, errs := &bounded{full: cancel}, &bounded{full: cancel}
	cmd.Stdout, cmd.Stderr = out, errs
	cmd.WaitDelay = 500 * time.Millisecond
	prepare(cmd, r.apart && !r.inherit && !a.net)
	var shut []io.Closer
	defer func() {
		for _, c := range shut {
			_ = c.Close()
		}
	}()
	broken := func() *os.File { // a pipe that nobody reads
		pr, pw, err := os.Pipe()
		if err != nil {
			return nil
		}
		_ = pr.Close()
		shut = append(shut, pw)
		return pw
	}
	if a.noOut {
		cmd.Stdout = broken()
	}
	if a.noErr {
		cmd.Stderr = broken()
	}
	if a.stdin == idleStdin {
		pr, pw, err := os.Pipe()
		if err != nil {
			a.failed = err
			return
		}
		shut = append(shut, pr, pw)
		cmd.Stdin = pr
	}
	began := time.Now()
	err := cmd.Start()
	if err != nil {
		a.failed = err
		return
	}
	if a.term > 0 {
		timer := time.AfterFunc(a.term, func() { terminate(cmd) })
		defer timer.Stop()
	}
	err = cmd.Wait()
	a.took = time.Since(began)
	sweep(cmd) // what it left running
	a.stdout, a.stderr = out.b, errs.b
	a.flooded = out.over.Load() || errs.over.Load()
	a.hung = ctx.Err() != nil && !a.flooded || errors.Is(err, exec.ErrWaitDelay)
	a.exit = cmd.ProcessState.ExitCode()
	if errors.Is(err, exec.ErrWaitDelay) {
		kill(r.mark) // a child that left the group holds a stream open
	}
}

// environ is all that the tool sees of an environment.
func (r *runner) environ(a *answer, w *world) []string {
	env := map[string]string{
		"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": w.home(), "TMPDIR": w.tmp(), "LANG": "C.UTF-8", "TZ": "UTC",
		"XDG_CONFIG_HOME": filepath.Join(w.home(), ".config"),
		// For a tool that goes out where there is a network: nobody listens there.
		"HTTP_PROXY": "http://127.0.0.1:9", "HTTPS_PROXY": "http://127.0.0.1:9", "NO_PROXY": "127.0.0.1,localhost",
	}
	maps.Copy(env, r.env)
	maps.Copy(env, a.env)
	for _, name := range a.unset {
		delete(env, name)
	}
	out := []string{r.mark}
	for _, name := range slices.Sorted(maps.Keys(env)) {
		out = append(out, name+"="+env[name])
	}
	return out
}

// unexpected lists what a run changed outside the run dir that it was given or
// says that it used.
func (r *runner) unexpected(a *answer, w *world, before, after tree) []string {
	allowed := []string{}
	given := ""
	for i, word := range a.argv {
		if value, ok := strings.CutPrefix(word, "--run-dir="); ok {
			given = value
		} else if word == "--run-dir" && i+1 < len(a.argv) {
			given = a.argv[i+1]
		}
	}
	for _, dir := range []string{given, a.envelope().Meta.RunDir} {
		if dir == "" {
			continue
		}
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(w.cwd(), dir)
		}
		if rel, err := filepath.Rel(w.root, dir); err == nil && filepath.IsLocal(rel) && strings.Count(rel, "/") > 0 {
			allowed = append(allowed, rel)
		}
	}
	var out []string
	for _, path := range after.diff(before) {
		in := slices.ContainsFunc(allowed, func(dir string) bool {
			return path == dir || strings.HasPrefix(path, dir+"/") || strings.HasPrefix(dir, path+"/")
		})
		// Without --json a tool does not say where its run dir is.
		if !in && !(strings.HasPrefix(path, "tmp/") && (!a.json() || a.noOut)) {
			out = append(out, path)
		}
	}
	return out
}

// leaks lists the new or changed files that hold a canary.
func (r *runner) leaks(w *world, before, after tree) []string {
	var out []string
	for _, path := range after.diff(before) {
		text, err := os.ReadFile(filepath.Join(w.root, path))
		if err == nil && r.canaryIn(text) != "" {
			out = append(out, path)
		}
	}
	return out
}

// canaryIn gives the canary that a text holds; "" for none.
func (r *runner) canaryIn(text []byte) string {
	for _, c := range r.canary {
		if bytes.Contains(text, []byte(c)) {
			return c
		}
	}
	return ""
}

// A bounded keeps the start of a stream and stops the tool when there is too much.
type bounded struct {
	b    []byte
	over atomic.Bool
	full func()
}

func (w *bounded) Write(p []byte) (int, error) {
	if len(w.b)+len(p) > maxStream {
		w.b = append(w.b, p[:maxStream-len(w.b)]...)
		w.over.Store(true)
		w.full()
		return 0, errors.New("too much")
	}
	w.b = append(w.b, p...)
	return len(p), nil
}

// each makes probes side by side and gives the answers in the order of the calls.
func (r *runner) each(ctx context.Context, calls []call) []*answer {
	out := make([]*answer, len(calls))
	var wg sync.WaitGroup
	for i := range calls {
		task := func() { out[i] = r.run(ctx, calls[i]) }
		if calls[i].net {
			task()
			continue
		}
		wg.Add(1)
		r.tasks <- func() { defer wg.Done(); task() }
	}
	wg.Wait()
	return out
}

// work runs probes, as many at a time as there are jobs, until close.
func (r *runner) work(jobs int) (done func()) {
	r.tasks = make(chan func())
	ready := make(chan bool)
	for range jobs {
		go func() {
			ready <- apart()
			for task := range r.tasks {
				task()
			}
		}()
	}
	all := true
	for range jobs {
		all = <-ready && all
	}
	r.inherit = all
	r.apart = all || canIsolate()
	return func() { close(r.tasks) }
}
