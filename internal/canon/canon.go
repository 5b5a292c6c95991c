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
	if len(s) >= 8 && plainASCII(s) {
		dst = append(dst, '"')
		dst = append(dst, s...)
		return append(dst, '"')
	}
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

// plainASCII reports whether all bytes of a text stand for themselves and are runes of
// one byte. It looks at eight at a time; the last eight may overlap those before.
func plainASCII(s string) bool {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	var bad uint64 // the top bit of each byte that is not plain, or of one after it
	for i := 0; ; i += 8 {
		i = min(i, len(s)-8)
		w := uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
			uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
		quote, slash := w^ones*'"', w^ones*'\\'
		bad |= w | (w-ones*' ')&^w | (quote-ones)&^quote | (slash-ones)&^slash
		if i == len(s)-8 {
			return bad&tops == 0
		}
	}
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
