package flat

import (
	"math/bits"
	"slices"
	"time"

	"github.com/opcat/opcat/internal/blob"
)

// A Filter says what routes must be like. What is left empty is not asked; a route of which
// a thing is unknown does not meet what asks for it.
type Filter struct {
	Provider      string
	LogicalModel  string
	InputKinds    []string  // kinds that it must all take
	Protocol      string    // a protocol that it must speak
	ContextTokens int64     // tokens that its context must hold
	Support       string    // at least so well evidenced: declared, documented, probed
	States        []State   // states that it may have, at the moment of At
	At            time.Time // left out, the date for which the catalog was compiled
}

// supports are the degrees of evidence, the weakest first.
var supports = [...]string{"declared", "documented", "probed"}

// A scan is a filter on its way through an operation's routes.
type scan[O Operation] struct {
	c      Catalog
	f      *Filter
	entry  uint32 // of the operation
	table  uint32 // of its routes
	routes int
	at     time.Time
}

func newScan[O Operation](c Catalog, f *Filter) scan[O] {
	var none O
	s := scan[O]{c: c, f: f, entry: c.operation(none.place()), at: f.At}
	s.table = word(c.s, s.entry+blob.OpRoutes)
	s.routes = lengthAt(c.s, s.table, blob.RouteSize)
	if s.at.IsZero() && len(f.States) > 0 {
		s.at, _ = c.AsOf().Time()
	}
	return s
}

func (s *scan[O]) route(i uint32) Route[O] {
	if int(i) >= s.routes {
		return Route[O]{}
	}
	return routeAt[O](s.c, s.table, i)
}

// meets judges a route by all that is asked.
func (s *scan[O]) meets(r Route[O]) bool {
	f := s.f
	if !r.IsKnown() {
		return false
	}
	row, contract := r.Row(), r.Contract()
	switch {
	case f.Provider != "" && row.Provider() != f.Provider,
		f.LogicalModel != "" && row.LogicalModel() != f.LogicalModel,
		f.Protocol != "" && !speaks(contract.Protocol(), f.Protocol),
		f.ContextTokens > 0 && row.Limits().window() < f.ContextTokens,
		f.Support != "" && !asWell(contract.Evidence().Support(), f.Support),
		len(f.States) > 0 && !slices.Contains(f.States, r.State(s.at)):
		return false
	}
	for _, kind := range f.InputKinds {
		if !contract.InputKinds().Has(kind) {
			return false
		}
	}
	return true
}

// asWell reports whether a degree of evidence is at least another.
func asWell(has, wanted string) bool {
	at := slices.Index(supports[:], wanted)
	return at >= 0 && slices.Index(supports[:], has) >= at
}

// window is how many tokens a row holds at once; -1 if that is unknown.
func (l Limits) window() int64 {
	context, known := l.ContextTokens()
	local, also := l.RuntimeContextTokens()
	switch {
	case known && also:
		return min(context, local)
	case known:
		return context
	case also:
		return local
	}
	return -1
}

// maxSets is how many sets one filter looks at; of more kinds, the routes themselves are asked.
const maxSets = 8

// ranked gives the routes of all sets that the filter names, in the order of price.
func (s *scan[O]) ranked(yield func(uint32) bool) {
	text := s.c.s
	var sets [maxSets]uint32
	n := 0
	add := func(set uint32) {
		if n < maxSets {
			sets[n] = set
			n++
		}
	}
	for _, kind := range s.f.InputKinds {
		add(findOf(view{text, word(text, s.entry+blob.OpInputs)}, kind))
	}
	if s.f.Support != "" {
		add(findOf(view{text, word(text, s.entry+blob.OpSupports)}, s.f.Support))
	}
	if s.f.ContextTokens > 0 {
		add(s.cut(s.f.ContextTokens))
	}
	order := word(text, s.entry+blob.OpOrder)
	if lengthAt(text, order, 4) < s.routes || slices.Contains(sets[:n], 0) {
		return // damaged, or a set that no route is in
	}
	pairs := (s.routes + blob.SetBits - 1) / blob.SetBits
	for top := 0; top < pairs; top += blob.SetBits {
		busy := ^uint64(0) // pairs that no set lacks
		for _, set := range sets[:n] {
			busy &= pair(text, set+8*uint32(pairs+top/blob.SetBits))
		}
		for ; busy != 0; busy &= busy - 1 {
			p := top + bits.TrailingZeros64(busy)
			if p >= pairs {
				break
			}
			in := ^uint64(0)
			if rest := s.routes - p*blob.SetBits; rest < blob.SetBits {
				in = 1<<rest - 1
			}
			for _, set := range sets[:n] {
				in &= pair(text, set+8*uint32(p))
			}
			for ; in != 0; in &= in - 1 {
				i := p*blob.SetBits + bits.TrailingZeros64(in)
				if !yield(word(text, order+4+4*uint32(i))) {
					return
				}
			}
		}
	}
}

// cut is a set that every route is in which holds so many tokens: that of the largest cut
// which is no more. The smallest cut holds all routes whose context is known. 0 if there is none.
func (s *scan[O]) cut(tokens int64) uint32 {
	text := s.c.s
	table := word(text, s.entry+blob.OpContexts)
	lo, hi := 0, lengthAt(text, table, blob.CutSize) // the cuts below lo are at most tokens
	if hi == 0 {
		return 0
	}
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if int64(pair(text, table+4+blob.CutSize*uint32(mid))) <= tokens {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return word(text, table+4+blob.CutSize*uint32(max(lo-1, 0))+8)
}
