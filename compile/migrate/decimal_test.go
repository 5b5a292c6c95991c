package migrate

import (
	"math/big"
	"strings"
	"testing"
)

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{"0.80": "0.8", "1.0": "1", "+2": "2", "007.5": "7.5", "0": "0", "0.0": "0", "-0.0": "0", "-1.50": "-1.5", "100": "100"} {
		if got := plain(in); got != want {
			t.Errorf("plain(%q) is %q, want %q", in, got, want)
		}
	}
}

// A product is what rational arithmetic gives, however many digits it has.
func FuzzTimes(f *testing.F) {
	f.Add("0.1", "3")
	f.Add("0.0833333333333333", "1.538462")
	f.Add("999999999999999999.999999999999999999", "0.5")
	f.Add("0.00", "12")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, ok1 := parsed(a)
		y, ok2 := parsed(b)
		if !ok1 || !ok2 || len(a)+len(b) > 200 {
			return
		}
		p, _ := new(big.Rat).SetString(strings.TrimPrefix(a, "+"))
		q, _ := new(big.Rat).SetString(strings.TrimPrefix(b, "+"))
		want := p.Mul(p, q)
		for _, places := range []int{0, 3, -3} {
			s := x.times(y).shifted(places).String()
			got, ok := new(big.Rat).SetString(s)
			if !ok || s != plain(s) {
				t.Fatalf("%s * %s is %q", a, b, s)
			}
			ten := new(big.Rat).SetFrac(new(big.Int).Exp(big.NewInt(10), big.NewInt(3), nil), big.NewInt(1))
			switch places {
			case 3:
				got.Mul(got, ten)
			case -3:
				got.Quo(got, ten)
			}
			if got.Cmp(want) != 0 {
				t.Fatalf("%s * %s moved by %d is %s, want %s", a, b, places, got.RatString(), want.RatString())
			}
		}
	})
}
