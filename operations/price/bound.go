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
	for _, input := range s.sizes(m) {
		a, gap := s.boundAt(m, c, input)
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
func (s *Sheet) sizes(m *Most) []int64 {
	most := m.Input
	if most == Uncapped {
		most = math.MaxInt64
	}
	sizes := []int64{most}
	if !s.tiered {
		return sizes
	}
	for i := range s.meters {
		for j := range s.meters[i].entries {
			if n := s.meters[i].entries[j].above; n > 0 && n < most {
				sizes = append(sizes, n)
			}
		}
	}
	slices.Sort(sizes)
	return slices.Compact(sizes)
}

// boundAt is the most for so many input tokens.
func (s *Sheet) boundAt(m *Most, c *Call, input int64) (Amount, *Gap) {
	tokens := input
	if m.Input == Uncapped && input == math.MaxInt64 {
		tokens = Uncapped
	}
	total, gap := s.dearestOf(m.InputMeters, tokens, c, input)
	if gap != nil {
		return Amount{}, gap
	}
	out, gap := s.dearestOf(m.OutputMeters, m.Output, c, input)
	if gap != nil {
		return Amount{}, gap
	}
	total = total.Add(out)
	for _, l := range m.Others {
		a, gap := s.cap(l.Meter, l.Tool, l.Count, c, input)
		if gap != nil {
			return Amount{}, gap
		}
		total = total.Add(a)
	}
	for i := range s.meters {
		name := s.meters[i].name
		if m.covers(name) {
			continue
		}
		count := int64(Uncapped)
		if name == requestMeter {
			count = 1
		}
		a, gap := s.cap(name, "", count, c, input)
		switch {
		case gap != nil && gap.Why == NotPriced && !gap.Uncapped: // no entry charges for it in this call
		case gap != nil:
			return Amount{}, gap
		default:
			total = total.Add(a)
		}
	}
	return total, nil
}

func (m *Most) covers(name string) bool {
	return slices.Contains(m.InputMeters, name) || slices.Contains(m.OutputMeters, name) || slices.Contains(m.Never, name) ||
		slices.ContainsFunc(m.Others, func(l Line) bool { return l.Meter == name })
}

// dearestOf is what a count of tokens costs as the dearest of some meters.
func (s *Sheet) dearestOf(meters []string, count int64, c *Call, input int64) (Amount, *Gap) {
	var worst Amount
	for _, name := range meters {
		a, gap := s.cap(name, "", count, c, input)
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
func (s *Sheet) cap(name, tool string, count int64, c *Call, input int64) (Amount, *Gap) {
	if count == 0 {
		return Amount{}, nil
	}
	one, why := s.dearest(name, tool, c, input)
	switch {
	case why != "":
		return Amount{}, &Gap{Meter: name, Tool: tool, Why: why}
	case one.IsZero():
		return Amount{}, nil
	case count < 0:
		return Amount{}, &Gap{Meter: name, Tool: tool, Uncapped: true}
	}
	return one.times(uint64(count)), nil
}

// dearest is the highest price of one of a meter over what the call leaves open.
func (s *Sheet) dearest(name, tool string, c *Call, input int64) (Amount, Why) {
	m := s.find(name)
	if m == nil {
		if lender := borrows(name); lender != "" {
			return s.dearest(lender, tool, c, input)
		}
		return Amount{}, NotPriced
	}
	lifetimes := m.open(c.CacheLifetime, func(e *entry) string { return e.when.CacheLifetime })
	variants := m.open(c.Variant, func(e *entry) string { return e.when.Variant })
	tools := m.open(tool, func(e *entry) string { return e.when.Tool })
	var worst Amount
	found := false
	for _, variant := range variants {
		call := *c
		call.Variant = variant
		for _, lifetime := range lifetimes {
			for _, tool := range tools {
				if lifetime == "" && m.lifetimes {
					continue // one of those that are named
				}
				one, why := s.most(name, lifetime, tool, &call, input)
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
func (s *Sheet) most(name, lifetime, tool string, c *Call, input int64) (Amount, Why) {
	e, why := s.priced(name, lifetime, tool, c, input)
	switch {
	case why == "":
		return e.rate.one, ""
	case why == Dynamic && e.ceiling.Price != nil:
		return e.ceiling.one, ""
	}
	return Amount{}, why
}

// open is what a condition can be: as the call says, else none or any that an
// entry names.
func (m *meter) open(said string, of func(*entry) string) []string {
	values := []string{said}
	if said != "" {
		return values
	}
	for i := range m.entries {
		if v := of(&m.entries[i]); !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return values
}
