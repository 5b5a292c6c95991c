package check

import (
	"slices"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/operations"
)

// noOperation finds rows that nothing can be asked of. A registry that fills the
// gap offers such a row for chat, whatever it is; here it is granted nothing and
// the author is told.
func (r *row) noOperation() {
	if len(r.Contracts) > 0 || r.model[kListed].First() != nil || r.Broken || r.Provider == nil || r.draft.RulesBroken || r.grantAstray() {
		return
	}
	at := r.Table.KeyAt()
	if n := r.model[kWire]; n != nil {
		at = n.At()
	}
	help := "write a rule under capability_sources with models = [" + quote(r.Wire) + "], or say listed_as if no contract can be granted"
	if f := r.model[kMeta].Get("family"); f != nil && operations.Lookup(f.Str()) != nil {
		help = "a family never grants an operation; " + help
	}
	r.add(diag.Diagnostic{Code: diag.NoOperation, At: at, Message: "row " + quote(r.ID) + " has no operation: no rule that names it grants one",
		Allowed: operations.Names(), Help: help})
}

// grantAstray reports whether a rule that names such a row names a provider that is
// not declared: that is reported, and most likely all that is wrong.
func (r *row) grantAstray() bool {
	return slices.ContainsFunc(r.draft.Astray, func(rule *tree.Node) bool {
		return rule.Get("models").Has(r.Wire) || rule.Get("model_match").Str() == r.Wire
	})
}

// listedAndGranted finds rows that are listed as a job which a contract grants
// them: listed_as is for what no contract can be granted for, and pickers show
// such a row apart.
func (r *row) listedAndGranted() {
	for n := r.model[kListed].First(); n != nil; n = n.Next() {
		if c := r.contract(n.Str()); c != nil {
			r.add(diag.Diagnostic{Code: diag.ListedAndGranted, At: n.At(), Message: quote(n.Str()) + " is granted by a contract, so the row is not only listed as it", Got: n.Str(),
				Notes: []diag.Note{{At: c.place(), Message: "the contract is here"}}, Help: "take it out of listed_as"})
		}
	}
}
