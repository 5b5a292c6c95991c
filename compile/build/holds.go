package build

import (
	"fmt"
	"time"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/tree"
)

// The days on which something changes by itself: a row ends, a price starts or
// stops. What is computed at one date holds from the last such day up to the next.
var (
	endsOn       = form.Lifecycle.Must("ends_on")
	announcedEnd = form.Lifecycle.Must("announced_end")
	validFrom    = form.Price.Must("valid_from")
	validUntil   = form.Price.Must("valid_until")
)

// A clock finds the changes nearest to a date. Nothing here reads a real one.
type clock struct {
	at          time.Time
	from, until time.Time
	err         error
}

func newClock(asOf string) (clock, error) {
	at, err := catalog.ParseDate(asOf)
	if err != nil {
		return clock{}, fmt.Errorf("as-of date: %w", err)
	}
	return clock{at: at}, nil
}

// see looks at each date that is written.
func (c *clock) see(n *tree.Node) {
	switch n.Key {
	case endsOn, announcedEnd, validFrom, validUntil:
	default:
		return
	}
	t, err := catalog.ParseDate(n.Str())
	switch {
	case err != nil:
		if c.err == nil {
			c.err = fmt.Errorf("%s: %w", n.At(), err)
		}
	case !t.After(c.at):
		if t.After(c.from) {
			c.from = t
		}
	case c.until.IsZero() || t.Before(c.until):
		c.until = t
	}
}

// period gives the last change at or before the date, and the next one.
func (c *clock) period() (from, until catalog.Date) {
	if !c.from.IsZero() {
		from = catalog.DateOf(c.from)
	}
	if !c.until.IsZero() {
		until = catalog.DateOf(c.until)
	}
	return from, until
}
