package price

import "math"

// A Worst is Bound made ready for calls that differ in their tokens alone: what one
// of each costs at most, for every tier that the input may reach.
type Worst struct{ tiers []worstTier }

// A worstTier holds for inputs above a size, up to another.
type worstTier struct {
	above, upTo          int64
	input, output, other Amount
}

// Worst makes Bound ready; false where what a call costs hangs on its time, or where
// some call has no bound.
func (s *Sheet) Worst(m *Most, c *Call) (w Worst, ok bool) {
	for i := range s.shelves {
		if s.shelves[i].timed {
			return w, false
		}
	}
	k := s.seek(c, math.MaxInt64)
	for more := true; more; {
		t := worstTier{upTo: k.input}
		var gaps [3]*Gap
		t.input, gaps[0] = k.dearestOf(m.InputMeters, 1)
		t.output, gaps[1] = k.dearestOf(m.OutputMeters, 1)
		t.other, gaps[2] = k.others(m)
		if gaps != [3]*Gap{} {
			return Worst{}, false
		}
		more = k.shrink()
		t.above = k.input
		w.tiers = append(w.tiers, t)
	}
	return w, true
}

// Bound is the most that a call with so many tokens can cost; false where it has
// none, which the sheet puts into words.
func (w *Worst) Bound(input, output int64) (worst Amount, ok bool) {
	if input < 0 { // nothing caps it
		return Amount{}, false
	}
	for i := range w.tiers {
		t := &w.tiers[i]
		if input <= t.above && t.above > 0 {
			continue // not reached
		}
		if output < 0 && !t.output.IsZero() {
			return Amount{}, false
		}
		a := t.other
		a.addTimes(&t.input, uint64(min(input, t.upTo)))
		a.addTimes(&t.output, uint64(max(output, 0)))
		if a.Cmp(worst) > 0 {
			worst = a
		}
	}
	return worst, len(w.tiers) > 0
}
