package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/opcat/opcat/cmd/opcat/internal/schema"
	"github.com/opcat/opcat/conformance"
)

// verifyData is how a binary keeps the tool contract, worst check first.
type verifyData struct {
	Tool     string               `json:"tool"`
	Contract int                  `json:"contract_version"`
	Passed   int                  `json:"passed"`
	Failed   int                  `json:"failed"`
	Skipped  int                  `json:"skipped"`
	Runs     int64                `json:"runs"`
	Isolated bool                 `json:"isolated"`
	Unproven string               `json:"unproven"`
	Items    []conformance.Result `json:"items"`
	Changes  *changesData         `json:"changes,omitempty"` // with --since
	Schema   json.RawMessage      `json:"schema,omitempty"`  // with --print-schema, and then nothing was run
}

// changesData is what became of the promises of a release.
type changesData struct {
	Breaking int                  `json:"breaking"`
	Other    int                  `json:"other"`
	First    []conformance.Change `json:"first"` // at most 20; all are in describe-changes.json
}

func verifySchema() schema.Schema {
	count := schema.Int()
	probe := schema.Object(schema.Prop("saw", schema.String()), schema.Prop("argv", schema.Array(schema.String())),
		schema.Opt("env", schema.Array(schema.String())), schema.Prop("exit", schema.Schema{"type": "integer"}),
		schema.Prop("stdout", schema.String()), schema.Prop("stderr", schema.String()))
	check := schema.Object(schema.Prop("id", schema.String()), schema.Prop("level", schema.Enum("must", "should")),
		schema.Prop("status", schema.Enum("fail", "error", "skip", "pass")), schema.Prop("asks", schema.String()),
		schema.Prop("saw", schema.String()), schema.Opt("mend", schema.String()), schema.Opt("probes", schema.Array(probe)), schema.Opt("more", count))
	return schema.Object(schema.Prop("tool", schema.String()), schema.Prop("contract_version", count), schema.Prop("passed", count),
		schema.Prop("failed", count), schema.Prop("skipped", count), schema.Prop("runs", count), schema.Prop("isolated", schema.Bool()),
		schema.Prop("unproven", schema.String()), schema.Prop("items", schema.Array(check)), schema.Opt("schema", schema.Any()),
		schema.Opt("changes", schema.Object(schema.Prop("breaking", count), schema.Prop("other", count), schema.Prop("first", schema.Array(
			schema.Object(schema.Prop("at", schema.String()), schema.Prop("what", schema.String()), schema.Prop("breaking", schema.Bool())))))))
}

func verify() Command {
	var profile, spec, skill, level, report, print, since string
	var only, skip []string
	return Command{
		Path: "verify", Tier: 2, Family: Stage,
		Short: "hold any tool's binary against the tool contract",
		Long: "The binary is run many times, each in a fresh directory, without a terminal, without your environment and, where the system allows\n" +
			"it, without a network. No write is made for real. A profile says what a tool cannot say of itself; a check that lacks it is skipped,\n" +
			"and a skip is no pass. The whole report is left as conformance.json in the run dir.\n" + conformance.Unproven + ".",
		Result: "opcat.conformance@1", Schema: verifySchema,
		Args: []Arg{{Name: "binary", Usage: "the tool to run", Optional: true}},
		Flags: []Flag{
			PathFlag(&profile, "profile", "TOML file with arguments that work, files, and ways to make things fail"),
			PathFlag(&spec, "spec", "the tool's spec.yaml"),
			PathFlag(&skill, "skill", "the tool's SKILL.md"),
			PathFlag(&since, "since", "what --describe printed in the release before: a promise of it that is broken fails the command"),
			ListFlag(&only, "only", nil, "checks to make, such as C012,C020; else all"),
			ListFlag(&skip, "skip", nil, "checks not to make"),
			EnumFlag(&level, "level", []string{"must", "should"}, "what fails the command: a failed must, or any failed check; else must"),
			EnumFlag(&report, "report", []string{"junit", "tap", "json"}, "write the report in this form too, into the run dir"),
			EnumFlag(&print, "print-schema", []string{"envelope"}, "print a published schema and run nothing"),
		},
		Errors:  []Code{MissingFlag, InvalidEnum, ArtifactMissing, ArtifactInvalid, DecodeFailed, ConformanceFailed},
		Example: []string{"verify", "./opcat"},
		Bounded: &Bounded{Default: 100, Max: 1000},
		Run: func(ctx context.Context, inv *Invocation) (Result, error) {
			if print != "" {
				return printSchema(inv)
			}
			if len(inv.Args) == 0 {
				return Result{}, Fail(MissingFlag, "'%s verify' needs <binary>: the tool to run", inv.app.Tool).Where(At{Flag: "<binary>"}).Saying(inv.app.Tool + " verify ./" + inv.app.Tool)
			}
			for name, ids := range map[string][]string{"--only": only, "--skip": skip} {
				for _, id := range ids {
					if !slices.Contains(conformance.IDs(), id) {
						return Result{}, NotIn(InvalidEnum, "each of "+name, id, conformance.IDs()).Where(At{Flag: name})
					}
				}
			}
			p, err := verifyProfile(profile, spec, skill)
			if err != nil {
				return Result{}, err
			}
			binary, err := binaryOf(inv.Args[0])
			if err != nil {
				return Result{}, err
			}
			before, err := releaseBefore(since)
			if err != nil {
				return Result{}, err
			}
			ctx, cancel := context.WithTimeout(ctx, inv.Timeout)
			defer cancel()
			r, err := conformance.Run(ctx, binary, p, conformance.Options{Only: only, Skip: skip,
				Progress: func(done, all int, id string) { inv.Progress(done, all, id) }})
			if err != nil {
				return Result{}, err
			}
			return verified(inv, r, before, conformance.Level(level), report)
		},
	}
}

