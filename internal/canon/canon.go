// Package canon spells JSON values in the one way that a catalog uses, so that
// equal facts have equal bytes.
//
// Strings escape what JSON demands and nothing else; numbers that must stay
// exact are decimal strings without superfluous zeros; a count is an integer up
// to 2^53-1 and a string above, where readers with binary floats would lose
// digits. Package canon knows no schema.
package canon

import (
	"strings"
	"unicode/utf8"
)

// MaxInteger is the largest integer written as a JSON number.
const MaxInteger = 1<<53 - 1

const hex = "0123456789abcdef"

// plain tells the bytes that stand for themselves in a JSON string, those of
// longer runes among them.
var plain = func() (t [256]bool) {
	for c := range t {
		t[c] = c >= ' ' && c != '"' && c != '\\'
	}
	return t
}()

// AppendString appends s as a JSON string. Bytes that are not UTF-8 become
// U+FFFD, so that the result is always valid.
func AppendString(dst []byte, s string) []byte {
	i, all := 0, byte(0)
	for ; i < len(s) && plain[s[i]]; i++ {
		all |= s[i]
	}
	dst = append(dst, '"')
	if i == len(s) && (all < utf8.RuneSelf || utf8.ValidString(s)) {
		dst = append(dst, s...)
		return append(dst, '"')
	}
	for _, r := range s { // what is not UTF-8 is ranged over as U+FFFD
		if r < utf8.RuneSelf && !plain[r] {
			dst = appendEscape(dst, byte(r))
		} else {
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, `\b`...)
	case '\t':
		return append(dst, `\t`...)
	case '\n':
		return append(dst, `\n`...)
	case '\f':
		return append(dst, `\f`...)
	case '\r':
		return append(dst, `\r`...)
	}
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}

// AppendCount appends a non-negative integer given in decimal digits.
func AppendCount(dst []byte, digits string) []byte {
	if len(digits) < 16 || len(digits) == 16 && digits <= "9007199254740991" {
		return append(dst, digits...)
	}
	dst = append(dst, '"')
	dst = append(dst, digits...)
	return append(dst, '"')
}

// IsDecimal reports whether s is a decimal number: digits, at most one point
// with digits on both sides, perhaps a minus before it. No exponent, no plus.
func IsDecimal(s string) bool {
	s = strings.TrimPrefix(s, "-")
	point := -1
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case '0' <= c && c <= '9':
		case c == '.' && point < 0 && i > 0:
			point = i
		default:
			return false
		}
	}
	return len(s) > point+1
}

// Decimal removes what a decimal number does not need: zeros before the first
// digit and after the last one behind the point, and the sign of zero. The
// zeros of "100" stay.
func Decimal(s string) string {
	if n := len(s); n > 0 && ('1' <= s[0] && s[0] <= '9' || n > 1 && s[0] == '0' && s[1] == '.') && s[n-1] != '0' { // nearly always
		return s
	}
	neg := strings.HasPrefix(s, "-")
	body := s
	if neg {
		body = s[1:]
	}
	for len(body) > 1 && body[0] == '0' && body[1] != '.' {
		body = body[1:]
	}
	if strings.IndexByte(body, '.') >= 0 {
		body = strings.TrimRight(body, "0")
		body = strings.TrimSuffix(body, ".")
	}
	switch {
	case body == "0" || !neg:
		return body
	case len(body)+1 == len(s):
		return s
	}
	return "-" + body
}
