package cli

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/plan"
	"github.com/opcat/opcat/plan/files"
	"github.com/opcat/opcat/upstream"
	"github.com/opcat/opcat/upstream/bring"
	"github.com/opcat/opcat/upstream/want"
)

func upstreamPlan() Command {
	return upstreamPlanner().planCommand("bring what upstream catalogs say into the fragments",
		"Rows that no source has are added, and rows that a plan brought in before follow the upstreams, fact by fact. What a person wrote,\n"+
			"changed or took out stays as it is, and is listed; --adopt hands a row to the upstreams. A row that no upstream lists any more is\n"+
			"marked as deprecated. A row that the sources would not compile with is left out, with the reason, and costs no other its place.",
		[]string{"upstream", "plan", "--sources", ".", "--json"})
}

func upstreamApply() Command {
	return upstreamPlanner().applyCommand("change the fragments as a plan of upstream facts says")
}

func upstreamPlanner() *planner {
	manifest := manifestName
	var only, adopt []string
	var date CatalogFlags
	return &planner{
		resource: "upstream",
		flags: []Flag{
			PathFlag(&manifest, "upstreams", "file that names the upstreams to read, with the version of each; else "+manifestName),
			ListFlag(&only, "only", upstream.Names(), "read these upstreams alone"),
			DateFlag(&date.AsOf, "as-of", "date that the sources are compiled for, and that a row is gone on; else today"),
			ListFlag(&adopt, "adopt", nil, "rows that people wrote or changed, to follow the upstreams from now on"),
		},
		options: func(inv *Invocation) (map[string]string, error) {
			return map[string]string{"upstreams": manifest, "only": strings.Join(only, "\n"), "adopt": strings.Join(adopt, "\n"), "as_of": date.asOf(inv)}, nil
		},
		draft: draftUpstream,
	}
}

// manifestName is the file that names the upstreams, where no flag does.
const manifestName = "upstreams.toml"

// draftUpstream plans what the upstreams of a manifest ask for. What the sources would
// not compile with is found out once, and is an option of the plan then.
func draftUpstream(_ context.Context, inv *Invocation, tree *files.Snapshot, options map[string]string, again bool) (*draft, error) {
	asOf := options["as_of"]
	now := compile.Run(compile.Input{Trees: []fragment.Tree{{FS: tree, Layer: "bundled"}}, AsOf: asOf})
	if now.Err != nil {
		return nil, now.Err
	}
	now.Diags = slices.DeleteFunc(now.Diags, func(d diag.Diagnostic) bool { return d.Code == diag.EmptyTree })
	if now.Diags.HasErrors() {
		return nil, failure(now.Failed, now.Diags)
	}
	catalogs, err := upstream.Load(options["upstreams"], words(options["only"])...)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, Fail(ArtifactMissing, "%s", oneLine(asError(err).Message, maxMessage)).atFlag("--upstreams", options["upstreams"])
	} else if err != nil {
		return nil, Fail(ArtifactInvalid, "the upstreams cannot be read: %s", oneLine(asError(err).Message, maxMessage)).atFlag("--upstreams", options["upstreams"])
	}
	in := bring.Input{Tree: tree, Want: want.Build(catalogs, now.Catalog), Adopt: words(options["adopt"]), Date: asOf, Hold: map[string]bool{}}
	for i := range catalogs {
		in.Read = append(in.Read, catalogs[i].Name)
	}
	text, err := json.Marshal(in.Want)
	if err != nil {
		return nil, err
	}
	d := &draft{inputs: []plan.Input{{Name: "what the upstreams say", Path: options["upstreams"], SHA256: plan.Digest(text)}}}
	var p *bring.Proposal
	var found diag.List
	if again {
		for _, id := range words(options["hold"]) {
			in.Hold[id] = true
		}
		p, found, err = bring.Propose(in)
	} else {
		var hold map[string]bool
		p, hold, found, err = bring.Settle(in, asOf)
		options["hold"] = strings.Join(slices.Sorted(maps.Keys(hold)), "\n")
	}
	switch {
	case err != nil:
		return nil, err
	case found.HasErrors():
		return nil, failure("check", found)
	}
	d.items, d.kept = p.Items, p.Kept
	return d, nil
}

// words are the lines of an option.
func words(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}
