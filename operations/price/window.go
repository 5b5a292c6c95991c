package price

import (
	"slices"
	"time"
)

// A Window is the stretches of the week in which a price holds. Weeks begin on
// Monday 00:00 UTC and lie on a circle.
type Window struct{ spans []span }

// A span is a start in minutes of the week, and a length.
type span struct{ start, length int }

// week is its minutes, day those of a day.
const (
	day  = 24 * 60
	week = 7 * day
)

// Days are the days that a window may name.
var Days = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

// NewWindow reads a window: days, start and end as "HH:MM", and an offset such as
// "+02:00". An end at or before the start is the next day's.
func NewWindow(days []string, start, end, utcOffset string) *Window {
	w := &Window{}
	from, to := clock(start), clock(end)
	if to <= from {
		to += day
	}
	for _, d := range days {
		if i := slices.Index(Days, d); i >= 0 {
			w.spans = append(w.spans, span{around(i*day + from - offset(utcOffset)), to - from})
		}
	}
	slices.SortFunc(w.spans, func(a, b span) int { return a.start - b.start })
	return w
}

// around puts a minute onto the circle of the week.
func around(minute int) int { return (minute%week + week) % week }

// holds reports whether the window is open at a time.
func (w *Window) holds(at time.Time) bool {
	at = at.UTC()
	now := (int(at.Weekday())+6)%7*day + at.Hour()*60 + at.Minute()
	for _, s := range w.spans {
		if around(now-s.start) < s.length {
			return true
		}
	}
	return false
}

// meets reports whether two windows have a minute in common.
func (w *Window) meets(v *Window) bool {
	for _, s := range w.spans {
		for _, t := range v.spans {
			ahead := around(t.start - s.start) // from s to t, going forward
			if ahead < s.length || week-ahead < t.length {
				return true
			}
		}
	}
	return false
}

func (w *Window) equal(v *Window) bool { return slices.Equal(w.spans, v.spans) }

// clock is a time of day in minutes; 0 for what is none.
func clock(s string) int {
	if len(s) != len("HH:MM") {
		return 0
	}
	return digits(s[0:2])*60 + digits(s[3:5])
}

// offset is a UTC offset in minutes; 0 for what is none.
func offset(s string) int {
	if len(s) != len("+HH:MM") {
		return 0
	}
	m := clock(s[1:])
	if s[0] == '-' {
		return -m
	}
	return m
}

func digits(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		n = n*10 + int(s[i]-'0')
	}
	return n
}
