package conformance

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/opcat/opcat/internal/pattern"
)

var (
	toolName   = pattern.Lazy(`^[a-z][a-z0-9_-]*$`)
	schemaName = pattern.Lazy(`^[a-z][a-z0-9_-]*(\.[a-z][a-z0-9_]*)+@[0-9]+$`)
	codeName   = pattern.Lazy(`^[A-Z][A-Z0-9_]{2,47}$`)
	verbName   = pattern.Lazy(`^[a-z][a-z0-9]{2,23}$`)
	flagName   = pattern.Lazy(`--[a-z][a-z0-9-]*`)
)

// oneLine is text on one line without controls, of at most n bytes.
func oneLine(s string, n int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	return cut(s, n)
}

// cut keeps at most n bytes and whole runes.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

func plural(n int, what string) string {
	if n == 1 {
		return fmt.Sprintf("1 %s", what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}
