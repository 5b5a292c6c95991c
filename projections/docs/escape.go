package docs

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The catalog's texts come from vendors and overlays. None of them may become a
// mark, a link, a column or a tag, and none may turn the line that it stands in: what
// is not seen, or moves what is, is written out.

// meant is every character that Markdown, as GitHub reads it, could take for a mark.
// A colon, an at sign and, looked for apart, www make links there; a dollar sign
// makes formulas.
const meant = "\\`*_[]<>|~&#$@:"

// special tells of a byte whether a text has to be looked at closer.
var specialMarkdown, specialHTML [256]bool

func init() {
	for _, c := range []byte(meant) {
		specialMarkdown[c] = true
	}
	for _, c := range []byte(`&<>"'`) {
		specialHTML[c] = true
	}
	for c := range 256 {
		if c < ' ' || c >= 0x7f {
			specialMarkdown[c], specialHTML[c] = true, true
		}
	}
}

func plain(s string, special *[256]bool) bool {
	for i := range len(s) {
		if special[s[i]] {
			return false
		}
	}
	return true
}

func appendMarkdown(b []byte, s string) []byte {
	if plain(s, &specialMarkdown) && !strings.Contains(s, "w.") && !strings.Contains(s, "W.") {
		return append(b, s...)
	}
	for i, r := range s {
		switch {
		case r == '\n':
			b = append(b, ' ')
		case r == '_' && i > 0 && i+1 < len(s) && wordy(s[i-1]) && wordy(s[i+1]), r == ':' && (i+1 == len(s) || s[i+1] == ' '):
			b = append(b, byte(r)) // within a word, and before a blank, they mark nothing
		case r == '.' && i >= 3 && strings.EqualFold(s[i-3:i], "www"):
			b = append(b, '\\', '.')
		case r < utf8.RuneSelf && strings.IndexByte(meant, byte(r)) >= 0:
			b = append(b, '\\', byte(r))
		default:
			b = appendRune(b, r)
		}
	}
	return b
}

func wordy(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func appendHTML(b []byte, s string) []byte {
	if plain(s, &specialHTML) {
		return append(b, s...)
	}
	for _, r := range s {
		switch r {
		case '&':
			b = append(b, "&amp;"...)
		case '<':
			b = append(b, "&lt;"...)
		case '>':
			b = append(b, "&gt;"...)
		case '"':
			b = append(b, "&quot;"...)
		case '\'':
			b = append(b, "&#39;"...)
		case '\n':
			b = append(b, '\n') // only what is shown as it stands has lines
		default:
			b = appendRune(b, r)
		}
	}
	return b
}

// appendRune writes out what does not show itself: controls, marks of direction and
// other characters without a shape, blanks that are no space.
func appendRune(b []byte, r rune) []byte {
	if r == ' ' || r != utf8.RuneError && unicode.IsPrint(r) {
		return utf8.AppendRune(b, r)
	}
	return append(b, written(r)...)
}

func written(r rune) string {
	const hex = "0123456789ABCDEF"
	digits := ""
	for n := r; n > 0 || len(digits) < 4; n >>= 4 {
		digits = string(hex[n&15]) + digits
	}
	return "(U+" + digits + ")"
}

// appendCode writes a code span: its fence is longer than any row of backticks in it.
// A bar in a cell is escaped even there.
func appendCode(b []byte, s string, inTable bool) []byte {
	most, run := 0, 0
	for i := range len(s) {
		if s[i] != '`' {
			run = 0
			continue
		}
		run++
		most = max(most, run)
	}
	fence := strings.Repeat("`", most+1)
	pad := ""
	if s == "" || s[0] == '`' || s[len(s)-1] == '`' || s[0] == ' ' && s[len(s)-1] == ' ' {
		pad = " "
	}
	b = append(append(b, fence...), pad...)
	for _, r := range s {
		if r == '|' && inTable {
			b = append(b, '\\')
		}
		b = appendRune(b, r)
	}
	return append(append(b, pad...), fence...)
}

// appendURL writes an address between angle brackets.
func appendURL(b []byte, s string) []byte {
	const hex = "0123456789ABCDEF"
	for i := range len(s) {
		switch c := s[i]; {
		case c <= ' ' || c >= 0x7f || strings.IndexByte("<>|\\\"`", c) >= 0:
			b = append(b, '%', hex[c>>4], hex[c&15])
		default:
			b = append(b, c)
		}
	}
	return b
}

// anchorOf names the place of a row on its provider's pages. Two ids never have the
// same.
func anchorOf(wire string) string {
	const hex = "0123456789abcdef"
	b := make([]byte, 0, len(wire)+8)
	b = append(b, "m-"...)
	for i := range len(wire) {
		c := wire[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '.' {
			b = append(b, c)
		} else {
			b = append(b, '_', hex[c>>4], hex[c&15])
		}
	}
	return string(b)
}
