package migrate

import (
	"math/big"
	"strings"
)

// plain is the one spelling of a decimal number: no plus, no zeros that say
// nothing, no point without digits behind it, no minus before zero.
func plain(s string) string {
	s = strings.TrimPrefix(s, "+")
	neg := strings.HasPrefix(s, "-")
	s = strings.TrimPrefix(s, "-")
	if strings.IndexByte(s, '.') >= 0 {
		s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	}
	if t := strings.TrimLeft(s, "0"); t == "" || t[0] == '.' {
		s = "0" + t
	} else {
		s = t
	}
	if neg && s != "0" {
		return "-" + s
	}
	return s
}

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

// rat is the exact value of a legacy number; nil if it is absent or no number.
func rat(s string) *big.Rat {
	if r, ok := new(big.Rat).SetString(s); ok {
		return r
	}
	return nil
}

// decimalOf spells a value exactly. It is false if no decimal is exact.
func decimalOf(r *big.Rat) (string, bool) {
	digits, exact := r.FloatPrec()
	if !exact {
		return "", false
	}
	return plain(r.FloatString(digits)), true
}
