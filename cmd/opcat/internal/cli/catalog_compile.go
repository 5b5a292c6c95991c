package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/cmd/opcat/internal/schema"
	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/build"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/migrate"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/projections"
	"github.com/opcat/opcat/projections/docs"
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
	var only []string
	var check bool
	var shrink int
	return Command{
		Path: "catalog compile", Tier: 2, Family: Stage,
		Short: "compile the sources to one checked catalog, or print every mistake in them",
		Long: "Runs the six stages in order. With --into the generated tree is written there, each file whole or not at\n" +
			"all, and nothing when there is any mistake. With --check the tree (gen, or the one that --into names) is\n" +
			"compared instead, at the date that it was compiled for; a difference is DRIFT_FOUND. Neither reads the host,\n" +
			"user or project layer unless --layers names it. A tree that would lose more than a fifth of its rows, and ten at\n" +
			"least, is left as it is unless --allow-shrink allows it. With --run-dir each stage leaves its artifact there.",
		Result: "opcat.stage.compile@1",
		Schema: compiledSchema,
		Flags: append([]Flag{
			PathFlag(&into, "into", "write the generated tree here"),
			ListFlag(&only, "projections", projections.Names(), "with --into, write these alone and leave the rest of the tree as it is"),
			IntFlag(&shrink, "allow-shrink", defaultShrink, 0, 100, "with --into, how many percent of the tree's rows may be gone"),
			BoolFlag(&check, "check", "compare the generated tree with the sources, and write nothing"),
		}, c.Flags()...),
		Errors:  compileErrors(DriftFound, PolicyDenied),
		Example: []string{"catalog", "compile"},
		Run: func(_ context.Context, inv *Invocation) (Result, error) {
			if only != nil && (check || into == "") {
				return Result{}, Fail(InvalidValue, "--projections goes with --into: a compile without writes nothing, and --check compares the whole tree").
					atFlag("--projections", strings.Join(only, ","))
			}
			if check && into == "" {
				into = defaultTree
			}
			if check && c.AsOf.IsZero() {
				c.AsOf = recordedDate(into)
			}
			if isFile(into) {
				return Result{}, Fail(InvalidValue, "--into '%s' is not a folder", clip(into, maxGot)).atFlag("--into", into)
			}
			if into != "" {
				if err := c.apart(inv, into); err != nil {
					return Result{}, err
				}
			}
			sources, err := c.open(inv, true, into != "")
			if err != nil {
				return Result{}, err
			}
			defer sources.Close()
			if check && inv.dir == "" {
				if data, ok := recall(inv, into, sources); ok {
					return Result{Data: data}, nil
				}
			}
			b, err := runCompile(inv, sources)
			if err != nil {
				return Result{}, err
			}
			data := summary(b.catalog)
			data.Moves, data.Findings = b.moves, countFindings(b.found)
			if into == "" {
				return Result{Data: data}, nil
			}
			if !check {
				old := readTree(into, b.catalog)
				if err := b.shrunk(old, shrink, into); err != nil {
					return Result{}, err
				}
				files, err := b.project(only, old)
				if err != nil {
					return Result{}, err
				}
				data.Tree, err = writeTree(inv, into, files)
				return Result{Data: data}, err
			}
			known := newCurrent(inv, into, sources, b)
			files, err := b.project(nil, readTree(into, b.catalog))
			if err != nil {
				return Result{}, err
			}
			if err := compareTree(into, files, c.mend(into)); err != nil {
				return Result{}, err
			}
			data.Tree = &treeReport{Path: into, Files: len(files), Changed: []string{}}
			if !inv.DryRun {
				known.remember(files, data)
			}
			return Result{Data: data}, nil
		},
	}
}

// compileErrors are what a command that compiles can fail with.
func compileErrors(more ...Code) []Code {
	return append([]Code{ArtifactMissing, ArtifactInvalid, DecodeFailed, Contradiction, ValidationFailed, ConflictingFlags}, more...)
}

// built is what came of a compile without mistakes.
type built struct {
	catalog *catalog.Catalog
	found   diag.List
	moves   int

	record    func() []byte       // of provenance; made when it is asked for
	fragments []fragment.Fragment // what was read
	files     []emit.File         // once they are made
}

// project makes the files that a tree is to hold, of all projections or of some. What
// the catalog was made from is let go before, so that a collection need not keep it.
func (b *built) project(only []string, old generated) ([]emit.File, error) {
	files := b.files
	if files == nil {
		record := b.record()
		b.record, b.fragments = nil, nil
		var err error
		if files, err = project(b.catalog, record, only); err != nil {
			return nil, err
		}
	}
	return withChanges(filesOf(files, only), b.catalog, docs.Since(old.changes, old.catalog, b.catalog)), nil
}

