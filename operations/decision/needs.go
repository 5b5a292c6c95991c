package decision

import (
	"slices"

	"github.com/opcat/opcat/operations/op"
)

// Needs states what the request asks of a route.
func (r Request) Needs(n *op.Needs) error {
	n.Word("prompt_cache_key", r.Settings.PromptCacheKey)
	n.Word("safety_identifier", r.Settings.SafetyIdentifier)
	for _, kind := range Operation.Inputs {
		if slices.ContainsFunc(r.State, func(p Part) bool { return p.Kind == kind }) {
			n.Inputs = append(n.Inputs, kind)
		}
	}
	for _, kind := range QuestionKinds {
		if slices.ContainsFunc(r.Questions, func(q Question) bool { return q.Kind == kind }) {
			n.Questions = append(n.Questions, kind)
		}
	}
	return nil
}

// Clone shares no memory with its receiver.
func (r Request) Clone() Request {
	r.State = slices.Clone(r.State)
	r.Questions = slices.Clone(r.Questions)
	for i := range r.Questions {
		r.Questions[i].Options = slices.Clone(r.Questions[i].Options)
		r.Questions[i].Levels = slices.Clone(r.Questions[i].Levels)
	}
	return r
}
