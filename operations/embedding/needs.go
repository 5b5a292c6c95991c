package embedding

import (
	"slices"

	"github.com/opcat/opcat/operations/op"
)

// Needs states what the request asks of a route.
func (r Request) Needs(n *op.Needs) error {
	n.Count("dimensions", r.Settings.Dimensions)
	n.Word("task", r.Settings.Task)
	n.Word("element_type", r.Settings.ElementType)
	n.Word("truncate", r.Settings.Truncate)
	for _, kind := range Operation.Inputs {
		if slices.ContainsFunc(r.Items, func(i Item) bool { return i.Kind == kind }) {
			n.Inputs = append(n.Inputs, kind)
		}
	}
	return nil
}

// Clone shares no memory with its receiver.
func (r Request) Clone() Request {
	r.Items = slices.Clone(r.Items)
	return r
}
