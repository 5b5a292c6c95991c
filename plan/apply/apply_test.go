package apply_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/opcat/opcat/edit"
	"github.com/opcat/opcat/plan"
	"github.com/opcat/opcat/plan/apply"
	"github.com/opcat/opcat/plan/files"
	"github.com/opcat/opcat/plan/gate"
	"github.com/opcat/opcat/plan/ledger"
	"golang.org/x/mod/sumdb/note"
)

var now = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func clock() time.Time { return now }

// A world is a source tree, and a planner that wants three files to say "new".
type world struct {
	t   testing.TB
	dir string
}

var names = []string{"catalog_sources/a/rows.toml", "catalog_sources/b/rows.toml", "capability_sources/a/rules.toml", "catalog_sources/a/.upstream"}

func newWorld(t testing.TB) *world {
	w := &world{t, t.TempDir()}
	w.write(names[0], "# A.\nx = \"old\" # here\n")
	w.write(names[2], "x = \"old\"\n")
	w.write("catalog_sources/c.toml", "x = \"not ours\"\n")
	return w
}

func (w *world) write(name, text string) {
	w.t.Helper()
	p := filepath.Join(w.dir, name)
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) read(name string) string {
	b, err := os.ReadFile(filepath.Join(w.dir, name))
	if err != nil {
		return ""
	}
	return string(b)
}

// draft is a planner: a pure function of a tree.
func draft(tree *files.Snapshot) ([]plan.Item, error) {
	var items []plan.Item
	for i, name := range names {
		src, there := tree.File(name)
		var splices []edit.Splice
		switch {
		case !there:
			src, splices = nil, []edit.Splice{{New: "x = \"new\"\n"}}
		case strings.Contains(string(src), `"old"`):
			splices = []edit.Splice{{At: strings.Index(string(src), `"old"`), Old: `"old"`, New: `"new"`}}
		default:
			continue
		}
		var after []string
		if i == 2 && len(items) > 0 && items[0].ID == names[0] {
			after = []string{names[0]}
		}
		it, err := files.Edit(name, src, splices, []files.Change{{Resource: "a/x", Reason: "it is due"}}, "1 change", after...)
		if err != nil {
			return nil, err
		}
		items = append(items, *it)
	}
	return items, nil
}

func (w *world) load() *files.Snapshot {
	w.t.Helper()
	tree, err := files.Load(w.dir)
	if err != nil {
		w.t.Fatal(err)
	}
	return tree
}

func (w *world) plan() *plan.Plan {
	w.t.Helper()
	tree := w.load()
	items, err := draft(tree)
	if err != nil {
		w.t.Fatal(err)
	}
	head, err := ledger.Head(w.dir)
	if err != nil {
		w.t.Fatal(err)
	}
	p, err := plan.New("opcat", "fragment plan", gate.Standing.Version,
		plan.Base{Target: w.dir, Files: tree.Digests(), Inputs: []plan.Input{}, Options: map[string]string{}, LedgerHead: head}, items, nil, now, time.Hour)
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

func (w *world) run(p *plan.Plan) *apply.Run {
	tree := files.Open(w.dir)
	return &apply.Run{Plan: p, Dir: w.dir, Target: tree, Policy: gate.Standing, Now: clock, Look: func() (gate.Look, error) {
		look := gate.Look{Outside: tree.Outside}
		now, err := files.Load(w.dir)
		if err != nil {
			return look, err
		}
		before, err := tree.Before(now, p)
		if err != nil {
			return look, err
		}
		items, err := draft(before)
		look.Fresh = &plan.Plan{Items: items}
		return look, err
	}}
}

func (w *world) apply(p *plan.Plan) *apply.Report {
	w.t.Helper()
	report, err := w.run(p).Apply(context.Background())
	if err != nil {
		w.t.Fatal(err)
	}
	return report
}

func (w *world) wantRefused(p *plan.Plan, code string) {
	w.t.Helper()
	before := w.state()
	_, err := w.run(p).Apply(context.Background())
	var problem *plan.Problem
	if !errors.As(err, &problem) || problem.Code != code {
		w.t.Errorf("got %v, want %s", err, code)
	}
	if diff := cmp.Diff(before, w.state()); diff != "" {
		w.t.Errorf("a refused plan changed something: %s", diff)
	}
}

// state is every file of the tree.
func (w *world) state() map[string]string {
	out := map[string]string{}
	_ = filepath.WalkDir(w.dir, func(p string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			b, _ := os.ReadFile(p)
			out[strings.TrimPrefix(p, w.dir)] = string(b)
		}
		return nil
	})
	return out
}

