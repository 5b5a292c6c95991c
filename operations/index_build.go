package operations

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
)

type atomicTable = atomic.Pointer[table]

// meterNumbers are the places of the meters in their canonical order.
var meterNumbers = sync.OnceValue(func() map[string]int {
	numbers := map[string]int{}
	for i, name := range catalog.Meters() {
		numbers[name] = i
	}
	return numbers
})

// tierNames are the declared tiers, the highest first.
var tierNames = []string{"frontier", "reasoning", "mid", "small"}

// A Shelf is what a selection table has to know of one provider and its rows. It follows
// from their texts and the date alone, so who makes the table of a catalog after an
// edit can take over those of the other providers. It keeps nothing of the catalog.
type Shelf struct {
	from, until int64     // between which it holds
	routes      [][]filed // by operation, by id
}

// A filed is a route on its way into the table.
type filed struct {
	row             int // among the provider's
	context, output int64
	cost            money
	priced          bool
	rates           rates
	traits          *traits
	support         int // its place among op.Supports; -1 if nothing is said
	tier            uint64
	state           catalog.State
	controls        bool
	regionalOnly    bool
}

// A shelver reads a catalog for one moment.
type shelver struct {
	c      *catalog.Catalog
	at     time.Time
	known  map[contractKey]*traits
	steps  []step // room for more
	prices []catalog.Price
}

// Contracts that say the same, served by providers with the same endpoints, are
// judged alike.
type contractKey struct {
	endpoints string
	o         *op.Operation
	promise   string
}

// Shelver gives what reads the providers of a catalog, each by its number, for the
// catalog's date.
func Shelver(c *catalog.Catalog) func(provider int) *Shelf { return shelvesAt(c, c.AsOf()).shelf }

// Fill makes the selection table of a catalog from what Shelver gives for each
// provider, unless there is one already.
func Fill(c *catalog.Catalog, shelves []*Shelf) {
	c.Derived(func(c *catalog.Catalog) any {
		return ownTables(c, func() []uint64 { return tableOf(c, c.AsOf(), shelves) })
	})
}

func shelvesAt(c *catalog.Catalog, at time.Time) *shelver {
	return &shelver{c: c, at: at, known: map[contractKey]*traits{}}
}

// buildTable makes the selection table of a catalog for one moment.
func buildTable(c *catalog.Catalog, at time.Time) []uint64 {
	s := shelvesAt(c, at)
	shelves := make([]*Shelf, len(c.ProviderIDs()))
	for i := range shelves {
		shelves[i] = s.shelf(i)
	}
	return tableOf(c, at, shelves)
}

// shelf reads a provider and the facts of its routes.
func (s *shelver) shelf(provider int) *Shelf {
	id := s.c.ProviderIDAt(provider)
	p, _ := s.c.Provider(id)
	shelf := &Shelf{from: -forever, until: forever, routes: make([][]filed, len(registry))}
	endpoints, controls := endpointsOf(&p), p.DataControls != nil
	n := 0
	for ref := range s.c.RefsOf(id) {
		s.row(shelf, ref, filed{row: n, controls: controls}, endpoints, &p)
		n++
	}
	return shelf
}

// row reads the facts of a row's routes.
func (s *shelver) row(shelf *Shelf, ref catalog.Ref, r filed, endpoints string, p *catalog.Provider) {
	limits := ref.Limits()
	r.context, r.output, r.tier = window(&limits), longest(&limits), tierRank(ref.Tier())
	r.controls, r.regionalOnly, r.state = r.controls || ref.StatesDataControls(), ref.RegionalOnly(), ref.State(s.at)
	read := false
	for number, o := range registry {
		if !ref.Has(o.Name) {
			continue
		}
		if !read {
			read = true
			s.prices = ref.AppendPrices(s.prices[:0])
			ends, announced := ref.Ends()
			shelf.see(s.at, ends)
			shelf.see(s.at, announced)
			for i := range s.prices {
				shelf.seeDate(s.at, s.prices[i].ValidFrom)
				shelf.seeDate(s.at, s.prices[i].ValidUntil)
			}
		}
		r.support, r.traits = slices.Index(op.Supports, ref.Support(o.Name)), s.traits(number, o, ref, endpoints, p)
		if cap(s.steps)-len(s.steps) < len(s.prices) {
			s.steps = make([]step, 0, 1024+len(s.prices))
		}
		r.rates = rated(s.prices, o.Name, s.steps[len(s.steps):len(s.steps):cap(s.steps)])
		s.steps = s.steps[:len(s.steps)+len(r.rates.steps)]
		r.cost, r.priced = usualCost(o, s.prices, &r.rates, r.traits.billed, s.at)
		shelf.routes[number] = append(shelf.routes[number], r)
	}
}

