package check

import (
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// A promise about data that contradicts itself is read in the reader's favour.
// What an account or a request decides must be said where it is decided.

func (p *provider) dataControls() { dataControls(p.Table.Get("data_controls"), p.Broken, p.add) }
func (r *row) dataControls()      { dataControls(r.model[kControls], r.Broken, r.add) }

func dataControls(n *tree.Node, broken bool, add func(diag.Diagnostic)) {
	if n == nil {
		return
	}
	scope, controls := n.Get("control_scope"), n.Get("request_controls")
	quarrel := func(at, other *tree.Node, message, help string) {
		d := diag.Diagnostic{Code: diag.DataControlsContradict, At: at.At(), Message: message, Got: at.Str(), Help: help}
		if other != nil {
			d.Notes = against(other)
		}
		add(d)
	}
	switch {
	case scope.Str() == "per_request" && controls.First() == nil && !broken:
		quarrel(scope, controls, "the scope is per_request, but no request control says how it is asked for", "add request_controls, or change the scope")
	case scope != nil && scope.Str() != "per_request" && controls.First() != nil:
		quarrel(scope, controls, "the scope is "+scope.Str()+", but there are request controls", `remove them, or say control_scope = "per_request"`)
	}
	for later := controls.First(); later != nil; later = later.Next() {
		for sooner := controls.First(); sooner != later; sooner = sooner.Next() {
			if sameControl(sooner, later) {
				quarrel(later.Get("name"), sooner.Get("name"), "the request control is listed twice", "keep one")
				break
			}
		}
	}
	if training, needs := n.Get("training_default"), n.Get("no_training_requires"); needs.First() != nil && training != nil && training.Str() != "unspecified" {
		quarrel(training, needs, "the training default is "+training.Str()+", yet no_training_requires makes it depend on something", `say training_default = "unspecified", or remove the condition`)
	}
	for _, key := range []string{"retention_default", "training_default"} {
		claim := n.Get(key)
		if claim == nil || claim.Str() == "unspecified" || broken {
			continue
		}
		switch {
		case n.Get("sources").First() == nil:
			quarrel(claim, nil, "a claim about data names no source", `add sources = ["https://..."]`)
		case n.Get("checked_on") == nil:
			quarrel(claim, n.Get("sources"), "a claim about data does not say when its source was read", "add checked_on")
		}
	}
}

// sameControl reports whether two controls set the same part of a request of one
// protocol.
func sameControl(a, b *tree.Node) bool {
	if a.Get("location").Str() != b.Get("location").Str() || a.Get("name").Str() != b.Get("name").Str() || a.Get("effect").Str() != b.Get("effect").Str() {
		return false
	}
	pa, pb := a.Get("applies_to"), b.Get("applies_to")
	if pa == nil || pb == nil {
		return true
	}
	for n := pa.First(); n != nil; n = n.Next() {
		if pb.Has(n.Str()) {
			return true
		}
	}
	return false
}
