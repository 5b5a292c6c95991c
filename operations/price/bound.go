package price

import (
	"math"
	"slices"
	"strconv"
)

// Uncapped stands for a count that nothing bounds.
const Uncapped = -1

// Most is the most that one call can use.
type Most struct {
	Input        int64    // tokens of input, whatever their kind, cached or not
	InputMeters  []string // what such a token may be billed as; each is billed once, so the dearest counts
	Output       int64    // tokens of output, those spent on reasoning too
	OutputMeters []string // the same for them
	Others       []Line   // other meters with the count they reach at most; a tool of "" is any
	Never        []string // meters that the call cannot be billed by, though the row prices them
}

// A Gap is why a call has no bound.
type Gap struct {
	Meter    string
	Tool     string
	Uncapped bool // nothing caps the count; otherwise the price is unknown
	Why      Why  // why the price is unknown
}

func (g *Gap) Error() string {
	name := g.Meter
	if g.Tool != "" {
		name += " of " + strconv.Quote(g.Tool)
	}
	if g.Uncapped {
		return name + ": nothing caps how much of it the call can use"
	}
	return name + ": " + g.Why.Text()
}

// Bound is the most that a call can cost. It tries every tier that the input can
// reach, and takes the dearest where the call leaves open a cache lifetime, a
// variant or a tool; a dynamic price counts at its ceiling. A meter that the row
// prices above zero for the call and that Most leaves out is taken to be uncapped;
// a request is billed once.
func (s *Sheet) Bound(m *Most, c *Call) (Amount, *Gap) {
	var worst Amount
	k := s.seek(c, m.Input)
	if m.Input == Uncapped {
		k.input = math.MaxInt64
	}
	for more := true; more; more = k.shrink() {
		a, gap := k.bound(m)
		if gap != nil {
			return Amount{}, gap
		}
		if a.Cmp(worst) > 0 {
			worst = a
		}
	}
	return worst, nil
}

// shrink makes the input the largest of the next lower tier; false if there is
// none. Within a tier more input costs more, so others need no look.
func (k *seeker) shrink() bool {
	next := int64(0)
	for i := range k.sheet.shelves {
		h := &k.sheet.shelves[i]
		for j := range h.entries {
			if n := h.entries[j].above; h.tier == k.tier && n < k.input {
				next = max(next, n)
			}
		}
	}
	k.input = next
	return next > 0
}

// bound is the most for an input of one size.
func (k *seeker) bound(m *Most) (Amount, *Gap) {
	tokens := k.input
	if m.Input == Uncapped && tokens == math.MaxInt64 {
		tokens = Uncapped
	}
	total, gap := k.dearestOf(m.InputMeters, tokens)
	if gap != nil {
		return Amount{}, gap
	}
	out, gap := k.dearestOf(m.OutputMeters, m.Output)
	if gap != nil {
		return Amount{}, gap
	}
	rest, gap := k.others(m)
	return total.Add(out).Add(rest), gap
}

// others is the most for meters beside tokens: those of Most, and those that the row
// prices and Most leaves out.
func (k *seeker) others(m *Most) (Amount, *Gap) {
	var total Amount
	for i := range m.Others {
		a, gap := k.cap(m.Others[i].Meter, m.Others[i].Tool, m.Others[i].Count)
		if gap != nil {
			return Amount{}, gap
		}
		total = total.Add(a)
	}
	for i := range k.sheet.shelves {
		h := &k.sheet.shelves[i]
		if h.tier != k.tier || m.covers(h.meter) {
			continue
		}
		count := int64(Uncapped)
		if h.meter == requestMeter {
			count = 1
		}
		a, gap := k.cap(h.meter, "", count)
		switch {
		case gap == nil:
			total = total.Add(a)
		case gap.Why != NotPriced: // else no entry charges for it in this call
			return Amount{}, gap
		}
	}
	return total, nil
}

