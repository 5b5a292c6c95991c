package check

import (
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// An entry has one amount, and its key says the unit. A price whose unit must be
// guessed from its size has been wrong by a factor of a million before.

func (r *row) priceAmounts() {
	for i := range r.prices {
		r.prices[i].amounts(r.Broken, r.add)
	}
}

// fallbackPrices holds the prices that a policy may fall back on to the same
// rules as a row's.
func (p *provider) fallbackPrices() {
	for n := p.Table.Get("fallback_price").First(); n != nil; n = n.Next() {
		var e price
		e.read(n)
		e.amounts(p.Broken, p.add)
		e.guard(p.add)
		if (e.k[pSource] == nil) != (e.k[pDate] == nil) && !p.Broken {
			halfSource(e.k[pSource], e.k[pDate], "the price of "+e.meterName(), p.add)
		}
		if p.fallbackDiffers(&e) {
			return // one warning for a provider
		}
	}
}

// fallbackDiffers warns of a fallback that differs from what a row of the provider
// costs: a row without a price would settle at another rate. In format 0 it is the
// migrator's warning.
func (p *provider) fallbackDiffers(fallback *price) bool {
	if fallback.amount() == nil || fallback.has&^(amountBits|keyBits(pMeter, pSource, pDate)) != 0 || legacy(fallback.node) {
		return false
	}
	for _, r := range p.Rows {
		for n := r.Table.Get("price").First(); n != nil; n = n.Next() {
			var own price
			own.read(n)
			if own.meter != fallback.meter || own.amount() == nil || own.has&(conditional|1<<pAbove|1<<pTier|1<<pRegion) != 0 || sameAmount(&own, fallback) {
				continue
			}
			p.add(diag.Diagnostic{Code: diag.PriceFallbackDiffers, Warning: true, At: fallback.place().At(), Got: fallback.rate(), Allowed: []string{own.rate()},
				Message: "the provider's fallback for " + own.meterName() + " differs from what a row of it costs; a row without a price would settle at another rate",
				Notes:   note(own.place(), quote(r.ID)+" costs "+own.rate()), Help: "give every row of the provider its price"})
			return true
		}
	}
	return false
}

func (p *price) amounts(broken bool, add func(diag.Diagnostic)) {
	million := perMillion[p.meter]
	if p.has&amountBits == 1<<pMillion && million {
		return // nearly every entry
	}
	p.oneAmount(broken, million, add)
	p.units(million, add)
	p.currency(broken, add)
}

func (p *price) oneAmount(broken, million bool, add func(diag.Diagnostic)) {
	var first *tree.Node
	for _, i := range amountKeys {
		n := p.k[i]
		if n == nil || i == pDynamic && !n.IsTrue() {
			continue
		}
		if first != nil {
			add(diag.Diagnostic{Code: diag.PriceAmount, At: n.KeyAt(), Message: "the price of " + p.meterName() + " has two amounts: " + first.Name() + " and " + n.Name(), Got: n.Name() + " = " + n.Str(),
				Allowed: []string{"one amount"}, Notes: note(first, first.Name()+" = "+first.Str()), Help: p.keep(million)})
			continue
		}
		first = n
	}
	if first == nil && !broken && p.meter < len(meterNames) && p.k[pCurrency] == nil {
		add(diag.Diagnostic{Code: diag.PriceAmount, At: p.node.At(), Message: "the price of " + p.meterName() + " has no amount: what nobody stated is unknown, never zero",
			Allowed: amountsOf(million), Help: "state the amount; if it changes from call to call say dynamic = true, and if it is not known leave the entry out"})
	}
}

// keep says which of two amounts stands: the one whose key is the meter's.
func (p *price) keep(million bool) string {
	if p.k[pMillion] == nil || p.k[pUnit] == nil || p.meter >= len(meterNames) {
		return "keep one"
	}
	if million {
		return "keep usd_per_million: " + p.meterName() + " is priced by the million"
	}
	return "keep usd_per_unit: " + p.meterName() + " is priced by the unit"
}

// amountsOf are the keys that a meter's amount may have.
func amountsOf(million bool) []string {
	if million {
		return []string{"usd_per_million", "currency with per_million", "dynamic"}
	}
	return []string{"usd_per_unit", "currency with per_unit", "dynamic"}
}

func (p *price) units(million bool, add func(diag.Diagnostic)) {
	if p.meter >= len(meterNames) || p.k[pMillion] != nil && p.k[pUnit] != nil { // two amounts, which is said already
		return
	}
	wrong, right, how, meant := p.k[pMillion], "usd_per_unit", "by the unit", "a million rather than of one"
	other := p.k[pCurMil]
	power := -6
	if million {
		wrong, right, how, meant = p.k[pUnit], "usd_per_million", "by the million", "one rather than of a million"
		other, power = p.k[pCurUnit], 6
	}
	for _, n := range []*tree.Node{wrong, other} {
		if n == nil || n == other && p.k[pCurrency] == nil {
			continue
		}
		key := right
		if n == other {
			key = strings.TrimPrefix(right, "usd_")
		}
		add(diag.Diagnostic{Code: diag.PriceUnit, At: n.KeyAt(), Message: p.meterName() + " is priced " + how + ", not with " + n.Name(), Got: n.Name() + " = " + n.Str(),
			Allowed: amountsOf(million), Help: "rename the key to " + key + "; if " + n.Str() + " is the price of " + meant + ", write " + key + " = " + quote(times(n.Str(), power))})
	}
}

func (p *price) currency(broken bool, add func(diag.Diagnostic)) {
	cur := p.k[pCurrency]
	var amount *tree.Node
	for _, i := range [...]int{pCurMil, pCurUnit} {
		if p.k[i] != nil {
			amount = p.k[i]
		}
	}
	switch {
	case cur == nil && amount == nil || broken:
	case cur == nil && (p.k[pMillion] != nil || p.k[pUnit] != nil): // two amounts, which is said already
	case cur == nil:
		add(diag.Diagnostic{Code: diag.PriceCurrency, At: amount.KeyAt(), Message: amount.Name() + " names no currency", Got: amount.Str(),
			Allowed: []string{"currency with " + amount.Name(), "usd_" + amount.Name()}, Help: "add currency, or write usd_" + amount.Name() + " if it is US dollars"})
	case strings.EqualFold(cur.Str(), "usd"):
		add(diag.Diagnostic{Code: diag.PriceCurrency, At: cur.At(), Message: "US dollars have keys of their own", Got: cur.Str(), Allowed: []string{"usd_per_million", "usd_per_unit"},
			Help: "write usd_per_million or usd_per_unit, and no currency"})
	case amount == nil && p.amount() != nil && p.amount() != p.k[pDynamic]:
		name := p.amount().Name()
		add(diag.Diagnostic{Code: diag.PriceCurrency, At: cur.KeyAt(), Message: name + " is in US dollars, and the currency is another", Got: cur.Str(), Allowed: []string{strings.TrimPrefix(name, "usd_")},
			Notes: note(p.amount(), "the amount"), Help: "write " + strings.TrimPrefix(name, "usd_") + " if the amount is in " + cur.Str() + ", or remove the currency"})
	case amount == nil:
		add(diag.Diagnostic{Code: diag.PriceCurrency, At: cur.KeyAt(), Message: "a currency without an amount in it", Got: cur.Str(), Allowed: []string{"per_million", "per_unit"},
			Help: "add the amount, or remove the currency"})
	}
}
