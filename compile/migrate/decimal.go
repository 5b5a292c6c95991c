package migrate

import (
	"math/big"
	"math/bits"
	"strconv"
	"strings"

	"github.com/opcat/opcat/internal/canon"
)

// plain is the one spelling of a decimal number, also of one with a plus.
func plain(s string) string { return canon.Decimal(strings.TrimPrefix(s, "+")) }

// maxDigits is how many digits an amount may have on each side of its point.
const maxDigits = 18

// badDecimal says what is wrong with a plain decimal; "" if nothing is.
func badDecimal(s string, unsigned bool) string {
	if strings.HasPrefix(s, "-") {
		if unsigned {
			return "is below zero"
		}
		s = s[1:]
	}
	whole, part, _ := strings.Cut(s, ".")
	if len(whole) > maxDigits || len(part) > maxDigits {
		return "has more than 18 digits on a side of its point"
	}
	for _, c := range whole + part {
		if c < '0' || c > '9' {
			return "is not a decimal number"
		}
	}
	return ""
}

// A decimal is n / 10^scale, exact and not below zero. Digits that no uint64 holds
// are kept in wide.
type decimal struct {
	n     uint64
	scale int
	wide  *big.Int
}

// parsed reads a legacy number; it is false if n is absent, below zero or no number.
func parsed(s string) (decimal, bool) {
	s = strings.TrimPrefix(s, "+")
	whole, part, point := strings.Cut(s, ".")
	if whole == "" || point && part == "" {
		return decimal{}, false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c != '.' || i != len(whole)) {
			return decimal{}, false
		}
	}
	d := decimal{scale: len(part)}
	if len(whole)+len(part) > maxDigits {
		d.wide, _ = new(big.Int).SetString(whole+part, 10)
		return d, true
	}
	for _, digits := range [...]string{whole, part} {
		for i := range len(digits) {
			d.n = d.n*10 + uint64(digits[i]-'0')
		}
	}
	return d, true
}

// times multiplies exactly.
func (d decimal) times(e decimal) decimal {
	out := decimal{scale: d.scale + e.scale}
	if d.wide == nil && e.wide == nil {
		hi, lo := bits.Mul64(d.n, e.n)
		if hi == 0 {
			out.n = lo
			return out
		}
	}
	out.wide = new(big.Int).Mul(d.digits(), e.digits())
	return out
}

// shifted divides by ten as often as places says; below zero it multiplies.
func (d decimal) shifted(places int) decimal {
	d.scale += places
	return d
}

func (d decimal) digits() *big.Int {
	if d.wide != nil {
		return d.wide
	}
	return new(big.Int).SetUint64(d.n)
}

// String is the plain spelling.
func (d decimal) String() string {
	var s string
	if d.wide != nil {
		s = d.wide.String()
	} else {
		s = strconv.FormatUint(d.n, 10)
	}
	if d.scale <= 0 {
		return plain(s + strings.Repeat("0", -d.scale))
	}
	if n := d.scale + 1 - len(s); n > 0 {
		s = strings.Repeat("0", n) + s
	}
	return plain(s[:len(s)-d.scale] + "." + s[len(s)-d.scale:])
}
