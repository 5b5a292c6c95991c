package price

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/opcat/opcat/catalog"
)

// The model is the design's text said as plainly as it can be: look at every
// entry, keep those that fit, want one that states all that each other states and
// more. It knows nothing of shelves, orders or 128 bits.

type modelCall struct {
	Call
	meter, lifetime, tool string
	input                 int64
}

func (c *modelCall) fits(p *catalog.Price, regional bool) bool {
	tier := func(s string) string {
		if s == "" {
			return "standard"
		}
		return s
	}
	from, hasFrom := p.ValidFrom.Time()
	until, hasUntil := p.ValidUntil.Time()
	return p.Meter == c.meter && tier(p.ServiceTier) == tier(c.ServiceTier) && (!regional || p.Region == c.Region) &&
		(p.Operation == "" || p.Operation == c.Operation) && (p.CacheLifetime == "" || p.CacheLifetime == c.lifetime) &&
		(p.Variant == "" || p.Variant == c.Variant) && (p.Tool == "" || p.Tool == c.tool) &&
		c.input > p.AboveInputTokens.Or(-1) && (!hasFrom || !c.At.Before(from)) && (!hasUntil || c.At.Before(until))
}

// covers reports whether a states all that b states, with the same values; of two
// tiers the higher one counts as more.
func covers(a, b *catalog.Price) bool {
	for _, w := range [][2]string{{a.Operation, b.Operation}, {a.CacheLifetime, b.CacheLifetime}, {a.Variant, b.Variant}, {a.Tool, b.Tool},
		{string(a.ValidFrom), string(b.ValidFrom)}, {string(a.ValidUntil), string(b.ValidUntil)}} {
		if w[1] != "" && w[0] != w[1] {
			return false
		}
	}
	return a.AboveInputTokens.Or(0) >= b.AboveInputTokens.Or(0)
}

// price is what one costs, as an exact fraction; nil if it is unknown.
func (c *modelCall) price(prices []catalog.Price) *big.Rat {
	regional := false
	for i := range prices {
		regional = regional || prices[i].Region != ""
	}
	var fit []*catalog.Price
	for i := range prices {
		if c.fits(&prices[i], regional) {
			fit = append(fit, &prices[i])
		}
	}
	if len(fit) == 0 && c.meter == "reasoning_token" {
		lent := *c
		lent.meter = "output_token"
		return lent.price(prices)
	}
	for i, w := range fit {
		wins := true
		for j, o := range fit {
			wins = wins && (i == j || covers(w, o) && !covers(o, w))
		}
		if wins {
			if w.Dynamic.Or(false) || w.Untrusted || w.Currency != "" {
				return nil
			}
			if w.USDPerUnit != "" {
				return w.USDPerUnit.Rat()
			}
			return new(big.Rat).Quo(w.USDPerMillion.Rat(), big.NewRat(1_000_000, 1))
		}
	}
	return nil
}

// cost is what a usage costs; nil if it is unknown.
func modelCost(prices []catalog.Price, u *Usage, c Call) *big.Rat {
	sum := new(big.Rat)
	if len(u.Lines) == 0 {
		return nil
	}
	known := true
	for _, l := range u.Lines {
		m := modelCall{Call: c, meter: l.Meter, lifetime: l.CacheLifetime, tool: l.Tool, input: u.Input()}
		if m.lifetime == "" {
			m.lifetime = c.CacheLifetime
		}
		one := m.price(prices)
		switch {
		case l.Count == 0:
		case one == nil:
			known = false
		default:
			sum.Add(sum, new(big.Rat).Mul(one, new(big.Rat).SetInt64(l.Count)))
		}
	}
	if !known {
		return nil
	}
	return sum
}

// A roll makes random prices, calls and usages out of few words, so that they meet.
type roll struct{ *rand.Rand }

func (r roll) of(words ...string) string { return words[r.IntN(len(words))] }

func (r roll) decimal() catalog.Decimal {
	digits := func(n int) string {
		s := ""
		for range n {
			s += string(rune('0' + r.IntN(10)))
		}
		return s
	}
	d, err := catalog.ParseDecimal(r.of("0", "1", "3", digits(2), digits(1+r.IntN(18))) + r.of("", "."+digits(1+r.IntN(18))))
	if err != nil {
		panic(err)
	}
	return d
}

