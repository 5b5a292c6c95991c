package price

import (
	"cmp"
	"slices"
	"time"

	"github.com/opcat/opcat/catalog"
)

// A Sheet is the prices of one row, compiled once for many calls. It never
// changes and may be used by several goroutines.
type Sheet struct {
	shelves  []shelf // those of the standard tier first; of a meter those of a cache lifetime before those of any
	requests bool    // the row charges for each request
	regional bool    // some entry names a region: one that names none is for calls without
	tiered   bool    // some entry depends on the size of the input
	lowest   int64   // the smallest size that one depends on
}

// A shelf is the entries of one meter in one service tier and for one cache
// lifetime, those that state more before those that state less: the first that
// fits wins.
type shelf struct {
	meter     string
	tier      string
	lifetime  string // "" is any
	entries   []entry
	states    uint8 // what its entries state beside sizes of input
	tiered    bool  // by the size of the input
	timed     bool
	contested bool // two entries may fit a call although neither states all of the other
}

type entry struct {
	above   int64 // more input tokens than this; -1 prices every size
	states  uint8 // what else it states, the region of a regional row too
	why     Why   // why the entry gives no amount
	rate    Rate
	ceiling Rate // of a dynamic price; its Price is nil if there is none
	when    Condition
}

// A Rate is what one of a meter costs.
type Rate struct {
	one Amount
	// Price is the entry that says so. It is not to be changed.
	Price *catalog.Price
}

// Times is what a count of them costs. A count below zero is none.
func (r Rate) Times(count int64) Amount { return r.one.times(uint64(max(count, 0))) }

// One is what a single one costs.
func (r Rate) One() Amount { return r.one }

// Compile reads the price entries of a row. An entry that is wrong by itself,
// which no compiled catalog has, gives no amount; it is never passed over for
// another.
func Compile(prices []catalog.Price) *Sheet {
	s := &Sheet{}
	own := slices.Clone(prices)
	for i := range own {
		s.put(newEntry(&own[i]), own[i].Meter)
		s.regional = s.regional || own[i].Region != ""
	}
	slices.SortStableFunc(s.shelves, func(a, b shelf) int {
		// Output and input come before what names of caches begin with.
		return cmp.Or(cmp.Compare(len(a.tier), len(b.tier)), cmp.Compare(b.meter, a.meter), cmp.Compare(len(b.lifetime), len(a.lifetime)))
	})
	for i := range s.shelves {
		h := &s.shelves[i]
		h.order(s.regional)
		for j := range h.entries {
			if n := h.entries[j].when.Above; n > 0 && (!s.tiered || n < s.lowest) {
				s.tiered, s.lowest = true, n
			}
		}
		s.requests = s.requests || h.meter == requestMeter
	}
	return s
}

func (s *Sheet) put(e entry, meter string) {
	tier, lifetime := e.when.ServiceTier, e.when.CacheLifetime
	i := slices.IndexFunc(s.shelves, func(h shelf) bool { return h.meter == meter && h.tier == tier && h.lifetime == lifetime })
	if i < 0 {
		i = len(s.shelves)
		s.shelves = append(s.shelves, shelf{meter: meter, tier: tier, lifetime: lifetime})
	}
	s.shelves[i].entries = append(s.shelves[i].entries, e)
}

// order puts the entries of a shelf into the order in which they win, and notes
// whether the first that fits must still be compared with the others that do.
func (h *shelf) order(regional bool) {
	slices.SortStableFunc(h.entries, func(a, b entry) int { return particular(&a.when, &b.when) })
	for i := range h.entries {
		e := &h.entries[i]
		if regional {
			e.states |= onRegion
		}
		h.states |= e.states
		h.tiered = h.tiered || e.when.Above > 0
		h.timed = h.timed || e.states&onTime != 0
		for j := range i {
			r := Relate(&h.entries[j].when, &e.when, regional)
			h.contested = h.contested || r == Beside || r == Same
		}
	}
}

