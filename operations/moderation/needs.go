package moderation

import (
	"slices"

	"github.com/opcat/opcat/operations/op"
)

// Needs states what the request asks of a route.
func (r Request) Needs(n *op.Needs) error {
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
