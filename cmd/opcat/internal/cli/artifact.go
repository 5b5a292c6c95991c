package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/opcat/opcat/internal/pattern"
)

// A Pipeline is a resource whose verbs are stages that hand artifacts on.
type Pipeline struct {
	Name   string // the resource: "catalog"
	Stages []PipelineStage
}

// A PipelineStage is one step: it writes <Name>.json.
type PipelineStage struct {
	Name  string // "resolve", also the verb
	Major int    // of the body it writes, and the newest it reads

	// Upgrade turns a body of an older major into today's, so that archived inputs
	// replay against new stages. Nil when there is no older one.
	Upgrade func(major int, body json.RawMessage) (json.RawMessage, error)
}

// An Artifact is what a stage leaves in the run dir: its result and what it was
// made from.
type Artifact struct {
	Stage      string          // who made it
	Inputs     []ArtifactInput // the artifacts it read; Artifact.Input makes one
	Sources    []SourceFile    // the files it read
	ModelCalls []ModelCall     // the models it asked
	Body       json.RawMessage // the same bytes for the same inputs, where no model is called
	SHA256     string          // of the compact Body; Write fills it in
	Major      int             // of the schema it was read as, before any upgrade
}

// An ArtifactInput names an artifact that a stage read, by the digest of its body:
// making it again with the same body keeps what was made from it valid.
type ArtifactInput struct {
	Artifact string `json:"artifact"` // "layer.json"
	SHA256   string `json:"sha256"`
}

// A SourceFile names a file that a stage read, by the digest of its bytes.
type SourceFile struct {
	Path   string `json:"path"` // slash-separated, relative to the root of the sources
	SHA256 string `json:"sha256"`
}

// A ModelCall records one model that a stage asked, so that a replay can tell
// what would have to be asked again.
type ModelCall struct {
	Model         string   `json:"model"`
	Revision      string   `json:"revision"`
	PromptVersion string   `json:"prompt_version"`
	InputSHA256   string   `json:"input_sha256"`
	Receipts      []string `json:"receipts"`
}

// Input names the artifact as an input of another one.
func (a *Artifact) Input() ArtifactInput { return ArtifactInput{a.Stage + ".json", a.SHA256} }

// frame is an Artifact as it lies in the file.
type frame struct {
	Schema      string          `json:"schema"`
	Stage       string          `json:"stage"`
	ToolVersion string          `json:"tool_version"`
	Inputs      []ArtifactInput `json:"inputs"`
	Sources     []SourceFile    `json:"sources"`
	ModelCalls  []ModelCall     `json:"model_calls"`
	Created     string          `json:"created"`
	Body        json.RawMessage `json:"body"`
	SHA256      string          `json:"sha256"`
}

// Write leaves an artifact in the run dir and fills in its digest. Body must be JSON.
func (d RunDir) Write(a *Artifact) error {
	stage, _, err := d.stage(a.Stage)
	if err != nil {
		return err
	}
	var body bytes.Buffer
	if err := json.Compact(&body, a.Body); err != nil {
		return fmt.Errorf("the body of %s.json is not JSON: %w", a.Stage, err)
	}
	a.SHA256, a.Major = hexSHA256(body.Bytes()), stage.Major
	text, err := marshal(frame{
		Schema: fmt.Sprintf("%s.stage.%s@%d", d.app.Tool, stage.Name, stage.Major), Stage: stage.Name,
		ToolVersion: d.app.Version, Inputs: notNil(a.Inputs), Sources: notNil(a.Sources),
		ModelCalls: notNil(a.ModelCalls), Created: d.now().Format(time.RFC3339), Body: body.Bytes(), SHA256: a.SHA256,
	})
	if err != nil {
		return err
	}
	return d.WriteFile(a.Stage+".json", append(text, '\n'))
}

// Read takes up the artifact of a stage. ARTIFACT_MISSING names the stage that
// makes it; ARTIFACT_INVALID is one that is damaged, or that was made from other
// artifacts than lie beside it now; UNSUPPORTED_VERSION one from another tool or a
// newer version of this one.
func (d RunDir) Read(stage string) (*Artifact, error) {
	return d.read(stage, map[string]*Artifact{})
}