func newEntry(p *catalog.Price) entry {
	e := entry{when: ConditionOf(p), rate: Rate{Price: p}}
	e.above, e.states = e.when.Above, e.when.states()&^onLifetime // a shelf has one lifetime
	if e.above == 0 {
		e.above = -1
	}
	meter, _ := catalog.LookupMeter(p.Meter)
	stated, places := p.USDPerUnit, scale
	if meter.Million {
		stated, places = p.USDPerMillion, scale-6
	}
	var err error
	switch {
	case p.Untrusted:
		e.why = Untrusted
	case p.Dynamic.Or(false):
		e.why = Dynamic
		if p.Ceiling.IsKnown() {
			e.ceiling.Price = p
			if e.ceiling.one, err = parseFixed(string(p.Ceiling), places); err != nil {
				e.ceiling, e.why = Rate{}, WrongAmount
			}
		}
	case p.Currency != "":
		e.why = OtherCurrency
	default:
		if e.rate.one, err = parseFixed(string(stated), places); err != nil {
			e.why = WrongAmount
		}
	}
	return e
}

// A Call is what the conditions of price entries are judged against.
type Call struct {
	Operation     string
	ServiceTier   string // "" is the standard tier
	CacheLifetime string // of lines that name none: what was asked for, else the protocol's own
	Region        string
	Variant       string
	At            time.Time
}

// find gives the shelf for a line of a call; nil if there is none.
func (s *Sheet) find(meter, tier, lifetime string) *shelf {
	for i := range s.shelves {
		if h := &s.shelves[i]; h.meter == meter && h.tier == tier && (h.lifetime == "" || h.lifetime == lifetime) {
			return h
		}
	}
	return nil
}

// byLifetime reports whether prices of a meter differ by cache lifetime.
func (s *Sheet) byLifetime(meter, tier string) bool {
	return slices.ContainsFunc(s.shelves, func(h shelf) bool { return h.meter == meter && h.tier == tier && h.lifetime != "" })
}

// borrows is the meter whose price a meter takes where it has none of its own: a
// class that protocols count inside another.
func borrows(meter string) string {
	if meter == "reasoning_token" {
		return "output_token"
	}
	return ""
}

// A seeker looks for the entries that hold for the lines of one call.
type seeker struct {
	sheet *Sheet
	call  *Call
	tier  string
	input int64 // its tokens of input, cached ones too
}

func (s *Sheet) seek(c *Call, input int64) seeker { return seeker{s, c, tier(c.ServiceTier), input} }

// entry finds the entry that holds for a meter, or why there is none. An entry that
// holds and gives no amount comes with the reason too.
func (k *seeker) entry(meter, lifetime, tool string) (*entry, Why) {
	h := k.sheet.find(meter, k.tier, lifetime)
	switch {
	case h != nil:
		if e, why := k.on(h, tool); why != NotPriced {
			return e, why
		}
	case lifetime == "" && k.sheet.byLifetime(meter, k.tier):
		return nil, NoLifetime
	}
	if lender := borrows(meter); lender != "" {
		return k.entry(lender, lifetime, tool)
	}
	return nil, NotPriced
}

// on finds the entry of a shelf.
func (k *seeker) on(h *shelf, tool string) (*entry, Why) {
	if h.timed && k.call.At.IsZero() {
		return nil, NoTime
	}
	var won *entry
	for i := range h.entries {
		e := &h.entries[i]
		if k.input <= e.above || e.states != 0 && !e.meets(tool, k.call) {
			continue
		}
		if !h.contested {
			return e, e.why
		}
		switch {
		case won == nil:
			won = e
		case Relate(&won.when, &e.when, k.sheet.regional) != More:
			return nil, Overlapping
		}
	}
	if won == nil {
		return nil, NotPriced
	}
	return won, won.why
}

// meets reports whether a call meets what an entry says beside its shelf and the size
// of the input.
func (e *entry) meets(tool string, c *Call) bool {
	states, w := e.states, &e.when
	switch {
	case states&onTool != 0 && w.Tool != tool,
		states&onOperation != 0 && w.Operation != c.Operation,
		states&onVariant != 0 && w.Variant != c.Variant,
		states&onRegion != 0 && w.Region != c.Region:
		return false
	case states&onTime == 0:
		return true
	}
	return (w.From.IsZero() || !c.At.Before(w.From)) && (w.Until.IsZero() || c.At.Before(w.Until)) && (w.Window == nil || w.Window.holds(c.At))
}

// Rate finds what one of a meter costs in a call with so many input tokens,
// cached ones too; tool is of tool_call. The reason is empty if it is known. A
// rate that is unknown can still name its entry.
func (s *Sheet) Rate(meter, tool string, c *Call, input int64) (Rate, Why) {
	k := s.seek(c, input)
	e, why := k.entry(meter, c.CacheLifetime, tool)
	if e == nil {
		return Rate{}, why
	}
	return e.rate, why
}
