package check

import (
	"slices"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/tree"
)

// A week has this many minutes; windows lie on it as on a circle.
const week = 7 * 24 * 60

// A span is a stretch of the week: a start in minutes after Monday 00:00 UTC,
// and a length.
type span struct{ start, length int }

// spans are the stretches of a price window. An end at or before the start is
// the next day's.
func spans(window *tree.Node) []span {
	start, end := clock(window.Get("start").Str()), clock(window.Get("end").Str())
	if end <= start {
		end += 24 * 60
	}
	var out []span
	for d := window.Get("days").First(); d != nil; d = d.Next() {
		day := slices.Index(form.Days, d.Str())
		if day < 0 {
			continue
		}
		at := day*24*60 + start - offset(window.Get("utc_offset").Str())
		out = append(out, span{(at%week + week) % week, end - start})
	}
	return out
}

// meet reports whether two price windows have a minute in common.
func meet(a, b *tree.Node) bool {
	for _, s := range spans(a) {
		for _, t := range spans(b) {
			ahead := ((t.start-s.start)%week + week) % week // from s to t, going forward
			if ahead < s.length || week-ahead < t.length {
				return true
			}
		}
	}
	return false
}

// clock is a time of day in minutes.
func clock(s string) int {
	if len(s) != len("HH:MM") {
		return 0
	}
	return digits(s[0:2])*60 + digits(s[3:5])
}

// offset is a UTC offset in minutes.
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
