package check

import (
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// Of the entries that fit a call, the one wins that states all that each other
// states, and more; of two tiers the higher one reached. Two entries that can
// both fit, neither of which is the winner, need a third that states what both
// state. Without it a call would have two prices, and who bills by which depends
// on the order of a file.

// A relation is how two entries of one meter stand to each other.
type relation uint8

const (
	apart  relation = iota // no call fits both
	same                   // they state the same
	more                   // the first states all that the second does, and more
	less                   // the other way round
	beside                 // both may fit, and neither wins
)

// relate compares two entries of one meter. Where a row's prices name regions,
// an entry without one is for calls that name none.
func relate(a, b *price, regional bool) relation {
	if ta, tb := a.k[pTier], b.k[pTier]; (ta != nil || tb != nil) && a.tier() != b.tier() {
		return apart
	}
	if regional && a.k[pRegion].Str() != b.k[pRegion].Str() {
		return apart
	}
	if a.from >= b.until || b.from >= a.until {
		return apart
	}
	var aMore, bMore bool
	for _, s := range stated {
		na, nb := a.k[s.index], b.k[s.index]
		switch {
		case na == nil && nb == nil:
		case nb == nil:
			if s.bit == onLifetime {
				return apart // PRICE_LIFETIME_MIXED says so
			}
			aMore = true
		case na == nil:
			if s.bit == onLifetime {
				return apart
			}
			bMore = true
		case s.bit == onFrom:
			if a.from != b.from {
				aMore, bMore = true, true
			}
		case s.bit == onUntil:
			if a.until != b.until {
				aMore, bMore = true, true
			}
		case s.bit == onWindow:
			if !tree.Equal(na, nb) {
				if !meet(na, nb) {
					return apart
				}
				aMore, bMore = true, true
			}
		case na.Str() != nb.Str():
			return apart
		}
	}
	switch {
	case a.above > b.above:
		aMore = true
	case b.above > a.above:
		bMore = true
	}
	switch {
	case aMore && bMore:
		return beside
	case aMore:
		return more
	case bMore:
		return less
	}
	return same
}

// simple reports whether two entries of a meter can be told apart without looking
// closer: tiers of one price, as nearly all of them are.
func simple(a, b *price) bool {
	return a.states|b.states == 0 && a.above != b.above
}

// partners bounds how many overlaps of one entry are listed: an entry that was
// copied a thousand times is one mistake.
const partners = 8

func (r *row) priceOverlaps() {
	if r.Broken {
		return // an entry may lack the very condition that tells it from another
	}
	var joins map[join][]int // made for the first pair that needs it
	for i := range r.prices {
		a := &r.prices[i]
		if a.meter >= len(meterNames) {
			continue
		}
		for j, left := 0, partners; j < i && left > 0; j++ {
			b := &r.prices[j]
			if a.meter != b.meter || simple(a, b) {
				continue
			}
			switch relate(a, b, r.regional) {
			case same:
				r.overlap(a, b, "two prices of "+a.meterName()+" state the same: "+a.conditions(), "keep one")
				left = 0
			case beside:
				if joins == nil {
					joins = r.joins()
				}
				if !r.joined(a, b, joins) {
					r.overlap(a, b, "two prices of "+a.meterName()+" can fit one call, and neither states all that the other does", between(a, b))
					left--
				}
			}
		}
	}
}

// A join is what an entry must state, apart from values, to win over two others.
type join struct {
	meter  int
	states uint16
	above  int64
}

func (r *row) joins() map[join][]int {
	m := make(map[join][]int, len(r.prices))
	for i := range r.prices {
		p := &r.prices[i]
		k := join{p.meter, p.states, p.above}
		m[k] = append(m[k], i)
	}
	return m
}

// joined reports whether an entry states what two others state together, so that
// it wins wherever both fit.
func (r *row) joined(a, b *price, joins map[join][]int) bool {
	for _, i := range joins[join{a.meter, a.states | b.states, max(a.above, b.above)}] {
		if w := &r.prices[i]; relate(w, a, r.regional) == more && relate(w, b, r.regional) == more {
			return true
		}
	}
	return false
}

// between is how two entries that meet are set apart: by the entry that states
// what both state, where there can be one.
func between(a, b *price) string {
	both := *a
	for _, s := range stated {
		na, nb := a.k[s.index], b.k[s.index]
		if na != nil && nb != nil && !tree.Equal(na, nb) {
			return "make the two exclude each other: " + name(na) + " can't be both"
		}
		if na == nil {
			both.k[s.index] = nb
		}
	}
	if b.above > a.above {
		both.k[pAbove] = b.k[pAbove]
	}
	return "add the entry that states both (" + both.conditions() + "), or make the two exclude each other"
}

func (r *row) overlap(a, b *price, message, help string) {
	if a.node.At().Compare(b.node.At()) < 0 {
		a, b = b, a
	}
	r.add(diag.Diagnostic{Code: diag.PriceOverlap, At: a.node.At(), Message: message, Got: a.rate() + " with " + a.conditions(),
		Notes: []diag.Note{{At: b.node.At(), Message: b.rate() + " with " + b.conditions()}}, Help: help})
}
