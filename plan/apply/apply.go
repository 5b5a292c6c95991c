// Package apply carries a plan out: once, whole where it can be, and again from where
// it was stopped.
//
// What is about to be done is written to the ledger before, and what was done after;
// both are durable before the next step. So at whatever point a run is killed, the
// next one finds in the ledger and in the target what has been done, and does the
// rest. Of two runs at a time one has the target's lock, and the other is told so.
//
// Package apply does not know what an item does: that is its Target's.
package apply

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/gofrs/flock"
	"github.com/opcat/opcat/plan"
	"github.com/opcat/opcat/plan/gate"
	"github.com/opcat/opcat/plan/ledger"
)

// lockName is the file in the root of a target that a run locks where a folder cannot be
// locked. Elsewhere a refused plan leaves not even that.
const lockName = ".opcat-lock"

// A Target is what a plan changes.
type Target interface {
	// Check refuses an item that it cannot carry out, whatever the state of things.
	Check(*plan.Item) error

	// Moved lists what is not as the plan's base has it and not as one of the plan's
	// own items leaves it.
	Moved(*plan.Plan) ([]string, error)

	// Look says how things stand for an item, and the digest of what is there.
	Look(*plan.Item) (State, string, error)

	// Ready prepares items that are about to be carried out, beside their places and
	// durably, as far as it can: what it does not prepare Do does from the start.
	Ready([]*plan.Item)

	// Do carries an item out and gives the digest of what is there then.
	Do(*plan.Item) (string, error)

	// Settle makes what was done since the last time durable. The ledger confirms an item
	// only after that.
	Settle() error
}

// A State is how things stand for an item.
type State uint8

// The states. Unknown is that nobody can tell.
const (
	Unknown State = iota
	Undone
	Done
	Elsewhere // neither as before nor as wanted
)

// Run is one run of apply.
type Run struct {
	Plan      *plan.Plan
	Dir       string // the target's root, where ledger and lock lie
	Target    Target
	Policy    gate.Policy
	Look      func() (gate.Look, error) // taken under the lock
	Approval  []byte                    // nil for none
	Approvers *gate.Approvers
	Now       func() time.Time
	DryRun    bool          // look, and write nothing
	Wait      time.Duration // how long to wait for the lock

	// Step is called after each durable step, for tests that stop there.
	Step func(step string)
}

// An Outcome is what became of an item.
type Outcome string

// The outcomes. Would is a dry run's: it would be executed.
const (
	Executed     Outcome = "executed"
	Noop         Outcome = "noop"
	LandedBefore Outcome = "landed_before"
	Failed       Outcome = "failed"
	Skipped      Outcome = "skipped"
	Indefinite   Outcome = "unknown"
	Would        Outcome = "would_execute"
)

// Outcomes are all of them.
var Outcomes = []Outcome{Executed, Noop, LandedBefore, Failed, Skipped, Indefinite, Would}

// A Result is what became of one item.
type Result struct {
	Item    *plan.Item
	Outcome Outcome
	Code    string // of one that failed
	Why     string
	Digest  string // of what is there now
}

// Landed reports whether the item is as wanted now.
func (r *Result) Landed() bool {
	return r.Outcome == Executed || r.Outcome == Noop || r.Outcome == LandedBefore
}

// A Report is what became of all.
type Report struct {
	Results []Result
}

// Status is complete, partial or noop. A plan without anything to do is a noop.
func (r *Report) Status() string {
	status := "noop"
	for i := range r.Results {
		switch res := &r.Results[i]; {
		case res.Outcome == Executed || res.Outcome == Would:
			status = "complete"
		case !res.Landed():
			return "partial"
		}
	}
	return status
}

// chunk is how many items share the waits for the disk. What is intended and not
// confirmed is looked at again, so sharing loses nothing.
const chunk = 128

// Apply carries the plan out. The report holds what became of each item; the error is
// why nothing of it was begun.
func (run *Run) Apply(ctx context.Context) (*Report, error) {
	for i := range run.Plan.Items {
		if err := run.Target.Check(&run.Plan.Items[i]); err != nil {
			return nil, err
		}
	}
	if err := run.checkOrder(); err != nil {
		return nil, err
	}
	unlock, err := run.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	state, err := ledger.Read(run.Dir, run.Plan.Checksum, run.Plan.Base.LedgerHead)
	if err != nil {
		return nil, err
	}
	if err := run.fresh(state); err != nil {
		return nil, err
	}
	look, err := run.Look()
	if err != nil {
		return nil, err
	}
	if err := gate.Pass(run.Plan, run.Policy, look, run.Approval, run.Approvers); err != nil {
		return nil, err
	}
	return run.items(ctx, state)
}

