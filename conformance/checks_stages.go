package conformance

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

func runDirs(t *trial) {
	var calls []call
	for _, c := range t.working(1000) {
		l, _ := t.works(c)
		w, err := t.world(true)
		if err != nil {
			t.broken = err
			return
		}
		one := t.call(c, l.with("--run-dir", "new/dir"))
		one.in = w
		calls = append(calls, one)
	}
	for _, a := range t.ask(calls...) {
		info, err := os.Stat(filepath.Join(a.in.cwd(), "new", "dir"))
		if !t.saw(a) {
			continue
		}
		switch dir := a.envelope().Meta.RunDir; {
		case a.exit != 0:
			t.fail(a, "exit %d with a new run dir", a.exit)
		case err != nil || !info.IsDir():
			t.fail(a, "the run dir was not made")
		case dir != "new/dir" && !strings.HasSuffix(dir, "/new/dir"):
			t.fail(a, "meta.run_dir is %q", dir)
		case len(a.changed) > 0:
			t.fail(a, "it wrote elsewhere: %s", strings.Join(a.changed[:min(len(a.changed), 5)], ", "))
		}
	}
	calls = nil
	for _, c := range t.working(2) {
		l, _ := t.works(c)
		w, err := t.world(true)
		if err == nil {
			err = os.WriteFile(filepath.Join(w.cwd(), "a-file"), []byte("x"), 0o644)
		}
		if err != nil {
			t.broken = err
			return
		}
		for _, dir := range []string{"a-file", "a-file/below"} { // a mode would not stop root
			one := t.call(c, l.with("--run-dir", dir))
			one.in = w
			calls = append(calls, one)
		}
	}
	for _, a := range t.ask(calls...) {
		if !t.saw(a) {
			continue
		}
		if a.exit == 0 || a.envelope().Error == nil {
			t.fail(a, "a run dir that cannot be made is no error")
		}
		if len(a.changed) > 0 {
			t.fail(a, "it wrote elsewhere: %s", strings.Join(a.changed, ", "))
		}
	}
}

// A frame is an artifact as it lies in the run dir.
type frame struct {
	Schema      string         `json:"schema"`
	Stage       string         `json:"stage"`
	ToolVersion *string        `json:"tool_version"`
	Inputs      *[]input       `json:"inputs"`
	Sources     jsontext.Value `json:"sources"`
	ModelCalls  jsontext.Value `json:"model_calls"`
	Created     string         `json:"created"`
	Body        jsontext.Value `json:"body"`
	SHA256      string         `json:"sha256"`
}

type input struct {
	Artifact string `json:"artifact"`
	SHA256   string `json:"sha256"`
}

// A pipe is a pipeline whose stages were run, one after the other, in one run dir.
type pipe struct {
	Stages
	first line // of the first stage
}

// pipes are the pipelines whose first stage works.
func (t *trial) pipes() []pipe {
	var out []pipe
	for _, s := range t.desc.Stages {
		if len(s.Order) == 0 {
			continue
		}
		c := t.desc.command(s.Pipeline + " " + s.Order[0])
		if c == nil {
			continue
		}
		l := t.lines()[c.Name].line
		if given, ok := t.profile.Pipelines[s.Pipeline]; ok {
			l = split(c, append(c.words(), given.Args...))
		} else if _, works := t.works(c); !works {
			t.wants("[pipeline." + s.Pipeline + "]")
			continue
		}
		out = append(out, pipe{s, l.without("--run-dir")})
	}
	return out
}

// stage is the call of one stage of a pipeline in the run dir "run".
func (t *trial) stage(p pipe, i int, w *world) call {
	c := t.desc.command(p.Pipeline + " " + p.Order[i])
	if c == nil {
		return call{argv: []string{p.Pipeline, p.Order[i], "--json"}, in: w}
	}
	l := line{path: c.words()}
	if i == 0 {
		l = p.first
	}
	one := t.call(c, l.with("--run-dir", "run"))
	one.in = w
	return one
}

// through runs all stages of a pipeline; false where one does not work.
func (t *trial) through(p pipe, w *world) bool {
	for i := range p.Order {
		a := t.ask(t.stage(p, i, w))[0]
		if !t.saw(a) {
			return false
		}
		if !a.ok() {
			t.fail(a, "stage %s: exit %d with the code %q", p.Order[i], a.exit, a.code())
			return false
		}
	}
	return true
}

func (w *world) artifact(stage string) string {
	return filepath.Join(w.cwd(), "run", stage+".json")
}

func readFrame(name string) (frame, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return frame{}, fmt.Errorf("%s is not there", filepath.Base(name))
	}
	var f frame
	if err := jsonv2.Unmarshal(text, &f); err != nil {
		return frame{}, fmt.Errorf("%s is no artifact: %s", filepath.Base(name), oneLine(err.Error(), 150))
	}
	return f, nil
}

// problem says what is wrong with a frame.
func (f *frame) problem(tool, stage string) string {
	body := slices.Clone(f.Body)
	switch {
	case !strings.HasPrefix(f.Schema, tool+".stage."+stage+"@"):
		return fmt.Sprintf("schema is %q", f.Schema)
	case f.Stage != stage:
		return fmt.Sprintf("stage is %q", f.Stage)
	case f.ToolVersion == nil, f.Inputs == nil, f.Sources.Kind() != '[', f.ModelCalls.Kind() != '[', f.Created == "", f.Body == nil:
		return "the frame lacks a member"
	case body.Compact(jsontext.AllowDuplicateNames(true)) != nil || sum(body) != f.SHA256:
		return "sha256 is not that of the compact body"
	}
	return ""
}

