package build

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/shape"
)

// The days on which something changes by itself: a row ends, a price starts or
// stops. What is computed at one date holds from the last such day up to the next.
var changing = sync.OnceValue(func() [4]*shape.Key {
	return [...]*shape.Key{
		form.Lifecycle().Must("ends_on"), form.Lifecycle().Must("announced_end"),
		form.Price().Must("valid_from"), form.Price().Must("valid_until"),
	}
})

// A clock finds the changes nearest to a date. Nothing here reads a real one.
type clock struct {
	at       time.Time
	changing [4]*shape.Key
	span
	dates int // how many were seen
	err   error
}

// A span is the last change at or before a date and the first one after it; zero
// where there is none.
type span struct{ from, until time.Time }

// and is the span within which neither of two has a change.
func (s span) and(t span) span {
	if t.from.After(s.from) {
		s.from = t.from
	}
	if s.until.IsZero() || !t.until.IsZero() && t.until.Before(s.until) {
		s.until = t.until
	}
	return s
}

func newClock(asOf string) (clock, error) {
	at, err := catalog.ParseDate(asOf)
	if err != nil {
		return clock{}, fmt.Errorf("as-of date: %w", err)
	}
	return clock{at: at, changing: changing()}, nil
}

// see looks at each date that is written.
func (c *clock) see(n *tree.Node) {
	if !slices.Contains(c.changing[:], n.Key) {
		return
	}
	c.dates++
	t, err := catalog.ParseDate(n.Str())
	switch {
	case err != nil:
		if c.err == nil {
			c.err = fmt.Errorf("%s: %w", n.At(), err)
		}
	case t.After(c.at):
		c.span = c.and(span{until: t})
	default:
		c.span = c.and(span{from: t})
	}
}

// period spells the span as a catalog does.
func (s span) period() (from, until catalog.Date) {
	if !s.from.IsZero() {
		from = catalog.DateOf(s.from)
	}
	if !s.until.IsZero() {
		until = catalog.DateOf(s.until)
	}
	return from, until
}
