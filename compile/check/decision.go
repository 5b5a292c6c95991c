package check

import (
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// wire is the protocol of a contract that has one; nil if it is not stated.
func (c *contract) wire() *tree.Node {
	if len(c.protocols) == 0 {
		return nil
	}
	return c.protocols[0].name
}

// upstreamPin finds gateway contracts that do not say who answers: on this
// protocol author and server may differ, and an unpinned answer may be another
// model's.
func (c *contract) upstreamPin() {
	w := c.wire()
	if w == nil || w.Str() != "vercel_evaluate" || c.get(c.k.upstream) != nil || c.partial() {
		return
	}
	c.add(diag.Diagnostic{Code: diag.UpstreamPinMissing, At: w.At(), Message: "vercel_evaluate must name the exact upstream, since author and server may differ", Got: "no upstream",
		Allowed: []string{`upstream = "..."`}, Help: "add upstream: the server that answers"})
}

// questionKinds finds kinds of questions that the protocol has no form for.
func (c *contract) questionKinds() {
	kinds, w := c.get(c.k.kinds), c.wire()
	if kinds == nil || w == nil {
		return
	}
	for n := kinds.First(); n != nil; n = n.Next() {
		if n.Str() != "box" {
			continue
		}
		switch w.Str() {
		case "openai_decisions", "vercel_evaluate", "google_decisions", "databricks_ai_decide", "parallel_decisions":
			c.add(diag.Diagnostic{Code: diag.QuestionKindNotInProtocol, At: n.At(), Message: w.Str() + " has no form for a box question", Got: "box", Allowed: []string{"boolean", "choice", "score"},
				Notes: note(w, "the protocol"), Help: "remove the kind"})
		}
		if in := c.kids[c.k.inputs]; in != nil && !in.Has("image") && !overruled(n, in) {
			c.add(diag.Diagnostic{Code: diag.QuestionKindNotInProtocol, At: n.At(), Message: "a box lies on an image, and the contract takes none", Got: "box",
				Notes: note(in, "what the contract takes"), Help: `add "image" to input_kinds, or remove the kind`})
		}
	}
}

// evidenceKind finds answers whose evidence the protocol can't have: one protocol
// answers from pages that its server finds, all others from what they were sent.
// A predicate that demands evidence from the input would accept a web page.
func (c *contract) evidenceKind() {
	n, w := c.get(c.k.evidenceKind), c.wire()
	if n == nil || w == nil {
		return
	}
	right := "input_reference"
	message := w.Str() + " answers from the input alone and cites nothing"
	if w.Str() == "parallel_decisions" {
		right = "external_citation"
		message = w.Str() + " answers from pages that its server finds"
	}
	if n.Str() != right {
		c.add(diag.Diagnostic{Code: diag.EvidenceContradictsKind, At: n.At(), Message: message, Got: n.Str(), Allowed: []string{right}, Notes: note(w, "the protocol"), Help: "write " + quote(right)})
	}
}

// optionsInProtocol finds options that a decision's protocol does not carry: the
// request would be sent without them, in silence.
func (c *contract) optionsInProtocol() {
	w := c.wire()
	if c.Op.Name != "decision_evaluation" || w == nil || w.Str() == "openai_decisions" {
		return
	}
	for i, n := range c.settings {
		if i == c.k.exclusive || !admits(n) {
			continue
		}
		c.add(diag.Diagnostic{Code: diag.OptionNotInProtocol, At: n.KeyAt(), Message: w.Str() + " does not carry " + quote(n.Name()), Got: n.Name(), Allowed: []string{"no settings"},
			Notes: note(w, "the protocol"), Help: "remove the setting"})
	}
}
