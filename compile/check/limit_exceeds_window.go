package check

import (
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// A limit above the window that holds it can never be used: one of the two was
// copied from another row, and whoever plans by it overruns or compacts too late.

// exceeds finds a limit above a window.
func exceeds(limit, window *tree.Node, what string, add func(diag.Diagnostic)) {
	if limit == nil || window == nil || !above(limit, window) || overruled(limit, window) {
		return
	}
	add(diag.Diagnostic{Code: diag.LimitExceedsWindow, At: limit.At(), Message: what + ": " + limit.Str() + " is more than " + window.Str(), Got: limit.Str(),
		Allowed: []string{"<= " + window.Str()}, Notes: note(window, name(window)+" = "+window.Str()), Help: "mend one of the two"})
}

func above(a, b *tree.Node) bool {
	return compare(a.Str(), b.Str()) > 0
}

func (r *row) limitsInWindow() {
	window := r.limits[kContext]
	exceeds(r.limits[kInput], window, "input_tokens is larger than the context", r.add)
	exceeds(r.limits[kOutput], window, "output_tokens is larger than the context", r.add)
	exceeds(r.limits[kRuntime], window, "the launch window is larger than the context", r.add)
	if m := r.model[kMemory]; m != nil {
		exceeds(m.Get("max_recommended_context"), window, "the recommended context is larger than the context", r.add)
		exceeds(m.Get("measured_context_window"), window, "the measured window is larger than the context", r.add)
	}
}

// limitsInWindow compares a contract's own limits with the row's window and with
// each other. In format 0 a decision row states the window of its state as its
// context, so there the request may be larger.
func (c *contract) limitsInWindow() {
	window, input, output := c.row.limits[kContext], c.row.limits[kInput], c.row.limits[kOutput]
	in, request := c.limit(c.k.lim.input), c.limit(c.k.lim.request)
	exceeds(in, window, "the input limit is larger than the row's context", c.add)
	exceeds(in, input, "the input limit is larger than the row's own", c.add)
	switch c.Op.Name {
	case "embedding":
		exceeds(in, request, "one item alone would overflow the request", c.add)
	case "decision_evaluation":
		state := c.limit(c.k.lim.state)
		exceeds(state, request, "the state alone would overflow the request", c.add)
		exceeds(state, window, "the state window is larger than the row's context", c.add)
		if !legacy(request) {
			exceeds(request, window, "the request window is larger than the row's context", c.add)
		}
	case "reranking":
		query, document := c.limit(c.k.lim.query), c.limit(c.k.lim.document)
		exceeds(query, window, "the query limit is larger than the row's context", c.add)
		exceeds(document, window, "the document limit is larger than the row's context", c.add)
		exceeds(query, request, "the query alone would overflow the request", c.add)
		exceeds(document, request, "one document alone would overflow the request", c.add)
	case "text_generation":
		budget := c.get(c.k.reasoning).Get("max_budget_tokens")
		exceeds(budget, window, "the reasoning budget is larger than the row's context", c.add)
		exceeds(budget, output, "the reasoning budget is larger than the row's output limit", c.add)
		exceeds(c.get(c.k.cache).Get("min_prefix_tokens"), window, "no prefix can be long enough to be cached", c.add)
		c.outputSetting(c.settings.at(c.k.set.maxOutput), output, window)
	}
}

// outputSetting compares what may be asked as max_output_tokens with what the row
// writes at most.
func (c *contract) outputSetting(setting, output, window *tree.Node) {
	if setting.First() == nil {
		return
	}
	if output == nil {
		output = window
	}
	const what = "max_output_tokens admits more than the row writes"
	c.each(setting, func(a *alternative) {
		exceeds(a.k[sMax], output, what, c.add)
		exceeds(a.k[sMin], output, "max_output_tokens starts above what the row writes", c.add)
		exceeds(a.k[sDefault], output, what+" by default", c.add)
		for v := a.k[sValues].First(); v != nil; v = v.Next() {
			exceeds(v, output, what, c.add)
		}
	})
}
