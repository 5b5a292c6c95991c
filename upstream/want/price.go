package want

import (
	"math/bits"
	"slices"
	"strings"
	"sync"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/upstream/read"
)

// pricing takes each meter from whoever comes first, with all of that one's conditions.
// Another upstream adds conditions that the first does not have (a batch, an hour of
// cache, a region), if it agrees on the price without any: then both look at one list
// of prices.
func (m *making) pricing() {
	list := m.by("price")
	r := &m.out.Row
	if m.lent = len(list) == 1 && settled(list[0].m.Row.Price); m.lent {
		r.Price = slices.Clip(list[0].m.Row.Price)
		for i := range r.Price {
			if i == 0 || r.Price[i-1].Meter != r.Price[i].Meter {
				m.why(priceFields()[read.MeterPlace(r.Price[i].Meter)], list[0].from, "it comes first of those who say it")
			}
		}
		return
	}
	meters := uint64(0) // that have a price
	for _, s := range list {
		for i := range s.m.Row.Price {
			if at := read.MeterPlace(s.m.Row.Price[i].Meter); at >= 0 {
				meters |= 1 << at
			}
		}
	}
	out := m.prices[:0]
	for ; meters != 0; meters &= meters - 1 {
		field := priceFields()[bits.TrailingZeros64(meters)]
		meter := strings.TrimPrefix(field, "price.")
		var first saying
		start := len(out)
		for _, s := range list {
			theirs := of(s.m.Row.Price, meter)
			switch {
			case len(theirs) == 0:
			case len(out) == start:
				first = s
				out = sourced(out, theirs, s)
				m.why(field, s.from, "it comes first of those who say it")
			default:
				out = sourced(out, m.more(meter, out[start:], theirs, s, first), s)
			}
		}
	}
	m.prices, r.Price = out, out
	m.owned()
}

// settled reports whether prices stand in the order of a row's and name no source of
// their own, so that they can be taken as they are.
func settled(list []catalog.Price) bool {
	before := -1
	for i := range list {
		p := &list[i]
		at := read.MeterPlace(p.Meter)
		if p.Source != "" || p.CheckedOn != "" || at < before || at == before && read.Conditions(&list[i-1], p) > 0 {
			return false
		}
		before = at
	}
	return true
}

// priceFields names the price of each meter, in the order of the meters.
var priceFields = sync.OnceValue(func() (fields []string) {
	for _, meter := range catalog.Meters() {
		fields = append(fields, "price."+meter)
	}
	return fields
})

// owned leaves a price without a source of its own where it is from the upstream that
// most of the row's prices are from: then that one stands first among the row's sources,
// and a row of ten prices says it once.
func (m *making) owned() {
	r := &m.out.Row
	best, most := -1, 0
	for i, s := range r.Source {
		count := 0
		for j := range r.Price {
			if r.Price[j].Source == s.URL {
				count++
			}
		}
		if count > most {
			best, most = i, count
		}
	}
	if best < 0 {
		return
	}
	main := r.Source[best]
	if best > 0 {
		r.Source = slices.Insert(slices.Delete(r.Source, best, best+1), 0, main)
	}
	for i := range r.Price {
		if p := &r.Price[i]; p.Source == main.URL {
			p.Source, p.CheckedOn = "", ""
		}
	}
}

// of are the prices of a meter, which mostly stand together.
func of(list []catalog.Price, meter string) (out []catalog.Price) {
	for i := 0; i < len(list); {
		j := i
		for j < len(list) && list[j].Meter == meter {
			j++
		}
		switch {
		case j == i:
			j++
		case out == nil:
			out = list[i:j:j]
		default:
			out = append(out, list[i:j]...)
		}
		i = j
	}
	return out
}

// sourced adds copies of prices and says whose they are.
func sourced(out, list []catalog.Price, s saying) []catalog.Price {
	for i := range list {
		out = append(out, list[i])
		p := &out[len(out)-1]
		p.Source, p.CheckedOn = s.from.URL, s.from.Checked
	}
	return out
}