func outcomes(r *apply.Report) (out []string) {
	for i := range r.Results {
		out = append(out, string(r.Results[i].Outcome))
	}
	return out
}

func same(t testing.TB, got []string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("outcomes: -want +got\n%s", diff)
	}
}

// A plan that is applied twice does nothing the second time, and the plan that is made
// then is empty.
func TestTwiceIsANoOp(t *testing.T) {
	w := newWorld(t)
	p := w.plan()
	r := w.apply(p)
	same(t, outcomes(r), "executed", "executed", "executed", "executed")
	if r.Status() != "complete" || w.read(names[0]) != "# A.\nx = \"new\" # here\n" || w.read(names[1]) != "x = \"new\"\n" {
		t.Errorf("%s: %q", r.Status(), w.state())
	}
	after := w.state()
	r = w.apply(p)
	same(t, outcomes(r), "landed_before", "landed_before", "landed_before", "landed_before")
	if diff := cmp.Diff(after, w.state()); diff != "" || r.Status() != "noop" {
		t.Errorf("%s: %s", r.Status(), diff)
	}
	if again := w.plan(); len(again.Items) != 0 {
		t.Errorf("there is more to do: %v", again.Items)
	}
}

// Whoever edits a source between plan and apply gets no surprise.
func TestHandEditIsStale(t *testing.T) {
	for name, edit := range map[string]func(*world){
		"a file of the plan":  func(w *world) { w.write(names[0], "# A.\nx = \"old\" # mine\n") },
		"another file":        func(w *world) { w.write("catalog_sources/c.toml", "x = 2\n") },
		"a new file":          func(w *world) { w.write("capability_sources/new.toml", "") },
		"a file that is gone": func(w *world) { _ = os.Remove(filepath.Join(w.dir, "catalog_sources/c.toml")) },
		"a file to be made":   func(w *world) { w.write(names[1], "mine") },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			p := w.plan()
			edit(w)
			w.wantRefused(p, plan.Stale)
		})
	}
}

// A plan is for the world that it was made of: after another one has been applied it is
// no longer, even if every file is back to what it was.
func TestAnotherPlanInBetweenIsStale(t *testing.T) {
	w := newWorld(t)
	first := w.plan()
	before := w.state()
	w.apply(w.plan())
	for name := range w.state() {
		if text, there := before[name]; there {
			w.write(name, text)
		} else if !strings.Contains(name, ledger.Name) {
			_ = os.Remove(filepath.Join(w.dir, name))
		}
	}
	other := *first // another plan of the same changes
	other.ID = "pl_" + strings.Repeat("b", 26)
	other.Checksum, _ = other.Sum()
	w.wantRefused(&other, plan.Stale)
}

