package cli

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/cmd/opcat/internal/schema"
	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/projections/emit"
)

// defaultTree is where generated files are committed.
const defaultTree = "gen"

// compiled is what a compile says of itself.
type compiled struct {
	Digest    string         `json:"digest"`
	AsOf      string         `json:"as_of"`
	Providers int            `json:"providers"`
	Models    int            `json:"models"`
	Routes    map[string]int `json:"routes"` // by operation
	Moves     int            `json:"moves"`  // rewrites of legacy fields
	Findings  findingCounts  `json:"findings"`
	Tree      *treeReport    `json:"tree,omitempty"` // what was written or compared
}

// treeReport is what became of a generated tree.
type treeReport struct {
	Path    string   `json:"path"`
	Files   int      `json:"files"`
	Changed []string `json:"changed"` // at most twenty; none in a tree that was current
	More    int      `json:"more,omitempty"`
}

func compiledSchema() schema.Schema {
	var routes []schema.Property
	for _, name := range operations.Names() {
		routes = append(routes, schema.Opt(name, schema.Int()))
	}
	return schema.Object(
		schema.Prop("digest", catalogDigest()),
		schema.Prop("as_of", schema.String()),
		schema.Prop("providers", schema.Int()),
		schema.Prop("models", schema.Int()),
		schema.Prop("routes", schema.Object(routes...)),
		schema.Prop("moves", schema.Int()),
		schema.Prop("findings", countsSchema()),
		schema.Opt("tree", schema.Object(
			schema.Prop("path", schema.String()),
			schema.Prop("files", schema.Int()),
			schema.Prop("changed", schema.Array(schema.String())),
			schema.Opt("more", schema.Int()))))
}

// catalogDigest is the schema of what names a catalog's content.
func catalogDigest() schema.Schema { return schema.Pattern(`^sha256:[0-9a-f]{64}$`) }

// summary says what was compiled.
func summary(c *catalog.Catalog) compiled {
	out := compiled{Digest: c.Digest(), AsOf: string(catalog.DateOf(c.AsOf())), Providers: len(c.ProviderIDs()), Models: c.Len(), Routes: map[string]int{}}
	for _, name := range operations.Names() {
		out.Routes[name] = c.RouteCount(name)
	}
	return out
}

func catalogCompile() Command {
	var c CatalogFlags
	var into string
	var check bool
	return Command{
		Path: "catalog compile", Tier: 2, Family: Stage,
		Short: "compile the sources to one checked catalog, or print every mistake in them",
		Long: "Runs the six stages in order. With --into the generated tree is written there, each file whole or not at\n" +
			"all, and nothing when there is any mistake. With --check the tree (gen, or the one that --into names) is\n" +
			"compared instead, at the date that it was compiled for; a difference is DRIFT_FOUND. Neither reads the host,\n" +
			"user or project layer unless --layers names it. With --run-dir each stage leaves its artifact there.",
		Result: "opcat.stage.compile@1",
		Schema: compiledSchema,
		Flags: append([]Flag{
			PathFlag(&into, "into", "write the generated tree here"),
			BoolFlag(&check, "check", "compare the generated tree with the sources, and write nothing"),
		}, c.Flags()...),
		Errors:  compileErrors(DriftFound),
		Example: []string{"catalog", "compile"},
		Run: func(_ context.Context, inv *Invocation) (Result, error) {
			if check && into == "" {
				into = defaultTree
			}
			if check && c.AsOf.IsZero() {
				c.AsOf = recordedDate(into)
			}
			sources, err := c.open(inv, true, into != "")
			if err != nil {
				return Result{}, err
			}
			defer sources.Close()
			r, err := runCompile(inv, sources)
			if err != nil {
				return Result{}, err
			}
			data := summary(r.Catalog)
			data.Moves, data.Findings = len(r.Migrated.Moves), countFindings(r.Diags)
			if into == "" {
				return Result{Data: data}, nil
			}
			files, err := generate(r)
			if err != nil {
				return Result{}, err
			}
			mend := c.mend(into)
			if check {
				if err := compareTree(into, files, mend); err != nil {
					return Result{}, err
				}
				data.Tree = &treeReport{Path: into, Files: len(files), Changed: []string{}}
				return Result{Data: data}, nil
			}
			data.Tree, err = writeTree(inv, into, files)
			return Result{Data: data}, err
		},
	}
}

// compileErrors are what a command that compiles can fail with.
func compileErrors(more ...Code) []Code {
	return append([]Code{ArtifactMissing, ArtifactInvalid, DecodeFailed, Contradiction, ValidationFailed, ConflictingFlags}, more...)
}

// runCompile compiles, in one go or, where artifacts are to be kept, stage by stage.
func runCompile(inv *Invocation, s *Sources) (compile.Result, error) {
	r := compile.Run(s.Input)
	if r.Err != nil {
		return r, r.Err
	}
	if r.Failed != "" {
		return r, failure(r.Failed, r.Diags)
	}
	warnAbout(inv, r.Diags)
	return r, nil
}

// writeTree writes generated files; with --dry-run it only says which would change.
func writeTree(inv *Invocation, into string, files []emit.File) (*treeReport, error) {
	report := &treeReport{Path: into, Files: len(files)}
	if inv.DryRun {
		diffs, err := emit.Check(into, files)
		if err != nil {
			return nil, err
		}
		var changed []string
		for _, d := range diffs {
			if d.Kind == emit.Stale || d.Kind == emit.Missing {
				changed = append(changed, d.Path)
			}
		}
		report.list(changed)
		return report, nil
	}
	changed, err := emit.Write(into, files)
	report.list(changed)
	return report, err
}

func (t *treeReport) list(changed []string) {
	t.Changed = notNil(changed)
	if n := len(changed) - maxListed; n > 0 {
		t.Changed, t.More = changed[:maxListed], n
	}
}

// compareTree fails with every file of a tree that is not as it should be.
func compareTree(into string, files []emit.File, mend string) error {
	diffs, err := emit.Check(into, files)
	if err != nil || len(diffs) == 0 {
		return err
	}
	e := Fail(DriftFound, "%s of '%s' differ from what the sources give", count(len(diffs), "file"), clip(into, maxGot)).Saying(mend)
	for _, d := range diffs {
		e.Causes = append(e.Causes, driftCause(into, d))
	}
	return e
}

func driftCause(into string, d emit.Difference) *Error {
	cause := Fail(DriftFound, "%s", driftMessage(d)).Where(At{File: path.Join(filepath.ToSlash(into), d.Path), Line: d.Line})
	if d.Line > 0 {
		cause.At.Column = 1
		cause = cause.given(d.Got)
		cause.Allowed = []string{d.Want}
	}
	cause.text = strings.TrimSuffix(filepath.ToSlash(into), "/") + "/" + d.String()
	return cause
}

func driftMessage(d emit.Difference) string {
	switch d.Kind {
	case emit.Stale:
		return "the file is stale"
	case emit.Missing:
		return "the file is missing"
	case emit.Extra:
		return "nothing generates this file; remove it"
	}
	return "a run that was killed left this file; the next one removes it"
}

// mend is the command that brings a tree up to date with the same sources.
func (c *CatalogFlags) mend(into string) string {
	words := []string{emit.Mend(into)}
	for _, f := range []struct{ name, value string }{
		{"sources", c.Sources}, {"layers", strings.Join(c.Layers, ",")}, {"overlay", c.Overlay}, {"accept", c.Accept},
	} {
		if f.value != "" {
			words = append(words, fmt.Sprintf("--%s %s", f.name, f.value))
		}
	}
	return strings.Join(words, " ")
}