// more is what another upstream adds to a meter's prices; where it differs, that is
// recorded.
func (m *making) more(meter string, have, theirs []catalog.Price, s, first saying) (more []catalog.Price) {
	agrees, differs := false, false
	for i := range theirs {
		t := &theirs[i]
		for j := range have {
			h := &have[j]
			if read.Conditions(h, t) != 0 && !(Bare(h) && Bare(t)) {
				continue
			}
			if read.Said(h) == read.Said(t) {
				agrees = agrees || Bare(t)
			} else {
				differs = true
				field := "price." + meter
				m.disagree(field, read.Said(t)+conditions(t), s, first)
			}
		}
	}
	if !agrees || differs {
		return nil
	}
	tiered := slices.ContainsFunc(have, func(p catalog.Price) bool { return p.AboveInputTokens.IsKnown() })
	dated := slices.ContainsFunc(have, func(p catalog.Price) bool { return p.ValidFrom != "" || p.ValidUntil != "" || p.Window != nil })
	lives := slices.ContainsFunc(have, func(p catalog.Price) bool { return p.CacheLifetime != "" })
	for _, t := range theirs {
		switch {
		case Bare(&t) && !(t.CacheLifetime != "" && !lives):
		case slices.ContainsFunc(have, func(h catalog.Price) bool { return read.Conditions(&h, &t) == 0 }):
		case tiered && t.AboveInputTokens.IsKnown() && !slices.ContainsFunc(have, func(h catalog.Price) bool { return h.AboveInputTokens == t.AboveInputTokens }):
			m.disagree("price."+meter, read.Said(&t)+conditions(&t), s, first) // a threshold of its own
		case dated || t.ValidFrom != "" || t.ValidUntil != "" || t.Window != nil:
			// who prices by date prices by it alone
		case lives != (t.CacheLifetime != "") && strings.HasPrefix(meter, "cache_"):
			if lives {
				continue
			}
			more = append(more, t)
		default:
			more = append(more, t)
		}
	}
	if !lives && slices.ContainsFunc(more, func(p catalog.Price) bool { return p.CacheLifetime != "" }) {
		// the first names no lifetime and the other does, and they agree on the price:
		// the first's is for the lifetime that costs the same
		for i := range have {
			have[i].CacheLifetime = "5m"
		}
		more = slices.DeleteFunc(more, func(t catalog.Price) bool {
			return slices.ContainsFunc(have, func(h catalog.Price) bool { return read.Conditions(&h, &t) == 0 })
		})
	}
	return more
}

// Bare reports whether an entry has no condition but the shortest lifetime.
func Bare(p *catalog.Price) bool {
	q := catalog.Price{Meter: p.Meter}
	r := *p
	if r.CacheLifetime == "5m" {
		r.CacheLifetime = ""
	}
	return read.Conditions(&q, &r) == 0
}

