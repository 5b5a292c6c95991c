package price

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/internal/canon"
)

// An Amount is US dollars, exact and never negative. The zero Amount is no money,
// which is not the same as an amount that nobody knows: where one may be unknown,
// a second result says so.
//
// It counts 10^-24 of a dollar. A price of a million has 18 digits behind the
// point at most, so the price of one is a whole number of these, and so is
// everything that is counted. 128 bits of them are 340 trillion dollars; what is
// more is kept as a big integer.
type Amount struct {
	hi, lo uint64
	big    *big.Int // set where 128 bits do not hold it; never changed
}

// scale is how many digits an Amount has behind the point of a dollar.
const scale = 24

// ParseAmount reads an amount of US dollars. Unknown, a sign, and digits beyond
// the 24th behind the point are errors.
func ParseAmount(d catalog.Decimal) (Amount, error) { return parseFixed(string(d), scale) }

var errFiner = errors.New("has more digits behind the point than money is counted in")

// parseFixed reads a decimal number as a whole number of 10^-places.
func parseFixed(s string, places int) (Amount, error) {
	if a, ok := parseShort(s, places); ok {
		return a, nil
	}
	if !canon.IsDecimal(s) {
		return Amount{}, fmt.Errorf("%.80q is not a decimal amount", s)
	}
	s = canon.Decimal(s)
	if s[0] == '-' {
		return Amount{}, fmt.Errorf("%.80q is below zero, and no amount is", s)
	}
	whole, fraction, _ := strings.Cut(s, ".")
	if len(fraction) > places {
		return Amount{}, fmt.Errorf("%.80q %w", s, errFiner)
	}
	var n accumulator
	for i := 0; i < len(whole); i++ {
		n.digit(whole[i])
	}
	for i := 0; i < len(fraction); i++ {
		n.digit(fraction[i])
	}
	a := n.amount()
	for missing := places - len(fraction); missing > 0; missing -= len(tens) - 1 {
		a = a.times(tens[min(missing, len(tens)-1)])
	}
	return a, nil
}

// parseShort is parseFixed for numbers of few digits, as nearly all are.
func parseShort(s string, places int) (a Amount, ok bool) {
	if len(s) > 18 {
		return a, false
	}
	point := len(s)
	for i, c := range []byte(s) {
		switch {
		case '0' <= c && c <= '9':
			a.lo = a.lo*10 + uint64(c-'0')
		case c == '.' && point == len(s):
			point = i
		default:
			return a, false
		}
	}
	missing := places - max(0, len(s)-point-1)
	if point == 0 || point == len(s)-1 || missing < 0 {
		return a, false
	}
	a = a.times(tens[min(missing, len(tens)-1)])
	if missing >= len(tens) {
		a = a.times(tens[missing-(len(tens)-1)])
	}
	return a, true
}

// tens are powers of ten.
var tens = [...]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19}

// An accumulator reads digits, many at a time.
type accumulator struct {
	done        Amount
	chunk, size uint64 // digits that are not in done yet, and the power of ten that they take
}

func (n *accumulator) digit(c byte) {
	if n.size >= 1_000_000_000_000_000_000 {
		n.done, n.chunk, n.size = n.amount(), 0, 1
	}
	n.chunk, n.size = n.chunk*10+uint64(c-'0'), max(n.size, 1)*10
}

func (n *accumulator) amount() Amount {
	return n.done.times(max(n.size, 1)).Add(Amount{lo: n.chunk})
}

// Add is the sum.
func (a Amount) Add(b Amount) Amount {
	if a.big == nil && b.big == nil {
		lo, carry := bits.Add64(a.lo, b.lo, 0)
		hi, carry := bits.Add64(a.hi, b.hi, carry)
		if carry == 0 {
			return Amount{hi: hi, lo: lo}
		}
	}
	return Amount{big: new(big.Int).Add(a.int(), b.int())}
}

// times multiplies by a count.
func (a Amount) times(n uint64) Amount {
	if a.big == nil {
		carry, lo := bits.Mul64(a.lo, n)
		over, hi := bits.Mul64(a.hi, n)
		hi, c := bits.Add64(hi, carry, 0)
		if over == 0 && c == 0 {
			return Amount{hi: hi, lo: lo}
		}
	}
	if n == 0 {
		return Amount{}
	}
	return Amount{big: new(big.Int).Mul(a.int(), new(big.Int).SetUint64(n))}
}

// addTimes adds a count of one, where the sum fits without a copy.
func (a *Amount) addTimes(one *Amount, n uint64) {
	if a.big == nil && one.big == nil {
		carry, lo := bits.Mul64(one.lo, n)
		over, hi := bits.Mul64(one.hi, n)
		hi, c1 := bits.Add64(hi, carry, 0)
		lo, c2 := bits.Add64(a.lo, lo, 0)
		hi, c3 := bits.Add64(a.hi, hi, c2)
		if over|c1|c3 == 0 {
			a.hi, a.lo = hi, lo
			return
		}
	}
	*a = a.Add(one.times(n))
}

// Cmp compares: -1, 0 or 1.
func (a Amount) Cmp(b Amount) int {
	switch {
	case a.big != nil || b.big != nil:
		return a.int().Cmp(b.int())
	case a.hi != b.hi && a.hi < b.hi || a.hi == b.hi && a.lo < b.lo:
		return -1
	case a.hi == b.hi && a.lo == b.lo:
		return 0
	}
	return 1
}

// IsZero reports whether it is no money.
func (a Amount) IsZero() bool { return a.big == nil && a.hi|a.lo == 0 }

// Words give the amount as a whole number of 10^-24 dollars, hi above lo; false if
// it takes more than 128 bits.
func (a Amount) Words() (hi, lo uint64, ok bool) { return a.hi, a.lo, a.big == nil }

// OfWords is the amount that Words gave.
func OfWords(hi, lo uint64) Amount { return Amount{hi: hi, lo: lo} }

// int is the amount as a whole number of 10^-24 dollars.
func (a Amount) int() *big.Int {
	if a.big != nil {
		return a.big
	}
	n := new(big.Int).SetUint64(a.hi)
	return n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(a.lo))
}

// Decimal spells the amount in dollars with every digit.
func (a Amount) Decimal() catalog.Decimal {
	digits := a.int().String()
	if missing := scale + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	at := len(digits) - scale
	return catalog.Decimal(canon.Decimal(digits[:at] + "." + digits[at:]))
}

func (a Amount) String() string { return string(a.Decimal()) + " USD" }

// nano is 10^-9 of a dollar.
var nano = new(big.Int).Exp(big.NewInt(10), big.NewInt(scale-9), nil)

// nanoUnits is the same as a machine word.
const nanoUnits = 1_000_000_000_000_000

// NanoUSD is the amount in whole nano-dollars, rounded up once: what a ledger
// holds. The second result is false if it is more than an int64.
func (a Amount) NanoUSD() (int64, bool) {
	if a.big == nil && a.hi < nanoUnits {
		q, rest := bits.Div64(a.hi, a.lo, nanoUnits)
		if rest > 0 {
			q++ // a quotient with a rest is not the largest number
		}
		return int64(q), q <= math.MaxInt64
	}
	q, rest := new(big.Int).QuoRem(a.int(), nano, new(big.Int))
	if rest.Sign() > 0 {
		q.Add(q, big.NewInt(1))
	}
	return q.Int64(), q.IsInt64()
}
