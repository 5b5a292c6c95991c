package check

import (
	"github.com/opcat/opcat/diag"
	pricing "github.com/opcat/opcat/operations/price"
)

// unboundedMeter finds output prices that a decision would be billed by. A native
// decision says nothing about how many tokens it writes, so nothing caps the bill
// and no budget could ever admit the call.
func (r *row) unboundedMeter() {
	c := r.contract("decision_evaluation")
	if c == nil || r.Broken || c.billable>>meterIndex("output_token")&1 == 0 {
		return
	}
	for i := range r.prices {
		p := &r.prices[i]
		if p.meterName() != "output_token" || p.amount() == nil || p.free() || p.tier() != "standard" {
			continue // a decision asks for no service tier
		}
		if n := p.k[pOperation]; n != nil && n.Str() != c.Op.Name || n == nil && r.freeDecision(p, c) {
			continue
		}
		d := diag.Diagnostic{Code: diag.UnboundedMeter, At: p.place().At(), Message: "nothing caps the output tokens of a decision, so at this price none can be admitted", Got: p.rate(),
			Allowed: []string{"0", "no output price"}, Notes: []diag.Note{{At: c.place(), Message: "the decision contract"}},
			Help: "if decisions are not billed by output, state it: meter = \"output_token\", operation = \"decision_evaluation\", usd_per_million = \"0\"; or leave output_token out of the contract's meters"}
		if n := p.k[pAbove]; n != nil {
			d.Help = "state the zero of decisions above " + n.Str() + " input tokens too"
		}
		r.add(d)
	}
}

// freeDecision reports whether an entry of its own frees decisions of a price
// that all operations have.
func (r *row) freeDecision(p *price, c *contract) bool {
	for i := range r.prices {
		q := &r.prices[i]
		if q.meter == p.meter && q.k[pOperation].Str() == c.Op.Name && q.free() && q.above <= p.above && relate(q, p, r.regional) != pricing.Apart {
			return true // where it does not win, PRICE_OVERLAP says what is missing
		}
	}
	return false
}