// printSchema gives the schema of envelopes.
func printSchema(inv *Invocation) (Result, error) {
	items, err := Paginate(inv, slices.Values([]conformance.Result{}), func(r conformance.Result) string { return r.ID }, "", itself)
	data := verifyData{Unproven: conformance.Unproven, Items: items, Schema: conformance.EnvelopeSchema}
	return Result{Data: data, Text: func(w io.Writer) { _, _ = w.Write(conformance.EnvelopeSchema) }}, err
}

// binaryOf finds the binary: a path, or a name that is looked up as a shell does.
func binaryOf(name string) (string, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return "", unreadable("<binary>", name, err)
	case info.IsDir() || info.Mode()&0o111 == 0:
		return "", Fail(ArtifactInvalid, "'%s' is no file that can be run", clip(name, maxGot)).atFlag("<binary>", name)
	}
	return filepath.Abs(name)
}

func verifyProfile(name, spec, skill string) (*conformance.Profile, error) {
	p := new(conformance.Profile)
	if name != "" {
		if _, err := readInput("--profile", name); err != nil {
			return nil, err
		}
		read, err := conformance.ReadProfile(name)
		if err != nil {
			return nil, Fail(DecodeFailed, "%s: %v", clip(name, maxGot), err).atFlag("--profile", name)
		}
		p = read
	}
	for flag, path := range map[string]string{"--spec": spec, "--skill": skill} {
		if path == "" {
			continue
		}
		if _, err := readInput(flag, path); err != nil {
			return nil, err
		}
		if flag == "--spec" {
			p.Spec = path
		} else {
			p.Skill = path
		}
	}
	return p, nil
}

// releaseBefore reads what a release said of itself; nil where none is named.
func releaseBefore(path string) (*conformance.Describe, error) {
	if path == "" {
		return nil, nil
	}
	text, err := readInput("--since", path)
	if err != nil {
		return nil, err
	}
	d, err := conformance.ReadDescribe(text)
	if err != nil {
		return nil, Fail(ArtifactInvalid, "%s is no describe document: %v", clip(path, maxGot), err).atFlag("--since", path)
	}
	return d, nil
}

// changes leaves what became of a release's promises in the run dir.
func changes(dir RunDir, before, after *conformance.Describe) (*changesData, error) {
	all := conformance.Changes(before, after)
	text, err := marshal(struct {
		Since   string               `json:"since"`
		Version string               `json:"version"`
		Changes []conformance.Change `json:"changes"`
	}{before.Version, after.Version, append([]conformance.Change{}, all...)})
	if err != nil {
		return nil, err
	}
	data := &changesData{First: append([]conformance.Change{}, all[:min(len(all), maxListed)]...)}
	for _, c := range all {
		if c.Breaking {
			data.Breaking++
		}
	}
	data.Other = len(all) - data.Breaking
	return data, dir.WriteFile("describe-changes.json", append(text, '\n'))
}