// A plan that says other than a fresh one needs a person, who signs it.
func TestTheGate(t *testing.T) {
	w := newWorld(t)
	p := w.plan()
	p.Items[0].Reason = "1 change"
	p.Items[0].Params = []byte(strings.Replace(string(p.Items[0].Params), `\"new\"`, `\"bad\"`, 1))
	tampered := plan.Digest([]byte("# A.\nx = \"bad\" # here\n"))
	p.Items[0].Params = []byte(strings.Replace(string(p.Items[0].Params), plan.Digest([]byte("# A.\nx = \"new\" # here\n")), tampered, 1))
	p.Checksum, _ = p.Sum()
	w.wantRefused(p, plan.ApprovalRequired)

	odd := w.plan()
	odd.Items[0].Params = []byte(strings.Replace(string(odd.Items[0].Params), "{", `{"tampered":"yes",`, 1))
	odd.Checksum, _ = odd.Sum()
	w.wantRefused(odd, plan.ApprovalRequired)

	secret, public, err := note.GenerateKey(nil, "ada")
	if err != nil {
		t.Fatal(err)
	}
	keys, err := gate.ReadApprovers([]byte("# Ada may.\n"+public+"\n"), now)
	if err != nil {
		t.Fatal(err)
	}
	sign := func(key, text string) []byte {
		signer, err := note.NewSigner(key)
		if err != nil {
			t.Fatal(err)
		}
		b, err := note.Sign(&note.Note{Text: text}, signer)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	good := fmt.Sprintf("opcat.approval@1\nplan %s\npolicy_version %s\napproval_id ap-1\napprover ada\nexpires 2026-12-01T00:00:00Z\n", p.Checksum, gate.Standing.Version)
	other, _, err := note.GenerateKey(nil, "ada")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{
		"empty":          {},
		"unsigned":       []byte(good),
		"another key":    sign(other, good),
		"another plan":   sign(secret, strings.Replace(good, p.Checksum, plan.Digest(nil), 1)),
		"another policy": sign(secret, strings.Replace(good, gate.Standing.Version, "lax", 1)),
		"expired":        sign(secret, strings.Replace(good, "2026-12-01", "2026-11-01", 1)),
		"another person": sign(secret, strings.Replace(good, "approver ada", "approver bob", 1)),
		"a field more":   sign(secret, good+"scope all\n"),
	} {
		run := w.run(p)
		run.Approval, run.Approvers = text, keys
		var problem *plan.Problem
		if _, err := run.Apply(context.Background()); !errors.As(err, &problem) || problem.Code != plan.ApprovalInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	run := w.run(p)
	run.Approval, run.Approvers = sign(secret, good), keys
	r, err := run.Apply(context.Background())
	if err != nil || r.Status() != "complete" || w.read(names[0]) != "# A.\nx = \"bad\" # here\n" {
		t.Errorf("approved: %v", err)
	}
}

// No approval reaches outside of the source roots.
func TestOutsideIsDenied(t *testing.T) {
	for _, name := range []string{"secrets.toml", "../catalog_sources/x.toml", "catalog_sources/../../x.toml", "/etc/x.toml", "catalog_sources/x.sh", ".opcat/catalog_sources/x.toml"} {
		w := newWorld(t)
		p := w.plan()
		it, err := files.Edit(name, nil, []edit.Splice{{New: "x"}}, nil, "sneak")
		if err != nil {
			t.Fatal(err)
		}
		it.IdempotencyKey = plan.Digest(nil)
		p.Items = append(p.Items, *it)
		p.Checksum, _ = p.Sum()
		w.wantRefused(p, plan.PolicyDenied)
	}
}

// A dry run says what would be done, and writes nothing at all.
func TestDryRunWritesNothing(t *testing.T) {
	w := newWorld(t)
	before := w.state()
	run := w.run(w.plan())
	run.DryRun = true
	r, err := run.Apply(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	same(t, outcomes(r), "would_execute", "would_execute", "would_execute", "would_execute")
	if diff := cmp.Diff(before, w.state()); diff != "" {
		t.Error(diff)
	}
}

// What failed is reported item by item; what waits for it is skipped; and the same plan
// goes on where it stopped.
func TestPartialSuccessAndResume(t *testing.T) {
	w := newWorld(t)
	p := w.plan()
	folder := filepath.Join(w.dir, "catalog_sources/a")
	if err := os.Chmod(folder, 0o555); err != nil {
		t.Fatal(err)
	}
	if f, err := os.Create(filepath.Join(folder, "try")); err == nil { // a superuser writes anyway
		f.Close()
		_ = os.Remove(f.Name())
		_ = os.Chmod(folder, 0o755)
		failing := w.run(p)
		failing.Target = &stubborn{failing.Target, names[0]}
		r, err := failing.Apply(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		same(t, outcomes(r), "failed", "executed", "skipped", "executed")
		if r.Status() != "partial" {
			t.Error(r.Status())
		}
	} else {
		r := w.apply(p)
		same(t, outcomes(r), "failed", "executed", "skipped", "failed")
		_ = os.Chmod(folder, 0o755)
	}
	r := w.apply(p)
	got := outcomes(r)
	if got[0] != "executed" || got[1] != "landed_before" || got[2] != "executed" || r.Status() != "complete" {
		t.Errorf("resumed: %v", got)
	}
}

// stubborn fails on one item.
type stubborn struct {
	apply.Target
	id string
}

func (s *stubborn) Do(it *plan.Item) (string, error) {
	if it.ID == s.id {
		return "", errors.New("the disk is full")
	}
	return s.Target.Do(it)
}

// What lies ready is put in its place only while the file there still is as the plan found
// it; what was not needed does not stay.
func TestEditedWhileItLayReady(t *testing.T) {
	w := newWorld(t)
	run := w.run(w.plan())
	run.Step = func(step string) {
		if strings.HasPrefix(step, "ready") && w.read(names[1]) == "" {
			w.write(names[0], "x = \"mine\"\n")
			w.write(names[1], "x = \"mine too\"\n")
		}
	}
	r, err := run.Apply(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	same(t, outcomes(r), "failed", "failed", "skipped", "executed")
	if r.Results[0].Code != plan.Stale || r.Results[1].Code != plan.Stale || w.read(names[0]) != "x = \"mine\"\n" || w.read(names[1]) != "x = \"mine too\"\n" {
		t.Errorf("%+v: %q, %q", r.Results, w.read(names[0]), w.read(names[1]))
	}
	for _, folder := range []string{"catalog_sources/a", "catalog_sources/b", "capability_sources/a"} {
		left, err := filepath.Glob(filepath.Join(w.dir, folder, ".opcat-*"))
		if err != nil || len(left) > 0 {
			t.Errorf("%v %v", left, err)
		}
	}
}

// Of many items those that wait are carried out once what they wait for is confirmed in
// the ledger, and the others share their waits for the disk.
func TestWaitingAmongMany(t *testing.T) {
	w := newWorld(t)
	var items []plan.Item
	for i := range 280 {
		name, after := fmt.Sprintf("catalog_sources/p%d/f%d.toml", i/4, i%4), []string(nil)
		if i%4 > 1 {
			after = []string{items[i-1].ID, items[i-2].ID}
		}
		it, err := files.Edit(name, nil, []edit.Splice{{New: "x = 1\n"}}, nil, "1 change", after...)
		if err != nil {
			t.Fatal(err)
		}
		items = append(items, *it)
	}
	p, err := plan.New("opcat", "fragment plan", gate.Standing.Version,
		plan.Base{Target: w.dir, Files: w.load().Digests(), Inputs: []plan.Input{}, Options: map[string]string{}}, items, nil, now, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	run := w.run(p)
	run.Target = &watched{run.Target, func(it *plan.Item) {
		needs, err := it.MustHaveLanded()
		if err != nil {
			t.Fatal(err)
		}
		if len(needs) == 0 {
			return
		}
		state, err := ledger.Read(w.dir, p.Checksum, "")
		if err != nil {
			t.Fatal(err)
		}
		if state.Last[it.ID].Kind != ledger.Intent {
			t.Errorf("%s: no intent", it.ID)
		}
		for _, id := range needs {
			if state.Last[id].Kind != ledger.Confirm {
				t.Errorf("%s before %s", it.ID, id)
			}
		}
	}}
	run.Look = func() (gate.Look, error) {
		return gate.Look{Fresh: &plan.Plan{Items: items}, Outside: func(*plan.Item) string { return "" }}, nil
	}
	waits := 0
	run.Step = func(step string) {
		if strings.HasPrefix(step, "confirms") {
			waits++
		}
	}
	r, err := run.Apply(context.Background())
	if err != nil || r.Status() != "complete" || waits > 10 {
		t.Fatal(err, r.Status(), waits)
	}
	for i := range r.Results {
		if res := &r.Results[i]; res.Item.ID != items[i].ID || res.Outcome != apply.Executed || w.read(items[i].ID) != "x = 1\n" {
			t.Fatalf("%d: %+v", i, res)
		}
	}
}

// watched looks at each item before it is carried out.
type watched struct {
	apply.Target
	before func(*plan.Item)
}

func (s *watched) Do(it *plan.Item) (string, error) {
	s.before(it)
	return s.Target.Do(it)
}

// Of two applies at a time one does it all, and the other is told to come again.
func TestOneAtATime(t *testing.T) {
	w := newWorld(t)
	p := w.plan()
	first := w.run(p)
	var second error
	first.Step = func(step string) {
		if strings.HasPrefix(step, "intents") && second == nil {
			_, second = w.run(p).Apply(context.Background())
		}
	}
	r, err := first.Apply(context.Background())
	if err != nil || r.Status() != "complete" {
		t.Errorf("the first: %v", err)
	}
	var problem *plan.Problem
	if !errors.As(second, &problem) || problem.Code != plan.LockBusy {
		t.Errorf("the second: %v", second)
	}
}

// An item that is done and was changed afterwards is not done again.
func TestChangedAfterItLanded(t *testing.T) {
	w := newWorld(t)
	p := w.plan()
	w.apply(p)
	w.write(names[1], "x = \"mine\"\n")
	w.wantRefused(p, plan.Stale)
	if w.read(names[1]) != "x = \"mine\"\n" {
		t.Error("overwritten")
	}
	if err := os.Remove(filepath.Join(w.dir, names[1])); err != nil { // as if it had never been
		t.Fatal(err)
	}
	r := w.apply(p)
	same(t, outcomes(r), "landed_before", "failed", "landed_before", "landed_before")
	if r.Results[1].Code != plan.Stale || w.read(names[1]) != "" {
		t.Errorf("%s: %q", r.Results[1].Code, w.read(names[1]))
	}
}

// An interrupted run stops between items and says so; the same plan goes on.
func TestInterrupted(t *testing.T) {
	w := newWorld(t)
	p := w.plan()
	ctx, cancel := context.WithCancel(context.Background())
	run := w.run(p)
	run.Step = func(step string) {
		if strings.HasPrefix(step, "confirms") {
			cancel()
		}
	}
	r, err := run.Apply(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if got := outcomes(r); got[0] != "executed" || got[2] != "skipped" || r.Status() != "partial" {
		t.Errorf("%v %s", got, r.Status())
	}
	if r := w.apply(p); r.Status() != "complete" {
		t.Error(r.Status())
	}
}

// A ledger in which something was changed is trusted no more; one whose last line was
// cut off by a kill is.
func TestLedger(t *testing.T) {
	w := newWorld(t)
	p := w.plan()
	w.apply(p)
	text := w.read(ledger.Name)
	w.write(ledger.Name, text[:len(text)-10])
	if r := w.apply(p); r.Status() != "noop" {
		t.Errorf("cut off: %s", r.Status())
	}
	w.write(ledger.Name, strings.Replace(text, `"kind":"confirm"`, `"kind":"skipped"`, 1))
	w.wantRefused(p, plan.StateCorrupt)
	lines := strings.SplitAfter(text, "\n")
	w.write(ledger.Name, strings.Join(slices.Delete(lines, 1, 2), ""))
	w.wantRefused(p, plan.StateCorrupt)
}

// killAt names the step at which a run of this test's own binary kills itself.
const killAt = "OPCAT_TEST_KILL_AT"

func TestMain(m *testing.M) {
	if at, err := strconv.Atoi(os.Getenv(killAt)); err == nil {
		child(at)
		return
	}
	os.Exit(m.Run())
}

// child applies the plan of its folder and dies at a step, as by kill -9.
func child(at int) {
	dir := os.Args[1]
	text, err := os.ReadFile(filepath.Join(dir, "plan.json"))
	if err != nil {
		panic(err)
	}
	p, err := plan.Read(text, "opcat", "fragment plan", now)
	if err != nil {
		panic(err)
	}
	run := (&world{dir: dir}).run(p)
	step := 0
	run.Step = func(string) {
		if step++; step == at {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			time.Sleep(time.Minute)
		}
	}
	if r, err := run.Apply(context.Background()); err != nil || r.Status() == "partial" {
		panic(fmt.Sprint(err, r))
	}
}

// A process that is killed after any durable step leaves a tree from which the same
// plan goes on to the same end, doing nothing twice.
func TestKilledAtEveryStep(t *testing.T) {
	wanted := newWorld(t)
	wanted.apply(wanted.plan())
	for at := 1; ; at++ {
		w := newWorld(t)
		p := w.plan()
		text, err := p.MarshalIndent()
		if err != nil {
			t.Fatal(err)
		}
		w.write("plan.json", string(text))
		cmd := exec.Command(os.Args[0], w.dir)
		cmd.Env = append(os.Environ(), killAt+"="+strconv.Itoa(at))
		out, err := cmd.CombinedOutput()
		if err == nil {
			if at < 8 {
				t.Errorf("only %d steps", at)
			}
			return // there are no more steps
		}
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			t.Fatalf("step %d: %v\n%s", at, err, out)
		}
		done := 0
		for _, name := range names {
			if w.read(name) == wanted.read(name) {
				done++
			}
		}
		r := w.apply(p)
		for i := range r.Results {
			if !r.Results[i].Landed() {
				t.Errorf("step %d: %s %s", at, r.Results[i].Item.ID, r.Results[i].Outcome)
			}
			if r.Results[i].Outcome == apply.Executed {
				done++
			}
		}
		if done != len(names) {
			t.Errorf("step %d: %d of %d were done, or some twice", at, done, len(names))
		}
		for _, name := range names {
			if w.read(name) != wanted.read(name) {
				t.Errorf("step %d: %s holds %q", at, name, w.read(name))
			}
		}
	}
}
