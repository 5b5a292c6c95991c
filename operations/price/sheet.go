package price

import (
	"slices"
	"time"

	"github.com/opcat/opcat/catalog"
)

// A Sheet is the prices of one row, compiled once for many calls. It never
// changes and may be used by several goroutines.
type Sheet struct {
	meters   []meter
	requests *meter // of a row that charges for each request; nil for most
	regional bool   // some entry names a region: one that names none is for calls without
	tiered   bool   // some entry depends on the size of the input
}

// A meter is the entries of one meter, those that state more before those that
// state less: the first that fits wins.
type meter struct {
	name      string
	entries   []entry
	lifetimes bool // its entries name a cache lifetime
	tiered    bool
	timed     bool
	contested bool // two entries may fit a call although neither states all of the other
}

type entry struct {
	tier    string
	above   int64
	plain   bool // it has no other condition
	why     Why  // why the entry gives no amount
	rate    Rate
	ceiling Rate // of a dynamic price; its Price is nil if there is none
	when    Condition
	timed   bool
}

// A Rate is what one of a meter costs.
type Rate struct {
	one Amount
	// Price is the entry that says so.
	Price *catalog.Price
}

// Times is what a count of them costs. A count below zero is none.
func (r Rate) Times(count int64) Amount { return r.one.times(uint64(max(count, 0))) }

// One is what a single one costs.
func (r Rate) One() Amount { return r.one }

// Compile reads the price entries of a row. It keeps no reference to them. An
// entry that is wrong by itself, which no compiled catalog has, gives no amount;
// it is never passed over for another.
func Compile(prices []catalog.Price) *Sheet {
	s := &Sheet{}
	own := slices.Clone(prices)
	for _, name := range catalog.Meters() {
		m := meter{name: name}
		for i := range own {
			if own[i].Meter == name {
				m.entries = append(m.entries, newEntry(&own[i]))
			}
		}
		if m.entries != nil {
			s.add(m)
		}
	}
	for i := range s.meters {
		m := &s.meters[i]
		m.contest(s.regional)
		if m.name == requestMeter {
			s.requests = m
		}
	}
	return s
}

func (s *Sheet) add(m meter) {
	slices.SortStableFunc(m.entries, func(a, b entry) int { return particular(&a.when, &b.when) })
	for i := range m.entries {
		e := &m.entries[i]
		m.lifetimes = m.lifetimes || e.when.CacheLifetime != ""
		m.tiered = m.tiered || e.above > 0
		m.timed = m.timed || e.timed
		s.regional = s.regional || e.when.Region != ""
	}
	s.tiered = s.tiered || m.tiered
	s.meters = append(s.meters, m)
}

// contest notes which entries can be chosen without looking closer, and whether
// the first that fits must still be compared with the others that do.
func (m *meter) contest(regional bool) {
	for i := range m.entries {
		e := &m.entries[i]
		e.plain = e.when.states() == 0 && !regional
		for j := range i {
			r := Relate(&m.entries[j].when, &e.when, regional)
			m.contested = m.contested || r == Beside || r == Same
		}
	}
}

func newEntry(p *catalog.Price) entry {
	e := entry{when: ConditionOf(p), rate: Rate{Price: p}}
	e.tier, e.above = e.when.ServiceTier, e.when.Above
	e.timed = e.when.states()&(onFrom|onUntil|onWindow) != 0
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

// find gives the entries of a meter; nil if it has none.
func (s *Sheet) find(name string) *meter {
	for i := range s.meters {
		if s.meters[i].name == name {
			return &s.meters[i]
		}
	}
	return nil
}

// borrows is the meter whose price a meter takes where it has none of its own: a
// class that protocols count inside another.
func borrows(name string) string {
	if name == "reasoning_token" {
		return "output_token"
	}
	return ""
}

// priced finds the entry that holds for a line of a call with so many input
// tokens, cached ones too.
func (s *Sheet) priced(name, lifetime, tool string, c *Call, input int64) (*entry, Why) {
	if m := s.find(name); m != nil {
		if e, why := m.entry(lifetime, tool, c, input, s.regional); e != nil || why != NotPriced {
			return e, why
		}
	}
	if lender := borrows(name); lender != "" {
		return s.priced(lender, lifetime, tool, c, input)
	}
	return nil, NotPriced
}

func (m *meter) entry(lifetime, tool string, c *Call, input int64, regional bool) (*entry, Why) {
	switch {
	case m.lifetimes && lifetime == "":
		return nil, NoLifetime
	case m.timed && c.At.IsZero():
		return nil, NoTime
	}
	tier := tier(c.ServiceTier)
	var won *entry
	for i := range m.entries {
		e := &m.entries[i]
		if e.tier != tier || e.above > 0 && input <= e.above || !e.plain && !e.when.meets(lifetime, tool, c, regional) {
			continue
		}
		if !m.contested {
			return e, e.why
		}
		switch {
		case won == nil:
			won = e
		case Relate(&won.when, &e.when, regional) != More:
			return nil, Overlapping
		}
	}
	if won == nil {
		return nil, NotPriced
	}
	return won, won.why
}

// meets reports whether a call meets what a condition says beside the service tier
// and the size of the input.
func (w *Condition) meets(lifetime, tool string, c *Call, regional bool) bool {
	switch {
	case regional && w.Region != c.Region,
		w.Operation != "" && w.Operation != c.Operation,
		w.CacheLifetime != "" && w.CacheLifetime != lifetime,
		w.Variant != "" && w.Variant != c.Variant,
		w.Tool != "" && w.Tool != tool,
		!w.From.IsZero() && c.At.Before(w.From),
		!w.Until.IsZero() && !c.At.Before(w.Until),
		w.Window != nil && !w.Window.holds(c.At):
		return false
	}
	return true
}

// Rate finds what one of a meter costs in a call with so many input tokens,
// cached ones too; tool is of tool_call. The reason is empty if it is known. A
// rate that is unknown can still name its entry.
func (s *Sheet) Rate(meter, tool string, c *Call, input int64) (Rate, Why) {
	e, why := s.priced(meter, c.CacheLifetime, tool, c, input)
	if e == nil {
		return Rate{}, why
	}
	return e.rate, why
}