// endpointsOf names the protocols that a provider has endpoints for.
func endpointsOf(p *catalog.Provider) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(p.Endpoint)) {
		b.WriteString(name + " ")
	}
	return b.String()
}

// see narrows the time for which the shelf holds by a moment at which something
// changes.
func (s *Shelf) see(at time.Time, change int64) {
	if change <= at.Unix() {
		s.from = max(s.from, change)
	} else {
		s.until = min(s.until, change)
	}
}

func (s *Shelf) seeDate(at time.Time, d catalog.Date) {
	if t, ok := d.Time(); ok {
		s.see(at, t.Unix())
	}
}

// A filer makes the selection table of a catalog from its shelves.
type filer struct {
	c         *catalog.Catalog
	w         []uint64
	providers []int // by their rows' ids, which is not the order of their own
	first     []int // by provider: its first row
	shelves   []*Shelf
}

func tableOf(c *catalog.Catalog, at time.Time, shelves []*Shelf) []uint64 {
	f := &filer{c: c, shelves: shelves, first: make([]int, len(shelves))}
	from, until := int64(-forever), int64(forever)
	for i, s := range shelves {
		from, until = max(from, s.from), min(until, s.until)
		for r := range c.RefsOf(c.ProviderIDAt(i)) {
			f.first[i] = r.Number()
			f.providers = append(f.providers, i)
			break
		}
	}
	slices.SortFunc(f.providers, func(a, b int) int { return f.first[a] - f.first[b] })
	f.w = make([]uint64, tableSpaces+1+len(registry), 1<<10)
	for i, o := range registry {
		if c.RouteCount(o.Name) > 0 {
			f.space(i, o)
		}
	}
	digest, _ := digestWords(c)
	copy(f.w[tableDigest:], digest[:])
	copy(f.w[tableMoment:], []uint64{uint64(at.Unix()), uint64(from), uint64(until), uint64(len(registry))})
	f.w[0] = wordsOf(tableMagic)[0]
	f.w[1], f.w[3] = uint64(len(f.w)), tableKey()
	f.w[2] = sumWords(f.w[tableSummed:])
	return f.w
}

// A routed is a filed route with its row's and its provider's number in the catalog.
type routed struct {
	*filed
	number, provider int
}

// space writes the part of one operation.
func (f *filer) space(number int, o *op.Operation) {
	routes := make([]routed, 0, f.c.RouteCount(o.Name)) // by id
	for _, p := range f.providers {
		of := f.shelves[p].routes[number]
		for i := range of {
			routes = append(routes, routed{&of[i], f.first[p] + of[i].row, p})
		}
	}
	slices.SortStableFunc(routes, func(a, b routed) int {
		switch {
		case a.priced != b.priced:
			return cmp.Compare(fromBool(b.priced), fromBool(a.priced))
		case a.priced && a.cost.less(b.cost):
			return -1
		case a.priced && b.cost.less(a.cost):
			return 1
		}
		return 0
	})
	s := &spacer{filer: f, o: o, v: vocabularyOf(number), routes: routes}
	lists := s.lists()
	f.w[tableSpaces+1+number] = uint64(len(f.w))
	for _, l := range lists {
		f.w = append(append(f.w, uint64(len(l))), l...)
	}
}

