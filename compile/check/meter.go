package check

import (
	"math/bits"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// meters finds prices of what no call of the row can be billed by. An embedding
// has no output tokens: an output price on it, often a copy of the input price,
// charges callers twice. A stated zero does no harm and stays.
func (r *row) meters() {
	if len(r.contracts) == 0 || r.model[kListed] != nil || r.partial() {
		return
	}
	for i := range r.prices {
		p := &r.prices[i]
		billable := r.billable
		offers := r.contracts
		if n := p.k[pOperation]; n != nil {
			c := r.contract(n.Str())
			if c == nil {
				continue // PRICE_CONDITION_UNMET says so
			}
			billable, offers = c.billable, r.only(c)
		}
		if p.meter >= len(meterNames) || billable>>p.meter&1 == 1 && !(p.k[pTool] != nil && !r.callsTools(offers)) || p.free() {
			continue
		}
		if m := offers[0].kids[offers[0].k.meters]; m != nil && overruled(p.node, m) && offers[0].Op.HasMeter(p.meterName()) {
			continue
		}
		r.add(r.unbillable(p, offers, billable))
	}
}

// only is the row's contracts without the others.
func (r *row) only(c *contract) []contract {
	for i := range r.contracts {
		if &r.contracts[i] == c {
			return r.contracts[i : i+1]
		}
	}
	return nil
}

// callsTools reports whether one of the contracts can bill for a tool.
func (r *row) callsTools(offers []contract) bool {
	for i := range offers {
		if offers[i].Op.HasMeter("tool_call") {
			return true
		}
	}
	return false
}

func (r *row) unbillable(p *price, offers []contract, billable uint64) diag.Diagnostic {
	var ops []string
	for i := range offers {
		ops = append(ops, offers[i].Op.Name)
	}
	d := diag.Diagnostic{Code: diag.MeterNotInOperation, At: p.place().At(), Got: p.rate(),
		Message: list(ops) + " is not billed by " + p.meterName() + ", so this price charges for what is never returned or asked",
		Notes:   []diag.Note{{At: offers[0].place(), Message: "the row offers " + list(ops)}}, Help: "remove the price"}
	if n := p.k[pTool]; n != nil {
		d.Message = list(ops) + " calls no tools, so there is no fee for " + n.Str()
		d.At = n.At()
	}
	for m := billable; m != 0; m &= m - 1 {
		d.Allowed = append(d.Allowed, meterNames[bits.TrailingZeros64(m)])
	}
	if m := offers[0].kids[offers[0].k.meters]; len(offers) == 1 && m != nil && offers[0].Op.HasMeter(p.meterName()) {
		d.Notes = note(m, "the meters that the contract states")
		d.Help = "add the meter to the contract, or remove the price"
	}
	if in := r.inputPrice(p); in != nil && p.meterName() == "output_token" {
		d.Message += "; it equals the input price"
		d.Notes = append(d.Notes, note(in, "the input price")...)
		d.Help = "remove it: it looks like a copy of the input price"
	}
	return d
}

// inputPrice finds an input price of the same amount.
func (r *row) inputPrice(p *price) *tree.Node {
	for i := range r.prices {
		q := &r.prices[i]
		if q.meterName() == "input_token" && q.amount() != nil && p.amount() != nil && sameAmount(p, q) {
			return q.place()
		}
	}
	return nil
}
