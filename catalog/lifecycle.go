package catalog

import (
	"time"

	"github.com/opcat/opcat/catalog/flat"
)

// A State is where a row stands in its life on a given date. It is never stored:
// the same catalog answers for yesterday and for next year.
type State = flat.State

// The states of a row.
const (
	Active     = flat.Active
	Announced  = flat.Announced
	Deprecated = flat.Deprecated
	Ended      = flat.Ended
)

// State computes the state at a moment. A row without a lifecycle is active. An
// end is the first moment at which the row is no longer served.
func (l *Lifecycle) State(at time.Time) State {
	if l == nil {
		return Active
	}
	return flat.StateAt(l.Deprecated.Or(false), unix(l.EndsOn), unix(l.AnnouncedEnd), at)
}

// unix is a date in seconds; flat.Never if it is unknown.
func unix(d Date) int64 { return flat.Date(d).Unix() }

// Holds reports whether what was computed at the catalog's own date is also true
// at another: whether no lifecycle or dated price changes between.
func (h Holds) Holds(at time.Time) bool {
	if from, ok := h.From.Time(); ok && at.Before(from) {
		return false
	}
	until, ok := h.Until.Time()
	return !ok || at.Before(until)
}