// conditions spells an entry's conditions for people.
func conditions(p *catalog.Price) string {
	var parts []string
	for _, s := range []string{p.ServiceTier, p.CacheLifetime, p.Region, p.Variant, p.Tool} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	if n, ok := p.AboveInputTokens.Get(); ok {
		parts = append(parts, "above "+catalog.Known(n).String()+" input tokens")
	}
	if p.ValidFrom != "" {
		parts = append(parts, "from "+string(p.ValidFrom))
	}
	if p.ValidUntil != "" {
		parts = append(parts, "until "+string(p.ValidUntil))
	}
	if p.Window != nil {
		parts = append(parts, p.Window.Start+" to "+p.Window.End+" "+p.Window.UTCOffset)
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// settlePrices leaves out prices that no call of the row could meet, and says what a
// source leaves open.
func (m *making) settlePrices() {
	r := &m.out.Row
	var out []int
	for i := range r.Price {
		if !m.fits(&r.Price[i]) {
			out = append(out, i)
		}
	}
	list := r.Price
	if len(out) > 0 {
		list = make([]catalog.Price, 0, len(r.Price))
		for i := range r.Price {
			if !slices.Contains(out, i) {
				list = append(list, r.Price[i])
			}
		}
	}
	more := open(list)
	if m.lent && len(out) == 0 && len(more) == 0 {
		return
	}
	list = append(slices.Clip(list), more...)
	slices.SortFunc(list, func(a, b catalog.Price) int { return read.Conditions(&a, &b) })
	if r.Price = m.room.prices.Clone(list); r.Price == nil && len(out) > 0 {
		r.Price = []catalog.Price{} // there were some
	}
}

// fits reports whether a call of the row could meet a price; it says why none could.
func (m *making) fits(p *catalog.Price) bool {
	switch {
	case p.Region != "" && !m.reaches(p.Region):
		m.doubt("a price for %s in region %s: no endpoint of the provider has it; it is left out", p.Meter, p.Region)
	case !m.billable(p):
		m.doubt("a price for %s: %s is not billed by it; it is left out", p.Meter, m.out.Row.Contracts[0].Operation)
	case m.beyond(p):
		m.doubt("a price for %s above %s input tokens: the window ends there; it is left out", p.Meter, p.AboveInputTokens)
	default:
		return true
	}
	return false
}

func (m *making) reaches(region string) bool {
	for _, e := range m.p.Endpoint {
		if strings.Contains(e.URL, "{region}") || e.Regions[region] != "" {
			return true
		}
	}
	return false
}

// billable reports whether some operation of the row can be billed by the meter.
func (m *making) billable(p *catalog.Price) bool {
	cs := m.out.Row.Contracts
	if len(cs) == 0 || p.USDPerMillion.IsZero() || p.USDPerUnit.IsZero() {
		return true
	}
	for i := range cs {
		op := operations.Lookup(cs[i].Operation)
		if op.HasMeter(p.Meter) && (p.Tool == "" || op.HasMeter("tool_call")) {
			return true
		}
	}
	return false
}

// beyond reports whether a tier begins where the window ends.
func (m *making) beyond(p *catalog.Price) bool {
	above, ok := p.AboveInputTokens.Get()
	l := m.out.Row.Limits
	if !ok || l == nil {
		return false
	}
	if len(m.out.Row.Contracts) > 0 && m.out.Row.Contracts[0].Operation != "text_generation" {
		return false
	}
	window, known := l.ContextTokens.Get()
	if n, ok := l.InputTokens.Get(); ok && (!known || n < window) {
		window, known = n, true
	}
	return known && above >= window
}

// open lists the calls that a source leaves open above a tier: where the standard
// price rises with the input and that of another service tier is stated once, nobody
// says that it stays.
func open(list []catalog.Price) (out []catalog.Price) {
	for i := range list {
		tier := &list[i]
		above, ok := tier.AboveInputTokens.Get()
		if !ok || tier.ServiceTier != "" {
			continue
		}
		for j := range list {
			other := list[j]
			if other.Meter != tier.Meter || other.ServiceTier == "" || other.AboveInputTokens.IsKnown() || other.CacheLifetime != tier.CacheLifetime ||
				other.Region != tier.Region || other.Variant != tier.Variant || other.Tool != tier.Tool || other.ValidFrom != tier.ValidFrom {
				continue
			}
			q := other
			q.AboveInputTokens = catalog.Known(above)
			q.USDPerMillion, q.USDPerUnit, q.Dynamic, q.Note = "", "", catalog.Known(true), "the source states no price of this tier above the threshold"
			if !slices.ContainsFunc(list, func(p catalog.Price) bool { return read.Conditions(&p, &q) == 0 }) &&
				!slices.ContainsFunc(out, func(p catalog.Price) bool { return read.Conditions(&p, &q) == 0 }) {
				out = append(out, q)
			}
		}
	}
	return out
}
