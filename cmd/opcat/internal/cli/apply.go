package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"github.com/opcat/opcat/cmd/opcat/internal/schema"
	"github.com/opcat/opcat/plan"
	"github.com/opcat/opcat/plan/apply"
	"github.com/opcat/opcat/plan/files"
	"github.com/opcat/opcat/plan/gate"
)

// applyData is what became of a plan.
type applyData struct {
	PlanID   string         `json:"plan_id"`
	Checksum string         `json:"checksum"`
	Status   string         `json:"status"` // complete, partial, noop
	DryRun   bool           `json:"dry_run"`
	Counts   map[string]int `json:"counts"` // by outcome
	Items    []appliedItem  `json:"items"`
	Failed   []appliedItem  `json:"failed"` // those that have not landed
}

type appliedItem struct {
	ID       string `json:"id"`
	Action   string `json:"action"`
	Executed bool   `json:"executed"`
	Outcome  string `json:"outcome"`
	Code     string `json:"code,omitempty"`
	Why      string `json:"why,omitempty"`
	Result   string `json:"result,omitempty"` // the digest of what is there now
}

// A place is what the plans of a resource change, opened for one of them.
type place struct {
	dir    string
	target apply.Target
	look   func() (gate.Look, error)
	close  func() error // nil for none
}

// applyCommand is the command that carries plans of a resource out.
func applyCommand(resource, short string, open func(context.Context, *Invocation, *plan.Plan) (*place, error), codes ...Code) Command {
	var planFile, approval string
	var strict bool
	return Command{
		Path: resource + " apply", Tier: 1, RW: Write, Family: Mutation, Short: short,
		Long: "Each file is written whole or not at all, and what has been done stands in a ledger beside what is changed: where a run is stopped, the\n" +
			"next one with the same plan goes on. A plan is refused when what it was made of changed since, when it expired, and when it says other\n" +
			"than a fresh one would: then a person approves it with a signed note. No flag goes round that.",
		Result: "opcat.apply@1", Schema: applySchema,
		Flags: []Flag{
			PathFlag(&planFile, "plan", "the plan to carry out").Needed(),
			PathFlag(&approval, "approval", "a signed note that approves this plan"),
			BoolFlag(&strict, "strict", "a part that failed fails the command"),
		},
		Errors: append([]Code{ArtifactMissing, ArtifactInvalid, DecodeFailed, Contradiction, ValidationFailed, PlanInvalid, PlanChecksumMismatch, PlanStale,
			PlanExpired, LockBusy, PartialApply, ApprovalRequired, ApprovalInvalid, PolicyDenied, ReconcileRequired, StateCorrupt, JournalWriteFailed}, codes...),
		Example: []string{resource, "apply", "--plan", "plan.json", "--json"},
		Run: func(ctx context.Context, inv *Invocation) (Result, error) {
			// A plan and a fresh one of the same are held beside each other: here memory is
			// dearer than the time of a few more collections.
			defer debug.SetGCPercent(debug.SetGCPercent(40))
			text, err := readPlan(planFile)
			if err != nil {
				return Result{}, err
			}
			made, err := plan.Read(text, inv.app.Tool, resource+" plan", inv.Now())
			if err != nil {
				return Result{}, again(inv, resource, err)
			}
			var note []byte
			if approval != "" {
				if note, err = readInput("--approval", approval); err != nil {
					return Result{}, err
				}
				note = append([]byte{}, note...) // given, even if it is empty
			}
			keys, err := approvers(inv)
			if err != nil {
				return Result{}, err
			}
			at, err := open(ctx, inv, made)
			if err != nil {
				return Result{}, again(inv, resource, err)
			}
			if at.close != nil {
				defer at.close()
			}
			run := &apply.Run{Plan: made, Dir: at.dir, Target: at.target, Look: at.look, Policy: gate.Standing, Approval: note, Approvers: keys,
				Now: inv.Now, DryRun: inv.DryRun, Step: inv.app.step}
			if inv.Wait {
				run.Wait = inv.Timeout
			}
			report, err := run.Apply(ctx)
			if err != nil {
				return Result{}, again(inv, resource, err)
			}
			return finish(ctx, inv, made, report, strict)
		},
	}
}

