package embedding

import (
	"slices"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
)

// FormRemote is a request with an item that is named by a URL.
const FormRemote = "remote"

// Needs states what the request asks of a route.
func (r Request) Needs(n *op.Needs) error {
	n.For(&Operation)
	n.Count(atDimensions, r.Settings.Dimensions, 1)
	n.Text(atTask, r.Settings.Task)
	n.OneOf(atElementType, r.Settings.ElementType, ElementTypes)
	n.OneOf(atTruncate, r.Settings.Truncate, truncates)
	n.Cut = r.Settings.Truncate != "" && r.Settings.Truncate != "none"
	if len(r.Items) == 0 {
		n.Fail("items: there are none")
	}
	var all, longest op.Tally
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
		one := op.Tally{Open: it.Kind != "text"}
		one.Around(op.AroundPiece)
		one.Text(it.Text)
		longest.Most, longest.Open = max(longest.Most, one.Most), longest.Open || one.Open
		all.Most, all.Open = all.Most+one.Most, all.Open || one.Open
	}
	n.Inputs = op.Words(Operation.Inputs, kinds)
	n.Counted(r.InputTokens)
	n.Tokens = all.Size("request_tokens", r.InputTokens)
	n.Tokens.Sum = true
	n.Measure(op.Size{Name: "items", Most: int64(len(r.Items)), Told: true})
	n.Measure(each(longest, r.InputTokens))
	n.Measure(n.Tokens)
	return n.Err()
}

// each bounds the tokens of the longest item: all items together bound it too.
func each(longest op.Tally, counted catalog.Opt[int64]) op.Size {
	s := longest.Size("input_tokens", catalog.Opt[int64]{})
	if v, ok := counted.Get(); ok && (s.Open || v < s.Most) {
		s.Most, s.Open, s.Told = v, false, true
	}
	return s
}

// Keep copies the request; the copy shares no memory with its receiver that
// anybody could change.
func (r Request) Keep() Request {
	r.Items = slices.Clone(r.Items)
	return r
}