func (r roll) prices() []catalog.Price {
	regional := r.IntN(8) == 0
	life := r.IntN(2) == 0
	out := make([]catalog.Price, r.IntN(4))
	for i := range out {
		p := catalog.Price{Meter: r.of("input_token", "output_token", "reasoning_token", "cache_write_token", "tool_call"), ServiceTier: r.of("", "", "standard", "batch"), Operation: r.of("", "", "", "embedding")}
		if p.Meter == "tool_call" {
			p.USDPerUnit, p.Tool = r.decimal(), r.of("", "a", "b")
		} else {
			p.USDPerMillion = r.decimal()
		}
		if p.Meter == "cache_write_token" && life {
			p.CacheLifetime = r.of("5m", "1h")
		}
		if regional {
			p.Region = r.of("", "x", "y")
		}
		if r.IntN(3) == 0 {
			p.AboveInputTokens = catalog.Known(int64(100 * (1 + r.IntN(2))))
		}
		if r.IntN(4) == 0 {
			p.ValidFrom = catalog.Date(r.of("2026-11-10", "2026-11-20"))
		}
		if r.IntN(4) == 0 {
			p.ValidUntil = catalog.Date(r.of("2026-11-25", "2026-11-30"))
		}
		if p.Variant = ""; r.IntN(5) == 0 {
			p.Variant = r.of("low", "high")
		}
		switch r.IntN(12) {
		case 0:
			p.USDPerMillion, p.USDPerUnit, p.Dynamic = "", "", catalog.Known(true)
		case 1:
			p.Untrusted = true
		}
		out[i] = p
	}
	if r.IntN(4) == 0 {
		return out
	}
	for _, tier := range []string{"", "batch"} { // what holds where nothing more particular does
		for _, m := range []string{"input_token", "output_token", "cache_write_token"} {
			p := catalog.Price{Meter: m, USDPerMillion: r.decimal(), ServiceTier: tier}
			if m == "cache_write_token" && life {
				p.CacheLifetime = "5m"
				out = append(out, p)
				p.CacheLifetime, p.USDPerMillion = "1h", r.decimal()
			}
			out = append(out, p)
		}
		out = append(out, catalog.Price{Meter: "tool_call", USDPerUnit: r.decimal(), ServiceTier: tier})
	}
	return out
}

func (r roll) call() Call {
	return Call{Operation: r.of("embedding", "text_generation"), ServiceTier: r.of("", "standard", "batch"), CacheLifetime: r.of("5m", "1h"), Region: r.of("", "x", "y"),
		Variant: r.of("", "low", "high"), At: time.Date(2026, 11, 1+r.IntN(30), r.IntN(24), 0, 0, 0, time.UTC)}
}

func (r roll) count() int64 {
	switch r.IntN(4) {
	case 0:
		return int64(r.IntN(2))
	case 1:
		return r.Int64()
	}
	return int64(r.IntN(300))
}

func (r roll) usage() Usage {
	var u Usage
	var inputs int64
	for _, m := range []string{"input_token", "output_token", "reasoning_token", "cache_write_token", "tool_call"} {
		if r.IntN(2) == 0 {
			continue
		}
		l := Line{Meter: m, Count: r.count()}
		switch m {
		case "tool_call":
			l.Tool = r.of("", "a", "b")
		case "cache_write_token":
			l.CacheLifetime = r.of("", "5m", "1h")
		}
		if isInputToken(m) {
			l.Count = min(l.Count, int64(1)<<62-1) // the sum of the input is a count too
			inputs += l.Count
		}
		u.Lines = append(u.Lines, l)
	}
	return u
}

// TestCostAgainstModel: the cost of random calls on random prices is that of the
// model, known and unknown alike, whatever the order of the entries.
func TestCostAgainstModel(t *testing.T) {
	r := roll{rand.New(rand.NewPCG(7, 11))}
	seen := map[bool]int{}
	for range 8000 {
		prices, call, usage := r.prices(), r.call(), r.usage()
		want := modelCost(prices, &usage, call)
		seen[want != nil]++
		for range 2 {
			s := Compile(prices)
			got, ok := s.Total(&usage, &call)
			receipt := s.Cost(usage, call)
			if ok != (want != nil) || ok && got.Decimal().Rat().Cmp(want) != 0 || receipt.USD.IsKnown() != ok || ok && receipt.USD != got.Decimal() {
				t.Fatalf("costs %s, %v; the receipt says %q (%s); want %v\nprices %s\nusage %v\ncall %+v", got, ok, receipt.USD, receipt.Reasons(), want, spelled(prices), usage, call)
			}
			r.Shuffle(len(prices), func(i, j int) { prices[i], prices[j] = prices[j], prices[i] })
		}
	}
	if seen[true] < 500 || seen[false] < 500 {
		t.Errorf("the test tries too little of one kind: %v", seen)
	}
}

func spelled(prices []catalog.Price) (s string) {
	for i := range prices {
		p := &prices[i]
		s += fmt.Sprintf("\n  %s %s%s %s %v %v", p.Meter, p.USDPerMillion, p.USDPerUnit, Conditions(p), p.Dynamic, p.Untrusted)
	}
	return s
}

