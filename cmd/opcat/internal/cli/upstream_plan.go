package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/plan"
	"github.com/opcat/opcat/plan/files"
	"github.com/opcat/opcat/upstream"
	"github.com/opcat/opcat/upstream/bring"
	"github.com/opcat/opcat/upstream/guard"
	"github.com/opcat/opcat/upstream/want"
)

func upstreamPlan() Command {
	return upstreamPlanner().planCommand("bring what upstream catalogs say into the fragments",
		"Rows that no source has are added, and rows that a plan brought in before follow the upstreams, fact by fact. What a person wrote,\n"+
			"changed or took out stays as it is, and is listed; --adopt hands a row to the upstreams. A row that no upstream lists any more is\n"+
			"marked as deprecated. A row that the sources would not compile with is left out, with the reason, and costs no other its place.\n"+
			"Nothing is planned while an upstream lists a fifth less of the rows that the sources have of it, ten at least, or nothing at all,\n"+
			"or while a price would be half of what it is: catalogs are cut off, and units slip. --allow-shrink and --allow-halved let it pass.",
		[]string{"upstream", "plan", "--sources", ".", "--json"}, PolicyDenied)
}

func upstreamApply() Command {
	return upstreamPlanner().applyCommand("change the fragments as a plan of upstream facts says")
}

func upstreamPlanner() *planner {
	manifest := manifestName
	var only, adopt, halved []string
	var shrink int
	var date CatalogFlags
	return &planner{
		resource: "upstream",
		flags: []Flag{
			PathFlag(&manifest, "upstreams", "file that names the upstreams to read, with the version of each; else "+manifestName),
			ListFlag(&only, "only", upstream.Names(), "read these upstreams alone"),
			DateFlag(&date.AsOf, "as-of", "date that the sources are compiled for, and that a row is gone on; else today"),
			ListFlag(&adopt, "adopt", nil, "rows that people wrote or changed, and providers, to follow the upstreams from now on"),
			IntFlag(&shrink, "allow-shrink", guard.Shrink, 0, 100, "how many percent of its rows an upstream may no longer list"),
			ListFlag(&halved, "allow-halved", nil, "rows whose prices are meant to be half of what they were, or less; a provider stands for all of its rows"),
		},
		options: func(inv *Invocation) (map[string]string, error) {
			return map[string]string{"upstreams": manifest, "only": strings.Join(only, "\n"), "adopt": strings.Join(adopt, "\n"), "as_of": date.asOf(inv),
				"allow_shrink": strconv.Itoa(shrink), "allow_halved": strings.Join(halved, "\n")}, nil
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
	if err != nil {
		return nil, unreadUpstreams(options["upstreams"], err,
			Fail(ArtifactInvalid, "the upstreams cannot be read: %s", manifestText(err)).atFlag("--upstreams", options["upstreams"]))
	}
	allowed, err := strconv.Atoi(options["allow_shrink"])
	if err != nil {
		return nil, Fail(ArtifactInvalid, "the plan's option allow_shrink is no number of percent (got: '%s')", clip(options["allow_shrink"], maxGot))
	}
	brought := bring.Recorded(tree)
	if losses := guard.Losses(now.Catalog, brought, catalogs, allowed); len(losses) > 0 {
		return nil, shrunkUpstream(losses, allowed)
	}
	in := bring.Input{Tree: tree, Want: want.Build(catalogs, now.Catalog, brought), Adopt: words(options["adopt"]), Date: asOf, Hold: map[string]bool{}}
	for i := range catalogs {
		in.Read = append(in.Read, catalogs[i].Source)
	}
	sum, err := in.Want.Digest()
	if err != nil {
		return nil, err
	}
	d := &draft{inputs: []plan.Input{{Name: "what the upstreams say", Path: options["upstreams"], SHA256: sum}}}
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
	cuts, err := guard.Cuts(p.Items, words(options["allow_halved"]))
	if err != nil {
		return nil, err
	}
	if len(cuts) > 0 {
		return nil, halvedPrices(cuts)
	}
	d.items, d.kept = p.Items, p.Kept
	return d, nil
}

// shrunkUpstream refuses upstreams that lost too much, and names what is gone.
func shrunkUpstream(losses []guard.Loss, allowed int) *Error {
	worst := slices.MaxFunc(losses, func(a, b guard.Loss) int { return a.Percent() - b.Percent() })
	e := Fail(PolicyDenied, "%s lists %d of the %d rows that the sources have of it: more than the %d percent that may be gone", worst.Upstream,
		worst.Before-len(worst.Gone), worst.Before, allowed).atFlag("--allow-shrink", strconv.Itoa(allowed)).
		Saying(fmt.Sprintf("read a whole copy of the upstream; or, where it is meant, --allow-shrink %d", worst.Percent()))
	for _, l := range losses {
		for _, id := range l.Gone {
			e.Causes = append(e.Causes, Fail(PolicyDenied, "%s no longer lists it", l.Upstream).Where(At{Item: clip(id, maxGot)}))
		}
	}
	return e
}

// halvedPrices refuses prices that would be half of what they are, and names each.
func halvedPrices(cuts []guard.Cut) *Error {
	e := Fail(PolicyDenied, "%s would be half or less of what the sources say", count(len(cuts), "price")).Where(At{Flag: "--allow-halved"})
	var rows []string
	for _, c := range cuts {
		rows = append(rows, c.Row)
		e.Causes = append(e.Causes, Fail(PolicyDenied, "%s: %s -> %s by %s", c.Field, c.From, c.To, c.Source).Where(At{Item: clip(c.Row, maxGot)}))
	}
	slices.Sort(rows)
	rows = slices.Compact(rows)
	more := ""
	if len(rows) > maxListed {
		rows, more = rows[:maxListed], " and the others"
	}
	return e.Saying("look at the vendor's own prices; those that are right pass with --allow-halved " + strings.Join(rows, ",") + more)
}

// words are the lines of an option.
func words(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}
