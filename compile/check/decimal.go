package check

import (
	"math/big"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/internal/canon"
)

// compare compares two decimals exactly: below, at or above 0. Those of a
// condition are texts, whose spelling nobody has settled.
func compare(a, b string) int {
	return catalog.Decimal(canon.Decimal(a)).Compare(catalog.Decimal(canon.Decimal(b)))
}

func isZero(s string) bool { return canon.Decimal(s) == "0" }

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
