package codectest

import (
	"fmt"
	"math/big"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/decision"
	"github.com/opcat/opcat/operations/embedding"
	"github.com/opcat/opcat/operations/rerank"
)

// Vectors says what is wrong with the vectors of a request's answer.
func Vectors(q embedding.Request, r embedding.Result) error {
	if len(r.Vectors) != len(q.Items) {
		return fmt.Errorf("%d vectors for %d items", len(r.Vectors), len(q.Items))
	}
	for i, v := range r.Vectors {
		width := int64(len(v.Floats) + len(v.Bytes))
		if r.ElementType == "binary" || r.ElementType == "ubinary" {
			width *= 8
		}
		if width != r.Dimensions {
			return fmt.Errorf("vector %d has %d numbers, not %d", i, width, r.Dimensions)
		}
	}
	return nil
}

// Ranking says what is wrong with the scores of a request's answer.
func Ranking(q rerank.Request, r rerank.Result) error {
	if len(r.Scores) != len(q.Documents) {
		return fmt.Errorf("%d scores for %d documents", len(r.Scores), len(q.Documents))
	}
	seen := map[int64]bool{}
	for i, s := range r.Scores {
		if s.Document < 0 || s.Document >= int64(len(q.Documents)) || seen[s.Document] || !s.Score.IsKnown() {
			return fmt.Errorf("score %d is %+v", i, s)
		}
		seen[s.Document] = true
	}
	return nil
}

// Answers says what is wrong with the answers to a request's questions: each has
// one, and what it says lies within what was asked.
func Answers(q decision.Request, r decision.Result) error {
	if len(r.Answers) != len(q.Questions) {
		return fmt.Errorf("%d answers to %d questions", len(r.Answers), len(q.Questions))
	}
	for i, a := range r.Answers {
		asked := q.Questions[i]
		switch {
		case a.ID != asked.ID:
			return fmt.Errorf("answer %d is to %q, not %q", i, a.ID, asked.ID)
		case a.Kind == decision.Refused:
			continue
		case a.Kind != asked.Kind:
			return fmt.Errorf("answer %d is of kind %q", i, a.Kind)
		}
		for _, p := range append([]catalog.Decimal{a.Confidence, a.Probability}, a.Probabilities...) {
			if p.IsKnown() && (p.Compare("0") < 0 || p.Compare("1") > 0) {
				return fmt.Errorf("answer %d has the probability %s", i, p)
			}
		}
		chosen, _ := a.Option.Get()
		switch {
		case a.Kind == "boolean" && !a.Probability.IsKnown():
			return fmt.Errorf("answer %d has no probability", i)
		case a.Kind == "choice" && (!a.Option.IsKnown() || chosen >= int64(len(asked.Options)) || asked.Options[chosen].Label != a.Choice):
			return fmt.Errorf("answer %d chooses %q at %d", i, a.Choice, chosen)
		case a.Kind == "score" && (!a.Score.IsKnown() || a.Score.Compare("0") < 0 || a.Score.Rat().Cmp(big.NewRat(int64(len(asked.Levels)-1), 1)) > 0):
			return fmt.Errorf("answer %d has the score %s", i, a.Score)
		case a.Probabilities != nil && len(a.Probabilities) != len(asked.Options)+len(asked.Levels):
			return fmt.Errorf("answer %d has %d probabilities", i, len(a.Probabilities))
		}
	}
	return nil
}