func fromBool(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (s *shelver) traits(number int, o *op.Operation, ref catalog.Ref, endpoints string, p *catalog.Provider) *traits {
	promise, _, _ := strings.Cut(ref.ContractJSON(o.Name), `,"evidence":{`) // which the index has
	key := contractKey{endpoints, o, promise}
	t := s.known[key]
	if t == nil {
		c, _ := ref.Contract(o.Name)
		made := traitsOf(vocabularyOf(number), o, &c, p)
		t = &made
		s.known[key] = t
	}
	return t
}

// window is how many tokens a row holds at once; 0 if that is unknown.
func window(l *catalog.Limits) int64 {
	return least(l.ContextTokens, l.RuntimeContextTokens).Or(0)
}

// longest is how many tokens an answer of a row can have: what nobody states is
// bounded by the window. 0 if that is unknown too.
func longest(l *catalog.Limits) int64 { return l.OutputTokens.Or(window(l)) }

// A spacer writes the sets and columns of one space.
type spacer struct {
	*filer
	o      *op.Operation
	v      *vocabulary
	routes []routed
}

// set writes the set of the routes that pass; its place, or 0 if none does.
func (s *spacer) set(passes func(routed) bool) uint64 {
	words := (len(s.routes) + 63) / 64
	at := s.room(words)
	set := s.w[at : int(at)+words]
	some := false
	for i, r := range s.routes {
		if passes(r) {
			set[i>>6] |= 1 << (i & 63)
			some = true
		}
	}
	if !some {
		s.w = s.w[:at]
		return 0
	}
	s.sum(at, words)
	return at
}

// room is the place of an empty set, its summary included.
func (s *spacer) room(words int) uint64 {
	at, size := len(s.w), words
	if len(s.routes) > summedAbove {
		size += (words + 63) / 64
	}
	s.w = slices.Grow(s.w, size)[:at+size]
	clear(s.w[at:])
	return uint64(at)
}

// sum writes the summary of a set, in a space that has them.
func (s *spacer) sum(at uint64, words int) {
	if at == 0 || len(s.routes) <= summedAbove {
		return
	}
	sums := s.w[int(at)+words:]
	for i, w := range s.w[at : int(at)+words] {
		if w != 0 {
			sums[i>>6] |= 1 << (i & 63)
		}
	}
}

func (s *spacer) column(value func(routed) uint64) []uint64 {
	c := make([]uint64, len(s.routes))
	for i, r := range s.routes {
		c[i] = value(r)
	}
	return c
}

// lists are those of a space, in the order of openSpace.
func (s *spacer) lists() [][]uint64 {
	served, serves := s.byProvider()
	windows, windowSets := s.cuts(func(r routed) int64 { return r.context })
	answers, answerSets := s.cuts(func(r routed) int64 { return r.output })
	widths, mayGive, unasked := s.widths()
	meters, rates := s.meters()
	ranged := s.set(func(r routed) bool { return r.traits.low > 0 })
	return [][]uint64{
		s.column(func(r routed) uint64 { return uint64(r.number) }),
		s.column(func(r routed) uint64 { return uint64(r.provider) }),
		s.column(func(r routed) uint64 { return uint64(r.context) }),
		s.column(func(r routed) uint64 { return uint64(r.output) }),
		s.column(func(r routed) uint64 { return r.tier }),
		served, serves, windows, windowSets, answers, answerSets, widths, mayGive, unasked, meters, rates,
		s.features(), {ranged},
	}
}

// tierRank is 0 for the highest tier; an unknown one comes last.
func tierRank(name string) uint64 {
	if i := slices.Index(tierNames, name); i >= 0 {
		return uint64(i)
	}
	return uint64(len(tierNames))
}

func (s *spacer) byProvider() (starts, routes []uint64) {
	counts := make([]uint64, len(s.shelves)+1)
	for _, r := range s.routes {
		counts[r.provider+1]++
	}
	for i := range s.shelves {
		counts[i+1] += counts[i]
	}
	next := slices.Clone(counts)
	routes = make([]uint64, len(s.routes))
	for i, r := range s.routes {
		routes[next[r.provider]] = uint64(i)
		next[r.provider]++
	}
	return counts, routes
}

// mostCuts bounds the sets of a column. Where values are more, some have no set of
// their own, and the column is looked at.
const mostCuts = 128

func (s *spacer) cuts(value func(routed) int64) (values, sets []uint64) {
	distinct := map[int64]bool{}
	for _, r := range s.routes {
		if v := value(r); v > 0 {
			distinct[v] = true
		}
	}
	all := make([]int64, 0, len(distinct))
	for v := range distinct {
		all = append(all, v)
	}
	slices.Sort(all)
	for i, v := range all {
		if every := len(all)/mostCuts + 1; i%every != 0 {
			continue
		}
		values = append(values, uint64(v))
		sets = append(sets, s.set(func(r routed) bool { return value(r) >= v }))
	}
	return values, sets
}

func (s *spacer) widths() (values, may, unasked []uint64) {
	var all []int64
	for _, r := range s.routes {
		for _, w := range r.traits.widths {
			if at, found := slices.BinarySearch(all, w); !found {
				all = slices.Insert(all, at, w)
			}
		}
	}
	for _, w := range all {
		values = append(values, uint64(w))
		may = append(may, s.set(func(r routed) bool { return r.traits.mayGive(w) }))
		unasked = append(unasked, s.set(func(r routed) bool { return r.traits.width == w }))
	}
	return values, may, unasked
}

// meters writes a column for each meter that an eighth of the routes prices plainly.
func (s *spacer) meters() (meters, places []uint64) {
	var plain [64]int
	for _, r := range s.routes {
		last := -1
		for _, x := range r.rates.steps {
			if x.meter != last && r.rates.ask>>x.meter&1 == 0 {
				plain[x.meter]++
			}
			last = x.meter
		}
	}
	for m, name := range catalog.Meters() {
		if 8*plain[m] < len(s.routes) || plain[m] == 0 || name == borrowing {
			continue
		}
		meters = append(meters, uint64(m))
		column := s.column(func(r routed) uint64 { return s.rate(&r.rates, m, r.traits.billed) })
		places = append(places, uint64(len(s.w)))
		s.w = append(s.w, column...)
	}
	return meters, places
}

// rate is a meter's word in its column.
func (s *spacer) rate(r *rates, meter int, billed uint64) uint64 {
	switch {
	case billed != 0 && billed>>meter&1 == 0:
		return rateUnbilled
	case r.ask>>meter&1 != 0:
		return rateAsk
	}
	first := slices.IndexFunc(r.steps, func(x step) bool { return x.meter == meter })
	if first < 0 {
		return rateUnknown
	}
	end := first
	for end < len(r.steps) && r.steps[end].meter == meter {
		end++
	}
	if end == first+1 && r.steps[first].above == 0 {
		return r.steps[first].rate
	}
	at := len(s.w)
	s.w = append(s.w, uint64(end-first))
	for _, x := range r.steps[first:end] {
		s.w = append(s.w, x.above, x.rate)
	}
	return rateSteps | uint64(at)
}

// features writes the sets that queries name.
func (s *spacer) features() []uint64 {
	sets := make([]uint64, s.v.features)
	for state := catalog.Active; state < catalog.Ended; state++ {
		sets[featureActive+int(state)] = s.set(func(r routed) bool { return r.traits.serves && !r.regionalOnly && r.state <= state })
	}
	for i := range op.Supports {
		sets[featureSupport+i] = s.set(func(r routed) bool { return r.support >= i })
	}
	sets[featureControls] = s.set(func(r routed) bool { return r.controls })
	sets[featureRegional] = s.set(func(r routed) bool { return r.traits.serves && r.state < catalog.Ended })
	s.wants(sets)
	return sets
}

// wants writes the sets of what contracts give: each route adds what its contract
// gives, so that what nobody gives costs nothing.
func (s *spacer) wants(sets []uint64) {
	var some traits
	for _, r := range s.routes {
		for i := range some.may {
			some.may[i] |= r.traits.may[i]
			some.free[i] |= r.traits.free[i]
		}
	}
	words := (len(s.routes) + 63) / 64
	for i := range s.v.wants {
		if some.may.has(i) {
			sets[may(i)] = s.room(words)
		}
		if some.free.has(i) {
			sets[free(i)] = s.room(words)
		}
	}
	for i, r := range s.routes {
		for n := range r.traits.may {
			for m := r.traits.may[n]; m != 0; m &= m - 1 {
				s.w[int(sets[may(n<<6+bits.TrailingZeros64(m))])+i>>6] |= 1 << (i & 63)
			}
			for m := r.traits.free[n]; m != 0; m &= m - 1 {
				s.w[int(sets[free(n<<6+bits.TrailingZeros64(m))])+i>>6] |= 1 << (i & 63)
			}
		}
	}
	for i := range s.v.wants {
		s.sum(sets[may(i)], words)
		s.sum(sets[free(i)], words)
	}
}
