package flat

import "time"

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
	return [...]string{"active", "announced", "deprecated", "ended"}[s&3]
}

// State computes the state of a row at a moment. An end is the first moment at which the
// row is no longer served.
func (l Lifecycle) State(at time.Time) State {
	deprecated, _ := l.Deprecated()
	return StateAt(deprecated, l.EndsOn().Unix(), l.AnnouncedEnd().Unix(), at)
}

// Never is the end of a row of which none is known.
const Never = 1<<63 - 1

// Unix is a date in seconds of Unix time; Never if it is unknown.
func (d Date) Unix() int64 {
	if t, ok := d.Time(); ok {
		return t.Unix()
	}
	return Never
}

// StateAt is the law of all forms of a row, here for ends in seconds of Unix time.
func StateAt(deprecated bool, endsOn, announcedEnd int64, at time.Time) State {
	now := at.Unix()
	switch {
	case endsOn <= now || announcedEnd <= now:
		return Ended
	case deprecated:
		return Deprecated
	case endsOn != Never || announcedEnd != Never:
		return Announced
	}
	return Active
}
