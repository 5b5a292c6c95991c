package operations

import (
	"math/bits"
	"slices"
	"strings"
	"time"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/operations/price"
)

// The table keeps a meter's rate where it is plain: the standard tier, no region,
// nothing that depends on the time of day, at most steps by the size of the input. A
// rate counts 10^-16 of a dollar. Everything else is asked of the row's own sheet.
const (
	rateUnknown  = 1<<64 - 1 // no entry prices it
	rateAsk      = 1<<64 - 2 // the sheet knows
	rateUnbilled = 1<<64 - 3 // the contract says that it bills other meters
	rateSteps    = 1 << 63   // with the place of {steps, {above, rate} ...}, the highest first
	ratePlaces   = 16
)

// toAmount turns rate units into those of price.Amount.
const toAmount = 100_000_000 // 24 - ratePlaces zeros

// rates are what the entries of a row come to, by meter.
type rates struct {
	steps []step // by meter, the highest first
	ask   uint64 // meters that the sheet must be asked about
}

type step struct {
	meter       int
	above, rate uint64
}

// rated reads price entries as they hold for a call that names no region.
func rated(prices []catalog.Price, operation string, room []step) rates {
	r := rates{steps: room}
	for i := range prices {
		p := &prices[i]
		meter, known := meterNumbers()[p.Meter]
		switch {
		case !known, p.ServiceTier != "" && p.ServiceTier != "standard", p.Region != "", p.Tool != "", p.Variant != "", p.Operation != "" && p.Operation != operation:
			continue // it holds for no call that asks the table
		}
		rate, ok := plainRate(p)
		if !ok || p.Operation != "" || p.CacheLifetime != "" || p.ValidFrom != "" || p.ValidUntil != "" || p.Window != nil {
			r.ask |= 1 << meter
			continue
		}
		if p.Meter == "request" {
			r.ask = 1<<64 - 1 // it is billed by every call
		}
		r.steps = append(r.steps, step{meter, uint64(p.AboveInputTokens.Or(0)), rate})
	}
	slices.SortFunc(r.steps, func(a, b step) int {
		if a.meter != b.meter {
			return a.meter - b.meter
		}
		if a.above > b.above {
			return -1
		}
		return 1
	})
	return r
}

// plainRate is an entry's rate if the table can hold it.
func plainRate(p *catalog.Price) (uint64, bool) {
	if p.Dynamic.Or(false) || p.Currency != "" || p.Untrusted {
		return 0, false
	}
	if p.USDPerMillion.IsKnown() {
		return scaled(string(p.USDPerMillion), ratePlaces-6)
	}
	return scaled(string(p.USDPerUnit), ratePlaces)
}

// scaled reads a canonical decimal as a whole number of 10^-places; false if it is
// none, or too large.
func scaled(s string, places int) (n uint64, ok bool) {
	whole, fraction, _ := strings.Cut(s, ".")
	if s == "" || len(fraction) > places {
		return 0, false
	}
	for i := 0; i < len(whole)+places; i++ {
		digit := byte('0')
		if i < len(whole) {
			digit = whole[i]
		} else if i-len(whole) < len(fraction) {
			digit = fraction[i-len(whole)]
		}
		if digit < '0' || digit > '9' || n > rateSteps/20 {
			return 0, false
		}
		n = 10*n + uint64(digit-'0')
	}
	return n, n < rateSteps
}

// at is the rate of a meter for an input of so many tokens. billed are the meters
// that the contract names; 0 if it names none.
func (r *rates) at(meter int, input, billed uint64) uint64 {
	switch {
	case billed != 0 && billed>>meter&1 == 0:
		return rateUnbilled
	case r.ask>>meter&1 != 0:
		return rateAsk
	}
	for _, s := range r.steps {
		if s.meter == meter && (s.above == 0 || input > s.above) {
			return s.rate
		}
	}
	return rateUnknown
}

// A money is an amount in 10^-24 dollars, as far as 128 bits hold it: what is more
// counts as the most. It is what routes are ranked by.
type money struct{ hi, lo uint64 }

var mostMoney = money{1<<64 - 1, 1<<64 - 1}

func (a money) less(b money) bool { return a.hi < b.hi || a.hi == b.hi && a.lo < b.lo }

func (a money) plus(b money) money {
	lo, carry := bits.Add64(a.lo, b.lo, 0)
	hi, carry := bits.Add64(a.hi, b.hi, carry)
	if carry != 0 {
		return mostMoney
	}
	return money{hi, lo}
}

// product is what a count of a rate comes to.
func product(rate uint64, count int64) money {
	hi, lo := bits.Mul64(rate, uint64(count))
	over, hi2 := bits.Mul64(hi, toAmount)
	carry, lo := bits.Mul64(lo, toAmount)
	hi, c := bits.Add64(hi2, carry, 0)
	if over != 0 || c != 0 {
		return mostMoney
	}
	return money{hi, lo}
}

func moneyOf(a price.Amount) money {
	hi, lo, ok := a.Words()
	if !ok {
		return mostMoney
	}
	return money{hi, lo}
}

// usualCost is what a usual call of an operation costs outside the hours of any
// time window; false if that is unknown.
func usualCost(o *op.Operation, prices []catalog.Price, r *rates, billed uint64, at time.Time) (money, bool) {
	if cost, ok, settled := plainCost(&o.Usual, r, billed); settled {
		return cost, ok
	}
	always := slices.DeleteFunc(slices.Clone(prices), func(p catalog.Price) bool { return p.Window != nil })
	usage := billedUsage(&o.Usual, func(meter string) bool { return billed == 0 || billed>>meterNumbers()[meter]&1 != 0 }, nil)
	total, ok := price.Compile(always).Total(&usage, &price.Call{Operation: o.Name, At: at})
	return moneyOf(total), ok
}

// plainCost is usualCost without the sheet; settled is false if that must be asked.
func plainCost(u *price.Usage, r *rates, billed uint64) (sum money, ok, settled bool) {
	input := uint64(u.Input())
	for i := range u.Lines {
		l := &u.Lines[i]
		switch rate := r.at(meterNumbers()[l.Meter], input, billed); rate {
		case rateAsk:
			return sum, false, false
		case rateUnknown:
			return sum, false, true
		case rateUnbilled:
		default:
			sum, ok = sum.plus(product(rate, l.Count)), true
		}
	}
	return sum, ok, ok // where no line is billed, each request may be
}

// billedUsage is the part of a usage that a contract bills. One that bills nothing
// else bills the request.
func billedUsage(u *price.Usage, bills func(meter string) bool, room []price.Line) price.Usage {
	billed := price.Usage{Lines: room[:0]}
	for _, l := range u.Lines {
		if bills(l.Meter) {
			billed.Lines = append(billed.Lines, l)
		}
	}
	for _, name := range u.Unknown {
		if bills(name) {
			billed.Unknown = append(billed.Unknown, name)
		}
	}
	if len(billed.Lines)+len(billed.Unknown) == 0 && bills("request") {
		billed.Add("request", 1)
	}
	return billed
}

// borrowing are the meters that take another's rate where they have none, which
// only the sheet knows.
const borrowing = "reasoning_token"
