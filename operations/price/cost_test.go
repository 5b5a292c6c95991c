package price

import (
	"strings"
	"testing"
	"time"

	"github.com/opcat/opcat/catalog"
)

// lines makes a usage of meters and counts in turn.
func lines(pairs ...any) Usage {
	var u Usage
	for i := 0; i < len(pairs); i += 2 {
		u.Add(pairs[i].(string), int64(pairs[i+1].(int)))
	}
	return u
}

func million(meter, usd string) catalog.Price {
	return catalog.Price{Meter: meter, USDPerMillion: catalog.Decimal(usd)}
}

func unit(meter, usd string) catalog.Price {
	return catalog.Price{Meter: meter, USDPerUnit: catalog.Decimal(usd)}
}

// with states conditions on an entry.
func with(p catalog.Price, set func(*catalog.Price)) catalog.Price {
	set(&p)
	return p
}

func above(p catalog.Price, n int64) catalog.Price {
	p.AboveInputTokens = catalog.Known(n)
	return p
}

func inTier(p catalog.Price, tier string) catalog.Price    { p.ServiceTier = tier; return p }
func inRegion(p catalog.Price, name string) catalog.Price  { p.Region = name; return p }
func forLife(p catalog.Price, name string) catalog.Price   { p.CacheLifetime = name; return p }
func forTool(p catalog.Price, name string) catalog.Price   { p.Tool = name; return p }
func forOp(p catalog.Price, name string) catalog.Price     { p.Operation = name; return p }
func inVariant(p catalog.Price, name string) catalog.Price { p.Variant = name; return p }

func written(count int, lifetime string) Line {
	return Line{Meter: "cache_write_token", CacheLifetime: lifetime, Count: int64(count)}
}

var (
	monday = time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	text   = Call{Operation: "text_generation", At: monday}
)

// what is a cost: the sum, or the reasons for which there is none.
func what(r Receipt) string {
	if r.USD.IsKnown() {
		return string(r.USD)
	}
	return r.Reasons()
}

