package parity

import (
	"context"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/projections"
	"github.com/opcat/opcat/projections/emit"
)

// An emitter with a fault turns its form's score red, and the question that shows it
// is named. Each fault is one that a person could make.
func TestFaultsTurnTheScoreRed(t *testing.T) {
	all, err := Questions()
	if err != nil {
		t.Fatal(err)
	}
	var questions []Question
	for _, q := range all {
		if q.Catalog == "made" && q.Kind != "select" && q.Kind != "refusal" {
			questions = append(questions, q)
		}
	}
	for _, fault := range []struct {
		name  string
		do    func(text string) string // to a file of JSON
		shows string
	}{
		{"a field is dropped", func(s string) string {
			return regexp.MustCompile(`"logical_model":"[^"]*",`).ReplaceAllString(s, "")
		}, "made/fact/acme-tiered/logical_model"},
		{"two prices are swapped", func(s string) string {
			return strings.NewReplacer(`"input_token","usd_per_million":"5"}`, `"input_token","usd_per_million":"30"}`, `"output_token","usd_per_million":"30"}`, `"output_token","usd_per_million":"5"}`).Replace(s)
		}, "made/price/input"},
		{"rows are reordered", reordered, "made/routes/text_generation"},
		{"a price is rounded", func(s string) string {
			return strings.ReplaceAll(s, `"usd_per_million":"0.042"`, `"usd_per_million":"0.04"`)
		}, "made/price/small"},
		{"a digit of a price is lost", func(s string) string {
			return strings.ReplaceAll(s, `"999.999999999999999999"`, `"999.99999999999999999"`)
		}, "made/price/wide"},
		{"an overlay's changed operation is forgotten", nil, "made/serves/taken-away"},
	} {
		forms := []string{"ts", "json"}
		if fault.name == "a price is rounded" || fault.do == nil {
			forms = append(forms, "go") // whose data is no text, so that its emitter gets another catalog
		}
		for _, form := range forms {
			t.Run(fault.name+" in "+form, func(t *testing.T) {
				t.Parallel()
				hit := false
				r := Run{Drivers: "drivers", Emit: func(name string, files []emit.File) []emit.File {
					switch {
					case name != form:
						return files
					case fault.do == nil:
						hit = true
						return withoutOverlay(t, name)
					case name == "go":
						hit = true
						return emitted(t, name, mutated(t, fault.do))
					}
					out := slices.Clone(files)
					for i, f := range out {
						if text := string(f.Bytes()); strings.HasSuffix(f.Path, ".json") && strings.Contains(text, `"models":[`) {
							out[i] = emit.File{Path: f.Path, Data: []byte(fault.do(text))}
							hit = hit || string(out[i].Data) != text
						}
					}
					return out
				}}
				given, err := r.Ask(context.Background(), form, questions)
				if err != nil {
					t.Fatal(err)
				}
				s := ScoreOf(form, given)
				if s.Passed+s.Failed == 0 {
					missing(t, "%s", s)
				}
				if !hit || s.Failed == 0 {
					t.Errorf("the fault shows nowhere (put in: %t): %s", hit, s)
				}
				shown := slices.ContainsFunc(given, func(g Given) bool { return g.Question.ID == fault.shows && !g.Right() && g.Failed == "" })
				if !shown {
					t.Errorf("%s is still right: %s", fault.shows, s)
				}
			})
		}
	}
}

// reordered exchanges the first two rows of a file.
func reordered(s string) string {
	head, rest, ok := strings.Cut(s, "\"models\":[\n")
	lines := strings.SplitN(rest, "\n", 3)
	if !ok || len(lines) < 3 || !strings.HasSuffix(lines[1], ",") {
		return s
	}
	return head + "\"models\":[\n" + lines[1] + "\n" + lines[0] + "\n" + lines[2]
}

// withoutOverlay are a projection's files of the made catalog without its upper layer.
func withoutOverlay(t *testing.T, name string) []emit.File {
	t.Helper()
	tree, err := fs.Sub(files, "made/bundled")
	if err != nil {
		t.Fatal(err)
	}
	r := compile.Run(compile.Input{Trees: []fragment.Tree{{FS: tree, Layer: "bundled"}}, AsOf: "2026-11-30"})
	if r.Catalog == nil {
		t.Fatal(r.Diags, r.Err)
	}
	return emitted(t, name, r.Catalog)
}

func emitted(t *testing.T, name string, c *catalog.Catalog) []emit.File {
	t.Helper()
	e, _ := projections.Lookup(name)
	out, err := e.Emit(c)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// mutated is the made catalog with its text changed.
func mutated(t *testing.T, do func(string) string) *catalog.Catalog {
	t.Helper()
	c, err := Catalog("made")
	if err != nil {
		t.Fatal(err)
	}
	other, err := catalog.Open([]byte(do(c.JSON())))
	if err != nil {
		t.Fatal(err)
	}
	return other
}

// What was not run is counted, and is no pass; nor is an answer that was left out.
func TestNotRunIsNoPass(t *testing.T) {
	questions := []Question{{ID: "made/a", Catalog: "made", Answer: []byte("1")}, {ID: "made/b", Catalog: "made", Answer: []byte("null")}, {ID: "made/c", Catalog: "made", Answer: []byte(`"x"`)}}
	given := []Given{{Question: &questions[0], NotRun: "no tool"}, {Question: &questions[1], Failed: "left out"}, {Question: &questions[2], Answer: []byte(`"x"`)}}
	s := ScoreOf("ts", given)
	if s.Passed != 1 || s.Failed != 1 || s.Total != 3 || s.String() != "ts       1 / 3  wrong: 1  not run: 1 (no tool)" {
		t.Errorf("%+v: %s", s, s)
	}
	r := Run{Drivers: t.TempDir()}
	given, err := r.Ask(context.Background(), "swift", questions)
	if err != nil {
		t.Fatal(err)
	}
	if s := ScoreOf("swift", given); s.Passed != 0 || s.Failed != 0 || len(s.NotRun) != 1 {
		t.Errorf("a form without a driver: %s", s)
	}
}

// Answers are compared as JSON values, numbers by their digits.
func TestSame(t *testing.T) {
	for _, x := range []struct {
		a, b string
		same bool
	}{
		{`{"a":1,"b":[1,2]}`, `{ "b": [1, 2], "a": 1 }`, true}, {`[1,2]`, `[2,1]`, false}, {`null`, `0`, false}, {`null`, `[]`, false},
		{`9007199254740993`, `9007199254740992`, false}, {`"0.10"`, `"0.1"`, false}, {`{}`, ``, false}, {``, ``, false},
	} {
		if got := Same([]byte(x.a), []byte(x.b)); got != x.same {
			t.Errorf("%s and %s: %t", x.a, x.b, got)
		}
	}
}
