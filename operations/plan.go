package operations

import (
	"slices"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/operations/price"
)

// A plan is a query put in terms of one table: which sets a route has to be in, and
// what has to be looked at beside. It lives on the caller's stack, and so
// does the query: it is handed down instead of kept here, or it could not.
type plan struct {
	c *catalog.Catalog
	o *op.Operation
	v *vocabulary
	t *table
	s *space // nil while the query is only checked

	sets   [maxSets]uint32 // places: a route is in each
	frees  [maxSets]uint32 // places: a route that is not in each must be judged
	nSets  int
	nFrees int
	none   bool // no route passes
	judged bool // every route must be judged

	window, answer uint64 // what the columns must hold, where no set says it
	one            bool   // the only provider is served's
	served         []uint64
	providers      [maxProviders]uint64
	nProviders     int

	bound money
	max   bool // there is a bound
	looks bool // a route that is in all sets must still be looked at

	scan
	j *judging // nil until a route must be judged
}

const (
	maxSets      = 16
	maxProviders = 4
)

// on finds the operation and the table of the query's moment.
func (p *plan) on(c *catalog.Catalog, q *Query) error {
	number := 0
	for number < len(registry) && registry[number].Name != q.Operation {
		number++
	}
	if number == len(registry) {
		return noOperation(q.Operation)
	}
	p.c = c
	if q.At.IsZero() {
		p.t = c.Derived(newTables).(*tables).own
	} else {
		p.t = tableAt(c, q.At.Unix())
	}
	p.s = &p.t.spaces[number]
	p.o, p.v = p.s.o, p.s.v
	if e := p.read(q); e != nil {
		return e
	}
	p.none = p.none || p.s.routes == 0
	p.looks = p.judged || p.max || p.nProviders > 0 || p.window|p.answer > 0
	return nil
}

// in demands that routes are in a set.
func (p *plan) in(place uint64) {
	switch {
	case place == 0:
		p.none = true
	case p.nSets == maxSets:
		p.judged = true
	default:
		p.sets[p.nSets] = uint32(place)
		p.nSets++
	}
}

func (p *plan) feature(f int) {
	if p.s != nil && p.s.feature != nil {
		p.in(p.s.feature[f])
	}
}

// want demands that routes may give a want, and notes which give it freely.
func (p *plan) want(i int) {
	if p.s == nil || p.s.feature == nil {
		return
	}
	p.in(p.s.feature[may(i)])
	p.freely(p.s.feature[free(i)])
}

// freely notes the set of the routes that need no judging.
func (p *plan) freely(place uint64) {
	if place == 0 || p.nFrees == maxSets {
		p.judged = true
		return
	}
	p.frees[p.nFrees] = uint32(place)
	p.nFrees++
}

// read checks the query and gathers what it wants.
func (p *plan) read(q *Query) *QueryError {
	if e := q.checkRest(); e != nil {
		return e
	}
	if e := p.contract(q); e != nil {
		return e
	}
	if e := p.row(q); e != nil {
		return e
	}
	if len(q.Usage.Lines)+len(q.Usage.Unknown) > 0 || q.MaxUSD != "" {
		return p.money(q)
	}
	return nil
}

// contract gathers what is wanted of contracts.
func (p *plan) contract(q *Query) *QueryError {
	if e := p.kinds("inputs", q.Inputs, p.v.inputs, p.o.Inputs); e != nil {
		return e
	}
	if e := p.kinds("outputs", q.Outputs, p.v.outputs, p.o.Outputs); e != nil {
		return e
	}
	if len(q.Questions) > 0 {
		if e := p.kinds("questions", q.Questions, p.v.questions, questionKinds(p.o)); e != nil {
			return e
		}
	}
	if q.Tools {
		if !p.v.tools {
			return wrong("tools", "", "%s has no tools", p.o.Name)
		}
		p.want(0)
	}
	if q.Structured {
		if !p.v.schemas {
			return wrong("structured", "", "%s has no answers that fit a schema", p.o.Name)
		}
		p.want(1)
	}
	asked := uint64(0)
	for i := range q.Settings {
		at := p.setting(q.Settings[i].Name)
		if at < 0 {
			return notOneOf("settings", q.Settings[i].Name, p.o.SettingNames())
		}
		if asked>>at&1 != 0 {
			return wrong("settings", q.Settings[i].Name, "%q stands twice", q.Settings[i].Name)
		}
		asked |= 1 << at
		if q.Settings[i].Value.IsZero() {
			p.want(p.v.settings + at)
		} else if e := p.value(at, q.Settings[i].Value); e != nil {
			return e
		}
	}
	if q.Dimensions > 0 {
		return p.width(q.Dimensions, asked)
	}
	return nil
}

func (p *plan) setting(name string) int {
	for i := range p.o.Settings {
		if p.o.Settings[i].Name == name {
			return i
		}
	}
	return -1
}

// kinds gathers kinds of input, output or question.
func (p *plan) kinds(field string, asked []string, first int, known []string) *QueryError {
	seen := uint(0)
	for _, kind := range asked {
		at := 0
		for at < len(known) && known[at] != kind {
			at++
		}
		if at == len(known) {
			return notOneOf(field, kind, known)
		}
		if seen>>at&1 != 0 {
			return wrong(field, kind, "%q stands twice", kind)
		}
		seen |= 1 << at
		p.want(first + at)
	}
	return nil
}

// value demands that a setting may have a value; whether it does is judged.
func (p *plan) value(at int, v catalog.Value) *QueryError {
	s := &p.o.Settings[at]
	if e := checkValue(s, v); e != nil {
		return e
	}
	p.judged = true
	if p.s == nil || p.s.feature == nil {
		return nil
	}
	want := p.v.settings + at
	if first := p.v.values[at]; first >= 0 {
		want = first + slices.Index(wordsFor(*s), v.String())
	}
	p.in(p.s.feature[may(want)])
	return nil
}