// TestCost holds what calls cost, figure by figure, those of the field cases
// among them.
func TestCost(t *testing.T) {
	cached := []catalog.Price{million("input_token", "3"), million("cache_read_token", "0.30"), million("cache_write_token", "3.75"), million("output_token", "15")}
	long := []catalog.Price{million("input_token", "5"), million("output_token", "30"), above(million("input_token", "10"), 272000), above(million("output_token", "45"), 272000)}
	lives := []catalog.Price{forLife(million("cache_write_token", "6.25"), "5m"), forLife(million("cache_write_token", "10"), "1h")}
	regions := []catalog.Price{
		inRegion(million("input_token", "0.15"), "us-east-1"), inRegion(million("output_token", "0.65"), "us-east-1"),
		inRegion(million("input_token", "0.23"), "eu-west-2"), inRegion(million("output_token", "1.01"), "eu-west-2"),
	}
	tiers := []catalog.Price{million("input_token", "2"), inTier(million("input_token", "1"), "batch"), inTier(million("input_token", "0.9"), "flex"), inTier(million("input_token", "4"), "priority")}
	dynamic := []catalog.Price{{Meter: "input_token", Dynamic: catalog.Known(true)}, {Meter: "output_token", Dynamic: catalog.Known(true)}}
	dated := []catalog.Price{
		with(million("input_token", "1"), func(p *catalog.Price) { p.ValidUntil = "2026-12-01" }),
		with(million("input_token", "2"), func(p *catalog.Price) { p.ValidFrom = "2026-12-01" }),
	}
	night := []catalog.Price{million("input_token", "1"), with(million("input_token", "0.5"), func(p *catalog.Price) {
		p.Window = &catalog.PriceWindow{Days: []string{"mon", "sun"}, Start: "16:30", End: "00:30", UTCOffset: "+00:00"}
	})}
	call := func(set func(*Call)) Call { c := text; set(&c); return c }
	at := func(s string) Call {
		when, err := catalog.ParseDate(s)
		if err != nil {
			t.Fatal(err)
		}
		return call(func(c *Call) { c.At = when })
	}
	for _, tc := range []struct {
		name   string
		prices []catalog.Price
		usage  Usage
		call   Call
		want   string
	}{
		{"D01: a native decision", []catalog.Price{million("input_token", "0.042"), million("output_token", "0")}, lines("input_token", 96, "output_token", 9), Call{Operation: "decision_evaluation"}, "0.000004032"},
		{"C10: cache writes are charged once", cached, lines("input_token", 3, "cache_write_token", 12304, "cache_read_token", 0, "output_token", 550), text, "0.054399"},
		{"C11: a tier prices the whole request", long, lines("input_token", 300000, "output_token", 10000), text, "3.45"},
		{"a tier is reached by strictly more", long, lines("input_token", 272000, "output_token", 0), text, "1.36"},
		{"cached input counts for the tier", append([]catalog.Price{million("cache_read_token", "0.5")}, long...), lines("input_token", 1, "cache_read_token", 272000), text, "0.13601"},
		{"C12: an hour's cache", lives, Usage{Lines: []Line{written(344139, "1h")}}, text, "3.44139"},
		{"C12: two lifetimes in one call", lives, Usage{Lines: []Line{written(100000, "5m"), written(244139, "1h")}}, text, "3.06639"},
		{"C12: a lifetime's price is not borrowed", lives[:1], Usage{Lines: []Line{written(344139, "1h")}}, text, "cache_write_token for 1h: no price entry fits the call"},
		{"a line without a lifetime has the call's", lives, lines("cache_write_token", 1000000), call(func(c *Call) { c.CacheLifetime = "5m" }), "6.25"},
		{"nobody knows the lifetime", lives, lines("cache_write_token", 1), text, "cache_write_token: its price depends on the cache lifetime, which is not known"},
		{"C13: units are exact", []catalog.Price{million("input_token", "0.04"), million("output_token", "0.15")}, lines("input_token", 12998, "output_token", 235), text, "0.00055517"},
		{"C14: a dynamic price is no number", dynamic, lines("input_token", 32353, "output_token", 287), text, "input_token: its price changes from call to call; output_token: its price changes from call to call"},
		{"C14: a price below zero is none", []catalog.Price{million("input_token", "-1")}, lines("input_token", 10), text, "input_token: its price entry has no amount that can be read"},
		{"C15: small prices keep their digits", []catalog.Price{million("input_token", "0.2"), million("cache_read_token", "0.003625"), million("output_token", "100")}, lines("input_token", 1, "cache_read_token", 1, "output_token", 1), text, "0.000100203625"},
		{"C16: a declared alias", []catalog.Price{million("input_token", "0.15"), million("output_token", "0.60")}, lines("input_token", 1000, "output_token", 1000), text, "0.00075"},
		{"C17: a selector costs what its target costs", []catalog.Price{million("input_token", "1.50"), million("output_token", "9")}, lines("input_token", 1000000, "output_token", 100000), text, "2.4"},
		{"C20: one region", regions, lines("input_token", 1000000, "output_token", 100000), call(func(c *Call) { c.Region = "us-east-1" }), "0.215"},
		{"C20: another region", regions, lines("input_token", 1000000, "output_token", 100000), call(func(c *Call) { c.Region = "eu-west-2" }), "0.331"},
		{"C20: a region that nobody priced", regions, lines("input_token", 1000000), call(func(c *Call) { c.Region = "ap-south-1" }), "input_token: no price entry fits the call"},
		{"C20: no region is not any region", regions, lines("input_token", 1), text, "input_token: no price entry fits the call"},
		{"a row without regional prices costs the same everywhere", long, lines("input_token", 1000000), call(func(c *Call) { c.Region = "eu-west-2" }), "10"},
		{"C36: what a cut-off answer used is charged", []catalog.Price{million("output_token", "2")}, lines("output_token", 0, "reasoning_token", 256), text, "0.000512"},
		{"reasoning priced apart", []catalog.Price{million("output_token", "2"), million("reasoning_token", "3")}, lines("output_token", 1, "reasoning_token", 1), text, "0.000005"},
		{"reasoning borrows the tier's price", long, lines("input_token", 300000, "reasoning_token", 10000), text, "3.45"},
		{"nothing else borrows: cached input", []catalog.Price{million("input_token", "2")}, lines("cache_read_token", 1), text, "cache_read_token: no price entry fits the call"},
		{"nothing else borrows: images", []catalog.Price{million("input_token", "2")}, lines("input_image_token", 1), text, "input_image_token: no price entry fits the call"},
		{"nothing costs nothing, whatever the price", nil, lines("cache_read_token", 0), text, "0"},
		{"standard", tiers, lines("input_token", 1000000), call(func(c *Call) { c.ServiceTier = "standard" }), "2"},
		{"batch", tiers, lines("input_token", 1000000), call(func(c *Call) { c.ServiceTier = "batch" }), "1"},
		{"flex", tiers, lines("input_token", 1000000), call(func(c *Call) { c.ServiceTier = "flex" }), "0.9"},
		{"priority", tiers, lines("input_token", 1000000), call(func(c *Call) { c.ServiceTier = "priority" }), "4"},
		{"a tier that nobody priced", tiers, lines("input_token", 1), call(func(c *Call) { c.ServiceTier = "scale" }), "input_token: no price entry fits the call"},
		{"until is exclusive", dated, lines("input_token", 1000000), at("2026-11-30T23:59:59Z"), "1"},
		{"from is inclusive", dated, lines("input_token", 1000000), at("2026-12-01"), "2"},
		{"dated prices need a date", dated, lines("input_token", 1), Call{}, "input_token: its price depends on the time, which is not known"},
		{"in a window", night, lines("input_token", 1000000), at("2026-11-30T16:30:00Z"), "0.5"},
		{"a window that ends the next day", night, lines("input_token", 1000000), at("2026-12-01T00:29:59Z"), "0.5"},
		{"a window over the week's end", night, lines("input_token", 1000000), at("2026-11-30T00:10:00Z"), "0.5"},
		{"its end is exclusive", night, lines("input_token", 1000000), at("2026-12-01T00:30:00Z"), "1"},
		{"outside a window", night, lines("input_token", 1000000), at("2026-11-30T16:29:00Z"), "1"},
		{"a tool's own fee", []catalog.Price{unit("tool_call", "0.001"), forTool(unit("tool_call", "0.01"), "web_search")}, Usage{Lines: []Line{{Meter: "tool_call", Tool: "web_search", Count: 3}, {Meter: "tool_call", Tool: "file_search", Count: 1}}}, text, "0.031"},
		{"an operation's own price", []catalog.Price{million("input_token", "2"), forOp(million("input_token", "1"), "embedding")}, lines("input_token", 1000000), Call{Operation: "embedding"}, "1"},
		{"another operation's price is not taken", []catalog.Price{forOp(million("input_token", "1"), "embedding")}, lines("input_token", 1), text, "input_token: no price entry fits the call"},
		{"a variant", []catalog.Price{inVariant(unit("output_image", "0.04"), "low"), inVariant(unit("output_image", "0.17"), "high")}, lines("output_image", 2), call(func(c *Call) { c.Variant = "high" }), "0.34"},
		{"every request is charged once", []catalog.Price{million("input_token", "1"), unit("request", "0.005")}, lines("input_token", 1000000), text, "1.005"},
		{"and not twice", []catalog.Price{million("input_token", "1"), unit("request", "0.005")}, lines("input_token", 1000000, "request", 1), text, "1.005"},
		{"a price in another currency is not converted", []catalog.Price{{Meter: "input_token", Currency: "EUR", PerMillion: "1"}}, lines("input_token", 1), text, "input_token: its price is in another currency and is not converted"},
		{"a price of a layer that is not trusted", []catalog.Price{with(million("input_token", "1"), func(p *catalog.Price) { p.Untrusted = true })}, lines("input_token", 1), text, "input_token: its price comes from a layer that is not trusted"},
		{"no usage is not no cost", cached, Usage{}, text, "the answer does not say what was used"},
		{"a meter that was not counted", cached, Usage{Lines: lines("input_token", 1).Lines, Unknown: []string{"output_token"}}, text, "output_token: it was used and not counted"},
		{"of what is free it does not matter how much", []catalog.Price{million("input_token", "0")}, Usage{Unknown: []string{"input_token"}}, text, "0"},
		{"a tier cannot be told without the input", long, Usage{Lines: lines("output_token", 5).Lines, Unknown: []string{"input_token"}}, text, "output_token: its price depends on the input's size, which was not counted; input_token: its price depends on the input's size, which was not counted"},
		{"a count below zero", cached, lines("input_token", -5), text, "input_token: its count is below zero"},
		{"two entries of which none states more", []catalog.Price{forOp(unit("tool_call", "1"), "text_generation"), forTool(unit("tool_call", "2"), "a")}, Usage{Lines: []Line{{Meter: "tool_call", Tool: "a", Count: 1}}}, text, "tool_call of a: several price entries fit and none states all that the others do"},
		{"the entry that states both", []catalog.Price{forOp(unit("tool_call", "1"), "text_generation"), forTool(unit("tool_call", "2"), "a"), forTool(forOp(unit("tool_call", "3"), "text_generation"), "a")}, Usage{Lines: []Line{{Meter: "tool_call", Tool: "a", Count: 1}}}, text, "3"},
		{"eighteen digits a side", []catalog.Price{unit("request", "999999999999999999.999999999999999999")}, lines("request", 1000000007), text, "1000000006999999999999999999.999999998999999993"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := Compile(tc.prices)
			r := s.Cost(tc.usage, tc.call)
			if got := what(r); got != tc.want {
				t.Errorf("costs %s, want %s", got, tc.want)
			}
			total, ok := s.Total(&tc.usage, &tc.call)
			if ok != r.USD.IsKnown() || ok && total.Decimal() != r.USD {
				t.Errorf("the total is %s, %v", total, ok)
			}
		})
	}
}

