package check

import (
	"strings"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/diag"
)

// outputLimit finds output limits on rows that write no tokens. Catalogs have
// stored a vector's width there, and callers then plan for an answer that long.
func (r *row) outputLimit() {
	n := r.limits[kOutput]
	if n == nil || len(r.contracts) == 0 || r.partial() || r.model[kListed] != nil {
		return
	}
	for i := range r.contracts {
		if op := r.contracts[i].Op.Name; op == "text_generation" || op == "decision_evaluation" {
			return
		}
	}
	c := &r.contracts[0]
	d := diag.Diagnostic{Code: diag.FieldOfOtherOperation, At: n.KeyAt(), Message: "output_tokens is a limit of text, and " + quote(r.ID) + " only offers " + c.Op.Name, Got: n.Str(),
		Notes: []diag.Note{{At: c.place(), Message: "its " + c.Op.Name + " contract"}}, Help: "remove it"}
	for _, k := range form.Limits().Keys {
		if strings.HasSuffix(k.Name, "_tokens") && k.Index != kOutput {
			d.Allowed = append(d.Allowed, "limits."+k.Name)
		}
	}
	if e := r.contract("embedding"); e != nil {
		dims := e.get(e.k.dimensions)
		switch width := dims.Get("default"); {
		case dims == nil || dims.Str() == "" && width == nil:
			d.Help = n.Str() + " looks like the width of a vector: write dimensions = " + n.Str() + " in the embedding contract, and remove it here"
		case dims.Str() == n.Str() || width.Str() == n.Str():
			d.Help = n.Str() + " is the width of the vector, which is dimensions in the embedding contract; remove it here"
		default:
			d.Help = "remove it: an embedding returns no tokens, and its width is dimensions in the contract"
		}
	}
	r.add(d)
}