// TestBoundHolds: no call that stays within what was said costs more than the
// bound, and the bound is no more than the dearest of them for plain prices.
func TestBoundHolds(t *testing.T) {
	r := roll{rand.New(rand.NewPCG(3, 5))}
	seen, ready := map[bool]int{}, 0
	for range 5000 {
		prices, call := r.prices(), r.call()
		s := Compile(prices)
		most := Most{Input: int64(r.IntN(400)), InputMeters: []string{"input_token", "cache_write_token"}, Output: int64(r.IntN(300)),
			OutputMeters: []string{"output_token", "reasoning_token"}, Others: []Line{{Meter: "tool_call", Count: int64(r.IntN(5))}}}
		if r.IntN(3) == 0 {
			call.CacheLifetime = "" // any
		}
		if r.IntN(3) == 0 {
			most.Output = Uncapped
		}
		bound, gap := s.Bound(&most, &call)
		seen[gap == nil]++
		if w, ok := s.Worst(&most, &call); ok {
			ready++
			if worst, ok := w.Bound(most.Input, most.Output); ok != (gap == nil) || worst.Cmp(bound) != 0 {
				t.Fatalf("made ready the bound is %s, and %s otherwise (%v)\nprices %s\ncall %+v, most %+v", worst, bound, gap, spelled(prices), call, most)
			}
		}
		if gap != nil || most.Output == Uncapped {
			continue
		}
		for range 20 {
			in, out := r.Int64N(most.Input+1), r.Int64N(most.Output+1)
			if r.IntN(3) == 0 {
				in, out = most.Input, most.Output
			}
			written, reasoned := r.Int64N(in+1), r.Int64N(out+1)
			u := Usage{Lines: []Line{{Meter: "input_token", Count: in - written}, {Meter: "cache_write_token", CacheLifetime: r.of("5m", "1h"), Count: written},
				{Meter: "output_token", Count: out - reasoned}, {Meter: "reasoning_token", Count: reasoned},
				{Meter: "tool_call", Tool: r.of("", "a", "b"), Count: r.Int64N(most.Others[0].Count + 1)}}}
			if call.CacheLifetime != "" {
				u.Lines[1].CacheLifetime = call.CacheLifetime
			}
			got, ok := s.Total(&u, &call)
			if ok && got.Cmp(bound) > 0 {
				t.Fatalf("%v costs %s, above the bound of %s\nprices %s\ncall %+v", u, got, bound, spelled(prices), call)
			}
			if !ok && call.Variant != "" && call.CacheLifetime != "" && u.Lines[4].Count == 0 {
				t.Fatalf("%v has a bound of %s and no cost: %s\nprices %s\ncall %+v", u, bound, func() string { c := s.Cost(u, call); return c.Reasons() }(), spelled(prices), call)
			}
		}
	}
	if seen[true] < 500 || seen[false] < 500 || ready < 200 {
		t.Errorf("the test tries too little of one kind: %v, %d made ready", seen, ready)
	}
}

// FuzzAmount: what 128 bits and big integers say of a rate times a count, a sum and
// a ledger's figure is what exact fractions say.
func FuzzAmount(f *testing.F) {
	f.Add("0.042", int64(96), "999999999999999999.999999999999999999", int64(1)<<62)
	f.Add("0", int64(0), "0.000000000000000001", int64(1))
	f.Add("340282366920938", int64(1), "0.5", int64(3))
	f.Fuzz(func(t *testing.T, a string, n int64, b string, m int64) {
		sum, exact := Amount{}, new(big.Rat)
		for _, x := range []struct {
			rate  string
			count int64
		}{{a, n}, {b, m}} {
			d, err := catalog.ParseDecimal(x.rate)
			one, bad := ParseAmount(catalog.Decimal(x.rate))
			if err != nil || bad != nil {
				if err == nil && d.Rat().Sign() >= 0 && new(big.Rat).Mul(d.Rat(), new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(scale), nil))).IsInt() {
					t.Fatalf("%q is refused: %v", x.rate, bad)
				}
				return
			}
			if one.Decimal() != d {
				t.Fatalf("%q is read as %s", x.rate, one)
			}
			if x.count < 0 {
				return
			}
			sum = sum.Add(Rate{one: one}.Times(x.count))
			exact.Add(exact, new(big.Rat).Mul(d.Rat(), new(big.Rat).SetInt64(x.count)))
		}
		if sum.Decimal().Rat().Cmp(exact) != 0 {
			t.Fatalf("%s, want %s", sum, exact)
		}
		up := new(big.Rat).Mul(exact, big.NewRat(1_000_000_000, 1))
		want, rest := new(big.Int).QuoRem(up.Num(), up.Denom(), new(big.Int))
		if rest.Sign() > 0 {
			want.Add(want, big.NewInt(1))
		}
		if nano, ok := sum.NanoUSD(); ok != want.IsInt64() || ok && nano != want.Int64() {
			t.Fatalf("%s is %d nano-dollars (%v), want %s", sum, nano, ok, want)
		}
		if hi, lo, ok := sum.Words(); ok && OfWords(hi, lo).Cmp(sum) != 0 {
			t.Fatalf("%s does not come back from its words", sum)
		}
	})
}

// FuzzCost: what a random sheet says of a random call is what the model says.
func FuzzCost(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Fuzz(func(t *testing.T, a, b uint64) {
		r := roll{rand.New(rand.NewPCG(a, b))}
		prices, call, usage := r.prices(), r.call(), r.usage()
		want := modelCost(prices, &usage, call)
		if got, ok := Compile(prices).Total(&usage, &call); ok != (want != nil) || ok && got.Decimal().Rat().Cmp(want) != 0 {
			t.Fatalf("costs %s, %v, want %v\nprices %s\nusage %v\ncall %+v", got, ok, want, spelled(prices), usage, call)
		}
	})
}
