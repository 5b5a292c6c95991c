package op

import (
	"slices"

	"github.com/opcat/opcat/catalog"
)

// A Place is what a wire can write, whatever a contract says: kinds of input,
// kinds of questions, and forms of requests.
type Place struct {
	Inputs, Questions, Forms []string
}

// Misfit is the first thing that a request needs and the wire has no place for.
func (p Place) Misfit(_ *catalog.Contract, n *Needs) (field, got string) {
	if x := beyond(p.Inputs, n.Inputs); x != "" {
		return "input", x
	}
	if x := beyond(p.Questions, n.Questions); x != "" {
		return "question_kinds", x
	}
	if x := beyond(p.Forms, n.Forms); x != "" {
		return "form", x
	}
	return "", ""
}

// beyond is the first of the words that is not among the known ones.
func beyond(known, words []string) string {
	for _, w := range words {
		if !slices.Contains(known, w) {
			return w
		}
	}
	return ""
}
