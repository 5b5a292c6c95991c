package operations

import (
	"iter"
	"math/bits"

	"github.com/opcat/opcat/catalog"
)

// A Selection is the routes that serve a query, the best first. It is a value: what
// it holds of the catalog never changes.
type Selection struct {
	c    *catalog.Catalog
	rows []uint64 // of the space
	few  [DefaultLimit]uint32
	more []uint32 // instead, where more are asked for
	n    int
	err  error
}

// Err says what is wrong with the query, a *QueryError; nil if nothing is. A
// selection of a wrong query is empty.
func (s *Selection) Err() error { return s.err }

// Len is how many routes there are, up to the query's limit.
func (s *Selection) Len() int { return s.n }

// Row is the row of a route, from 0, the best.
func (s *Selection) Row(i int) catalog.Ref {
	route := s.routes()[i]
	return s.c.RefAt(int(s.rows[route]))
}

func (s *Selection) routes() []uint32 {
	if s.more != nil {
		return s.more[:s.n]
	}
	return s.few[:s.n]
}

// Rows are the rows of all routes, the best first.
func (s *Selection) Rows() iter.Seq[catalog.Ref] {
	return func(yield func(catalog.Ref) bool) {
		for i := range s.n {
			if !yield(s.Row(i)) {
				return
			}
		}
	}
}

// Select finds the best routes for a query. Only rows with a contract for its
// operation are ever looked at. An empty selection is an answer; Explain says what
// made it so, and Reject why a route is not in it.
//
// A query of the catalog's own date that asks for kinds, settings whatever their
// value, windows, providers and the like is answered from the table of the catalog,
// and allocates nothing. The routes that the table is not sure of are judged as
// admission judges them, and decoded for it the first time.
func Select(c *catalog.Catalog, q Query) (s Selection) {
	var p plan
	if s.err = p.on(c, &q); s.err != nil {
		return s
	}
	s.c, s.rows = c, p.s.rows
	k := q.Limit
	if k == 0 {
		k = DefaultLimit
	}
	if k > DefaultLimit {
		s.more = make([]uint32, 0, min(k, p.s.routes))
	}
	if byStoredOrder(&q) {
		p.first(&q, &s, k)
	} else {
		p.best(&q, &s, k)
	}
	p.done()
	return s
}

// byStoredOrder reports whether the order of the table is the one that is wanted.
func byStoredOrder(q *Query) bool {
	return len(q.Usage.Lines)+len(q.Usage.Unknown) == 0 && (len(q.Prefer) == 0 || len(q.Prefer) == 1 && q.Prefer[0] == PreferPrice)
}

func (s *Selection) add(route int) {
	if s.more != nil {
		s.more = append(s.more, uint32(route))
	} else {
		s.few[s.n] = uint32(route)
	}
	s.n++
}

// first takes routes as they come, and those that nobody has to look at a word at a
// time.
func (p *plan) first(q *Query, s *Selection, k int) {
	words := !p.looks && !p.one && s.more == nil
	for s.n < k {
		route := p.next()
		if route < 0 {
			return
		}
		if p.passes(q, route) {
			s.add(route)
		}
		if words {
			for p.word&-p.word&p.free != 0 && s.n < k { // the lowest is free
				s.few[s.n] = uint32((p.at-1)<<6 + bits.TrailingZeros64(p.word))
				s.n++
				p.word &= p.word - 1
			}
		}
	}
}

// Count is how many routes serve a query.
func Count(c *catalog.Catalog, q Query) (n int, err error) {
	var p plan
	if err := p.on(c, &q); err != nil {
		return 0, err
	}
	for route := p.next(); route >= 0; route = p.next() {
		if p.passes(&q, route) {
			n++
		}
	}
	p.done()
	return n, nil
}
