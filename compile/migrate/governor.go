package migrate

import (
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// governor gives a provider the limits that the rate governor holds it to.
func (w *rulework) governor(limits *tree.Node) {
	p := w.provider(limits.Name())
	switch {
	case p == nil:
		if !w.declares(limits.Name()) {
			w.unknown(limits, limits.Name(), "the limits are of no declared provider", limits.KeyAt())
			return
		}
		move := w.moved("L43", limits, "", "provider_limits."+limits.Name(), "dropped")
		move.Named, move.Note = true, "an overlay states the quota of a provider of a lower layer in today's form"
	case p.Governor == nil:
		p.Governor = limits
	case !tree.Equal(p.Governor, limits):
		w.statedTwice(p.Governor, limits)
	}
}

// statedTwice reports one fact of a provider that two places give two values.
func (w *rulework) statedTwice(first, second *tree.Node) {
	if tree.Equal(first, second) {
		return
	}
	w.report(diag.Diagnostic{Code: diag.ProviderFactsContradict, At: second.KeyAt(), Message: "two places give " + second.Name() + " two values",
		Got: show(second), Fields: []string{second.Name()}, Notes: []diag.Note{{At: first.KeyAt(), Message: "here it says " + show(first)}}, Help: "keep one of the two"})
}

// patternTwice reports a pattern that a rule lists twice.
func (w *rulework) patternTwice(r *rule, node *tree.Node) {
	d := diag.Diagnostic{Code: diag.DuplicateItem, At: node.At(), Provider: r.provider, Message: "the pattern " + spell(node) + " is listed twice, capitals aside",
		Got: node.Str(), Help: "keep one"}
	for item := range r.match.Each() {
		if folded(item.Str()) == folded(node.Str()) {
			d.Notes = []diag.Note{{At: item.At(), Message: "first listed here"}}
			break
		}
	}
	w.report(d)
}

// bound reads version_min.
func (w *rulework) bound(r *rule) {
	n := r.table.Get("version_min")
	if n == nil {
		return
	}
	r.bounded = true
	if n.Len() != 2 {
		r.never = true
		w.report(diag.Diagnostic{Code: diag.VersionBoundInvalid, At: n.KeyAt(), Provider: r.provider, Fields: []string{"version_min"},
			Message: "a version bound is [major, minor]; with another length the rule never matches", Got: spell(n), Allowed: []string{"two integers"}})
		return
	}
	r.major, r.minor = int(n.First().Int()), int(n.First().Next().Int())
	for i := range r.patterns {
		if mayCarryVersion(r.patterns[i].text) {
			return
		}
	}
	if len(r.patterns) == 0 {
		return
	}
	r.never = true
	w.report(diag.Diagnostic{Code: diag.VersionBoundUnparseable, At: n.KeyAt(), Provider: r.provider, Fields: []string{"version_min", "model_match"},
		Message: "no version can be read from ids of this pattern, so the rule can never match", Got: spell(r.match), Allowed: []string{"a pattern of a versioned family"},
		Notes: []diag.Note{{At: r.match.KeyAt(), Message: show(r.match)}}})
}