// dimensionsSetting is the option that asks for another width than the usual.
const dimensionsSetting = "dimensions"

// width demands vectors of a width.
func (p *plan) width(width int64, asked uint64) *QueryError {
	at := p.setting(dimensionsSetting)
	switch {
	case at < 0:
		return wrong("dimensions", "", "%s has no vectors", p.o.Name)
	case asked>>at&1 != 0:
		return wrong("dimensions", "", "the setting %s asks for a width too", dimensionsSetting)
	case p.s == nil:
		return nil
	}
	i, known := slices.BinarySearch(p.s.widths.values, uint64(width))
	if !known {
		p.in(p.s.ranged)
		p.judged = true
		return nil
	}
	p.in(p.s.widths.may[i])
	p.freely(p.s.widths.unasked[i])
	return nil
}

// row gathers what is wanted of rows and providers.
func (p *plan) row(q *Query) *QueryError {
	life := featureServed
	if q.Lifecycle != "" {
		i := slices.Index(lifecycles, q.Lifecycle)
		if i < 0 {
			return notOneOf("lifecycle", q.Lifecycle, lifecycles)
		}
		life = featureActive + i
	}
	if q.Region != "" {
		life = featureRegional
		p.judged = true
	}
	p.feature(life)
	if q.Support != "" {
		i := slices.Index(op.Supports, q.Support)
		if i < 0 {
			return notOneOf("support", q.Support, op.Supports)
		}
		p.feature(featureSupport + i)
		// of a probed contract, the settings that were seen honoured count
		p.judged = p.judged || i == len(op.Supports)-1 && (len(q.Settings) > 0 || q.Structured || q.Dimensions > 0)
	}
	if q.NoTraining || q.Retention != "" {
		p.feature(featureControls)
		p.judged = true
	}
	if p.s == nil || p.s.routes == 0 {
		return nil
	}
	if q.MinContext > 0 {
		p.cut(&p.s.windows, uint64(q.MinContext), &p.window)
	}
	if q.MinOutput > 0 {
		p.cut(&p.s.answers, uint64(q.MinOutput), &p.answer)
	}
	if len(q.Providers) > 0 {
		p.who(q.Providers)
	}
	return nil
}

// cut demands at least so much of a column: in the set of the next value above, or
// where that has none, in the one below and looked at.
func (p *plan) cut(c *cuts, least uint64, look *uint64) {
	lo, hi := 0, len(c.values)
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); c.values[mid] < least {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	switch {
	case lo < len(c.values) && c.values[lo] == least:
		p.in(c.sets[lo])
	case len(c.values) >= mostCuts/2: // some values have no set
		*look = least
		if lo > 0 {
			p.in(c.sets[lo-1])
		}
	case lo == len(c.values):
		p.none = true
	default:
		p.in(c.sets[lo])
	}
}

// who demands one of some providers.
func (p *plan) who(ids []string) {
	for _, id := range ids {
		n, ok := p.c.ProviderNumber(id)
		switch {
		case !ok:
		case p.nProviders == maxProviders: // more than are looked at: each route is judged
			p.judged, p.nProviders = true, 0
			return
		default:
			p.providers[p.nProviders] = uint64(n)
			p.nProviders++
		}
	}
	switch p.nProviders {
	case 0:
		p.none = true
	case 1:
		n := p.providers[0]
		p.one, p.nProviders = true, 0
		p.served = p.s.serves[p.s.served[n]:p.s.served[n+1]]
		p.none = p.none || len(p.served) == 0
	}
}

// money reads the usage and its bound.
func (p *plan) money(q *Query) *QueryError {
	if e := q.checkUsage(p.o); e != nil {
		return e
	}
	if q.MaxUSD.IsKnown() {
		bound, _ := price.ParseAmount(q.MaxUSD) // which was checked
		p.bound, p.max = moneyOf(bound), true
	}
	if p.s != nil {
		p.judging(q).costs.read(p.s, q)
	}
	return nil
}

// passes reports whether a route that is in all sets serves the query.
func (p *plan) passes(q *Query, route int) bool {
	if !p.looks && p.isFree(route) {
		return true
	}
	s := p.s
	if p.window > 0 && s.contexts[route] < p.window || p.answer > 0 && s.outputs[route] < p.answer {
		return false
	}
	if p.nProviders > 0 && !slices.Contains(p.providers[:p.nProviders], s.providers[route]) {
		return false
	}
	if (p.judged || !p.isFree(route)) && !p.judge(q, route) {
		return false
	}
	if p.max {
		cost, known := p.cost(q, route)
		return known && !p.bound.less(cost)
	}
	return true
}

// isFree reports whether the route that next gave last gives what is wanted whatever
// else is.
func (p *plan) isFree(route int) bool {
	if !p.one {
		return p.free>>(route&63)&1 != 0
	}
	for _, place := range p.frees[:p.nFrees] {
		if !p.s.has(uint64(place), route) {
			return false
		}
	}
	return true
}

func (p *plan) judge(q *Query, route int) bool {
	return p.judging(q).serves(p.route(route))
}

func (p *plan) judging(q *Query) *judging {
	if p.j == nil {
		p.j = newJudging(p.c, p.o, q)
	}
	return p.j
}

// route decodes a route, or finds it where that was done already.
func (p *plan) route(route int) *route { return routeOf(p.c, p.ref(route), p.o) }

func (p *plan) ref(route int) catalog.Ref { return p.c.RefAt(int(p.s.rows[route])) }

// done lets go of what judging took.
func (p *plan) done() {
	if p.j != nil {
		p.j.release()
		p.j = nil
	}
}
