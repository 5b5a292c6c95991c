package migrate

import (
	"strings"

	"github.com/opcat/opcat/diag"
)

// batchFacts describe a batch interface, without the discount, which is a price.
var batchFacts = []string{
	"batch_wire_format", "wire_format", "batch_input_mode", "input_mode", "batch_turnaround_hours", "turnaround_hours",
	"batch_max_requests", "max_requests", "batch_max_input_bytes", "max_input_bytes",
	"batch_result_retention_days", "result_retention_days", "batch_result_ordering", "result_ordering",
	"batch_partial_failure", "partial_failure", "batch_cancellation", "cancellation",
	"batch_security_notes", "security_notes", "batch_operational_notes", "operational_notes", "batch_regions", "regions",
}

var batchGroup = groupOf("batch", "L26", batchFacts...)

// batched reports whether a row can be sent in batches: by what its rules say, else
// by its provider's label (L26, L30).
func (v *view) batched() bool {
	if n := v.node("batch_api"); n != nil {
		return n.IsTrue()
	}
	return v.provider.feature("batch")
}

func (w *writer) batch() {
	if n := w.node("batch_api"); n != nil {
		w.movedBy("L26", n, textOperation+".batch")
	}
	if !w.batched() || w.node("batch_wire_format") == nil || w.node("batch_input_mode") == nil {
		return
	}
	w.carry(batchGroup())
	if n := w.node("batch_discount_percent"); n != nil {
		w.movedBy("L45", n, "a price with service_tier = batch")
	}
}

func (v *view) judgeBatch() {
	api := v.get("batch_api")
	if !api.node.IsFalse() {
		return
	}
	var described []given
	for i := 0; i < len(batchFacts); i += 2 {
		if g := v.get(batchFacts[i]); g.rule != nil {
			described = append(described, g)
		}
	}
	if g := v.get("batch_discount_percent"); g.rule != nil {
		described = append(described, g)
	}
	for _, g := range described {
		v.quarrel(g, api, diag.Diagnostic{Code: diag.BatchContradicts, Message: "batches are denied and described", Got: g.node.Name(),
			Allowed: []string{"no batch fields", "batch_api = true"}})
	}
}

func (v *view) missingOfBatch() {
	api := v.get("batch_api")
	if !api.node.IsTrue() || v.row != nil && !v.row.Does(textOperation) {
		return
	}
	var missing []string
	for _, name := range []string{"batch_wire_format", "batch_input_mode"} {
		if v.node(name) == nil {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		v.lacks(api, strings.Join(missing, ", "), diag.Diagnostic{Code: diag.BatchIncomplete,
			Message: "batches are offered, but nothing says " + strings.Join(missing, " and "), Allowed: []string{"batch_wire_format", "batch_input_mode"}})
	}
}
