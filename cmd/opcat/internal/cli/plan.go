package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/opcat/opcat/cmd/opcat/internal/schema"
	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/plan"
	"github.com/opcat/opcat/plan/files"
	"github.com/opcat/opcat/plan/gate"
	"github.com/opcat/opcat/plan/ledger"
)

// A planner plans edits of a source tree for one resource.
type planner struct {
	resource string
	flags    []Flag // of its plan

	// options says what the flags are, as far as they change what is planned.
	options func(*Invocation) (map[string]string, error)

	// draft plans. It may add to the options what it found out, so that the same
	// options give the same draft again, and faster. again says that they are of a
	// draft before.
	draft func(ctx context.Context, inv *Invocation, tree *files.Snapshot, options map[string]string, again bool) (*draft, error)
}

// A draft is what a planner gives.
type draft struct {
	items  []plan.Item
	kept   []plan.Kept
	inputs []plan.Input // read besides the sources
}

// planCommand is the command that plans.
func (p *planner) planCommand(short, long string, example []string, codes ...Code) Command {
	var sources, out string
	var life time.Duration
	return Command{
		Path: p.resource + " plan", Tier: 1, Family: Mutation, Short: short,
		Long: long + "\n" + strings.TrimSpace(`
Nothing is changed: the plan is printed and written to --out, in the place of an older one, and `+"`"+p.resource+" apply`"+` carries it out.
It holds until its expiry, and only while every source is as it was.`),
		Result: "opcat.plan@1", Schema: planSchema,
		Flags: append([]Flag{
			PathFlag(&sources, "sources", "root of the TOML sources; else ."),
			PathFlag(&out, "out", "file to write the plan to; else plan.json in the run dir"),
			DurationFlag(&life, "life", plan.DefaultLife, "how long the plan may be applied; at most 24h"),
		}, p.flags...),
		Errors: append([]Code{ArtifactMissing, ArtifactInvalid, DecodeFailed, Contradiction, ValidationFailed, StateCorrupt}, codes...), Example: example,
		Run: func(ctx context.Context, inv *Invocation) (Result, error) {
			if err := withinLife(life); err != nil {
				return Result{}, err
			}
			target, err := targetOf(sources)
			if err != nil {
				return Result{}, err
			}
			if err := planFile(out, target); err != nil {
				return Result{}, err
			}
			options, err := p.options(inv)
			if err != nil {
				return Result{}, err
			}
			made, err := p.plan(ctx, inv, target, options, life)
			if err != nil {
				return Result{}, err
			}
			path, err := keepPlan(inv, made, out)
			if err != nil {
				return Result{}, err
			}
			return Result{Data: made, Text: func(w io.Writer) { planText(w, made, path, inv.app.Tool+" "+p.resource+" apply --plan "+path) },
				Outcome: Outcome{Unit: CountUnit, Projected: figure(len(made.Items))}}, nil
		},
	}
}

// withinLife refuses a plan that would live too long.
func withinLife(life time.Duration) error {
	if life <= plan.MaxLife {
		return nil
	}
	e := Fail(InvalidRange, "--life must be at most %s (got: '%s')", spell(plan.MaxLife), spell(life))
	e.Allowed = []string{"above 0s to " + spell(plan.MaxLife)}
	return e.atFlag("--life", spell(life))
}

// planFile refuses an --out that no file can be written to, and one among the sources
// of a target, before it is planned: only an apply writes there.
func planFile(out, target string) error {
	if out == "" {
		return nil
	}
	for _, root := range files.Roots {
		if target != "" && within(out, filepath.Join(target, root)) {
			return Fail(InvalidValue, "--out '%s' lies in %s: a plan changes no source, and wants another place", clip(out, maxGot), root).atFlag("--out", out)
		}
	}
	switch dir := filepath.Dir(out); {
	case isDir(out):
		return Fail(ArtifactInvalid, "--out names a file, and '%s' is a folder", clip(out, maxGot)).atFlag("--out", out)
	case !isDir(dir):
		return Fail(ArtifactMissing, "there is no folder '%s' for the plan", clip(dir, maxGot)).atFlag("--out", out)
	}
	return nil
}

