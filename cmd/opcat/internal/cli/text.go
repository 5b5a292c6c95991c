package cli

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/opcat/opcat/diag"
)

// clip cuts s to at most n bytes at a rune, and says so with an ellipsis.
// Invalid UTF-8 is replaced, so that the result is always printable as JSON.
func clip(s string, n int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= n {
		return s
	}
	return cut(s, n-len("…")) + "…"
}

// cut cuts s to at most n bytes at a rune.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// oneLine makes s one line of at most n bytes: controls and marks that reorder
// text become visible escapes.
func oneLine(s string, n int) string { return clip(visible(s), n) }

// visible spells out what a terminal would act on instead of show: controls,
// line separators and marks that change the direction of text.
func visible(s string) string {
	if strings.IndexFunc(s, unsafeRune) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case !unsafeRune(r):
			b.WriteRune(r)
		case r == '\n', r == '\t', r == '\r':
			b.WriteByte(' ')
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

func unsafeRune(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}

// near gives up to n known words that are like the given one: the nearest by
// edits first, then those that contain it.
func near(word string, known []string, n int) []string {
	var out []string
	if best, ok := diag.Nearest(word, known); ok {
		out = append(out, best)
	}
	for _, k := range known {
		if len(out) == n || len(word) < 3 {
			break
		}
		if strings.Contains(k, word) && !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}

// count says "1 file", "2 files".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
