package check

import (
	"math/big"
	"strings"
)

// compare compares two decimals exactly: -1, 0 or 1.
func compare(a, b string) int {
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
