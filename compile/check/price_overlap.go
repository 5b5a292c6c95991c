package check

import (
	"time"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	pricing "github.com/opcat/opcat/operations/price"
)

// Of the entries that fit a call, the one wins that states all that each other
// states, and more; of two tiers the higher one reached. Two entries that can
// both fit, neither of which is the winner, need a third that states what both
// state. Without it a call would have two prices, and who bills by which depends
// on the order of a file.

// relate compares two entries of one meter, as the pricing of a call does. Where a
// row's prices name regions, an entry without one is for calls that name none.
func relate(a, b *price, regional bool) pricing.Relation {
	if (a.has|b.has)&(1<<pTier) != 0 && a.tier() != b.tier() {
		return pricing.Apart // most pairs
	}
	return pricing.Relate(a.condition(), b.condition(), regional)
}

// condition is what the entry states, read once.
func (p *price) condition() *pricing.Condition {
	if p.when != nil {
		return p.when
	}
	c := &pricing.Condition{
		Region: p.k[pRegion].Str(), Operation: p.k[pOperation].Str(), CacheLifetime: p.k[pLifetime].Str(),
		Variant: p.k[pVariant].Str(), Tool: p.k[pTool].Str(), Above: p.above,
	}
	if t := p.tier(); t != "standard" {
		c.ServiceTier = t
	}
	if p.k[pFrom] != nil {
		c.From = time.Unix(p.from, 0)
	}
	if p.k[pUntil] != nil {
		c.Until = time.Unix(p.until, 0)
	}
	if w := p.k[pWindow]; w != nil {
		c.Window = pricing.NewWindow(w.Get("days").Strings(), w.Get("start").Str(), w.Get("end").Str(), w.Get("utc_offset").Str())
	}
	p.when = c
	return c
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
			case pricing.Same:
				r.overlap(a, b, "two prices of "+a.meterName()+" state the same: "+a.conditions(), "keep one")
				left = 0
			case pricing.Beside:
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
		if w := &r.prices[i]; relate(w, a, r.regional) == pricing.More && relate(w, b, r.regional) == pricing.More {
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