// A tree of generated files may lose a part of its rows, and a few, in any compile.
const (
	defaultShrink = 20 // percent
	alwaysShrinks = 10 // rows
)

// shrunk refuses a catalog that would take the place of a much larger one: a source
// that is cut off still compiles, and every user would lose what it held.
func (b *built) shrunk(old generated, allowed int, into string) error {
	if old.catalog == nil {
		return nil
	}
	gone := 0
	for r := range old.catalog.Refs() {
		if _, stays := b.catalog.Find(r.ID()); !stays {
			gone++
		}
	}
	if before := old.catalog.Len(); gone >= alwaysShrinks && gone*100 > before*allowed {
		return Fail(PolicyDenied, "%s of the %d in '%s' would be gone, and %d rows be left: more than the %d percent that one compile may remove",
			count(gone, "row"), before, clip(into, maxGot), b.catalog.Len(), allowed).atFlag("--allow-shrink", fmt.Sprint(allowed)).
			Saying(fmt.Sprintf("bring the missing sources back; or, where it is meant, --allow-shrink %d", (gone*100+before-1)/before))
	}
	return nil
}

// runCompile compiles: in one go or, where a run dir is named, with an artifact left
// after each stage.
func runCompile(inv *Invocation, in *Sources) (*built, error) {
	if inv.dir != "" {
		return compileInStages(inv, in)
	}
	r := compile.Run(in.Input)
	switch {
	case r.Err != nil:
		return nil, r.Err
	case r.Failed != "":
		e := failure(r.Failed, r.Diags)
		if len(e.Causes) > maxListed {
			if err := keepFindings(inv, in, r); err != nil {
				return nil, err
			}
		}
		return nil, e
	}
	warnAbout(inv, r.Diags)
	record := func() []byte { return build.Provenance(r.Draft, r.Catalog.Digest()) }
	return &built{catalog: r.Catalog, record: record, found: r.Diags, moves: r.Moves, fragments: r.Fragments}, nil
}

func compileInStages(inv *Invocation, in *Sources) (*built, error) {
	s, err := startStages(inv, in)
	if err != nil {
		return nil, err
	}
	if _, err := s.through(0, len(pipeline)-1); err != nil {
		return nil, err
	}
	found := s.judge("project", s.run.Findings)
	warnAbout(inv, found)
	return &built{catalog: s.checked.Catalog, record: func() []byte { return []byte(s.checked.Provenance) }, found: found,
		moves: len(s.migrated.Moves), files: s.files, fragments: s.fragments}, nil
}

// keepFindings leaves the artifact of the stage that failed, which holds the whole
// list where the envelope cannot.
func keepFindings(inv *Invocation, in *Sources, r compile.Result) error {
	s, err := startStages(inv, in)
	if err != nil {
		return err
	}
	s.fragments, s.migrated, s.layered, s.draft, s.run.Findings = r.Fragments, r.Migrated, r.Layered, r.Draft, r.Diags
	moved, _ := migrate.Fields(r.Fragments, in.Input.Accept.Keep)
	s.migrated.Moves = moved.Moves
	_, err = s.leave(&pipeline[slices.Index(compile.Stages, r.Failed)])
	return err
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
	if err != nil {
		return nil, unwritten(into, changed, err)
	}
	report.list(changed)
	return report, nil
}

// unwritten is the error of a tree that could not be written: a full disk, or a folder
// that is not ours to write to.
func unwritten(into string, changed []string, err error) error {
	e := asError(err)
	var at *fs.PathError
	if errors.As(err, &at) {
		e = Fail(Internal, "%s could not be written below '%s': %v", at.Path, clip(into, maxGot), at.Err)
		if name := errno(err); name != "" {
			e.Message = name + ": " + e.Message
		}
	}
	if len(changed) > 0 {
		return e.Saying("some files are new and some old, each whole; mend the cause and run it again")
	}
	return e.Saying("what lay there is as it was; mend the cause and run it again")
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
	return drift(into, diffs, mend)
}

// drift is the error of a tree that differs, each file a cause.
func drift(into string, diffs []emit.Difference, mend string) error {
	e := Fail(DriftFound, "%s of '%s' differ from what the sources give", count(len(diffs), "file"), clip(into, maxGot)).Saying(mend)
	strange := []string{"rm"} // what nothing generates: a compile leaves the files of people alone
	for _, d := range diffs {
		e.Causes = append(e.Causes, driftCause(into, d))
		if d.Kind == emit.Extra && len(strange) <= maxListed {
			strange = append(strange, path.Join(filepath.ToSlash(into), d.Path))
		}
	}
	if !slices.ContainsFunc(diffs, func(d emit.Difference) bool { return d.Kind != emit.Extra }) {
		return e.Saying(strings.Join(strange, " "))
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