func (m *Most) covers(name string) bool {
	return slices.Contains(m.InputMeters, name) || slices.Contains(m.OutputMeters, name) || slices.Contains(m.Never, name) ||
		slices.ContainsFunc(m.Others, func(l Line) bool { return l.Meter == name })
}

// dearestOf is what a count of tokens costs as the dearest of some meters.
func (k *seeker) dearestOf(meters []string, count int64) (Amount, *Gap) {
	var worst Amount
	for _, name := range meters {
		a, gap := k.cap(name, "", count)
		if gap != nil {
			return Amount{}, gap
		}
		if a.Cmp(worst) > 0 {
			worst = a
		}
	}
	return worst, nil
}

// cap is the most that a count of one meter costs.
func (k *seeker) cap(meter, tool string, count int64) (Amount, *Gap) {
	if count == 0 {
		return Amount{}, nil
	}
	one, why := k.dearest(meter, tool)
	switch {
	case why != "":
		return Amount{}, &Gap{Meter: meter, Tool: tool, Why: why}
	case one.IsZero():
		return Amount{}, nil
	case count < 0:
		return Amount{}, &Gap{Meter: meter, Tool: tool, Uncapped: true}
	}
	return one.times(uint64(count)), nil
}

// dearest is the highest price of one of a meter over what the call leaves open.
func (k *seeker) dearest(meter, tool string) (Amount, Why) {
	if h := k.sheet.find(meter, k.tier, k.call.CacheLifetime); h != nil && h.states&(onVariant|onTool) == 0 { // nothing is left open
		return k.most(meter, k.call.CacheLifetime, tool)
	}
	if lender := borrows(meter); lender != "" && !k.sheet.has(meter, k.tier) {
		return k.dearest(lender, tool)
	}
	var rooms [3][4]string // for lists that are hardly ever longer
	lifetimes := append(rooms[0][:0], k.call.CacheLifetime)
	if k.call.CacheLifetime == "" && k.sheet.byLifetime(meter, k.tier) {
		lifetimes = k.sheet.lifetimes(rooms[0][:0], meter, k.tier)
	}
	var worst Amount
	found := false
	open := *k
	call := *k.call
	open.call = &call
	for _, lifetime := range lifetimes {
		h := k.sheet.find(meter, k.tier, lifetime)
		for _, call.Variant = range h.named(rooms[1][:0], k.call.Variant, onVariant) {
			for _, tool := range h.named(rooms[2][:0], tool, onTool) {
				one, why := open.most(meter, lifetime, tool)
				switch {
				case why == NotPriced: // what the call leaves open has no such member here
				case why != "":
					return Amount{}, why
				default:
					found = true
					if one.Cmp(worst) > 0 {
						worst = one
					}
				}
			}
		}
	}
	if !found {
		return Amount{}, NotPriced
	}
	return worst, ""
}

// most is the price of one of a meter, or the ceiling of a dynamic one.
func (k *seeker) most(meter, lifetime, tool string) (Amount, Why) {
	e, why := k.entry(meter, lifetime, tool)
	switch {
	case why == "":
		return e.rate.one, ""
	case why == Dynamic && e.ceiling.Price != nil:
		return e.ceiling.one, ""
	}
	return Amount{}, why
}

// has reports whether a meter has prices in a service tier.
func (s *Sheet) has(meter, tier string) bool {
	return slices.ContainsFunc(s.shelves, func(h shelf) bool { return h.meter == meter && h.tier == tier })
}

// lifetimes adds those that a meter's prices name.
func (s *Sheet) lifetimes(names []string, meter, tier string) []string {
	for i := range s.shelves {
		if h := &s.shelves[i]; h.meter == meter && h.tier == tier && h.lifetime != "" {
			names = append(names, h.lifetime)
		}
	}
	return names
}

// named adds what a condition can be: as the call says, else none or any that an
// entry names.
func (h *shelf) named(values []string, said string, state uint8) []string {
	values = append(values, said)
	if said != "" || h == nil {
		return values
	}
	for i := range h.entries {
		if v := h.entries[i].when.value(state); !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return values
}