// checkOrder wants that an item waits for items before it alone.
func (run *Run) checkOrder() error {
	seen := map[string]bool{}
	for i := range run.Plan.Items {
		it := &run.Plan.Items[i]
		needs, err := it.MustHaveLanded()
		if err != nil {
			return err
		}
		for _, id := range needs {
			if !seen[id] {
				return plan.Fail(plan.Invalid, "item '%s' waits for '%s', which is no item before it", it.ID, id).OnItem(it.ID)
			}
		}
		seen[it.ID] = true
	}
	return nil
}

// lock takes the target's lock. It is the system's: a process that is killed holds it
// no longer.
func (run *Run) lock(ctx context.Context) (unlock func(), err error) {
	l := flock.New(run.Dir, flock.SetFlag(os.O_RDONLY))
	if runtime.GOOS == "windows" {
		path := filepath.Join(run.Dir, lockName)
		if _, err := os.Stat(path); run.DryRun && err != nil {
			return func() {}, nil
		}
		l = flock.New(path)
	}
	got := false
	if run.Wait > 0 {
		within, cancel := context.WithTimeout(ctx, run.Wait)
		defer cancel()
		if got, err = l.TryLockContext(within, 50*time.Millisecond); errors.Is(err, context.DeadlineExceeded) {
			err = nil
		}
	} else {
		got, err = l.TryLock()
	}
	if err != nil {
		return nil, err
	}
	if !got {
		return nil, plan.Fail(plan.LockBusy, "another apply is at work on this target; try again when it has ended")
	}
	return func() { _ = l.Unlock() }, nil
}

// fresh checks that the base of the plan still is as it was, but for what this very
// plan has changed.
func (run *Run) fresh(state *ledger.State) error {
	moved, err := run.Target.Moved(run.Plan)
	if err != nil {
		return err
	}
	if len(moved) > 0 {
		more := ""
		if n := len(moved) - 5; n > 0 {
			more = fmt.Sprintf(" and %d more", n)
		}
		p := plan.Fail(plan.Stale, "changed since the plan was made: %s%s; plan again", join(moved[:min(len(moved), 5)]), more)
		return p.OnFile(moved[0])
	}
	if !state.Ahead {
		return plan.Fail(plan.Stale, "another plan has been applied since this one was made; plan again").OnFile(ledger.Name)
	}
	return nil
}

func join(words []string) string {
	out := ""
	for i, w := range words {
		if i > 0 {
			out += ", "
		}
		out += w
	}
	return out
}

func (run *Run) step(format string, args ...any) {
	if run.Step != nil {
		run.Step(fmt.Sprintf(format, args...))
	}
}

// items goes through the items, some at a time.
func (run *Run) items(ctx context.Context, state *ledger.State) (*Report, error) {
	report := &Report{Results: make([]Result, len(run.Plan.Items))}
	var book *ledger.Ledger
	if !run.DryRun && len(run.Plan.Items) > 0 {
		var err error
		if book, err = ledger.Open(run.Dir, run.Now); err != nil {
			return nil, err
		}
		defer book.Close()
	}
	landed := map[string]bool{}
	for i := range report.Results {
		report.Results[i].Item = &run.Plan.Items[i]
	}
	for left := pointers(report.Results); len(left) > 0; {
		var part []*Result
		part, left = together(left)
		if err := run.some(ctx, part, state, book, landed); err != nil {
			// The ledger cannot be written: what is done is done, and nothing more is.
			for i := range report.Results {
				if r := &report.Results[i]; r.Outcome == "" {
					r.Outcome, r.Code, r.Why = Failed, code(err), err.Error()
				}
			}
			return report, nil
		}
	}
	return report, nil
}

func pointers(list []Result) []*Result {
	out := make([]*Result, len(list))
	for i := range list {
		out[i] = &list[i]
	}
	return out
}

// together takes the first items out of a list that wait for none of the others: not of
// each other, and not of one that is left.
func together(list []*Result) (part, left []*Result) {
	open := make(map[string]bool, len(list))
	for i, r := range list {
		needs, _ := r.Item.MustHaveLanded() // checkOrder has read them
		if len(part) == chunk {
			return part, append(left, list[i:]...)
		}
		if slices.ContainsFunc(needs, func(id string) bool { return open[id] }) {
			left = append(left, r)
		} else {
			part = append(part, r)
		}
		open[r.Item.ID] = true
	}
	return part, left
}