// TestReceipt: each line shows its meter, its entry, its rate, its count and its
// amount, and what is unknown leaves the others standing.
func TestReceipt(t *testing.T) {
	s := Compile([]catalog.Price{
		million("input_token", "3"),
		with(above(million("output_token", "15"), 10), func(p *catalog.Price) { p.Source, p.CheckedOn = "https://acme.example/p", "2026-11-01" }),
		with(forTool(unit("tool_call", "0.01"), "web_search"), func(p *catalog.Price) { p.FreeUnitsPerMonth = catalog.Known[int64](5000) }),
	})
	u := lines("input_token", 100, "reasoning_token", 10, "citation_token", 7)
	u.Lines = append(u.Lines, Line{Meter: "tool_call", Tool: "web_search", Count: 2})
	r := s.Cost(u, text)
	var got []string
	for _, c := range r.Lines {
		n, _ := c.Count.Get()
		got = append(got, strings.Join([]string{c.name(), string(c.USDPerMillion + c.USDPerUnit), catalog.Known(n).String(), string(c.USD), c.PricedAs, string(c.Unknown), c.Conditions, c.FreeUnitsPerMonth.String()}, "|"))
	}
	want := []string{
		"input_token|3|100|0.0003||||unknown",
		"reasoning_token|15|10|0.00015|output_token||above_input_tokens = 10|unknown",
		"citation_token||7|||not_priced||unknown",
		`tool_call of web_search|0.01|2|0.02|||tool = "web_search"|5000`, // an allowance is shown, and nothing is subtracted
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("got\n%s\nwant\n%s", g, w)
	}
	if r.USD.IsKnown() || r.NanoUSD.IsKnown() || r.StatedUSD != "0.02045" {
		t.Errorf("the sum is %q, %s; what is known of it %q", r.USD, r.NanoUSD, r.StatedUSD)
	}
	if p := r.Lines[1].Price; p == nil || p.Source != "https://acme.example/p" {
		t.Error("a line does not lead to its entry")
	}
	if r.Lines[1].Price.USDPerMillion = "1"; s.Cost(u, text).Lines[1].USDPerMillion != "15" {
		t.Error("a receipt reaches into the sheet")
	}
}

