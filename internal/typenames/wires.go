package typenames

import (
	"slices"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
)

// Questions are the kinds of questions of an operation, as its contracts may list
// them.
func Questions(o *op.Operation) []string {
	for _, k := range o.Keys {
		if k.Name == "question_kinds" {
			return k.Type.Elem.Values
		}
	}
	return nil
}

// Places are the kinds of input and of questions that a wire takes, where that is all
// that its misfit function looks at: it is asked about each. That of a text wire looks at
// the contract too, and is written by hand in each language.
func Places(o *op.Operation, p *op.Protocol) (inputs, questions []string, ok bool) {
	if p.Misfit == nil || o.ManyWires {
		return nil, nil, false
	}
	taken := func(kinds []string, ask func(kind string) *op.Needs) []string {
		return slices.DeleteFunc(slices.Clone(kinds), func(kind string) bool {
			field, _ := p.Misfit(&catalog.Contract{}, ask(kind))
			return field != ""
		})
	}
	inputs = taken(o.Inputs, func(kind string) *op.Needs { return &op.Needs{Inputs: []string{kind}} })
	questions = taken(Questions(o), func(kind string) *op.Needs { return &op.Needs{Questions: []string{kind}} })
	return inputs, questions, true
}
