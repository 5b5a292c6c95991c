package price

import "github.com/opcat/opcat/catalog"

// requestMeter is billed once by every call of a row that prices it, whatever the
// answer counts.
const requestMeter = "request"

// Total is what a usage costs; false if any part of it is unknown, and Cost then
// says which. It allocates nothing.
func (s *Sheet) Total(u *Usage, c *Call) (total Amount, known bool) {
	b := s.bill(u, c)
	known = b.parts > 0
	for i := range b.parts {
		e, why, count := b.part(i)
		switch {
		case why != "":
			known = false
		case count > 0:
			total = total.Add(e.rate.Times(count))
		}
	}
	return total, known
}

// A bill is a usage on its way to a price.
type bill struct {
	sheet   *Sheet
	usage   *Usage
	call    *Call
	input   int64 // tokens of input, where some price depends on them
	unsized bool  // and some of them were not counted
	parts   int   // lines, uncounted meters, and a request that is billed without being counted
}

func (s *Sheet) bill(u *Usage, c *Call) bill {
	b := bill{sheet: s, usage: u, call: c, parts: len(u.Lines) + len(u.Unknown)}
	if s.tiered {
		b.input = u.Input()
		for _, name := range u.Unknown {
			b.unsized = b.unsized || isInputToken(name)
		}
	}
	if b.parts > 0 && s.find(requestMeter) != nil && !u.names(requestMeter) {
		if _, why := s.priced(requestMeter, c.CacheLifetime, "", c, b.input); why != NotPriced { // free where no entry charges for it
			b.parts++
		}
	}
	return b
}

// names reports whether a usage says anything of a meter.
func (u *Usage) names(meter string) bool {
	for i := range u.Lines {
		if u.Lines[i].Meter == meter {
			return true
		}
	}
	for _, name := range u.Unknown {
		if name == meter {
			return true
		}
	}
	return false
}

// line is a part's line; false if it was not counted.
func (b *bill) line(i int) (Line, bool) {
	lines := b.usage.Lines
	switch {
	case i < len(lines):
		return lines[i], true
	case i < len(lines)+len(b.usage.Unknown):
		return Line{Meter: b.usage.Unknown[i-len(lines)]}, false
	}
	return Line{Meter: requestMeter, Count: 1}, true
}

// part prices a part: the entry that holds for it, why its cost is unknown, and
// how many it counts.
func (b *bill) part(i int) (*entry, Why, int64) {
	l, counted := b.line(i)
	lifetime := l.CacheLifetime
	if lifetime == "" {
		lifetime = b.call.CacheLifetime
	}
	e, why := b.sheet.priced(l.Meter, lifetime, l.Tool, b.call, b.input)
	switch {
	case counted && l.Count == 0:
		return e, "", 0 // none of anything costs nothing
	case counted && l.Count < 0:
		return e, BelowZero, 0
	case why != "":
		return e, why, l.Count
	case b.unsized && b.sheet.sized(l.Meter):
		return e, InputUncounted, l.Count
	case !counted && !e.rate.one.IsZero():
		return e, NotCounted, 0 // of what is free it does not matter how much
	}
	return e, "", l.Count
}

// sized reports whether a meter's price depends on the size of the input.
func (s *Sheet) sized(name string) bool {
	if m := s.find(name); m != nil && m.tiered {
		return true
	}
	lender := borrows(name)
	return lender != "" && s.sized(lender)
}

// Cost is what a usage costs, line by line. What is unknown stays unknown and says
// which meter it is and why.
func (s *Sheet) Cost(u Usage, c Call) Receipt {
	b := s.bill(&u, &c)
	r := Receipt{Lines: make([]Charge, 0, b.parts)}
	if b.parts == 0 {
		r.Unknown = NoUsage
	}
	known := b.parts > 0
	var total Amount
	nano, fits := int64(0), true
	for i := range b.parts {
		e, why, count := b.part(i)
		l, counted := b.line(i)
		charge := newCharge(l, e)
		if counted {
			charge.Count = catalog.Known(l.Count)
		}
		if charge.Unknown = why; why != "" {
			known = false
		} else {
			var amount Amount
			if count > 0 {
				amount = e.rate.Times(count)
			}
			charge.USD = amount.Decimal()
			total = total.Add(amount)
			n, ok := amount.NanoUSD()
			fits = fits && ok && nano+n >= nano
			nano += n
		}
		r.Lines = append(r.Lines, charge)
	}
	r.StatedUSD = total.Decimal()
	if known {
		r.USD = r.StatedUSD
		if fits {
			r.NanoUSD = catalog.Known(nano)
		}
	}
	return r
}