func sum(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

func stagesWrite(t *trial) {
	for _, p := range t.pipes() {
		var bodies [2]map[string]jsontext.Value
		for round := range 2 {
			w, err := t.world(true)
			if err != nil {
				t.broken = err
				return
			}
			if !t.through(p, w) {
				return
			}
			frames := map[string]frame{}
			bodies[round] = map[string]jsontext.Value{}
			for _, stage := range p.Order {
				f, err := readFrame(w.artifact(stage))
				if err != nil {
					t.fail(nil, "stage %s: %v", stage, err)
					return
				}
				if wrong := f.problem(t.desc.Tool, stage); wrong != "" {
					t.fail(nil, "%s.json: %s", stage, wrong)
				} else {
					for _, in := range *f.Inputs {
						before := frames[strings.TrimSuffix(in.Artifact, ".json")]
						if before.SHA256 != in.SHA256 {
							t.fail(nil, "%s.json: the input %s has another digest", stage, in.Artifact)
						}
					}
				}
				frames[stage] = f
				bodies[round][stage] = f.Body
			}
		}
		for _, stage := range p.Order {
			if !bytes.Equal(bodies[0][stage], bodies[1][stage]) {
				t.fail(nil, "%s.json has another body when it is made again", stage)
			}
		}
	}
}

func artifactMissing(t *trial) {
	for _, p := range t.pipes() {
		for i := 1; i < len(p.Order); i++ {
			w, err := t.world(true)
			if err != nil {
				t.broken = err
				return
			}
			a := t.ask(t.stage(p, i, w))[0]
			if !t.saw(a) {
				continue
			}
			switch {
			case a.exit != 3 || a.code() != "ARTIFACT_MISSING":
				t.fail(a, "exit %d with the code %q, want 3 and ARTIFACT_MISSING", a.exit, a.code())
			case !strings.Contains(string(a.stdout), p.Order[i-1]):
				t.fail(a, "it does not name the stage %s", p.Order[i-1])
			}
		}
	}
}

func artifactBroken(t *trial) {
	for _, p := range t.pipes() {
		if len(p.Order) < 2 {
			continue
		}
		w, err := t.world(true)
		if err != nil {
			t.broken = err
			return
		}
		if a := t.ask(t.stage(p, 0, w))[0]; !t.saw(a) || !a.ok() {
			t.fail(a, "stage %s does not work", p.Order[0])
			continue
		}
		whole, err := os.ReadFile(w.artifact(p.Order[0]))
		if err != nil {
			t.fail(nil, "%s.json is not there", p.Order[0])
			continue
		}
		for _, broken := range []struct {
			how  string
			text []byte
		}{
			{"with one byte changed", flipped(whole)},
			{"cut in half", whole[:len(whole)/2]},
			{"of a newer schema", newer().ReplaceAll(whole, []byte("$1@99"))},
		} {
			if err := os.WriteFile(w.artifact(p.Order[0]), broken.text, 0o644); err != nil {
				t.broken = err
				return
			}
			a := t.ask(t.stage(p, 1, w))[0]
			if !t.saw(a) {
				continue
			}
			if a.exit != 3 {
				t.fail(a, "%s.json %s: exit %d with the code %q, want 3", p.Order[0], broken.how, a.exit, a.code())
			}
			left, _ := filepath.Glob(filepath.Join(w.cwd(), "run", "*"+p.Order[1]+"*"))
			if len(left) > 0 {
				t.fail(a, "%s.json %s: it left %s", p.Order[0], broken.how, filepath.Base(left[0]))
				_ = os.Remove(left[0])
			}
		}
	}
}

// flipped changes one byte of the body so that it stays JSON: a digit or a letter in it.
func flipped(artifact []byte) []byte {
	out := slices.Clone(artifact)
	at := bytes.Index(out, []byte(`"body":`)) + len(`"body":`)
	for i := at; i < len(out); i++ {
		switch c := out[i]; {
		case c >= '0' && c < '9', c >= 'b' && c < 'z' && out[i-1] != '\\' && !bytes.Contains([]byte("truefalsn"), []byte{c}):
			out[i]++
			return out
		}
	}
	return append(out, ' ', '}')
}

func concurrent(t *trial) {
	for _, p := range t.pipes() {
		w, err := t.world(true)
		if err != nil {
			t.broken = err
			return
		}
		one := t.stage(p, 0, w)
		answers := t.together(one, one, one)
		for _, a := range answers {
			a.changed, a.leaked = nil, nil // each sees what the others write
			if t.saw(a) && a.exit != 0 && a.exit != 4 {
				t.fail(a, "exit %d beside another run", a.exit)
			}
		}
		f, err := readFrame(w.artifact(p.Order[0]))
		if err != nil {
			t.fail(nil, "after three runs at once: %v", err)
		} else if wrong := f.problem(t.desc.Tool, p.Order[0]); wrong != "" {
			t.fail(nil, "after three runs at once, %s.json: %s", p.Order[0], wrong)
		}
	}
}

// together makes probes at one time, however few are made otherwise.
func (t *trial) together(calls ...call) []*answer {
	out := make([]*answer, len(calls))
	var wg sync.WaitGroup
	for i, c := range calls {
		wg.Go(func() { out[i] = t.suite.run(t.ctx, c) })
	}
	wg.Wait()
	return out
}