// targetOf is the folder whose sources are to be changed.
func targetOf(sources string) (string, error) {
	if sources == "" {
		if !isDir(form.Catalog.Name) {
			return "", Fail(ArtifactMissing, "there is no %s here: name the root of the sources with --sources; those in the binary cannot be changed", form.Catalog.Name).
				Where(At{Flag: "--sources"})
		}
		return ".", nil
	}
	if !isDir(sources) {
		if isFile(sources) {
			return "", Fail(ArtifactInvalid, "'%s' is not a folder", clip(sources, maxGot)).atFlag("--sources", sources)
		}
		return "", Fail(ArtifactMissing, "there is no folder '%s'", clip(sources, maxGot)).atFlag("--sources", sources)
	}
	return filepath.Clean(sources), nil
}

// plan makes the plan.
func (p *planner) plan(ctx context.Context, inv *Invocation, target string, options map[string]string, life time.Duration) (*plan.Plan, error) {
	tree, err := files.Load(target)
	if err != nil {
		return nil, err
	}
	d, err := p.draft(ctx, inv, tree, options, false)
	if err != nil {
		return nil, err
	}
	head, err := ledger.Head(target)
	if err != nil {
		return nil, problem(err)
	}
	base := plan.Base{Target: filepath.ToSlash(target), Files: tree.Digests(), Inputs: notNil(d.inputs), Options: options, LedgerHead: head}
	return plan.New(inv.app.Tool, p.resource+" plan", gate.Standing.Version, base, d.items, d.kept, inv.Now(), life)
}

// keepPlan leaves the plan in a file and gives its path.
func keepPlan(inv *Invocation, p *plan.Plan, out string) (string, error) {
	text, err := p.MarshalIndent()
	if err != nil {
		return "", err
	}
	if out != "" {
		if inv.DryRun {
			return out, nil
		}
		return out, replaceFile(out, text)
	}
	dir, err := inv.RunDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir.Path(), "plan.json"), dir.WriteFile("plan.json", text)
}

// What a person is shown of a plan; all of it is in the file.
const (
	maxShown   = 40 // files
	maxChanges = 4  // of each
)

// planText writes a plan as a person reads one.
func planText(w io.Writer, p *plan.Plan, path, next string) {
	if len(p.Items) == 0 {
		fmt.Fprintf(w, "Nothing is to be done.\n")
	}
	for i := range p.Items {
		it := &p.Items[i]
		if i >= maxShown {
			fmt.Fprintf(w, "and %d more\n", len(p.Items)-i)
			break
		}
		fmt.Fprintf(w, "%s %s: %s\n", it.Action, it.ID, it.Reason)
		params, err := files.Read(it)
		if err != nil {
			continue
		}
		for j, c := range params.Changes {
			if j >= maxChanges {
				fmt.Fprintf(w, "  and %d more\n", len(params.Changes)-j)
				break
			}
			fmt.Fprintf(w, "  %s\n", changeText(c))
		}
	}
	if len(p.Kept) > 0 {
		fmt.Fprintf(w, "\nLeft as it is:\n")
	}
	for i, k := range p.Kept {
		if i >= maxShown/2 {
			fmt.Fprintf(w, "  and %d more\n", len(p.Kept)-i)
			break
		}
		line := k.Resource
		if k.Field != "" {
			line += " " + k.Field
		}
		if k.Ours != "" || k.Theirs != "" {
			line += fmt.Sprintf(": %s, not %s", orNothing(k.Ours), orNothing(k.Theirs))
		}
		fmt.Fprintf(w, "  %s: %s\n", line, k.Reason)
	}
	fmt.Fprintf(w, "\n%s, expires %s: %s\n", p.ID, p.Expiry, path)
	if len(p.Items) > 0 {
		fmt.Fprintf(w, "carry it out: %s\n", next)
	}
}

