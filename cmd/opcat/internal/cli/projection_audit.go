package cli

import (
	"context"
	"slices"

	"github.com/opcat/opcat/cmd/opcat/internal/schema"
	"github.com/opcat/opcat/projections/emit"
)

// driftData is how a generated tree differs from what its sources give.
type driftData struct {
	Tree    string         `json:"tree"`
	Catalog string         `json:"catalog"` // the digest of the fresh compile
	AsOf    string         `json:"as_of"`
	Files   int            `json:"files"`  // that are generated
	Counts  map[string]int `json:"counts"` // by kind
	Mend    string         `json:"mend"`   // the command that brings the tree up to date
	Items   []driftItem    `json:"items"`
}

// driftItem is one file that differs. A file that is stale or missing is an error,
// one that nothing makes a warning.
type driftItem struct {
	Severity string `json:"severity"`
	Kind     string `json:"kind"`
	Path     string `json:"path"`
	Line     int    `json:"line,omitempty"` // where the text first differs
	Got      string `json:"got,omitempty"`
	Want     string `json:"want,omitempty"`
}

// kinds of drift, worst first.
var driftKinds = []string{string(emit.Stale), string(emit.Missing), string(emit.Extra), string(emit.Left)}

func newDriftItem(d emit.Difference) driftItem {
	severity := "warning"
	if d.Kind == emit.Stale || d.Kind == emit.Missing {
		severity = "error"
	}
	return driftItem{severity, string(d.Kind), d.Path, d.Line, d.Got, d.Want}
}

func projectionAudit() Command {
	var c CatalogFlags
	var failOn string
	tree := defaultTree
	return Command{
		Path: "projection audit", Tier: 2, Family: Stage,
		Short: "the committed generated files against a fresh compile, worst first",
		Long: "Compiles at the date that the tree was compiled for, without the host, user or project layer unless --layers\n" +
			"names it. Differences are data: it fails only where --fail-on is given and a difference is as bad as that.",
		Result: "opcat.drift@1",
		Schema: func() schema.Schema {
			var counts []schema.Property
			for _, k := range driftKinds {
				counts = append(counts, schema.Prop(k, schema.Int()))
			}
			return schema.Object(
				schema.Prop("tree", schema.String()),
				schema.Prop("catalog", catalogDigest()),
				schema.Prop("as_of", schema.String()),
				schema.Prop("files", schema.Int()),
				schema.Prop("counts", schema.Object(counts...)),
				schema.Prop("mend", schema.String()),
				schema.Prop("items", schema.Array(schema.Object(
					schema.Prop("severity", schema.Enum(severities[:2]...)),
					schema.Prop("kind", schema.Enum(driftKinds...)),
					schema.Prop("path", schema.String()),
					schema.Opt("line", schema.Int()),
					schema.Opt("got", schema.String()),
					schema.Opt("want", schema.String())))))
		},
		Flags: append([]Flag{
			treeFlag(&tree),
			EnumFlag(&failOn, "fail-on", severities[:2], "fail where a difference is at least as bad"),
		}, c.Flags()...),
		Errors:  compileErrors(DriftFound),
		Example: []string{"projection", "audit"},
		Bounded: &Bounded{},
		Run: func(_ context.Context, inv *Invocation) (Result, error) {
			if c.AsOf.IsZero() {
				c.AsOf = recordedDate(tree)
			}
			if isFile(tree) {
				return Result{}, Fail(InvalidValue, "--tree '%s' is not a folder", clip(tree, maxGot)).atFlag("--tree", tree)
			}
			sources, err := c.open(inv, true, true)
			if err != nil {
				return Result{}, err
			}
			defer sources.Close()
			b, err := runCompile(inv, sources)
			if err != nil {
				return Result{}, err
			}
			files, err := b.project(nil, readTree(tree, b.catalog))
			if err != nil {
				return Result{}, err
			}
			diffs, err := emit.Check(tree, files)
			if err != nil {
				return Result{}, err
			}
			if bad := func(d emit.Difference) bool { return rankOf(newDriftItem(d).Severity) <= rankOf(failOn) }; slices.ContainsFunc(diffs, bad) {
				return Result{}, drift(tree, diffs, c.mend(tree))
			}
			data := driftData{Tree: tree, Catalog: b.catalog.Digest(), AsOf: sources.AsOf, Files: len(files), Counts: map[string]int{}, Mend: c.mend(tree)}
			for _, k := range driftKinds {
				data.Counts[k] = 0
			}
			var items []driftItem
			for _, d := range diffs {
				data.Counts[string(d.Kind)]++
				items = append(items, newDriftItem(d))
			}
			slices.SortStableFunc(items, func(a, b driftItem) int { return slices.Index(driftKinds, a.Kind) - slices.Index(driftKinds, b.Kind) })
			var paths []string
			for _, i := range items {
				paths = append(paths, i.Kind+i.Path)
			}
			data.Items, err = Paginate(inv, slices.Values(items), func(d driftItem) string { return d.Path }, digest(append(paths, data.Catalog)...), itself)
			return Result{Data: data}, err
		},
	}
}

// treeFlag names a generated tree to look at.
func treeFlag(tree *string) Flag {
	f := PathFlag(tree, "tree", "the generated tree")
	f.Default = defaultTree
	return f
}
