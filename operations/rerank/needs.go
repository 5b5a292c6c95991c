package rerank

import (
	"slices"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
)

// FormRemote is a request with a document that is named by a URL.
const FormRemote = "remote"

// Needs states what the request asks of a route.
func (r Request) Needs(n *op.Needs) error {
	n.For(&Operation)
	n.Count(atTopN, r.Settings.TopN, 1)
	n.OneOf(atTruncate, r.Settings.Truncate, truncates)
	n.Cut = r.Settings.Truncate != "" && r.Settings.Truncate != "none"
	if top, ok := r.Settings.TopN.Get(); ok && top > int64(len(r.Documents)) {
		n.Fail("top_n: %d is more than the %d documents", top, len(r.Documents))
	}
	if r.Query == "" {
		n.Fail("query: it is empty")
	}
	n.Texts("query", r.Query)
	if len(r.Documents) == 0 {
		n.Fail("documents: there are none")
	}
	query := op.Tally{Most: int64(len(r.Query)) + op.AroundPiece}
	all, longest := query, op.Tally{}
	kinds := op.Bit(Operation.Inputs, "text") // the query is one
	for i := range r.Documents {
		d := &r.Documents[i]
		kind := op.Bit(Operation.Inputs, d.Kind)
		if kind == 0 {
			n.Fail("document %d: kind %q is not one of %v", i, d.Kind, Operation.Inputs)
			return n.Err()
		}
		kinds |= kind
		n.Content("document", i, d.Kind == "text", d.Text, d.MediaType, d.Data, d.URL, "")
		if d.URL != "" {
			n.Form(FormRemote)
		}
		one := op.Tally{Most: int64(len(d.Text)) + op.AroundPiece, Open: d.Kind != "text"}
		longest.Most, longest.Open = max(longest.Most, one.Most), longest.Open || one.Open
		all.Most, all.Open = all.Most+one.Most, all.Open || one.Open
	}
	n.Inputs = op.Words(Operation.Inputs, kinds)
	n.Counted(r.InputTokens)
	n.Tokens = all.Size("request_tokens", r.InputTokens)
	n.Tokens.Sum = true
	n.Measure(op.Size{Name: "documents", Most: int64(len(r.Documents)), Told: true})
	n.Measure(within("query_tokens", query, r.InputTokens))
	n.Measure(within("document_tokens", longest, r.InputTokens))
	n.Measure(n.Tokens)
	pair := op.Tally{Most: query.Most + longest.Most, Open: longest.Open}
	n.Measure(within("pair_tokens", pair, r.InputTokens))
	return n.Err()
}

// within bounds a part of what is sent: all of it bounds the part too.
func within(name string, part op.Tally, counted catalog.Opt[int64]) op.Size {
	s := part.Size(name, catalog.Opt[int64]{})
	if v, ok := counted.Get(); ok && (s.Open || v < s.Most) {
		s.Most, s.Open, s.Told = v, false, true
	}
	return s
}

// Keep copies the request; the copy shares no memory with its receiver that
// anybody could change.
func (r Request) Keep() Request {
	r.Documents = slices.Clone(r.Documents)
	return r
}