// TestLedgerRoundsUp: each line is rounded up to a whole nano-dollar once.
func TestLedgerRoundsUp(t *testing.T) {
	s := Compile([]catalog.Price{million("input_token", "0.0001"), million("output_token", "0.042")})
	r := s.Cost(lines("input_token", 1, "output_token", 1), text)
	if n, ok := r.NanoUSD.Get(); !ok || n != 1+42 || r.USD != "0.0000000421" {
		t.Errorf("%s is booked as %d nano-dollars", r.USD, n)
	}
	huge := Compile([]catalog.Price{unit("request", "999999999999999999")})
	if r := huge.Cost(lines("request", 100), text); r.NanoUSD.IsKnown() || !r.USD.IsKnown() {
		t.Errorf("%s is booked as %s nano-dollars", r.USD, r.NanoUSD)
	}
}

// TestVendor: the vendor's own figure is kept beside ours and compared exactly.
func TestVendor(t *testing.T) {
	s := Compile([]catalog.Price{million("input_token", "0.042"), million("output_token", "0")})
	for _, tc := range []struct {
		usage        Usage
		vendor, want catalog.Decimal
	}{
		{lines("input_token", 118, "output_token", 18), "0.000004956", "0"},
		{lines("input_token", 118, "output_token", 18), "0.000004957", "0.000000001"},
		{lines("input_token", 118), "0.000004", "-0.000000956"},
		{lines("input_token", 118), "", ""},
		{lines("page", 1), "0.5", ""}, // ours is unknown, and the vendor's figure does not become ours
	} {
		r := s.Cost(tc.usage, text)
		ours := r.USD
		r.Vendor(tc.vendor)
		if r.VendorDifference != tc.want || r.VendorUSD != tc.vendor || r.USD != ours {
			t.Errorf("%q against %q differs by %q, want %q", tc.vendor, ours, r.VendorDifference, tc.want)
		}
	}
}

