// Package canon spells JSON values in the one way that a catalog uses, so that
// equal facts have equal bytes.
//
// Strings escape what JSON demands and nothing else; numbers that must stay
// exact are decimal strings without superfluous zeros; a count is an integer up
// to 2^53-1 and a string above, where readers with binary floats would lose
// digits. Package canon knows no schema.
package canon

import (
	"math/bits"
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
	dst = append(dst, '"')
	if plainASCII(s) {
		dst = append(dst, s...)
		return append(dst, '"')
	}
	if !utf8.ValidString(s) {
		return append(appendMended(dst, s), '"')
	}
	for {
		n := run(s)
		dst = append(dst, s[:n]...)
		if n == len(s) {
			return append(dst, '"')
		}
		dst = appendEscape(dst, s[n])
		s = s[n+1:]
	}
}

// appendMended appends a text that is not UTF-8.
func appendMended(dst []byte, s string) []byte {
	for _, r := range s { // what is not UTF-8 is ranged over as U+FFFD
		if r < utf8.RuneSelf && !plain[r] {
			dst = appendEscape(dst, byte(r))
		} else {
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}

// Eight bytes are looked at in one word. A quote is next to the control characters once
// its second bit is turned, so that one comparison finds both.
const (
	ones    = 0x0101010101010101
	tops    = 0x80 * ones
	turn    = 0x02 * ones
	least   = 0x21 * ones // of a byte that is turned and needs no escape
	slashes = '\\' * ones
)

// word is the first eight bytes of a text.
func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// plainASCII reports whether all bytes of a text stand for themselves and are runes of
// one byte. The last eight are looked at first, and may overlap those before.
func plainASCII(s string) bool {
	if len(s) < 8 {
		all := byte(0)
		for i := range len(s) {
			if !plain[s[i]] {
				return false
			}
			all |= s[i]
		}
		return all < utf8.RuneSelf
	}
	bad := notPlain(word(s[len(s)-8:]))
	for ; len(s) > 8; s = s[8:] {
		bad |= notPlain(word(s))
	}
	return bad&tops == 0
}

// notPlain has the top bit of each byte that is not plain ASCII, or of one after it:
// what is too small borrows from the next.
func notPlain(w uint64) uint64 { return w | ((w ^ turn) - least) | ((w ^ slashes) - ones) }

// run is how many bytes of a text stand for themselves, up to the first that does not.
func run(s string) (n int) {
	for ; n+8 <= len(s); n += 8 {
		w := word(s[n:])
		low := w &^ tops // no sum of these carries into the next byte
		fine := ((low ^ turn) + (tops - least)) & ((low ^ slashes) + (tops - ones))
		if bad := ^(fine | w) & tops; bad != 0 {
			return n + bits.TrailingZeros64(bad)/8
		}
	}
	for n < len(s) && plain[s[n]] {
		n++
	}
	return n
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
