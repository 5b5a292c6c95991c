package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"

	snapshot "github.com/opcat/opcat/gen/json"
	"github.com/opcat/opcat/plan"
	"github.com/opcat/opcat/plan/accepted"
	"github.com/opcat/opcat/plan/gate"
)

func snapshotApply() Command {
	return applyCommand("snapshot", "adopt a snapshot as a plan says", openSnapshot, SignatureInvalid, SnapshotRollback)
}

// openSnapshot reads the candidate of a plan again, and opens the place that it goes to.
func openSnapshot(_ context.Context, inv *Invocation, made *plan.Plan) (*place, error) {
	dir := snapshotDir(inv)
	if made.Base.Target != dir {
		return nil, plan.Fail(plan.Stale, "the plan is for the snapshot in '%s', and this user's lies in '%s'; plan again", clip(made.Base.Target, maxGot), dir)
	}
	path := func(name string) string {
		for _, in := range made.Base.Inputs {
			if in.Name == name {
				return in.Path
			}
		}
		return ""
	}
	r, c, inputs, err := release(inv, path(candidate), path("note"))
	if err != nil {
		return nil, err
	}
	for i, in := range inputs {
		if made.Base.Inputs[i] != in {
			return nil, plan.Fail(plan.Stale, "%s is not what the plan was made of; plan again", in.Path).OnFile(in.Path)
		}
	}
	own, err := snapshot.Catalog()
	if err != nil {
		return nil, err
	}
	target := &accepted.Target{Store: accepted.At(dir), Source: path(candidate), Release: r, Catalog: c}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) && !inv.DryRun {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	} else if err != nil && inv.DryRun {
		dir = os.TempDir() // where nothing is adopted yet, there is nothing to lock
	}
	return &place{dir: dir, target: target, look: func() (gate.Look, error) {
		if len(made.Items) == 0 {
			return gate.Look{Fresh: made, Outside: target.Outside}, nil // it does nothing
		}
		fresh, err := target.Fresh(accepted.VersionOf(own), inv.Now())
		return gate.Look{Fresh: fresh, Outside: target.Outside}, err
	}}, nil
}
