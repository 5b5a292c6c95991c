package check

import (
	"github.com/opcat/opcat/diag"
)

// priceConditions finds prices whose condition no call of the row can meet. They
// look like prices in every table and are never used in any bill.
func (r *row) priceConditions() {
	if r.Broken || !r.pricedBy(1<<pOperation|1<<pRegion) {
		return
	}
	for i := range r.prices {
		p := &r.prices[i]
		if n := p.k[pOperation]; n != nil && len(r.Changes) == 0 && !r.draft.RulesBroken && r.contract(n.Str()) == nil && !r.model[kListed].Has(n.Str()) {
			d := diag.Diagnostic{Code: diag.PriceConditionUnmet, At: n.At(), Message: "the price is for " + n.Str() + ", which the row does not offer", Got: n.Str(),
				Help: "mend the operation, grant it, or remove the price"}
			for j := range r.contracts {
				d.Allowed = append(d.Allowed, r.contracts[j].Op.Name)
			}
			r.add(d)
		}
		if n := p.k[pRegion]; n != nil {
			if ok, known, at := r.reaches(n.Str()); !ok {
				d := diag.Diagnostic{Code: diag.PriceConditionUnmet, At: n.At(), Message: "the price is for region " + quote(n.Str()) + ", where the row is not served", Got: n.Str(), Allowed: known,
					Help: "mend the name, or add the region"}
				if near, ok := diag.Nearest(n.Str(), known); ok {
					d.Help = "did you mean " + quote(near) + "?"
				}
				if at != nil {
					d.Notes = []diag.Note{{At: at.KeyAt(), Message: "where it is served"}}
				}
				r.add(d)
			}
		}
	}
}

// priceLifetimes finds meters some of whose entries name a cache lifetime and
// some do not: the entry without one would be used for the longer lifetime, which
// costs more.
func (r *row) priceLifetimes() {
	if !r.pricedBy(1 << pLifetime) {
		return
	}
	for i := range r.prices {
		with := &r.prices[i]
		if with.k[pLifetime] == nil {
			continue
		}
		for j := range r.prices {
			without := &r.prices[j]
			if without.meter != with.meter || without.k[pLifetime] != nil {
				continue
			}
			r.add(diag.Diagnostic{Code: diag.PriceLifetimeMixed, At: without.node.At(), Message: "this price of " + with.meterName() + " names no cache lifetime, and another one does",
				Got: without.conditions(), Notes: note(with.k[pLifetime], "this one is for "+with.k[pLifetime].Str()),
				Help: "add cache_lifetime: a meter's entries all name one, or none does"})
		}
	}
}

// tiersInWindow finds price tiers that begin where the window ends: no request
// reaches them. It is how a billing threshold was once entered as a context.
func (r *row) tiersInWindow() {
	if !r.pricedBy(1 << pAbove) {
		return
	}
	window, what := r.limits[kContext], "context"
	if n := r.limits[kInput]; n != nil && (window == nil || above(window, n)) {
		window, what = n, "input limit"
	}
	for i := range r.contracts {
		// A request that carries many items may hold more than one window of them.
		if op := r.contracts[i].Op.Name; op == "embedding" || op == "reranking" || op == "moderation" {
			window, what = r.contracts[i].Table.Path("limits", "request_tokens"), "request"
			break
		}
	}
	if window == nil {
		return
	}
	most := count(window.Str())
	for i := range r.prices {
		p := &r.prices[i]
		if p.above < most || p.above == 0 || above(window, p.k[pAbove]) || overruled(p.k[pAbove], window) {
			continue
		}
		n := p.k[pAbove]
		r.add(diag.Diagnostic{Code: diag.TierAboveWindow, At: n.At(), Message: "a price above " + n.Str() + " input tokens never applies: the " + what + " holds " + window.Str(), Got: n.Str(),
			Allowed: []string{"< " + window.Str()}, Notes: note(window, name(window)+" = "+window.Str()), Help: "mend one of the two: was the price's threshold entered as the window?"})
	}
}
