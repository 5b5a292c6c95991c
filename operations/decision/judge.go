package decision

import (
	"slices"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
)

// judge compares the questions with those that a contract takes.
func judge(c *catalog.Contract, n *op.Needs) op.Complaint {
	d := c.DecisionEvaluation
	for _, kind := range n.Questions {
		switch {
		case d.QuestionKinds == nil:
			return op.Complaint{Why: op.Unknown, Field: "question_kinds", Got: kind}
		case !slices.Contains(d.QuestionKinds, kind):
			return op.Complaint{Why: op.Refused, Field: "question_kinds", Got: kind, Allowed: d.QuestionKinds}
		}
	}
	if len(n.Forms) == 0 {
		return op.Complaint{}
	}
	switch {
	case !n.Has(FormJSONInstructions) || d.Instructions == "json":
	case d.Instructions == "":
		return op.Complaint{Why: op.Unknown, Field: "instructions", Got: "json"}
	default:
		return op.Complaint{Why: op.Refused, Field: "instructions", Got: "json", Allowed: []string{d.Instructions}}
	}
	return criteria(d.Criteria, n)
}

// criteria: who takes one side takes both too; who wants both takes not one alone.
func criteria(takes string, n *op.Needs) op.Complaint {
	for _, form := range [...]string{FormOneSide, FormBothSides} {
		switch {
		case !n.Has(form) || takes == "one_side" || takes == form:
		case takes == "":
			return op.Complaint{Why: op.Unknown, Field: "criteria", Got: form}
		default:
			return op.Complaint{Why: op.Refused, Field: "criteria", Got: form, Allowed: []string{takes}}
		}
	}
	return op.Complaint{}
}

func limit(c *catalog.Contract, name string) (n catalog.Opt[int64]) {
	l := c.DecisionEvaluation.Limits
	if l == nil {
		return n
	}
	switch name {
	case "questions":
		return l.Questions
	case "choice_options":
		return l.ChoiceOptions
	case "score_levels_min":
		return l.ScoreLevelsMin
	case "score_levels_max":
		return l.ScoreLevelsMax
	case "state_tokens":
		return l.StateTokens
	case "request_tokens":
		return l.RequestTokens
	case "images":
		return l.Images
	}
	return n
}
