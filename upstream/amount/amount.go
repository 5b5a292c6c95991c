// Package amount turns numbers as catalogs write them into exact decimals of other
// units. It works on the digits: what a source writes is never a binary float here.
package amount

import (
	"errors"
	"strings"

	"github.com/opcat/opcat/catalog"
)

// What a number cannot be.
var (
	ErrNotNumber = errors.New("is not a number")
	ErrNegative  = errors.New("is negative, and a rate never is")
	ErrTooLong   = errors.New("has more than 18 digits on one side of the point")
)

// maxExponent bounds what is written out; a sane exponent is far below.
const maxExponent = 400

// Shifted reads a number such as 1.5e-07 and gives it times ten to the power of
// places, so per token with 6 places is per million.
func Shifted(text string, places int) (catalog.Decimal, error) {
	if places == 0 && settled(text) {
		return catalog.Decimal(text), nil
	}
	s := strings.TrimPrefix(text, "+")
	if strings.HasPrefix(s, "-") {
		if d, err := Shifted(s[1:], places); err != nil || !d.IsZero() {
			if err == nil {
				err = ErrNegative
			}
			return "", err
		}
		return "0", nil
	}
	mantissa, exponent, hasExponent := cutExponent(s)
	exp := places
	if hasExponent {
		e, err := smallInt(exponent)
		if err != nil {
			return "", err
		}
		exp += e
	}
	whole, frac, point := strings.Cut(mantissa, ".")
	if !digits(whole) || point && !digits(frac) || whole == "" && frac == "" {
		return "", ErrNotNumber
	}
	return place(whole+frac, exp-len(frac))
}

// settled reports whether a number is written as a Decimal is: digits, no more of them
// than it needs.
func settled(s string) bool {
	const most = 18
	whole := 0
	for whole < len(s) && s[whole] >= '0' && s[whole] <= '9' {
		whole++
	}
	if whole == 0 || whole > most || s[0] == '0' && whole > 1 {
		return false
	}
	if whole == len(s) {
		return true
	}
	frac := s[whole+1:]
	return s[whole] == '.' && frac != "" && len(frac) <= most && digits(frac) && frac[len(frac)-1] != '0'
}

func cutExponent(s string) (mantissa, exponent string, found bool) {
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}

func smallInt(s string) (int, error) {
	sign := 1
	switch {
	case strings.HasPrefix(s, "-"):
		sign, s = -1, s[1:]
	case strings.HasPrefix(s, "+"):
		s = s[1:]
	}
	if s == "" || !digits(s) {
		return 0, ErrNotNumber
	}
	n := 0
	for i := 0; i < len(s); i++ {
		if n = n*10 + int(s[i]-'0'); n > maxExponent {
			return 0, ErrTooLong
		}
	}
	return sign * n, nil
}

// place writes digits times ten to the power of exp.
func place(all string, exp int) (catalog.Decimal, error) {
	all = strings.TrimLeft(all, "0")
	for strings.HasSuffix(all, "0") {
		all, exp = all[:len(all)-1], exp+1
	}
	if all == "" {
		return "0", nil
	}
	const most = 18
	switch point := len(all) + exp; {
	case point > most || -exp > most:
		return "", ErrTooLong
	case exp >= 0:
		return catalog.Decimal(all + strings.Repeat("0", exp)), nil
	case point <= 0:
		return catalog.Decimal("0." + strings.Repeat("0", -point) + all), nil
	default:
		return catalog.Decimal(all[:point] + "." + all[point:]), nil
	}
}

func digits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// Count reads a whole number of at least 1, also where it is written 256000.0 or
// 2.56e5.
func Count(text string) (int64, error) {
	d, err := Shifted(text, 0)
	switch {
	case err != nil:
		return 0, err
	case strings.Contains(string(d), "."):
		return 0, errors.New("is not a whole number")
	case d == "0":
		return 0, errors.New("is zero, which is no limit")
	case len(d) > 15:
		return 0, errors.New("is larger than any limit")
	}
	n := int64(0)
	for i := 0; i < len(d); i++ {
		n = n*10 + int64(d[i]-'0')
	}
	return n, nil
}