// again adds that a new plan is to be made, where that helps.
func again(inv *Invocation, resource string, err error) error {
	err = problem(err)
	var e *Error
	if errors.As(err, &e) && e.Hint == "" && slices.Contains([]Code{PlanStale, PlanExpired, PlanChecksumMismatch, PlanInvalid}, e.Code) {
		e.Saying(inv.app.Tool + " " + resource + " plan")
	}
	return err
}

// readPlan reads the file of a plan, which may be larger than a fragment.
func readPlan(path string) ([]byte, error) {
	if isDir(path) {
		return nil, unreadable("--plan", path, errors.New("it is not a regular file"))
	}
	return readUpTo("--plan", path, plan.MaxBytes)
}

// applyCommand is the command that carries the planner's plans out.
func (p *planner) applyCommand(short string, codes ...Code) Command {
	return applyCommand(p.resource, short, p.open, codes...)
}

// open opens the tree that a plan is for.
func (p *planner) open(ctx context.Context, inv *Invocation, made *plan.Plan) (*place, error) {
	dir := filepath.FromSlash(made.Base.Target)
	if !isDir(dir) {
		return nil, Fail(ArtifactMissing, "there is no folder '%s', which the plan is for; apply it where it was made", clip(dir, maxGot)).Where(At{File: clip(dir, maxGot)})
	}
	tree := files.Open(dir)
	return &place{dir: dir, target: tree, close: tree.Close, look: func() (gate.Look, error) {
		fresh, err := p.fresh(ctx, inv, made, dir, tree)
		return gate.Look{Fresh: fresh, Outside: tree.Outside}, err
	}}, nil
}

// fresh plans again what a plan says, of the sources as they were before any of it was
// carried out.
func (p *planner) fresh(ctx context.Context, inv *Invocation, made *plan.Plan, target string, tree *files.Tree) (*plan.Plan, error) {
	if len(made.Items) == 0 {
		return made, nil // it does nothing, whatever a fresh one would
	}
	now, err := files.Load(target)
	if err != nil {
		return nil, err
	}
	before, err := tree.Before(now, made)
	if err != nil {
		return nil, err
	}
	d, err := p.draft(ctx, inv, before, made.Base.Options, true)
	if err != nil {
		return nil, err
	}
	for i, in := range d.inputs {
		if i >= len(made.Base.Inputs) || made.Base.Inputs[i] != in {
			return nil, plan.Fail(plan.Stale, "%s is not what the plan was made of; plan again", in.Name).OnFile(in.Path)
		}
	}
	return &plan.Plan{Items: d.items}, nil
}

// finish says what became of the plan, and leaves it in the run dir.
func finish(ctx context.Context, inv *Invocation, made *plan.Plan, report *apply.Report, strict bool) (Result, error) {
	data := applyData{PlanID: made.ID, Checksum: made.Checksum, Status: report.Status(), DryRun: inv.DryRun, Counts: map[string]int{},
		Items: []appliedItem{}, Failed: []appliedItem{}}
	landed, executed := 0, 0
	var first *apply.Result
	for i := range report.Results {
		r := &report.Results[i]
		item := appliedItem{ID: r.Item.ID, Action: r.Item.Action, Executed: r.Outcome == apply.Executed, Outcome: string(r.Outcome), Code: r.Code, Why: r.Why, Result: r.Digest}
		data.Counts[item.Outcome]++
		data.Items = append(data.Items, item)
		switch {
		case r.Outcome == apply.Executed:
			executed++
			landed++
		case r.Landed(), r.Outcome == apply.Would:
			landed++
		default:
			data.Failed = append(data.Failed, item)
			if first == nil && r.Code != "" {
				first = r
			}
		}
	}
	if err := leave(inv, made, &data, report); err != nil {
		return Result{}, err
	}
	switch {
	case landed == 0 && first != nil:
		e := Fail(Code(first.Code), "%s: %s", first.Item.ID, first.Why).Where(At{Item: clip(first.Item.ID, maxGot)})
		return Result{}, e
	case landed == 0 && len(data.Failed) > 0 && ctx.Err() != nil:
		return Result{}, interrupted()
	case len(data.Failed) > 0 && strict:
		return Result{}, Fail(PartialApply, "%s of %d did not land; the report is in the run dir, and the same command goes on", count(len(data.Failed), "item"), len(data.Items)).
			Where(At{File: "apply.json"})
	case len(data.Failed) > 0:
		inv.Warn(string(PartialApply), "%s of %d did not land; the same command goes on with them", count(len(data.Failed), "item"), len(data.Items))
	}
	return Result{Data: &data, Text: data.text, Outcome: Outcome{Unit: CountUnit, Projected: figure(len(data.Items)), Realized: figure(landed)}}, nil
}

