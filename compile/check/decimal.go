package check

import (
	"math/big"
	"strings"
)

// compare compares two decimals exactly: below, at or above 0.
func compare(a, b string) int {
	if isPlain(a) && isPlain(b) {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	}
	negA, negB := strings.HasPrefix(a, "-"), strings.HasPrefix(b, "-")
	switch {
	case isZero(a) && isZero(b):
		return 0
	case negA && !negB:
		return -1
	case negB && !negA:
		return 1
	case negA:
		return magnitude(b[1:], a[1:])
	}
	return magnitude(a, b)
}

// isPlain reports whether a decimal is a positive integer as the decoder spells
// it, as nearly all that are compared are.
func isPlain(s string) bool {
	if s == "" || s[0] == '0' || len(s) > 18 {
		return false
	}
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// magnitude compares two decimals without a sign.
func magnitude(a, b string) int {
	wa, fa, _ := strings.Cut(a, ".")
	wb, fb, _ := strings.Cut(b, ".")
	wa, wb = strings.TrimLeft(wa, "0"), strings.TrimLeft(wb, "0")
	switch {
	case len(wa) < len(wb):
		return -1
	case len(wa) > len(wb):
		return 1
	case wa != wb:
		return strings.Compare(wa, wb)
	}
	return strings.Compare(strings.TrimRight(fa, "0"), strings.TrimRight(fb, "0"))
}

// isZero reports whether a decimal is zero, however it is spelt.
func isZero(s string) bool { return s == "0" || s != "" && strings.Trim(s, "-0.") == "" }

// count is the value of a count as the decoder spells it.
func count(s string) int64 {
	var n int64
	for i := 0; i < len(s); i++ {
		n = n*10 + int64(s[i]-'0')
	}
	return n
}

// isWhole reports whether a decimal is an integer.
func isWhole(s string) bool {
	_, frac, _ := strings.Cut(s, ".")
	return strings.Trim(frac, "0") == ""
}

// times multiplies a decimal by a power of ten, exactly.
func times(s string, power int) string {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return s
	}
	scale := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(power, -power))), nil))
	if power < 0 {
		scale.Inv(scale)
	}
	r.Mul(r, scale)
	digits, _ := r.FloatPrec()
	return r.FloatString(digits)
}
