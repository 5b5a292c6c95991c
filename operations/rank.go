package operations

import (
	"math"
	"slices"
)

// A hit is a route that serves, with what it is ranked by.
type hit struct {
	route int
	cost  money
	known bool // the cost
}

// best looks at every route that serves and keeps the best k.
func (p *plan) best(q *Query, s *Selection, k int) {
	var few [DefaultLimit]hit
	hits := few[:0]
	if k > DefaultLimit {
		hits = make([]hit, 0, min(k, p.s.routes))
	}
	prefer := q.Prefer
	priced := len(prefer) == 0 || slices.Contains(prefer, PreferPrice) && len(q.Usage.Lines)+len(q.Usage.Unknown) > 0
	for route := p.next(); route >= 0; route = p.next() {
		if !p.passes(q, route) {
			continue
		}
		h := hit{route: route}
		if priced {
			h.cost, h.known = p.cost(q, route)
		}
		if len(hits) == k {
			if !p.better(q, &h, &hits[k-1]) {
				continue
			}
			hits = hits[:k-1]
		}
		lo, hi := 0, len(hits)
		for lo < hi {
			if mid := int(uint(lo+hi) >> 1); p.better(q, &h, &hits[mid]) {
				hi = mid
			} else {
				lo = mid + 1
			}
		}
		hits = hits[:len(hits)+1]
		copy(hits[lo+1:], hits[lo:])
		hits[lo] = h
	}
	for i := range hits {
		s.add(hits[i].route)
	}
}

// better reports whether a comes before b. Routes come in the table's order, so
// what is equal stays in it.
func (p *plan) better(q *Query, a, b *hit) bool {
	if len(q.Prefer) == 0 {
		return cheaper(a, b) > 0
	}
	for _, by := range q.Prefer {
		c := 0
		switch by {
		case PreferPrice:
			c = p.cheaper(q, a, b)
		case PreferContext:
			c = compareUp(p.s.contexts[b.route], p.s.contexts[a.route])
		case PreferTier:
			c = compareUp(p.s.tiers[a.route], p.s.tiers[b.route])
		case PreferProviders:
			c = compareUp(p.providerRank(q, a.route), p.providerRank(q, b.route))
		}
		if c != 0 {
			return c > 0
		}
	}
	return false
}

// compareUp is above 0 if a is less than b.
func compareUp(a, b uint64) int {
	switch {
	case a < b:
		return 1
	case a > b:
		return -1
	}
	return 0
}

// cheaper compares the cost of the usage or, without one, of a usual call, which is
// the table's order.
func (p *plan) cheaper(q *Query, a, b *hit) int {
	if len(q.Usage.Lines)+len(q.Usage.Unknown) == 0 {
		return compareUp(uint64(a.route), uint64(b.route))
	}
	return cheaper(a, b)
}

// cheaper is above 0 if a costs less. A cost that is unknown is more than any.
func cheaper(a, b *hit) int {
	switch {
	case a.known != b.known:
		if a.known {
			return 1
		}
		return -1
	case a.cost.less(b.cost):
		return 1
	case b.cost.less(a.cost):
		return -1
	}
	return 0
}

func (p *plan) providerRank(q *Query, route int) uint64 {
	for i, id := range q.ProviderOrder {
		if n, ok := p.c.ProviderNumber(id); ok && uint64(n) == p.s.providers[route] {
			return uint64(i)
		}
	}
	return math.MaxUint64
}
