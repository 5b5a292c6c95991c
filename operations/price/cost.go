package price

import (
	"slices"

	"github.com/opcat/opcat/catalog"
)

// requestMeter is billed once by every call of a row that prices it, whatever the
// answer counts.
const requestMeter = "request"

// Total is what a usage costs; false if any part of it is unknown, and Cost then
// says which. It allocates nothing.
func (s *Sheet) Total(u *Usage, c *Call) (total Amount, known bool) {
	var b bill
	b.open(s, u, c)
	known = len(u.Lines)+len(u.Unknown) > 0
	for i := range u.Lines {
		l := &u.Lines[i]
		e, why := b.price(l)
		switch {
		case why != "":
			known = false
		case l.Count > 0:
			total.addTimes(&e.rate.one, uint64(l.Count))
		}
	}
	for _, name := range u.Unknown {
		if _, why := b.priceUncounted(name); why != "" {
			known = false
		}
	}
	if b.surcharge {
		e, why := b.price(&oneRequest)
		if why != "" {
			return total, false
		}
		total = total.Add(e.rate.one)
	}
	return total, known
}

// A bill is a usage on its way to a price.
type bill struct {
	seeker
	unsized   bool // the input is not counted whole, and some price depends on it
	surcharge bool // the request is billed although the usage does not count it
}

var oneRequest = Line{Meter: requestMeter, Count: 1}

// open starts a bill.
func (b *bill) open(s *Sheet, u *Usage, c *Call) {
	b.seeker = s.seek(c, 0)
	if s.tiered && !(len(u.Unknown) == 0 && u.within(s.lowest)) {
		b.input = u.Input()
		for _, name := range u.Unknown {
			b.unsized = b.unsized || isInputToken(name)
		}
	}
	if s.requests && len(u.Lines)+len(u.Unknown) > 0 && !u.names(requestMeter) {
		_, why := b.entry(requestMeter, c.CacheLifetime, "")
		b.surcharge = why != NotPriced // free where no entry charges for it
	}
}

// within reports whether everything together is at most a count: then the input is,
// too, and no price depends on how much of it there is.
func (u *Usage) within(most int64) bool {
	for i := range u.Lines {
		n := u.Lines[i].Count
		if n < 0 || n > most {
			return false
		}
		most -= n
	}
	return true
}

// names reports whether a usage says anything of a meter.
func (u *Usage) names(meter string) bool {
	for i := range u.Lines {
		if u.Lines[i].Meter == meter {
			return true
		}
	}
	return slices.Contains(u.Unknown, meter)
}

// price finds the entry that holds for a line, or why its cost is unknown. A line
// that counts nothing costs nothing, whatever the price.
func (b *bill) price(l *Line) (*entry, Why) {
	lifetime := l.CacheLifetime
	if lifetime == "" {
		lifetime = b.call.CacheLifetime
	}
	if h := b.sheet.find(l.Meter, b.tier, lifetime); h != nil && h.states == 0 && l.Count > 0 && !b.unsized { // nearly every line
		for i := range h.entries {
			if e := &h.entries[i]; b.input > e.above && !h.contested {
				return e, e.why
			}
		}
	}
	e, why := b.entry(l.Meter, lifetime, l.Tool)
	switch {
	case l.Count == 0:
		return e, ""
	case l.Count < 0:
		return e, BelowZero
	case b.unsized && why == "" && b.sized(l.Meter):
		return e, InputUncounted
	}
	return e, why
}

// priceUncounted prices a meter that was used and not counted. Of what is free it does not
// matter how much.
func (b *bill) priceUncounted(name string) (*entry, Why) {
	e, why := b.price(&Line{Meter: name, Count: 1})
	if why == "" && !e.rate.one.IsZero() {
		return e, NotCounted
	}
	return e, why
}

// sized reports whether a meter's price depends on the size of the input.
func (k *seeker) sized(meter string) bool {
	for i := range k.sheet.shelves {
		if h := &k.sheet.shelves[i]; h.meter == meter && h.tier == k.tier && h.tiered {
			return true
		}
	}
	lender := borrows(meter)
	return lender != "" && k.sized(lender)
}

// Cost is what a usage costs, line by line. What is unknown stays unknown and says
// which meter it is and why.
func (s *Sheet) Cost(u Usage, c Call) Receipt {
	var b bill
	b.open(s, &u, &c)
	w := writer{fits: true}
	for i := range u.Lines {
		l := &u.Lines[i]
		e, why := b.price(l)
		w.charge(l, catalog.Known(l.Count), e, why)
	}
	for _, name := range u.Unknown {
		e, why := b.priceUncounted(name)
		w.charge(&Line{Meter: name}, catalog.Opt[int64]{}, e, why)
	}
	if b.surcharge {
		e, why := b.price(&oneRequest)
		w.charge(&oneRequest, catalog.Known[int64](1), e, why)
	}
	return w.receipt()
}

// Unpriced is the receipt of a usage whose prices are not known, all for one reason.
func Unpriced(u Usage, why Why) Receipt {
	var w writer
	for i := range u.Lines {
		w.charge(&u.Lines[i], catalog.Known(u.Lines[i].Count), nil, why)
	}
	for _, name := range u.Unknown {
		w.charge(&Line{Meter: name}, catalog.Opt[int64]{}, nil, why)
	}
	return w.receipt()
}

// A writer adds up a receipt.
type writer struct {
	lines   []Charge
	total   Amount // of what is known
	nano    int64
	unknown bool
	fits    bool // nano has not overflowed
}

func (w *writer) charge(l *Line, count catalog.Opt[int64], e *entry, why Why) {
	c := newCharge(l, e)
	c.Count, c.Unknown = count, why
	if why != "" {
		w.unknown = true
	} else {
		var amount Amount
		if l.Count > 0 {
			amount = e.rate.Times(l.Count)
		}
		c.USD = amount.Decimal()
		w.total = w.total.Add(amount)
		n, ok := amount.NanoUSD()
		w.fits = w.fits && ok && w.nano+n >= w.nano
		w.nano += n
	}
	w.lines = append(w.lines, c)
}

func (w *writer) receipt() Receipt {
	r := Receipt{Lines: w.lines, StatedUSD: w.total.Decimal()}
	switch {
	case w.lines == nil:
		r.Lines, r.Unknown = []Charge{}, NoUsage
	case !w.unknown:
		r.USD = r.StatedUSD
		if w.fits {
			r.NanoUSD = catalog.Known(w.nano)
		}
	}
	return r
}
