package operations

import (
	"fmt"
	"slices"
	"time"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/operations/price"
)

// Terms are what a caller demands of a route beside the request itself. The zero
// Terms demand nothing and judge at the catalog's own date.
type Terms struct {
	At         time.Time          // lifecycle and prices are judged at it; zero: the catalog's as-of date
	MaxUSD     catalog.Decimal    // the worst case may cost no more; unknown: no bound is asked
	Providers  []string           // only these may serve; none: any
	Region     string             // dial this region of the row
	Support    string             // a contract at least as well evidenced: declared, documented or probed
	NoTraining bool               // what is sent trains no model, and the provider says so
	Retention  string             // what is sent is kept no longer: not_retained or abuse_monitoring_only
	MaxAge     catalog.Opt[int64] // seconds between the catalog's as-of date and At
	Protocol   string             // of a contract with several protocols, only this one
	Variables  map[string]string  // values of the endpoint's variables, by name

	limit price.Amount // MaxUSD, read
}

// check finds demands that are none, and reads the bound.
func (t *Terms) check() (err error) {
	if t.MaxUSD.IsKnown() {
		if t.limit, err = price.ParseAmount(t.MaxUSD); err != nil {
			return fmt.Errorf("terms: max_usd: %w", err)
		}
	}
	if t.Support != "" && !slices.Contains(op.Supports, t.Support) {
		return fmt.Errorf("terms: support: %q is not one of %v", t.Support, op.Supports)
	}
	if t.Retention != "" && !slices.Contains(retentions, t.Retention) {
		return fmt.Errorf("terms: retention: %q is not one of %v", t.Retention, retentions)
	}
	if age, ok := t.MaxAge.Get(); ok && age < 0 {
		return fmt.Errorf("terms: max_age: %d seconds are less than none", age)
	}
	return nil
}

// at is the date at which a catalog is judged.
func (t *Terms) at(c *catalog.Catalog) time.Time {
	if t.At.IsZero() {
		return c.AsOf()
	}
	return t.At
}

// expired reports whether a catalog is older than the terms allow.
func (t *Terms) expired(c *catalog.Catalog) bool {
	age, ok := t.MaxAge.Get()
	return ok && t.at(c).Sub(c.AsOf()) > time.Duration(min(age, int64(maxAge)))*time.Second
}

// maxAge keeps an age within what a time.Duration holds.
const maxAge = 100 * 365 * 24 * time.Hour / time.Second
