package cli

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/cmd/opcat/internal/schema"
	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/accept"
	"github.com/opcat/opcat/compile/artifact"
	"github.com/opcat/opcat/compile/build"
	"github.com/opcat/opcat/compile/check"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/layer"
	"github.com/opcat/opcat/compile/migrate"
	"github.com/opcat/opcat/compile/resolve"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/projections/emit"
)

// A stages is a compile that leaves an artifact after each stage and that can go on
// from one. Its fields are what the last stage made, or what its artifact held.
type stages struct {
	inv *Invocation
	dir RunDir
	run artifact.Run

	input     *Sources // nil when it goes on from an artifact
	accept    *accept.File
	fragments []fragment.Fragment
	migrated  migrate.Result
	layered   layer.Layered
	draft     *resolve.Draft
	checked   artifact.Checked
	files     []emit.File // of the last stage

	inputs []ArtifactInput // of the stage under way
	failed string          // the first stage that failed
}

// A stage is one step of the compile.
type stage struct {
	name string

	// do makes the stage's result of the one before, and says what it found.
	do func(*stages) (diag.List, error)

	// body is the result as its artifact holds it; counts is how much there is.
	body   func(*stages) ([]byte, error)
	counts func(*stages) map[string]int

	// read takes up the result from the body of an artifact.
	read func(*stages, []byte) (artifact.Run, error)
}

var pipeline = []stage{
	{
		name: "decode",
		do: func(s *stages) (found diag.List, _ error) {
			s.fragments, found = compile.Decode(s.input.Input)
			return found, nil
		},
		body: func(s *stages) ([]byte, error) {
			return (&artifact.Decoded{Run: s.run, Fragments: s.fragments}).Body()
		},
		counts: func(s *stages) map[string]int {
			legacy := 0
			for _, f := range s.fragments {
				if f.Legacy {
					legacy++
				}
			}
			return map[string]int{"fragments": len(s.fragments), "legacy": legacy}
		},
		read: func(s *stages, body []byte) (artifact.Run, error) {
			v, err := artifact.ReadDecoded(body)
			if err != nil {
				return artifact.Run{}, err
			}
			s.fragments = v.Fragments
			return v.Run, nil
		},
	},
	{
		name: "migrate",
		do: func(s *stages) (found diag.List, _ error) {
			s.migrated, found = migrate.Fields(s.fragments, s.accept.Keep)
			return found, nil
		},
		body: func(s *stages) ([]byte, error) {
			return (&artifact.Migrated{Run: s.run, Result: s.migrated}).Body()
		},
		counts: func(s *stages) map[string]int {
			named := 0
			for _, m := range s.migrated.Moves {
				if m.Named {
					named++
				}
			}
			return map[string]int{"fragments": len(s.migrated.Fragments), "moves": len(s.migrated.Moves), "named_moves": named}
		},
		read: func(s *stages, body []byte) (artifact.Run, error) {
			v, err := artifact.ReadMigrated(body)
			if err != nil {
				return artifact.Run{}, err
			}
			s.migrated = v.Result
			return v.Run, nil
		},
	},
	{
		name: "layer",
		do: func(s *stages) (found diag.List, _ error) {
			s.layered, found = layer.Merge(s.migrated.Fragments)
			return found, nil
		},
		body: func(s *stages) ([]byte, error) {
			return (&artifact.Layered{Run: s.run, Result: s.layered}).Body()
		},
		counts: func(s *stages) map[string]int {
			l := &s.layered
			return map[string]int{"providers": len(l.Providers), "models": len(l.Rows), "rules": len(l.Rules), "removed": len(l.Removed)}
		},
		read: func(s *stages, body []byte) (artifact.Run, error) {
			v, err := artifact.ReadLayered(body)
			if err != nil {
				return artifact.Run{}, err
			}
			s.layered = v.Result
			return v.Run, nil
		},
	},
	{
		name: "resolve",
		do: func(s *stages) (found diag.List, _ error) {
			s.draft, found = resolve.Rows(s.layered, s.run.AsOf)
			return found, nil
		},
		body: func(s *stages) ([]byte, error) {
			return (&artifact.Resolved{Run: s.run, Draft: s.draft}).Body()
		},
		counts: func(s *stages) map[string]int {
			contracts := 0
			for _, r := range s.draft.Rows {
				contracts += len(r.Contracts)
			}
			return map[string]int{"providers": len(s.draft.Providers), "models": len(s.draft.Rows), "contracts": contracts}
		},
		read: func(s *stages, body []byte) (artifact.Run, error) {
			v, err := artifact.ReadResolved(body)
			if err != nil {
				return artifact.Run{}, err
			}
			s.draft = v.Draft
			return v.Run, nil
		},
	},
	{
		name: "check",
		do: func(s *stages) (diag.List, error) {
			found := check.Rules(s.draft)
			if s.failed != "" || s.judge("check", diag.Join(s.run.Findings, found)).HasErrors() {
				return found, nil // what is wrong makes no catalog
			}
			var err error
			if s.checked.Catalog, err = build.Catalog(s.draft); err == nil {
				s.checked.Provenance = string(build.Provenance(s.draft, s.checked.Catalog.Digest()))
			}
			return found, err
		},
		body: func(s *stages) ([]byte, error) {
			s.checked.Run = s.run
			return s.checked.Body()
		},
		counts: func(s *stages) map[string]int {
			c := s.checked.Catalog
			if c == nil {
				return map[string]int{}
			}
			return map[string]int{"providers": len(c.ProviderIDs()), "models": c.Len()}
		},
		read: func(s *stages, body []byte) (artifact.Run, error) {
			v, err := artifact.ReadChecked(body)
			if err != nil {
				return artifact.Run{}, err
			}
			s.checked = *v
			return v.Run, nil
		},
	},
	{
		name: "project",
		do: func(s *stages) (_ diag.List, err error) {
			if s.files, err = project(s.checked.Catalog, []byte(s.checked.Provenance), nil); err != nil {
				return nil, err
			}
			for _, f := range s.files {
				if err := s.dir.WriteFile(defaultTree+"/"+f.Path, f.Bytes()); err != nil {
					return nil, err
				}
			}
			return nil, nil
		},
		body: func(s *stages) ([]byte, error) {
			body := projectBody{Digest: s.checked.Catalog.Digest(), Tree: defaultTree, Files: []SourceFile{}}
			for _, f := range s.files {
				body.Files = append(body.Files, SourceFile{f.Path, f.SHA256()})
			}
			return marshal(body)
		},
		counts: func(s *stages) map[string]int {
			bytes := 0
			for _, f := range s.files {
				bytes += f.Size()
			}
			return map[string]int{"files": len(s.files), "bytes": bytes}
		},
	},
}