// some carries items out that wait for none of each other.
func (run *Run) some(ctx context.Context, part []*Result, state *ledger.State, book *ledger.Ledger, landed map[string]bool) error {
	var intents, ends []ledger.Record
	var work, seen []*Result
	for _, r := range part {
		begins := run.decide(ctx, r, state, landed)
		if r.Outcome == Would || run.DryRun {
			landed[r.Item.ID] = r.Landed() || r.Outcome == Would
			continue
		}
		if begins {
			in := run.record(r, ledger.Intent)
			in.Params = r.Item.ParamsDigest()
			intents = append(intents, in)
		}
		switch r.Outcome {
		case "":
			work = append(work, r)
		case Noop:
			seen = append(seen, r)
		case Skipped, Failed:
			kind := ledger.Skipped
			if r.Outcome == Failed {
				kind = ledger.Failed
			}
			end := run.record(r, kind)
			end.Code, end.Why = r.Code, r.Why
			ends = append(ends, end)
		}
	}
	if run.DryRun {
		return nil
	}
	if len(intents) > 0 {
		if err := book.Append(intents...); err != nil {
			return err
		}
		run.step("intents of %s", part[0].Item.ID)
	}
	items := make([]*plan.Item, len(work))
	for i, r := range work {
		items[i] = r.Item
	}
	run.Target.Ready(items)
	if len(work) > 0 {
		run.step("ready for %s", work[0].Item.ID)
	}
	for _, r := range work {
		end := run.record(r, ledger.Confirm)
		if digest, err := run.Target.Do(r.Item); err != nil {
			r.Outcome, r.Code, r.Why = Failed, code(err), message(err)
			end.Kind, end.Code, end.Why = ledger.Failed, r.Code, r.Why
		} else {
			r.Outcome, r.Digest, end.Result = Executed, digest, digest
			run.step("item %s", r.Item.ID)
		}
		ends = append(ends, end)
	}
	if err := run.Target.Settle(); err != nil { // nobody can tell what of it would stay
		for i, r := range work {
			if r.Outcome == Executed {
				r.Outcome, r.Code, r.Why = Failed, code(err), message(err)
				end := &ends[len(ends)-len(work)+i]
				end.Kind, end.Code, end.Why, end.Result = ledger.Failed, r.Code, r.Why, ""
			}
		}
	}
	for _, r := range seen {
		end := run.record(r, ledger.Confirm)
		end.Result, end.Observed = r.Digest, true
		ends = append(ends, end)
	}
	if len(ends) > 0 {
		if err := book.Append(ends...); err != nil {
			return err
		}
		run.step("confirms of %s", part[0].Item.ID)
	}
	for _, r := range part {
		landed[r.Item.ID] = r.Landed()
	}
	return nil
}

// decide settles what is to be done with an item, by what the ledger and the target
// say of it. Its outcome stays empty if it is to be executed. It reports whether an
// intent is due.
func (run *Run) decide(ctx context.Context, r *Result, state *ledger.State, landed map[string]bool) (begins bool) {
	last, known := state.Last[r.Item.ID]
	there, digest, err := run.Target.Look(r.Item)
	r.Digest = digest
	needs, _ := r.Item.MustHaveLanded()
	wait := ""
	for _, id := range needs {
		if !landed[id] {
			wait = id
		}
	}
	switch {
	case known && last.Kind == ledger.Confirm && there == Done:
		r.Outcome = LandedBefore
	case known && last.Kind == ledger.Confirm && there != Unknown:
		r.Outcome, r.Code, r.Why = Failed, plan.Stale, "somebody changed it after it was applied"
	case ctx.Err() != nil:
		r.Outcome, r.Why = Skipped, "interrupted"
	case there == Unknown:
		r.Outcome, r.Code, r.Why = Indefinite, plan.Reconcile, "nobody can tell whether it is done"
		if err != nil {
			r.Why += ": " + message(err)
		}
	case wait != "":
		r.Outcome, r.Why = Skipped, "it waits for "+wait+", which has not landed"
	case there == Done:
		r.Outcome = Noop
		begins = !known || last.Kind != ledger.Intent
	case there == Elsewhere:
		r.Outcome, r.Code, r.Why = Failed, plan.Stale, "it is not as it was when the plan was made"
	case run.DryRun:
		r.Outcome = Would
	default:
		begins = !known || last.Kind != ledger.Intent
	}
	return begins
}

func (run *Run) record(r *Result, kind ledger.Kind) ledger.Record {
	return ledger.Record{Kind: kind, Checksum: run.Plan.Checksum, PlanID: run.Plan.ID, ItemID: r.Item.ID, IdempotencyKey: r.Item.IdempotencyKey}
}

// code is the code of what went wrong with an item.
func code(err error) string {
	var p *plan.Problem
	if errors.As(err, &p) {
		return p.Code
	}
	return "INTERNAL"
}

func message(err error) string {
	var p *plan.Problem
	if errors.As(err, &p) {
		return p.Message
	}
	return err.Error()
}
