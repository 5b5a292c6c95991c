package questions

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/operations/decision"
)

// Probability is a number from 0 to 1. What is absent is no zero.
func Probability(n wire.Number) (catalog.Decimal, error) {
	if n == "" {
		return "", fmt.Errorf("it has no probability")
	}
	d, err := n.Decimal()
	if err != nil {
		return "", err
	}
	if d.Compare("0") < 0 || d.Compare("1") > 0 {
		return "", fmt.Errorf("the probability %.40s is not from 0 to 1", d)
	}
	return d, nil
}

// Confidence is the vendor's own, which may be absent or null.
func Confidence(v jsontext.Value) (catalog.Decimal, error) {
	if len(v) == 0 || v.Kind() == 'n' {
		return "", nil
	}
	var n wire.Number
	if err := json.Unmarshal(v, &n); err != nil {
		return "", fmt.Errorf("its confidence is no number")
	}
	d, err := Probability(n)
	if err != nil {
		return "", fmt.Errorf("its confidence: %w", err)
	}
	return d, nil
}

// leastDecimals is how many a probability is rounded to at least: no protocol is
// known to keep fewer, and a writer may drop a zero at the end.
const leastDecimals = 2

// half is half a unit of the last decimal: how far rounding moves a number.
func half(ps []catalog.Decimal, decimals catalog.Opt[int64]) *big.Rat {
	places, known := decimals.Get()
	if !known {
		places = leastDecimals
		for _, p := range ps {
			_, fraction, _ := strings.Cut(string(p), ".")
			places = max(places, int64(len(fraction)))
		}
	}
	ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(places), nil)
	return new(big.Rat).SetFrac(big.NewInt(1), ten.Lsh(ten, 1))
}

// noise is what a server's own arithmetic may add.
var noise = big.NewRat(1, 1_000_000)

// Sum checks that probabilities are a distribution but for their rounding.
func Sum(ps []catalog.Decimal, decimals catalog.Opt[int64]) error {
	sum := new(big.Rat)
	for _, p := range ps {
		sum.Add(sum, p.Rat())
	}
	slack := half(ps, decimals)
	slack.Mul(slack, big.NewRat(int64(len(ps)), 1)).Add(slack, noise)
	if off := new(big.Rat).Sub(sum, big.NewRat(1, 1)); off.Abs(off).Cmp(slack) > 0 {
		return fmt.Errorf("its probabilities sum to %s, which no rounding explains", sum.FloatString(6))
	}
	return nil
}

// Likeliest checks that no option is likelier than the chosen one. Of equals any
// may be chosen.
func Likeliest(ps []catalog.Decimal, chosen int) error {
	for _, p := range ps {
		if p.Compare(ps[chosen]) > 0 {
			return fmt.Errorf("it chooses an option of probability %s where another has %s", ps[chosen], p)
		}
	}
	return nil
}

// Mean checks that a score is the mean of the levels' numbers, but for rounding.
// Without a distribution it has to lie within the levels.
func Mean(score catalog.Decimal, ps []catalog.Decimal, levels int, decimals catalog.Opt[int64]) error {
	if score.Compare("0") < 0 || score.Rat().Cmp(big.NewRat(int64(levels-1), 1)) > 0 {
		return fmt.Errorf("the score %.40s is not from 0 to %d", score, levels-1)
	}
	if ps == nil {
		return nil
	}
	mean, weights := new(big.Rat), int64(1) // the score itself is rounded too
	for i, p := range ps {
		mean.Add(mean, new(big.Rat).Mul(p.Rat(), big.NewRat(int64(i), 1)))
		weights += int64(i)
	}
	slack := half(append([]catalog.Decimal{score}, ps...), decimals)
	slack.Mul(slack, big.NewRat(weights, 1)).Add(slack, noise)
	if off := new(big.Rat).Sub(mean, score.Rat()); off.Abs(off).Cmp(slack) > 0 {
		return fmt.Errorf("the score %.40s is not the mean %s of its probabilities", score, mean.FloatString(6))
	}
	return nil
}

// sure checks a stated confidence of a yes or no against its probability.
func sure(p, confidence catalog.Decimal) error {
	want := p.Rat()
	if other := new(big.Rat).Sub(big.NewRat(1, 1), want); other.Cmp(want) > 0 {
		want = other
	}
	slack := half([]catalog.Decimal{p, confidence}, catalog.Opt[int64]{})
	slack.Add(slack, slack).Add(slack, noise)
	if off := new(big.Rat).Sub(want, confidence.Rat()); off.Abs(off).Cmp(slack) > 0 {
		return fmt.Errorf("its confidence %.40s is not that of its probability %s", confidence, p)
	}
	return nil
}

// readBox reads a part of an image, in fractions of its sides.
func readBox(out *decision.Answer, b *box) error {
	if b == nil {
		return fmt.Errorf("it has no box")
	}
	var sides [4]catalog.Decimal
	for i, n := range []wire.Number{b.Top, b.Bottom, b.Left, b.Right} {
		d, err := Probability(n)
		if err != nil {
			return fmt.Errorf("a side of its box is absent or not from 0 to 1")
		}
		sides[i] = d
	}
	if sides[0].Compare(sides[1]) >= 0 || sides[2].Compare(sides[3]) >= 0 {
		return fmt.Errorf("its box is empty: top comes before bottom, and left before right")
	}
	out.Box = &decision.Box{Top: sides[0], Bottom: sides[1], Left: sides[2], Right: sides[3]}
	return nil
}
