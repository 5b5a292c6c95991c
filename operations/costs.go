package operations

import (
	"slices"

	"github.com/opcat/opcat/operations/price"
)

// Costs are what a usage comes to, from the table's columns where they say it.
type costs struct {
	lines  [maxLines]costLine
	n      int
	input  uint64 // tokens, what steps look at
	sheets bool   // the table cannot say it
}

const maxLines = 8

type costLine struct {
	rates []uint64 // by route
	count int64
}

func (c *costs) read(s *space, q *Query) {
	u := &q.Usage
	c.input = uint64(u.Input())
	c.sheets = q.Region != "" || len(u.Unknown) > 0 || len(u.Lines) > maxLines || slices.ContainsFunc(q.Settings, namesTier)
	for i := range u.Lines {
		l := &u.Lines[i]
		if c.sheets || l.Tool != "" || l.CacheLifetime != "" {
			c.sheets = true
			return
		}
		if l.Count == 0 { // which costs nothing wherever the meter is billed
			c.sheets = true
			return
		}
		at := slices.Index(s.meters, uint64(meterNumbers()[l.Meter]))
		if at < 0 {
			c.sheets = true
			return
		}
		c.lines[c.n] = costLine{s.w[s.rates[at]:][:s.routes], l.Count}
		c.n++
	}
}

// cost is what the usage costs on a route; false if that is unknown.
func (p *plan) cost(q *Query, route int) (sum money, known bool) {
	c := &p.j.costs
	if c.sheets {
		return p.sheetCost(q, route)
	}
	for i := range c.lines[:c.n] {
		l := &c.lines[i]
		rate := l.rates[route]
		if rate >= rateSteps {
			switch rate {
			case rateUnknown:
				return money{}, false
			case rateAsk:
				return p.sheetCost(q, route)
			case rateUnbilled:
				continue
			}
			if rate = p.s.stepped(rate, c.input); rate == rateUnknown {
				return money{}, false
			}
		}
		sum, known = sum.plus(product(rate, l.count)), true
	}
	if !known { // the contract bills none of it, or each request
		return p.sheetCost(q, route)
	}
	return sum, true
}

// stepped is the rate of a meter that depends on the size of the input.
func (s *space) stepped(word, input uint64) uint64 {
	steps := s.w[word&^rateSteps:]
	for i := range int(steps[0]) {
		if above := steps[1+2*i]; above == 0 || input > above {
			return steps[2+2*i]
		}
	}
	return rateUnknown
}

func (p *plan) sheetCost(q *Query, route int) (money, bool) {
	total, known := p.judging(q).cost(p.route(route))
	if !known {
		return money{}, false
	}
	return moneyOf(total), true
}

func (j *judging) cost(r *route) (price.Amount, bool) {
	usage := &j.usage
	if r.contract.Meters != nil {
		j.billed = billedUsage(usage, r.bills, j.room[:0])
		usage = &j.billed
	}
	return r.sheet.Total(usage, j.callOf(r))
}

// callOf is what the prices of a route depend on beside the usage. A query that asks for no cache
// lifetime has that of the contract's first protocol, as every call has.
func (j *judging) callOf(r *route) *price.Call {
	j.call.CacheLifetime = j.lifetime
	if p := r.wires[0].protocol; j.lifetime == "" && p != nil {
		j.call.CacheLifetime = p.CacheLifetime
	}
	return &j.call
}
