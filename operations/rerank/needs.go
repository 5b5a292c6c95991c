package rerank

import (
	"slices"

	"github.com/opcat/opcat/operations/op"
)

// Needs states what the request asks of a route.
func (r Request) Needs(n *op.Needs) error {
	n.Count("top_n", r.Settings.TopN)
	n.Word("truncate", r.Settings.Truncate)
	for _, kind := range Operation.Inputs {
		if slices.ContainsFunc(r.Documents, func(d Document) bool { return d.Kind == kind }) || kind == "text" {
			n.Inputs = append(n.Inputs, kind)
		}
	}
	return nil
}

// Clone shares no memory with its receiver.
func (r Request) Clone() Request {
	r.Documents = slices.Clone(r.Documents)
	return r
}
