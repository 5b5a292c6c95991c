package catalog

import (
	"fmt"
	"time"
)

// A Date is a day, which stands for its midnight in UTC, or a time with its
// offset, as the sources say it. The zero Date is unknown.
type Date string

// ParseDate reads "2026-11-30" or RFC 3339.
func ParseDate(s string) (time.Time, error) {
	layout := time.RFC3339
	if len(s) == len(time.DateOnly) {
		layout = time.DateOnly
	}
	t, err := time.Parse(layout, s)
	if err != nil {
		return time.Time{}, fmt.Errorf("%q is not a date such as 2026-11-30 or 2026-11-30T09:00:00Z", s)
	}
	return t.UTC(), nil
}

// DateOf is the shortest spelling of a time: the day alone at midnight.
func DateOf(t time.Time) Date {
	t = t.UTC()
	if t.Equal(t.Truncate(24 * time.Hour)) {
		return Date(t.Format(time.DateOnly))
	}
	return Date(t.Format(time.RFC3339Nano))
}

// Time is the moment in UTC; false if it is unknown.
func (d Date) Time() (time.Time, bool) {
	if d == "" {
		return time.Time{}, false
	}
	t, err := ParseDate(string(d))
	return t, err == nil
}
