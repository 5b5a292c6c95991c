package catalog

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/opcat/opcat/internal/canon"
)

// A Decimal is an exact decimal number in its one spelling: "0.8", "100", "-2".
// The zero Decimal is unknown, which is not the number "0".
type Decimal string

// ParseDecimal reads a decimal number and settles its spelling. Signs other than
// a minus, exponents and separators are refused.
func ParseDecimal(s string) (Decimal, error) {
	if !canon.IsDecimal(s) {
		return "", fmt.Errorf("%q is not a decimal number", s)
	}
	return Decimal(canon.Decimal(s)), nil
}

// IsKnown reports whether there is a number.
func (d Decimal) IsKnown() bool { return d != "" }

// IsZero reports whether the number is known to be zero: a price that is free,
// not one that nobody stated.
func (d Decimal) IsZero() bool { return d == "0" }

// Rat is the exact value; nil if it is unknown.
func (d Decimal) Rat() *big.Rat {
	if d == "" {
		return nil
	}
	r, ok := new(big.Rat).SetString(string(d))
	if !ok {
		return nil
	}
	return r
}

// Compare orders two known numbers by value: -1, 0 or 1. Unknown sorts before
// every number and equals only itself.
func (d Decimal) Compare(e Decimal) int {
	switch {
	case d == e:
		return 0
	case d == "":
		return -1
	case e == "":
		return 1
	}
	a, b := string(d), string(e)
	negA, negB := strings.HasPrefix(a, "-"), strings.HasPrefix(b, "-")
	switch {
	case negA && !negB:
		return -1
	case negB && !negA:
		return 1
	case negA:
		return compareMagnitude(b[1:], a[1:])
	}
	return compareMagnitude(a, b)
}

// Micros is the number as a whole count of millionths; false if it does not fit, or is not
// in its one spelling. Numbers that fit are quicker to compare so.
func (d Decimal) Micros() (n int64, ok bool) {
	s := strings.TrimPrefix(string(d), "-")
	point := len(s)
	for i, c := range []byte(s) {
		switch {
		case '0' <= c && c <= '9':
			n = n*10 + int64(c-'0')
		case c == '.' && point == len(s):
			point = i
		default:
			return 0, false
		}
	}
	places := max(0, len(s)-point-1)
	if point == 0 || point == len(s)-1 || point > 12 || places > 6 || point > 1 && s[0] == '0' || places > 0 && s[len(s)-1] == '0' {
		return 0, false
	}
	n *= micros[places]
	if len(s) < len(d) {
		return -n, n > 0
	}
	return n, true
}

// micros are how many millionths there are in the last of so many places.
var micros = [...]int64{1e6, 1e5, 1e4, 1e3, 1e2, 10, 1}

// compareMagnitude compares two numbers without signs in their one spelling:
// more digits before the point is more; else the digits decide.
func compareMagnitude(a, b string) int {
	switch wholeA, wholeB := wholeDigits(a), wholeDigits(b); {
	case wholeA < wholeB:
		return -1
	case wholeA > wholeB:
		return 1
	}
	return strings.Compare(a, b) // a point sorts before digits, and no fraction before one
}

// wholeDigits is how many digits stand before the point.
func wholeDigits(s string) int {
	n := 0
	for n < len(s) && s[n] != '.' {
		n++
	}
	return n
}
