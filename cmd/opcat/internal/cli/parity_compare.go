package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/opcat/opcat/cmd/opcat/internal/schema"
	"github.com/opcat/opcat/parity"
)

// comparison is how the forms of a catalog answered.
type comparison struct {
	Questions int            `json:"questions"`
	Scores    []parity.Score `json:"scores"`
	Items     []wrongAnswer  `json:"items"`
}

// wrongAnswer is one question that a form answered wrongly, or not at all though it
// was asked.
type wrongAnswer struct {
	ID     string          `json:"id"`
	Form   string          `json:"form"`
	Right  json.RawMessage `json:"right"`
	Got    json.RawMessage `json:"got,omitempty"`
	Failed string          `json:"failed,omitempty"`
}

func parityCompare() Command {
	var a asking
	var forms []string
	var into, failOn string
	drivers := "parity/drivers"
	where := PathFlag(&drivers, "drivers", "where the forms' drivers are")
	where.Default = drivers
	return Command{
		Path: "parity compare", Tier: 2, Family: Stage,
		Short: "ask every form of the catalog the same questions, and list each wrong answer",
		Long: "The library answers in this process, every other form by its driver in its own language. A form whose tools are\n" +
			"not here is not run, which is never a pass: the score says so. Wrong answers are data; --fail-on makes them a\n" +
			"failure. With --into the scoreboard is written there.",
		Result: "opcat.parity_report@1",
		Schema: func() schema.Schema {
			return schema.Object(
				schema.Prop("questions", schema.Int()),
				schema.Prop("scores", schema.Array(schema.Object(
					schema.Prop("form", schema.Enum(parity.Forms...)),
					schema.Prop("passed", schema.Int()),
					schema.Prop("total", schema.Int()),
					schema.Prop("failed", schema.Int()),
					schema.Prop("not_run", schema.Doc("why, and how many", schema.Map(schema.Int())))))),
				schema.Prop("items", schema.Array(schema.Object(
					schema.Prop("id", schema.String()),
					schema.Prop("form", schema.Enum(parity.Forms...)),
					schema.Prop("right", schema.Any()),
					schema.Opt("got", schema.Any()),
					schema.Opt("failed", schema.Doc("what went wrong instead of an answer", schema.String()))))))
		},
		Flags: append(a.flags(),
			ListFlag(&forms, "projection", parity.Forms, "only these forms"),
			where,
			PathFlag(&into, "into", "write the scoreboard to this file"),
			EnumFlag(&failOn, "fail-on", []string{"wrong", "not_run"}, "fail where an answer is wrong, or also where a form was not run")),
		Errors:  []Code{ConformanceFailed},
		Example: []string{"parity", "compare", "--projection", "library"},
		Bounded: &Bounded{},
		Run: func(ctx context.Context, inv *Invocation) (Result, error) {
			questions, err := a.questions()
			if err != nil {
				return Result{}, err
			}
			if forms == nil {
				forms = parity.Forms
			}
			data := &comparison{Questions: len(questions), Items: []wrongAnswer{}}
			run := parity.Run{Drivers: drivers}
			var wrong []wrongAnswer
			bad := 0
			for _, form := range forms {
				given, err := run.Ask(ctx, form, questions)
				if err != nil {
					return Result{}, err
				}
				score := parity.ScoreOf(form, given)
				data.Scores = append(data.Scores, score)
				bad += score.Failed
				if failOn == "not_run" && score.Passed == 0 {
					bad += score.Total
				}
				for i := range given {
					if g := &given[i]; g.NotRun == "" && !g.Right() {
						wrong = append(wrong, wrongAnswer{g.Question.ID, form, g.Question.Answer, g.Answer, g.Failed})
					}
				}
			}
			if into != "" {
				if err := os.WriteFile(into, parity.Scoreboard(data.Scores), 0o644); err != nil {
					return Result{}, err
				}
			}
			if bad > 0 && failOn != "" {
				return Result{}, wrongAnswers(data, wrong)
			}
			data.Items, err = Paginate(inv, slices.Values(wrong), func(w wrongAnswer) string { return w.Form + " " + w.ID }, digest(questionIDs(questions)...), itself)
			return Result{Data: data, Text: func(w io.Writer) { data.write(w) }}, err
		},
	}
}

// wrongAnswers is the failure of forms that answer wrongly: it names the first
// questions.
func wrongAnswers(c *comparison, wrong []wrongAnswer) *Error {
	for _, s := range c.Scores {
		if len(wrong) == 0 && s.Passed == 0 {
			return Fail(ConformanceFailed, "%s", s)
		}
	}
	first := wrong[0]
	e := Fail(ConformanceFailed, "%d answers are wrong, the first: %s asked %s says %s%s, and right is %s", len(wrong), first.Form, first.ID, first.Got, first.Failed, first.Right)
	return e.Saying("opcat parity get " + first.ID)
}

func (c *comparison) write(w io.Writer) {
	w.Write(parity.Scoreboard(c.Scores))
	for _, i := range c.Items {
		fmt.Fprintf(w, "\n%s %s\n\tright: %s\n\tgot:   %s%s\n", i.Form, i.ID, i.Right, i.Got, i.Failed)
	}
}