// projectBody is the body of the last stage's artifact: what lies in the tree beside it.
type projectBody struct {
	Digest string       `json:"digest"`
	Tree   string       `json:"tree"`
	Files  []SourceFile `json:"files"`
}

// stageData is what a stage says of itself: the frame of its artifact without the
// body, which is for the next stage to read.
type stageData struct {
	Stage    string          `json:"stage"`
	Artifact string          `json:"artifact"`
	SHA256   string          `json:"sha256"` // of the body
	Inputs   []ArtifactInput `json:"inputs"`
	AsOf     string          `json:"as_of,omitempty"`
	Counts   map[string]int  `json:"counts"`
	Findings findingCounts   `json:"findings"`
	Report   *migration      `json:"report,omitempty"` // of stage migrate
}

// text writes what a stage says of itself as a person reads it.
func (d *stageData) text(w io.Writer) {
	fmt.Fprintf(w, "%s: %s", d.Artifact, d.SHA256)
	for _, name := range slices.Sorted(maps.Keys(d.Counts)) {
		fmt.Fprintf(w, "\n%s: %d", name, d.Counts[name])
	}
	fmt.Fprintf(w, "\n%s, %s, %d accepted\n", count(d.Findings.Error, "error"), count(d.Findings.Warning, "warning"), d.Findings.Accepted)
	if d.Report != nil {
		d.Report.write(w)
	}
}

