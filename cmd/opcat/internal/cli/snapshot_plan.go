package cli

import (
	"context"
	"io"
	"time"

	snapshot "github.com/opcat/opcat/gen/json"
	"github.com/opcat/opcat/plan"
	"github.com/opcat/opcat/plan/accepted"
	"github.com/opcat/opcat/plan/gate"
	"github.com/opcat/opcat/plan/ledger"
)

func snapshotPlan() Command {
	var source, noteFile, out string
	var life time.Duration
	return Command{
		Path: "snapshot plan", Tier: 1, Family: Mutation, Short: "adopt a newer signed snapshot, for queries without --sources",
		Long: "A snapshot is a compiled catalog and a signed note that says its version, its expiry, its size and its digest. Its signer must be one of\n" +
			"the publishers of this machine: the keys in the file that OPCAT_PUBLISHERS names, else in /etc/opcat/publishers. Its version must be\n" +
			"above the program's own, which is the date of its catalog as 20261130, and above every one adopted before.\n" +
			"Nothing is changed: the plan is printed and written to --out, and `snapshot apply` carries it out.",
		Result: "opcat.plan@1", Schema: planSchema,
		Flags: []Flag{
			PathFlag(&source, "source", "the candidate's catalog.json").Needed(),
			PathFlag(&noteFile, "note", "the signed note of it").Needed(),
			PathFlag(&out, "out", "file to write the plan to; else plan.json in the run dir"),
			DurationFlag(&life, "life", plan.DefaultLife, "how long the plan may be applied; at most 24h"),
		},
		Errors:  []Code{ArtifactMissing, ArtifactInvalid, PlanInvalid, SignatureInvalid, SnapshotRollback, StateCorrupt},
		Example: []string{"snapshot", "plan", "--source", "catalog.json", "--note", "catalog.note", "--json"},
		Run: func(_ context.Context, inv *Invocation) (Result, error) {
			if err := withinLife(life); err != nil {
				return Result{}, err
			}
			if err := planFile(out, ""); err != nil {
				return Result{}, err
			}
			made, err := planSnapshot(inv, source, noteFile, life)
			if err != nil {
				return Result{}, problem(err)
			}
			path, err := keepPlan(inv, made, out)
			if err != nil {
				return Result{}, err
			}
			return Result{Data: made, Text: func(w io.Writer) { planText(w, made, path, inv.app.Tool+" snapshot apply --plan "+path) },
				Outcome: Outcome{Unit: CountUnit, Projected: figure(len(made.Items))}}, nil
		},
	}
}

func planSnapshot(inv *Invocation, source, noteFile string, life time.Duration) (*plan.Plan, error) {
	dir := snapshotDir(inv)
	if dir == "" {
		return nil, Fail(ArtifactMissing, "there is no place for a snapshot: neither XDG_STATE_HOME nor HOME names a folder").Where(At{Item: "XDG_STATE_HOME"})
	}
	r, c, inputs, err := release(inv, source, noteFile)
	if err != nil {
		return nil, err
	}
	own, err := snapshot.Catalog()
	if err != nil {
		return nil, err
	}
	store := accepted.At(dir)
	above, record, err := store.InUse(accepted.VersionOf(own))
	if err != nil {
		return nil, err
	}
	var items []plan.Item
	if record == nil || record.Version != r.Version || record.Digest != c.Digest() {
		it, err := accepted.Item(source, r, c, above, inv.Now())
		if err != nil {
			return nil, err
		}
		items = append(items, *it)
	}
	digests, err := store.Digests()
	if err != nil {
		return nil, err
	}
	head, err := ledger.Head(dir)
	if err != nil {
		return nil, err
	}
	base := plan.Base{Target: dir, Files: digests, Inputs: inputs, Options: map[string]string{}, LedgerHead: head}
	return plan.New(inv.app.Tool, "snapshot plan", gate.Standing.Version, base, items, nil, inv.Now(), life)
}