// leave writes the report, and a line for each action that was taken, for the log of
// the platform.
func leave(inv *Invocation, made *plan.Plan, data *applyData, report *apply.Report) error {
	dir, err := inv.RunDir()
	if err != nil {
		return err
	}
	text, err := marshal(data)
	if err != nil {
		return err
	}
	if err := dir.WriteFile("apply.json", append(text, '\n')); err != nil {
		return err
	}
	var log bytes.Buffer
	for i := range report.Results {
		r := &report.Results[i]
		if r.Outcome != apply.Executed {
			continue
		}
		line, err := marshal(actionRecorded{Event: "action.recorded", At: inv.Now().Format(time.RFC3339), Tool: inv.app.Tool, Command: inv.Command.Path,
			PlanID: made.ID, ItemID: r.Item.ID, Action: r.Item.Action, Reason: r.Item.Reason, IdempotencyKey: r.Item.IdempotencyKey, Targets: r.Item.Targets, Result: r.Digest})
		if err != nil {
			return err
		}
		log.Write(append(line, '\n'))
	}
	if log.Len() == 0 {
		return nil
	}
	return dir.WriteFile("actions.jsonl", log.Bytes())
}

// actionRecorded is one action in the log of the platform.
type actionRecorded struct {
	Event          string   `json:"event"`
	At             string   `json:"at"`
	Tool           string   `json:"tool"`
	Command        string   `json:"command"`
	PlanID         string   `json:"plan_id"`
	ItemID         string   `json:"item_id"`
	Action         string   `json:"action"`
	Reason         string   `json:"reason"`
	IdempotencyKey string   `json:"idempotency_key"`
	Targets        []string `json:"target_resource_ids"`
	Result         string   `json:"result"`
}

// text writes the report as a person reads one.
func (d *applyData) text(w io.Writer) {
	if d.DryRun {
		fmt.Fprintf(w, "A dry run: nothing was written.\n")
	}
	shown := d.Items
	if len(shown) > maxShown {
		shown = append(slices.Clone(d.Failed[:min(len(d.Failed), maxShown)]), d.Items[:max(0, maxShown-len(d.Failed))]...)
	}
	for _, it := range shown {
		line := it.Outcome + " " + it.ID
		if it.Why != "" {
			line += ": " + it.Why
		}
		if it.Code != "" {
			line += " (" + it.Code + ")"
		}
		fmt.Fprintln(w, line)
	}
	if n := len(d.Items) - len(shown); n > 0 {
		fmt.Fprintf(w, "and %d more\n", n)
	}
	fmt.Fprintf(w, "%s: %s, %d failed\n", d.Status, count(len(d.Items), "item"), len(d.Failed))
}

func figure(n int) json.Number { return json.Number(strconv.Itoa(n)) }

func applySchema() schema.Schema {
	outcomes := make([]string, len(apply.Outcomes))
	for i, o := range apply.Outcomes {
		outcomes[i] = string(o)
	}
	item := schema.Object(
		schema.Prop("id", schema.String()),
		schema.Prop("action", schema.Enum(plan.Actions...)),
		schema.Prop("executed", schema.Bool()),
		schema.Prop("outcome", schema.Enum(outcomes...)),
		schema.Opt("code", schema.String()),
		schema.Opt("why", schema.String()),
		schema.Opt("result", schema.String()))
	return schema.Object(
		schema.Prop("plan_id", schema.String()),
		schema.Prop("checksum", schema.String()),
		schema.Prop("status", schema.Enum("complete", "partial", "noop")),
		schema.Prop("dry_run", schema.Bool()),
		schema.Prop("counts", schema.Map(schema.Int())),
		schema.Prop("items", schema.Array(item)),
		schema.Prop("failed", schema.Array(item)))
}