func stageSchema() schema.Schema {
	file := schema.Object(schema.Prop("path", schema.String()), schema.Prop("sha256", schema.Digest()))
	return schema.Object(
		schema.Prop("stage", schema.Enum(compile.Stages...)),
		schema.Prop("sha256", schema.Digest()),
		schema.Prop("inputs", schema.Array(schema.Object(schema.Prop("artifact", schema.String()), schema.Prop("sha256", schema.Digest())))),
		schema.Opt("artifact", schema.String()),
		schema.Opt("as_of", schema.String()),
		schema.Opt("counts", schema.Map(schema.Int())),
		schema.Opt("findings", countsSchema()),
		schema.Opt("report", migrationSchema()),
		// The artifact in the run dir has the same schema; what only it holds:
		schema.Opt("schema", schema.String()),
		schema.Opt("tool_version", schema.String()),
		schema.Opt("sources", schema.Array(file)),
		schema.Opt("model_calls", schema.Array(schema.Any())),
		schema.Opt("created", schema.String()),
		schema.Opt("body", schema.Any()))
}

// through runs the stages from one to another and leaves the artifact of each.
// After a failing stage the later ones still look and leave nothing; the last check
// is as far as that makes sense.
func (s *stages) through(first, last int) (data stageData, err error) {
	failing := -1
	for i := first; i <= last; i++ {
		st := &pipeline[i]
		s.inv.Progress(i-first, last-first+1, "stage "+st.name)
		if s.failed != "" && st.name == "project" {
			break
		}
		found, err := st.do(s)
		if err != nil {
			return data, err
		}
		s.run.Findings = diag.Join(s.run.Findings, found)
		if s.failed == "" && s.judge(st.name, s.run.Findings).HasErrors() {
			s.failed, failing = st.name, i
		}
		if s.failed == "" {
			if data, err = s.leave(st); err != nil {
				return data, err
			}
		}
	}
	if s.failed == "" {
		return data, nil
	}
	// The artifact of the stage that failed holds the whole list.
	if _, err := s.leave(&pipeline[failing]); err != nil {
		return data, err
	}
	return data, failure(s.failed, s.judge(pipeline[last].name, s.run.Findings))
}

// judge marks the findings that the accept file lets pass. How often one occurs is
// known after the last check alone, so an earlier stage goes by its place or row.
func (s *stages) judge(stage string, found diag.List) diag.List {
	if s.accept == nil {
		return found
	}
	if stage == "check" || stage == "project" {
		return s.accept.Apply(found)
	}
	out := slices.Clone(found)
	for i, d := range out {
		if _, ok := s.accept.Keep(d); ok && d.IsError() {
			out[i].Accepted = "named in " + s.run.Accept.Name
		}
	}
	return out
}

// leave writes the artifact of a stage and says what it is.
func (s *stages) leave(st *stage) (stageData, error) {
	body, err := st.body(s)
	if err != nil {
		return stageData{}, err
	}
	a := &Artifact{Stage: st.name, Inputs: s.inputs, Body: body}
	if st.name == "decode" {
		a.Sources = s.sources()
	}
	if err := s.dir.Write(a); err != nil {
		return stageData{}, err
	}
	data := stageData{Stage: st.name, Artifact: st.name + ".json", SHA256: a.SHA256, Inputs: notNil(s.inputs), AsOf: s.run.AsOf,
		Counts: st.counts(s), Findings: countFindings(s.judge(st.name, s.run.Findings))}
	if st.name == "migrate" {
		data.Report = newMigration(s.migrated.Moves)
	}
	s.inputs = []ArtifactInput{a.Input()}
	return data, nil
}

// sources lists the files that were decoded.
func (s *stages) sources() []SourceFile {
	var out []SourceFile
	for i := range s.fragments {
		f := &s.fragments[i]
		sum := f.Sum()
		out = append(out, SourceFile{diag.Pos{Layer: f.File.Layer, File: f.File.Path}.String(), hex.EncodeToString(sum[:])})
	}
	return out
}

