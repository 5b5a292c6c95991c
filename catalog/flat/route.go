package flat

import (
	"iter"
	"time"

	"github.com/opcat/opcat/internal/blob"
)

// An Operation is a member of the registry, named by the type of its contracts; so
// only the five of this package are operations, and a route of one is no argument for another.
type Operation interface {
	contracts
	place() uint32
	Protocol() List[Protocol]
	InputKinds() Texts[string]
	Evidence() Evidence
}

// A Route is a row and one of its operations: the unit of selection and price. Only a
// look-up in that operation makes one. The zero Route is none.
type Route[O Operation] struct {
	_     [0]O // or Go would convert a route of one operation to one of another
	c     Catalog
	entry uint32 // of its row
}

// IsKnown reports whether there is such a route.
func (r Route[O]) IsKnown() bool { return r.entry != 0 }

// ID is the id of its row: provider/wire_model.
func (r Route[O]) ID() string {
	if r.entry == 0 {
		return ""
	}
	return textAt(r.c.s, r.entry+blob.RowID)
}

// Row is its row, with the contracts for all operations.
func (r Route[O]) Row() Row { return r.c.row(r.entry) }

// Contract is what the row promises for the operation.
func (r Route[O]) Contract() O {
	var none O
	return O(struct{ view }{view{r.c.s, fieldOf(r.Row().Contracts().view, none.place())}})
}

// Operation is the operation's name.
func (r Route[O]) Operation() string {
	var none O
	return textAt(r.c.s, word(r.c.s, r.c.operation(none.place())+blob.OpName))
}

// Catalog is the catalog that it is of.
func (r Route[O]) Catalog() Catalog { return r.c }

// State is where its row stands in its life at a moment.
func (r Route[O]) State(at time.Time) State {
	if !r.IsKnown() {
		return Active
	}
	life := r.word(blob.RowLife)
	if life == 0 {
		return Active
	}
	return StateAt(word(r.c.s, life+blob.LifeFlags)&blob.Deprecated != 0, int64(pair(r.c.s, life+blob.LifeEnds)), int64(pair(r.c.s, life+blob.LifeAnnounced)), at)
}

// CacheLifetime is the cache lifetime that a call has which names none: that of the
// contract's first protocol. "" if it has none.
func (r Route[O]) CacheLifetime() string {
	l := r.Contract().Protocol()
	if l.Len() == 0 {
		return ""
	}
	lifetimes := TextMap[string]{view{r.c.s, word(r.c.s, blob.AtLifetimes)}}
	lifetime, _ := lifetimes.Get(l.At(0).Name())
	return lifetime
}

func (r Route[O]) word(at uint32) uint32 {
	if r.entry == 0 {
		return 0
	}
	return word(r.c.s, r.entry+at)
}

// operation is the place of an operation's entry; far outside if it has none.
func (c Catalog) operation(place uint32) uint32 {
	table := word(c.s, blob.AtOperations)
	if int(place) >= lengthAt(c.s, table, blob.OperationSize) {
		return 1<<32 - 1
	}
	return table + 4 + blob.OperationSize*place
}

// Lookup finds the route of a row: false if there is no such row, or if it does not
// serve the operation.
func Lookup[O Operation](c Catalog, id string) (Route[O], bool) {
	var none O
	entry := c.find(id)
	if entry == 0 || word(c.s, entry+blob.RowMask)>>none.place()&1 == 0 {
		return Route[O]{}, false
	}
	return Route[O]{c: c, entry: entry}, true
}

// ByAlias finds the route that an alias stands for in the operation.
func ByAlias[O Operation](c Catalog, name string) (Route[O], bool) {
	a, ok := c.Aliases().Get(name)
	if !ok {
		return Route[O]{}, false
	}
	var none O
	return Lookup[O](c, a.of(none.place()).Row())
}

// ByDefault finds the route that serves a purpose (runtime, portal, qc) of who names no
// row; the provider "any" is for who names no provider either.
func ByDefault[O Operation](c Catalog, purpose, provider string) (Route[O], bool) {
	var none O
	d := c.Defaults().of(none.place())
	var rows TextMap[string]
	switch purpose {
	case "runtime":
		rows = d.Runtime()
	case "portal":
		rows = d.Portal()
	case "qc":
		rows = d.Qc()
	}
	id, ok := rows.Get(provider)
	if !ok {
		return Route[O]{}, false
	}
	return Lookup[O](c, id)
}

// Count is the number of an operation's routes.
func Count[O Operation](c Catalog) int {
	var none O
	return lengthAt(c.s, word(c.s, c.operation(none.place())+blob.OpRoutes), blob.RouteSize)
}

// Routes are the routes of an operation that meet a filter, in the order of their ids.
// It does not slow down with the rows that other operations have.
func Routes[O Operation](c Catalog, f Filter) iter.Seq[Route[O]] {
	return func(yield func(Route[O]) bool) {
		s := newScan[O](c, &f)
		for i := range s.routes {
			if r := s.route(uint32(i)); s.meets(r) && !yield(r) {
				return
			}
		}
	}
}

// ByPrice are the routes of an operation that meet a filter, in the order of what a
// usual call costs: known prices first, the lowest first, equal ones by id. The order is that of
// the catalog's own date. It looks at no route that the filter's kinds, support and context rule out.
func ByPrice[O Operation](c Catalog, f Filter) iter.Seq[Route[O]] {
	return func(yield func(Route[O]) bool) {
		s := newScan[O](c, &f)
		s.ranked(func(i uint32) bool {
			r := s.route(i)
			return !s.meets(r) || yield(r)
		})
	}
}

// routeAt is the i-th route of an operation in the order of ids.
func routeAt[O Operation](c Catalog, table, i uint32) Route[O] {
	return Route[O]{c: c, entry: word(c.s, table+4+blob.RouteSize*i)}
}