// verified leaves the report in the run dir and makes it the command's result, or
// its failure.
func verified(inv *Invocation, r *conformance.Report, before *conformance.Describe, level conformance.Level, form string) (Result, error) {
	if level == "" {
		level = conformance.Must
	}
	dir, err := inv.RunDir()
	if err != nil {
		return Result{}, err
	}
	whole, err := r.JSON()
	if err != nil {
		return Result{}, err
	}
	if err := dir.WriteFile("conformance.json", whole); err != nil {
		return Result{}, err
	}
	switch form {
	case "tap":
		err = dir.WriteFile("conformance.tap", r.TAP())
	case "junit":
		var text []byte
		if text, err = r.JUnit(); err == nil {
			err = dir.WriteFile("conformance.xml", text)
		}
	}
	if err != nil {
		return Result{}, err
	}
	var changed *changesData
	if before != nil {
		if changed, err = changes(dir, before, r.Describe); err != nil {
			return Result{}, err
		}
	}
	if bad := r.Broken(level); len(bad) > 0 || r.Passed == 0 {
		return Result{}, nonconforming(r, bad)
	}
	if changed != nil && changed.Breaking > 0 {
		return Result{}, brokenPromises(r, changed)
	}
	data := verifyData{Tool: r.Tool, Contract: r.Contract, Passed: r.Passed, Failed: r.Failed, Skipped: r.Skipped, Runs: r.Runs,
		Isolated: r.Isolated, Unproven: conformance.Unproven, Changes: changed}
	data.Items, err = Paginate(inv, slices.Values(r.Results), func(c conformance.Result) string { return c.ID }, digest(statuses(r)...), itself)
	return Result{Data: data, Text: func(w io.Writer) { verifyText(w, r, changed) }, Outcome: Outcome{Unit: CountUnit,
		Projected: json.Number(fmt.Sprint(len(r.Results))), Realized: json.Number(fmt.Sprint(r.Passed))}}, err
}

// statuses is what tells one report's order from another's.
func statuses(r *conformance.Report) []string {
	var out []string
	for _, c := range r.Results {
		out = append(out, c.ID+string(c.Status))
	}
	return out
}

// nonconforming is the failure of a tool that does not conform: each broken check is
// a cause.
func nonconforming(r *conformance.Report, bad []conformance.Result) *Error {
	e := Fail(ConformanceFailed, "%s does not keep the tool contract: %s; the whole report is conformance.json in the run dir", clip(toolOf(r), 60), r.Summary())
	for _, c := range bad {
		cause := Fail(Code(c.ID), "%s: %s", c.Asks, c.Saw).Saying(c.Mend)
		cause.text = brokenText(c)
		e.Causes = append(e.Causes, cause)
	}
	if len(bad) == 0 {
		e.Message = "no check of the tool contract could be made; " + r.Summary()
	}
	return e
}

// brokenPromises is the failure of a tool that no longer keeps what its release before
// promised.
func brokenPromises(r *conformance.Report, changed *changesData) *Error {
	e := Fail(ConformanceFailed, "%s breaks %s of the release before without a new contract_version or schema major; all of it is describe-changes.json in the run dir",
		clip(toolOf(r), 60), count(changed.Breaking, "promise"))
	for _, c := range changed.First {
		if c.Breaking {
			e.Causes = append(e.Causes, Fail("PROMISE_BROKEN", "%s: %s", c.At, c.What))
		}
	}
	return e
}

func toolOf(r *conformance.Report) string {
	if r.Tool == "" {
		return "the binary"
	}
	return r.Tool
}

// brokenText is one broken check as a person reads it: what is wanted, what there was,
// the run that shows it, and what to do.
func brokenText(c conformance.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s (%s): %s\n\tsaw: %s\n", c.ID, c.Status, c.Level, c.Asks, c.Saw)
	if c.Mend != "" {
		fmt.Fprintf(&b, "\tmend: %s\n", c.Mend)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// verifyText writes a report as a person reads one: what did not pass, then the sum.
func verifyText(w io.Writer, r *conformance.Report, changed *changesData) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, c := range r.Results {
		if c.Status == conformance.Passed {
			continue
		}
		mend := c.Saw
		if c.Mend != "" {
			mend += "; " + c.Mend
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", c.ID, c.Status, c.Level, mend)
	}
	_ = table.Flush() // the writer is a buffer
	if changed != nil {
		fmt.Fprintf(w, "%s since that release, none of which breaks a caller\n", count(changed.Other, "change"))
	}
	fmt.Fprintf(w, "%s\n%s\n", conformance.Unproven, r.Summary())
}
