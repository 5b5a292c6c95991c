package check

import (
	"math"
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/tree"
	pricing "github.com/opcat/opcat/operations/price"
)

// widePrice is as many keys as a price entry may have.
const widePrice = 24

// A price is one price entry under the checks.
type price struct {
	node        *tree.Node
	k           [widePrice]*tree.Node
	has         uint32 // its keys, by position
	meter       int    // place in the list of all meters
	states      uint16 // which conditions it states
	above       int64  // 0 where it prices every size
	from, until int64  // all of time where it does not say
	when        *pricing.Condition
}

// The conditions that make an entry more particular when they are stated. A
// service tier and a region are not among them: an entry without one is for the
// standard tier, and for calls that name no region.
const (
	onOperation uint16 = 1 << iota
	onLifetime
	onVariant
	onTool
	onFrom
	onUntil
	onWindow
)

// A statement is a key that states a condition, and the bit of it.
type statement struct {
	index int
	bit   uint16
}

var (
	stated      []statement
	conditional uint32 // the same keys
	amountBits  uint32 // the keys that say an amount or what it is in
	amountKeys  [5]int // the ways to say an amount
)

func conditions() []statement {
	return []statement{
		{pOperation, onOperation}, {pLifetime, onLifetime}, {pVariant, onVariant}, {pTool, onTool},
		{pFrom, onFrom}, {pUntil, onUntil}, {pWindow, onWindow},
	}
}

// keyBits is a set of an entry's keys.
func keyBits(indexes ...int) uint32 {
	var b uint32
	for _, i := range indexes {
		b |= 1 << i
	}
	return b
}

func (p *price) read(n *tree.Node) {
	*p = price{node: n, from: math.MinInt64, until: math.MaxInt64}
	for c := n.First(); c != nil; c = c.Next() {
		if i := c.Key.Index; i >= 0 && i < widePrice {
			p.k[i] = c
			p.has |= 1 << i
		}
	}
	p.meter = meterIndex(p.k[pMeter].Str())
	if n := p.k[pAbove]; n != nil {
		p.above = count(n.Str())
	}
	if p.has&conditional == 0 {
		return
	}
	for _, s := range stated {
		if p.k[s.index] != nil {
			p.states |= s.bit
		}
	}
	if n := p.k[pFrom]; n != nil {
		p.from = instant(n.Str())
	}
	if n := p.k[pUntil]; n != nil {
		p.until = instant(n.Str())
	}
}

func (p *price) meterName() string { return p.k[pMeter].Str() }

// tier is the service tier that the entry is for.
func (p *price) tier() string {
	if n := p.k[pTier]; n != nil {
		return n.Str()
	}
	return "standard"
}

// free reports whether the entry states zero; an amount in another currency
// counts, an amount that is not stated does not.
func (p *price) free() bool {
	n := p.amount()
	return n != nil && isZero(n.Str())
}

// amount is the entry's stated amount, nil if it has none (dynamic, or wrong).
func (p *price) amount() *tree.Node {
	for _, i := range [...]int{pMillion, pUnit, pCurMil, pCurUnit} {
		if p.k[i] != nil {
			return p.k[i]
		}
	}
	return nil
}

func (r *row) readPrices(list *tree.Node) {
	r.prices, r.priced = r.prices[:0], 0
	for n := list.First(); n != nil; n = n.Next() {
		k := len(r.prices)
		r.prices = slices.Grow(r.prices, 1)[:k+1]
		p := &r.prices[k]
		p.read(n)
		r.priced |= p.has
	}
	r.regional = r.priced&(1<<pRegion) != 0
}

// conditions spells out the conditions of an entry, as an author writes them.
func (p *price) conditions() string {
	s := ""
	for _, i := range []int{pTier, pOperation, pLifetime, pRegion, pVariant, pTool, pAbove, pFrom, pUntil, pWindow} {
		n := p.k[i]
		if n == nil {
			continue
		}
		if s != "" {
			s += ", "
		}
		s += form.Price().Keys[i].Name
		switch i {
		case pWindow:
			s += " " + strings.Join(n.Get("days").Strings(), ",") + " " + n.Get("start").Str() + " to " + n.Get("end").Str() + " " + n.Get("utc_offset").Str()
		case pAbove:
			s += " = " + n.Str()
		default:
			s += " = " + quote(n.Str())
		}
	}
	if s == "" {
		return "no condition"
	}
	return s
}

// place is the smallest text that says the entry's amount.
func (p *price) place() *tree.Node {
	if n := p.amount(); n != nil {
		return n
	}
	if n := p.k[pDynamic]; n != nil {
		return n
	}
	return p.node
}

// rate is the entry's amount with what it is for, as people say it.
func (p *price) rate() string {
	switch {
	case p.k[pDynamic].IsTrue():
		return "dynamic"
	case p.k[pMillion] != nil:
		return p.k[pMillion].Str() + " USD per million"
	case p.k[pUnit] != nil:
		return p.k[pUnit].Str() + " USD each"
	case p.k[pCurMil] != nil:
		return p.k[pCurMil].Str() + " " + p.k[pCurrency].Str() + " per million"
	case p.k[pCurUnit] != nil:
		return p.k[pCurUnit].Str() + " " + p.k[pCurrency].Str() + " each"
	}
	return "no amount"
}

func sameAmount(a, b *price) bool {
	for _, i := range [...]int{pMillion, pUnit, pCurrency, pCurMil, pCurUnit, pDynamic} {
		if a.k[i].Str() != b.k[i].Str() {
			return false
		}
	}
	return true
}