func changeText(c files.Change) string {
	line := c.Resource
	if c.Field != "" {
		line += " " + c.Field
	}
	switch {
	case c.From != "" && c.To != "":
		line += ": " + c.From + " -> " + c.To
	case c.From != "":
		line += ": " + c.From + " -> nothing"
	case c.To != "":
		line += ": " + c.To
	}
	if c.Reason != "" {
		line += " (" + c.Reason + ")"
	}
	return line
}

func orNothing(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}

func planSchema() schema.Schema {
	sum := schema.Pattern(`^sha256:[0-9a-f]{64}$`)
	return schema.Object(
		schema.Prop("schema", schema.Enum("opcat.plan@1")),
		schema.Prop("tool", schema.String()),
		schema.Prop("command", schema.String()),
		schema.Prop("contract_version", schema.Int()),
		schema.Prop("plan_id", schema.Pattern(`^pl_[a-z2-7]{26}$`)),
		schema.Prop("created", schema.String()),
		schema.Prop("expiry", schema.String()),
		schema.Prop("base", schema.Object(
			schema.Prop("target", schema.String()),
			schema.Prop("files", schema.Map(sum)),
			schema.Prop("inputs", schema.Array(schema.Object(schema.Prop("name", schema.String()),
				schema.Prop("path", schema.String()), schema.Prop("sha256", sum)))),
			schema.Prop("options", schema.Map(schema.String())),
			schema.Prop("ledger_head", schema.String()))),
		schema.Prop("policy_version", schema.String()),
		schema.Prop("approval_id", schema.Null(schema.String())),
		schema.Prop("items", schema.Array(schema.Object(
			schema.Prop("id", schema.String()),
			schema.Prop("action", schema.Enum(plan.Actions...)),
			schema.Prop("reason", schema.String()),
			schema.Prop("params", schema.Map(schema.Any())),
			schema.Prop("idempotency_key", sum),
			schema.Prop("target_resource_ids", schema.Array(schema.String())),
			schema.Prop("preconditions", schema.Array(schema.Map(schema.Any()))),
			schema.Prop("projected_impact", schema.Any())))),
		schema.Prop("kept", schema.Array(schema.Object(
			schema.Prop("resource", schema.String()),
			schema.Opt("field", schema.String()),
			schema.Opt("ours", schema.String()),
			schema.Opt("theirs", schema.String()),
			schema.Prop("reason", schema.String())))),
		schema.Prop("checksum", sum))
}

// problem is the command's error of a plan's problem.
func problem(err error) error {
	var p *plan.Problem
	if !errors.As(err, &p) {
		return err
	}
	e := Fail(Code(p.Code), "%s", p.Message)
	switch {
	case p.File != "":
		e.Where(At{File: p.File})
	case p.Item != "":
		e.Where(At{Item: clip(p.Item, maxGot)})
	}
	return e
}

// approversVar names the file of the keys whose approvals count.
const approversVar = "OPCAT_APPROVERS"

// approvers reads the keys of the people who may approve: from the file that the
// environment names, or from the machine's own. The sources have no say in it.
func approvers(inv *Invocation) (*gate.Approvers, error) {
	text, err := keyFile(inv, approversVar, "approvers")
	if err != nil { // whatever is wrong with the file, it is the approval that nobody can check
		return nil, Fail(ApprovalInvalid, "%s", asError(err).Message).Where(At{Item: approversVar})
	}
	if text == nil {
		return nil, nil
	}
	keys, err := gate.ReadApprovers(text, inv.Now())
	if err != nil {
		return nil, Fail(ApprovalInvalid, "the keys of the approvers cannot be read: %v", err).Where(At{Item: approversVar})
	}
	return keys, nil
}

// planEnv is what apply commands read of the environment.
func planEnv() []EnvVar {
	var used []string
	for _, c := range Commands() {
		if c.verb() == "apply" {
			used = append(used, c.Path)
		}
	}
	slices.Sort(used)
	return []EnvVar{
		{Name: approversVar, UsedBy: used},
		{Name: publishersVar, UsedBy: []string{"snapshot apply", "snapshot plan"}},
		{Name: "XDG_STATE_HOME", UsedBy: []string{"snapshot apply", "snapshot plan"}}, // what is adopted lies below it
	}
}
