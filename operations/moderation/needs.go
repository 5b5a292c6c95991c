package moderation

import (
	"slices"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
)

// FormRemote is a request with an item that is named by a URL.
const FormRemote = "remote"

// Needs states what the request asks of a route.
func (r Request) Needs(n *op.Needs) error {
	if len(r.Items) == 0 {
		n.Fail("items: there are none")
	}
	var all op.Tally
	var kinds uint
	for i := range r.Items {
		it := &r.Items[i]
		kind := op.Bit(Operation.Inputs, it.Kind)
		if kind == 0 {
			n.Fail("item %d: kind %q is not one of %v", i, it.Kind, Operation.Inputs)
			return n.Err()
		}
		kinds |= kind
		n.Content("item", i, it.Kind == "text", it.Text, it.MediaType, it.Data, it.URL, "")
		if it.URL != "" {
			n.Form(FormRemote)
		}
		all.Around(op.AroundPiece)
		all.Text(it.Text)
		if it.Kind != "text" {
			all.Media()
		}
	}
	n.Inputs = op.Words(Operation.Inputs, kinds)
	n.Counted(r.InputTokens)
	n.Tokens = all.Size("input_tokens", r.InputTokens)
	n.Measure(op.Size{Name: "items", Most: int64(len(r.Items)), Told: true})
	n.Measure(n.Tokens)
	return n.Err()
}

func limit(c *catalog.Contract, name string) (n catalog.Opt[int64]) {
	l := c.Moderation.Limits
	switch {
	case l == nil:
	case name == "items":
		return l.Items
	case name == "input_tokens":
		return l.InputTokens
	}
	return n
}

// Keep copies the request; the copy shares no memory with its receiver that
// anybody could change.
func (r Request) Keep() Request {
	r.Items = slices.Clone(r.Items)
	return r
}