// read takes up an artifact and, through its inputs, everything beside it that it
// was made from. seen holds what is taken up already.
func (d RunDir) read(name string, seen map[string]*Artifact) (*Artifact, error) {
	stage, pipeline, err := d.stage(name)
	if err != nil {
		return nil, err
	}
	file := name + ".json"
	if err := regular(filepath.Join(d.path, file)); err != nil {
		return nil, invalid(file, "cannot be read: %v", err)
	}
	text, err := os.ReadFile(filepath.Join(d.path, file))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, Fail(ArtifactMissing, "%s is not in the run dir; stage '%s' makes it", file, name).Where(At{File: file}).
			Saying(fmt.Sprintf("%s %s %s --run-dir %s", d.app.Tool, pipeline, name, d.path))
	} else if err != nil {
		return nil, invalid(file, "cannot be read: %v", asError(err).Message)
	}
	a, err := d.decode(stage, file, text)
	if err != nil {
		return nil, err
	}
	seen[name] = a
	for _, in := range a.Inputs {
		if err := d.checkInput(file, in, seen); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// checkInput compares an input with what lies in the run dir now. One that is not
// there contradicts nothing: a stage may be replayed from an archived input alone.
func (d RunDir) checkInput(file string, in ArtifactInput, seen map[string]*Artifact) error {
	name, isJSON := strings.CutSuffix(in.Artifact, ".json")
	if _, _, err := d.stage(name); err != nil || !isJSON {
		return invalid(file, "names an input that no stage makes: '%s'", clip(in.Artifact, maxGot))
	}
	beside := seen[name]
	if beside == nil {
		var err error
		beside, err = d.read(name, seen)
		var e *Error
		if errors.As(err, &e) && e.Code == ArtifactMissing {
			return nil
		} else if err != nil {
			return err
		}
	}
	if beside.SHA256 != in.SHA256 {
		return invalid(file, "was made from another %s than lies beside it; run the stages after '%s' again", in.Artifact, name)
	}
	return nil
}

var schemaName = pattern.Lazy(`^([a-z][a-z0-9_-]*)\.stage\.([a-z][a-z0-9_]*)@([0-9]{1,6})$`)

// decode reads a frame strictly. The schema is looked at first: the frame of a
// newer version may hold what this one does not know.
func (d RunDir) decode(stage PipelineStage, file string, text []byte) (*Artifact, error) {
	var head struct{ Schema string }
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, invalid(file, "is not a JSON object: %v", err)
	}
	name := schemaName().FindStringSubmatch(head.Schema)
	if name == nil {
		return nil, invalid(file, "has no stage schema (got: '%s')", clip(head.Schema, maxGot))
	}
	major, _ := strconv.Atoi(name[3]) // the pattern holds it to six digits
	switch {
	case name[1] != d.app.Tool:
		return nil, unsupported(file, head.Schema, "comes from another tool")
	case name[2] != stage.Name:
		return nil, Fail(SchemaMismatch, "%s holds %s, not the stage '%s'", file, head.Schema, stage.Name).Where(At{File: file})
	case major > stage.Major:
		return nil, unsupported(file, head.Schema, fmt.Sprintf("comes from a newer version; this one reads up to @%d", stage.Major))
	case major < stage.Major && stage.Upgrade == nil:
		return nil, unsupported(file, head.Schema, fmt.Sprintf("is too old; this version reads @%d", stage.Major))
	}

	var f frame
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&f); err != nil {
		return nil, invalid(file, "is not an artifact: %v", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, invalid(file, "goes on after its end")
	}
	if _, err := time.Parse(time.RFC3339, f.Created); err != nil || f.Stage != stage.Name || len(f.Body) == 0 {
		return nil, invalid(file, "is not a whole artifact")
	}
	var body bytes.Buffer
	if err := json.Compact(&body, f.Body); err != nil {
		return nil, invalid(file, "is not an artifact: %v", err)
	}
	if sum := hexSHA256(body.Bytes()); sum != f.SHA256 {
		return nil, invalid(file, "is damaged: its body does not have its digest")
	}
	a := &Artifact{Stage: f.Stage, Inputs: f.Inputs, Sources: f.Sources, ModelCalls: f.ModelCalls,
		Body: body.Bytes(), SHA256: f.SHA256, Major: major}
	if major < stage.Major {
		upgraded, err := stage.Upgrade(major, a.Body)
		if err != nil {
			return nil, invalid(file, "cannot be brought from @%d to @%d: %v", major, stage.Major, err)
		}
		a.Body = upgraded
	}
	return a, nil
}

// stage finds a stage and its pipeline by name.
func (d RunDir) stage(name string) (PipelineStage, string, error) {
	for _, p := range d.app.Pipelines {
		for _, s := range p.Stages {
			if s.Name == name {
				return s, p.Name, nil
			}
		}
	}
	return PipelineStage{}, "", fmt.Errorf("no pipeline has a stage %q", name)
}

func invalid(file, format string, args ...any) *Error {
	return Fail(ArtifactInvalid, file+" "+format, args...).Where(At{File: file})
}

func unsupported(file, got, why string) *Error {
	return Fail(UnsupportedVersion, "%s %s (got: '%s')", file, why, clip(got, maxGot)).Where(At{File: file}).given(got)
}

func hexSHA256(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// notNil makes an absent list an empty one, which is how a frame writes it.
func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
