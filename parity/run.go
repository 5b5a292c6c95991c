package parity

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/projections"
	"github.com/opcat/opcat/projections/emit"
)

// Forms are what is asked: the library, and each projection that has a language of its
// own to answer in.
var Forms = []string{"library", "go", "ts", "swift", "json"}

// A Given is one answer of a form.
type Given struct {
	Question *Question
	Form     string
	Answer   json.RawMessage // nil where there is none
	NotRun   string          // why the form was not asked, or cannot say
	Failed   string          // what went wrong instead of an answer
}

// Right reports whether the answer is the right one.
func (g *Given) Right() bool {
	return g.NotRun == "" && g.Failed == "" && Same(g.Answer, g.Question.Answer)
}

// Same reports whether two texts are the same JSON value.
func Same(a, b json.RawMessage) bool {
	x, errX := value(a)
	y, errY := value(b)
	return errX == nil && errY == nil && reflect.DeepEqual(x, y)
}

func value(b json.RawMessage) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	return v, d.Decode(&v)
}

// A Run says where the forms are found and how their trees are made.
type Run struct {
	Drivers  string                                           // the folder of the drivers
	Catalogs map[string]*catalog.Catalog                      // asked instead of the usual ones; nil for these
	Emit     func(name string, files []emit.File) []emit.File // what is done to a projection's files before it is asked; nil for nothing
}

// Ask puts questions to a form.
func (r *Run) Ask(ctx context.Context, form string, questions []Question) ([]Given, error) {
	given := make([]Given, len(questions))
	for i := range questions {
		given[i] = Given{Question: &questions[i], Form: form}
	}
	for _, name := range r.catalogs() {
		var some []*Given
		for i := range given {
			if questions[i].Catalog == name {
				some = append(some, &given[i])
			}
		}
		if len(some) == 0 {
			continue
		}
		c, err := r.catalog(name)
		if err != nil {
			return nil, err
		}
		if form == "library" {
			askLibrary(c, some)
		} else if err := r.askDriver(ctx, c, form, some); err != nil {
			return nil, err
		}
	}
	return given, nil
}

func (r *Run) catalogs() []string {
	if r.Catalogs == nil {
		return Catalogs
	}
	return slices.Sorted(maps.Keys(r.Catalogs))
}

func (r *Run) catalog(name string) (*catalog.Catalog, error) {
	if c := r.Catalogs[name]; c != nil {
		return c, nil
	}
	return Catalog(name)
}

func askLibrary(c *catalog.Catalog, given []*Given) {
	for _, g := range given {
		answer, err := library(c, g.Question.Asked)
		if err == nil {
			g.Answer, err = json.Marshal(answer)
		}
		if err != nil {
			g.Failed = err.Error()
		}
	}
}

func (r *Run) driver(form string) string { return filepath.Join(r.Drivers, form, "run") }

// noTool is the exit code of a driver without the tools that it needs.
const noTool = 77

func (r *Run) askDriver(ctx context.Context, c *catalog.Catalog, form string, given []*Given) error {
	program, err := filepath.Abs(r.driver(form))
	if err != nil {
		return err
	}
	if _, err := os.Stat(program); err != nil {
		all(given, func(g *Given) { g.NotRun = "there is no driver for it here" })
		return nil
	}
	dir, err := os.MkdirTemp("", "opcat-parity-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	tree, asked := filepath.Join(dir, "gen"), filepath.Join(dir, "questions.json")
	if err := r.write(tree, form, c); err != nil {
		return err
	}
	file := struct {
		Questions []json.RawMessage `json:"questions"`
	}{}
	for _, g := range given {
		file.Questions = append(file.Questions, g.Question.Asked)
	}
	b, err := json.Marshal(file)
	if err != nil {
		return err
	}
	if err := os.WriteFile(asked, b, 0o644); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, program, tree, asked)
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	var exit *exec.ExitError
	switch err := cmd.Run(); {
	case errors.As(err, &exit) && exit.ExitCode() == noTool:
		all(given, func(g *Given) { g.NotRun = firstLine(complaints.String()) })
	case err != nil:
		all(given, func(g *Given) { g.Failed = err.Error() + ": " + firstLine(complaints.String()) })
	default:
		return read(out.Bytes(), given)
	}
	return nil
}

// write puts a form's projection of a catalog into a tree.
func (r *Run) write(tree, form string, c *catalog.Catalog) error {
	e, ok := projections.Lookup(form)
	if !ok {
		return nil // the driver will say so
	}
	files, err := e.Emit(c)
	if err != nil {
		return fmt.Errorf("projection %s: %w", form, err)
	}
	if r.Emit != nil {
		files = r.Emit(form, files)
	}
	_, err = emit.Write(filepath.Join(tree, form), files)
	return err
}

// An answer is what a driver prints for one question.
type answer struct {
	ID     string          `json:"id"`
	Answer json.RawMessage `json:"answer"`
	Not    string          `json:"not"`
}

// read takes a driver's answers. A question that it leaves out is one that failed.
func read(out []byte, given []*Given) error {
	var f struct {
		Answers []answer `json:"answers"`
	}
	if err := strict(out, &f); err != nil {
		all(given, func(g *Given) { g.Failed = "its output is not the answers: " + err.Error() })
		return nil
	}
	answers := map[string]answer{}
	for _, a := range f.Answers {
		answers[a.ID] = a
	}
	for _, g := range given {
		switch a, ok := answers[g.Question.ID]; {
		case !ok:
			g.Failed = "the driver left it out"
		case a.Not != "":
			g.NotRun = a.Not
		default:
			g.Answer = a.Answer
		}
	}
	return nil
}

func all(given []*Given, do func(*Given)) {
	for _, g := range given {
		do(g)
	}
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	if line == "" {
		return "it says nothing"
	}
	return line
}

// A Score is how a form did.
type Score struct {
	Form   string         `json:"form"`
	Passed int            `json:"passed"`
	Total  int            `json:"total"`
	Failed int            `json:"failed"`
	NotRun map[string]int `json:"not_run"` // why, and how many
}

// ScoreOf counts a form's answers.
func ScoreOf(form string, given []Given) Score {
	s := Score{Form: form, Total: len(given), NotRun: map[string]int{}}
	for i := range given {
		switch g := &given[i]; {
		case g.NotRun != "":
			s.NotRun[g.NotRun]++
		case g.Right():
			s.Passed++
		default:
			s.Failed++
		}
	}
	return s
}

// String is the form's line on the scoreboard.
func (s Score) String() string {
	line := fmt.Sprintf("%-8s %d / %d", s.Form, s.Passed, s.Total)
	if s.Failed > 0 {
		line += fmt.Sprintf("  wrong: %d", s.Failed)
	}
	reasons := make([]string, 0, len(s.NotRun))
	for why, n := range s.NotRun {
		reasons = append(reasons, fmt.Sprintf("not run: %d (%s)", n, why))
	}
	slices.Sort(reasons)
	return strings.Join(append([]string{line}, reasons...), "  ")
}

// Scoreboard is the scores as they are committed.
func Scoreboard(scores []Score) []byte {
	var b bytes.Buffer
	b.WriteString("# passed / total, by form; written by `make parity`. What is not run is never a pass.\n")
	for _, s := range scores {
		b.WriteString(s.String() + "\n")
	}
	return b.Bytes()
}
