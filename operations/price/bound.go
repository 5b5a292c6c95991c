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
	k := s.seek(c, 0)
	for _, k.input = range k.sizes(m) {
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

// sizes are the inputs to try: the largest of each tier. Within a tier more input
// costs more.
func (k *seeker) sizes(m *Most) []int64 {
	most := m.Input
	if most == Uncapped {
		most = math.MaxInt64
	}
	sizes := []int64{most}
	if !k.sheet.tiered {
		return sizes
	}
	for i := range k.sheet.shelves {
		for j := range k.sheet.shelves[i].entries {
			if n := k.sheet.shelves[i].entries[j].above; n > 0 && n < most {
				sizes = append(sizes, n)
			}
		}
	}
	slices.Sort(sizes)
	return slices.Compact(sizes)
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
	total = total.Add(out)
	for i := range m.Others {
		a, gap := k.cap(m.Others[i].Meter, m.Others[i].Tool, m.Others[i].Count)
		if gap != nil {
			return Amount{}, gap
		}
		total = total.Add(a)
	}
	rest, gap := k.unmentioned(m)
	return total.Add(rest), gap
}

// unmentioned is the most for the meters that the row prices and Most leaves out.
func (k *seeker) unmentioned(m *Most) (Amount, *Gap) {
	var total Amount
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
	h := k.sheet.find(meter, k.tier)
	if h == nil || h.open(k.call, tool) == 0 {
		return k.most(meter, k.call.CacheLifetime, tool)
	}
	var worst Amount
	found := false
	open := *k
	for _, variant := range h.named(k.call.Variant, onVariant) {
		call := *k.call
		call.Variant, open.call = variant, &call
		for _, lifetime := range h.named(k.call.CacheLifetime, onLifetime) {
			if lifetime == "" && h.lifetimes {
				continue // it is one of those that are named
			}
			for _, tool := range h.named(tool, onTool) {
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

// open is the conditions by which prices of the shelf differ and of which the call
// says nothing.
func (h *shelf) open(c *Call, tool string) (states uint8) {
	for i := range h.entries {
		states |= h.entries[i].states
	}
	for _, said := range [...]struct {
		value string
		state uint8
	}{{c.Variant, onVariant}, {c.CacheLifetime, onLifetime}, {tool, onTool}} {
		if said.value != "" {
			states &^= said.state
		}
	}
	return states & (onVariant | onLifetime | onTool)
}

// named is what a condition can be: as the call says, else none or any that an
// entry names.
func (h *shelf) named(said string, state uint8) []string {
	values := []string{said}
	if said != "" {
		return values
	}
	for i := range h.entries {
		if v := h.entries[i].when.value(state); !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return values
}
