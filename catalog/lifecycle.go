package catalog

import (
	"math"
	"time"
)

// A State is where a row stands in its life on a given date. It is never stored:
// the same catalog answers for yesterday and for next year.
type State uint8

// The states of a row.
const (
	Active     State = iota // served, and no end is known
	Announced               // served, with a date after which it is not
	Deprecated              // served, and the vendor advises against it
	Ended                   // past its end: kept so that old usage can be named and priced
)

func (s State) String() string {
	return [...]string{"active", "announced", "deprecated", "ended"}[s]
}

// State computes the state at a moment. A row without a lifecycle is active. An
// end is the first moment at which the row is no longer served.
func (l *Lifecycle) State(at time.Time) State {
	if l == nil {
		return Active
	}
	deprecated, _ := l.Deprecated.Get()
	return stateAt(deprecated, unix(l.EndsOn), unix(l.AnnouncedEnd), at)
}

// never is the end of a row of which none is known.
const never = math.MaxInt64

// unix is a date in seconds; never if it is unknown.
func unix(d Date) int64 {
	t, ok := d.Time()
	if !ok {
		return never
	}
	return t.Unix()
}

func stateAt(deprecated bool, endsOn, announcedEnd int64, at time.Time) State {
	now := at.Unix()
	switch {
	case endsOn <= now || announcedEnd <= now:
		return Ended
	case deprecated:
		return Deprecated
	case endsOn != never || announcedEnd != never:
		return Announced
	}
	return Active
}

// Holds reports whether what was computed at the catalog's own date is also true
// at another: whether no lifecycle or dated price changes between.
func (h Holds) Holds(at time.Time) bool {
	if from, ok := h.From.Time(); ok && at.Before(from) {
		return false
	}
	until, ok := h.Until.Time()
	return !ok || at.Before(until)
}