// TestTotalAllocatesNothing on the common path.
func TestTotalAllocatesNothing(t *testing.T) {
	s := Compile(sonnet)
	if n := testing.AllocsPerRun(100, func() { s.Total(&benchUsage, &benchCall) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	m := Most{Input: 8192, InputMeters: []string{"input_token", "cache_read_token", "cache_write_token"}, Output: 256, OutputMeters: []string{"output_token", "reasoning_token"}}
	if n := testing.AllocsPerRun(100, func() { s.Bound(&m, &benchCall) }); n != 0 {
		t.Errorf("%v allocations for a bound", n)
	}
}

// TestCheckUsage: what no usage can say is found.
func TestCheckUsage(t *testing.T) {
	for _, tc := range []struct {
		usage Usage
		want  string
	}{
		{lines("input_token", 0), ""},
		{lines("input_token", -1), "a count of -1 for input_token: a count is 0 or more"},
		{lines("input_tokens", 1), `"input_tokens" is not a meter`},
		{Usage{Unknown: []string{"tokens"}}, `"tokens" is not a meter`},
	} {
		err := tc.usage.Check()
		if (err == nil) != (tc.want == "") || err != nil && !strings.HasPrefix(err.Error(), tc.want) {
			t.Errorf("%v: %v, want %s", tc.usage, err, tc.want)
		}
	}
}