// takeUp reads the artifact of the stage before, and with it what the run is.
func (s *stages) takeUp(st *stage) error {
	a, err := s.dir.Read(st.name)
	if err != nil {
		return err
	}
	file := st.name + ".json"
	if s.run, err = st.read(s, a.Body); err != nil {
		return invalid(file, "holds what stage '%s' does not write: %v", st.name, err)
	}
	if _, err := catalog.ParseDate(s.run.AsOf); err != nil {
		return invalid(file, "is for no date: %v", err)
	}
	if s.run.Accept != nil {
		if s.accept, err = readAccept(s.run.Accept); err != nil {
			return invalid(file, "holds an accept file that cannot be read: %v", err)
		}
	}
	if found := s.judge(st.name, s.run.Findings); found.HasErrors() {
		return invalid(file, "holds %s; mend the sources and make it again", count(countFindings(found).Error, "mistake")).
			Saying(s.inv.app.Tool + " catalog " + st.name + " --run-dir " + s.dir.path)
	}
	s.inputs = []ArtifactInput{a.Input()}
	return nil
}

// begin opens the compile of a stage command. Flags that name sources make it start
// at them; otherwise it goes on from the artifact of the stage before.
func (c *CatalogFlags) begin(inv *Invocation, at int) (s *stages, first int, err error) {
	if at == 0 || c.Sources != "" || c.Layers != nil || c.Overlay != "" {
		in, err := c.open(inv, true, false)
		if err != nil {
			return nil, 0, err
		}
		s, err = startStages(inv, in)
		return s, 0, err
	}
	before := pipeline[at-1].name
	if inv.dir == "" {
		return nil, 0, Fail(ArtifactMissing, "stage '%s' goes on from %s.json: name the run dir that holds it with --run-dir, or start from --sources",
			pipeline[at].name, before).Where(At{File: before + ".json"}).Saying(inv.app.Tool + " catalog " + before + " --run-dir <dir>")
	}
	s = &stages{inv: inv}
	if s.dir, err = inv.RunDir(); err != nil {
		return nil, 0, err
	}
	if err := s.takeUp(&pipeline[at-1]); err != nil {
		return nil, 0, err
	}
	return s, at, s.settle(c)
}

// startStages opens a run dir for stages that begin at the sources.
func startStages(inv *Invocation, in *Sources) (*stages, error) {
	dir, err := inv.RunDir()
	if err != nil {
		return nil, err
	}
	return &stages{inv: inv, dir: dir, input: in, accept: in.Accept, run: artifact.Run{AsOf: in.AsOf, Accept: in.accepts}}, nil
}

// settle joins what the flags say with what the run is already: its date and its
// accept file are named once.
func (s *stages) settle(c *CatalogFlags) error {
	if asOf := c.asOf(s.inv); !c.AsOf.IsZero() && s.run.AsOf != asOf {
		return Fail(ConflictingFlags, "--as-of is %s, and the artifacts are for %s", asOf, s.run.AsOf).atFlag("--as-of", asOf)
	}
	if c.Accept == "" {
		return nil
	}
	src, err := readInput("--accept", c.Accept)
	if err != nil {
		return err
	}
	if s.run.Accept != nil && s.run.Accept.Text != string(src) {
		return Fail(ConflictingFlags, "--accept is another file than the artifacts were made with").atFlag("--accept", c.Accept)
	}
	s.run.Accept = &artifact.Accept{Name: c.Accept, Text: string(src)}
	s.accept, err = readAccept(s.run.Accept)
	return err
}

// stageCommand is the command of one stage.
func stageCommand(name, short, long string) Command {
	var c CatalogFlags
	at := slices.IndexFunc(pipeline, func(s stage) bool { return s.name == name })
	example := []string{"catalog", name}
	if at > 0 {
		example = append(example, "--sources", ".")
	}
	return Command{
		Path: "catalog " + name, Tier: 2, Family: Stage, Short: short, Long: long,
		Result: "opcat.stage." + name + "@1", Schema: stageSchema, Flags: c.Flags(),
		Errors:  compileErrors(SchemaMismatch, UnsupportedVersion),
		Example: example,
		Run: func(_ context.Context, inv *Invocation) (Result, error) {
			s, first, err := c.begin(inv, at)
			if err != nil {
				return Result{}, err
			}
			if s.input != nil {
				defer s.input.Close()
			}
			data, err := s.through(first, at)
			if err != nil {
				return Result{}, err
			}
			warnAbout(inv, s.judge(name, s.run.Findings))
			return Result{Data: data, Text: data.text}, nil
		},
	}
}
