package diag

import (
	"strconv"
	"strings"
	"unicode"
)

// OneLine writes out every character that could break or forge a line of output,
// as a Go string does: what a source says may stand in a message.
func OneLine(s string) string {
	plain := func(r rune) bool { return unicode.IsPrint(r) }
	if !strings.ContainsFunc(s, func(r rune) bool { return !plain(r) }) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if plain(r) {
			b.WriteRune(r)
			continue
		}
		q := strconv.QuoteRune(r)
		b.WriteString(q[1 : len(q)-1])
	}
	return b.String()
}

// OneLine makes every text of the finding one line.
func (d Diagnostic) OneLine() Diagnostic {
	d.Message, d.Got, d.Help = OneLine(d.Message), OneLine(d.Got), OneLine(d.Help)
	for i, n := range d.Notes {
		if m := OneLine(n.Message); m != n.Message {
			d.Notes[i].Message = m
		}
	}
	return d
}
