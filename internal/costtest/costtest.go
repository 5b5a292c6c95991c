// Package costtest makes questions about costs, with the answers that Go gives: what
// the packages of other languages must answer too.
package costtest

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/opcat/opcat/catalog"
	committed "github.com/opcat/opcat/gen/json"
	"github.com/opcat/opcat/operations/price"
)

// A question is a usage of a row's prices, and the answer that Go gives.
type question struct {
	Prices json.RawMessage `json:"prices"`
	Usage  map[string]any  `json:"usage"`
	Call   map[string]any  `json:"call"`
	Want   map[string]any  `json:"want"`
}

// ask puts a question to Go. Counts are written as text, since most readers of JSON
// would round them.
func ask(t *testing.T, text json.RawMessage, prices []catalog.Price, u price.Usage, c price.Call) question {
	t.Helper()
	q := question{Prices: text, Usage: map[string]any{}, Call: map[string]any{}}
	lines := []map[string]any{}
	for _, l := range u.Lines {
		lines = append(lines, said("meter", l.Meter, "cache_lifetime", l.CacheLifetime, "tool", l.Tool, "count", strconv.FormatInt(l.Count, 10)))
	}
	q.Usage["lines"] = lines
	if u.Unknown != nil {
		q.Usage["unknown"] = u.Unknown
	}
	q.Call = said("operation", c.Operation, "service_tier", c.ServiceTier, "cache_lifetime", c.CacheLifetime, "region", c.Region, "variant", c.Variant)
	if !c.At.IsZero() {
		q.Call["at"] = c.At.Format(time.RFC3339)
	}
	receipt := price.Compile(prices).Cost(u, c)
	b, err := json.Marshal(receipt)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &q.Want); err != nil {
		t.Fatal(err)
	}
	if n, ok := receipt.NanoUSD.Get(); ok {
		q.Want["nano_usd"] = strconv.FormatInt(n, 10)
	}
	for _, l := range q.Want["lines"].([]any) {
		delete(l.(map[string]any), "count")
		delete(l.(map[string]any), "conditions")
	}
	return q
}

// said is an object of the pairs whose value is not empty.
func said(pairs ...string) map[string]any {
	m := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			m[pairs[i]] = pairs[i+1]
		}
	}
	return m
}

// Questions is a JSON list of them: of the rows of the bundled catalog, and of random
// prices that meet in all the ways that entries can.
func Questions(t *testing.T) []byte {
	t.Helper()
	c, err := committed.Catalog()
	if err != nil {
		t.Fatal(err)
	}
	r := roll{rand.New(rand.NewPCG(7, 11))}
	var all []question
	rows := 0
	for row := range c.Rows() {
		ref, _ := c.Find(row.ID)
		var text struct{ Price json.RawMessage }
		if err := json.Unmarshal([]byte(ref.JSON()), &text); err != nil {
			t.Fatal(err)
		}
		if len(row.Price) == 0 {
			continue
		}
		rows++
		all = append(all, ask(t, text.Price, row.Price, r.usage(row.Price), r.call(row.Price)))
	}
	for range 6000 {
		text := r.prices(t)
		var prices []catalog.Price
		for _, p := range text {
			prices = append(prices, typed(t, p))
		}
		b, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, ask(t, b, prices, r.usage(prices), r.call(prices)))
	}
	if rows < 300 {
		t.Errorf("%d rows have prices", rows)
	}
	reasons := map[string]int{}
	for _, q := range all {
		for _, l := range q.Want["lines"].([]any) {
			why, _ := l.(map[string]any)["unknown"].(string)
			reasons[why]++
		}
	}
	for _, why := range []price.Why{"", price.NotPriced, price.Dynamic, price.OtherCurrency, price.Untrusted, price.Overlapping, price.NoLifetime,
		price.NoTime, price.NotCounted, price.InputUncounted, price.BelowZero, price.WrongAmount} {
		if reasons[string(why)] < 10 {
			t.Errorf("the reason %q comes up %d times: ask for more", why, reasons[string(why)])
		}
	}
	t.Logf("%d questions, %d rows, lines by reason %v", len(all), rows, reasons)
	b, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A roll makes random prices, usages and calls out of few words, so that they meet.
type roll struct{ *rand.Rand }

func (r roll) of(words ...string) string { return words[r.IntN(len(words))] }

var rollMeters = []string{"input_token", "output_token", "reasoning_token", "cache_read_token", "cache_write_token", "tool_call", "request"}

// prices are the entries of a row as JSON says them.
func (r roll) prices(t *testing.T) []map[string]any {
	t.Helper()
	var out []map[string]any
	lifetimes, regional := r.IntN(2) == 0, r.IntN(6) == 0
	for range r.IntN(7) {
		meter := rollMeters[r.IntN(len(rollMeters))]
		p := said("meter", meter, "service_tier", r.of("", "", "batch"), "operation", r.of("", "", "", "embedding"), "variant", r.of("", "", "", "low", "high"),
			"valid_from", r.of("", "", "", "2026-11-10", "2026-11-20T12:00:00+02:00"), "valid_until", r.of("", "", "", "2026-11-25", "2026-11-30"))
		m, _ := catalog.LookupMeter(meter)
		amount := strconv.Itoa(r.IntN(40)) + r.of("", ".5", ".000000000000000001", "."+strconv.Itoa(1+r.IntN(1e9)))
		switch key := map[bool]string{true: "usd_per_million", false: "usd_per_unit"}[m.Million]; r.IntN(16) {
		case 0:
			p["dynamic"] = true
		case 1:
			p["currency"], p["per_million"] = "EUR", amount
		case 2:
			p["untrusted"], p[key] = true, amount
		case 3:
			p[key] = "1.0000000000000000000000001" // finer than money is counted in
		default:
			p[key] = amount
		}
		if meter == "cache_write_token" && lifetimes {
			p["cache_lifetime"] = r.of("5m", "1h")
		}
		if meter == "tool_call" && r.IntN(2) == 0 {
			p["tool"] = r.of("a", "b")
		}
		if regional && r.IntN(2) == 0 {
			p["region"] = r.of("x", "y")
		}
		if r.IntN(4) == 0 {
			p["above_input_tokens"] = 100 * (1 + r.IntN(2))
		}
		if r.IntN(6) == 0 {
			days := slices.Clone([][]string{{"mon", "tue", "wed"}, {"sat", "sun"}, {"sun"}}[r.IntN(3)])
			p["window"] = map[string]any{"days": days, "start": r.of("00:00", "16:30"), "end": r.of("24:00", "00:30", "08:00"), "utc_offset": r.of("+00:00", "-05:30", "+08:00")}
		}
		out = append(out, p)
	}
	if out == nil {
		return []map[string]any{}
	}
	return out
}

// typed is an entry as the catalog's reader would give it.
func typed(t *testing.T, p map[string]any) catalog.Price {
	t.Helper()
	text := func(key string) string { s, _ := p[key].(string); return s }
	out := catalog.Price{Meter: text("meter"), USDPerMillion: catalog.Decimal(text("usd_per_million")), USDPerUnit: catalog.Decimal(text("usd_per_unit")),
		Currency: text("currency"), PerMillion: catalog.Decimal(text("per_million")), ServiceTier: text("service_tier"), Operation: text("operation"), CacheLifetime: text("cache_lifetime"),
		Region: text("region"), Variant: text("variant"), Tool: text("tool"), ValidFrom: catalog.Date(text("valid_from")), ValidUntil: catalog.Date(text("valid_until")),
		Untrusted: p["untrusted"] == true}
	if p["dynamic"] == true {
		out.Dynamic = catalog.Known(true)
	}
	if n, ok := p["above_input_tokens"].(int); ok {
		out.AboveInputTokens = catalog.Known(int64(n))
	}
	if w, ok := p["window"].(map[string]any); ok {
		out.Window = &catalog.PriceWindow{Days: w["days"].([]string), Start: w["start"].(string), End: w["end"].(string), UTCOffset: w["utc_offset"].(string)}
	}
	return out
}

// usage counts meters of the prices, and some others.
func (r roll) usage(prices []catalog.Price) price.Usage {
	meters, tiers := map[string]bool{}, []int64{1, 100, 200}
	for _, m := range rollMeters {
		meters[m] = r.IntN(3) == 0
	}
	for _, p := range prices {
		meters[p.Meter] = r.IntN(4) > 0
		if n, ok := p.AboveInputTokens.Get(); ok {
			tiers = append(tiers, n)
		}
	}
	var u price.Usage
	for _, m := range slices.Sorted(maps.Keys(meters)) {
		if !meters[m] {
			continue
		}
		l := price.Line{Meter: m, Count: tiers[r.IntN(len(tiers))] + int64(r.IntN(2))}
		switch r.IntN(30) {
		case 0:
			l.Count = 0
		case 1:
			l.Count = -1
		case 2:
			l.Count = r.Int64N(1 << 58)
		case 3:
			u.Unknown = append(u.Unknown, m)
			continue
		}
		switch m {
		case "tool_call":
			l.Tool = r.of("", "a", "b", "web_search")
		case "cache_write_token":
			l.CacheLifetime = r.of("", "5m", "1h")
		}
		u.Lines = append(u.Lines, l)
	}
	return u
}

// call says some of what the prices depend on.
func (r roll) call(prices []catalog.Price) price.Call {
	c := price.Call{Operation: r.of("text_generation", "embedding"), ServiceTier: r.of("", "", "standard", "batch", "flex", "priority"), CacheLifetime: r.of("", "5m", "1h"),
		Region: r.of("", "", "x", "y"), Variant: r.of("", "", "low", "high")}
	if len(prices) > 0 && r.IntN(2) == 0 {
		p := prices[r.IntN(len(prices))]
		c.Region, c.ServiceTier, c.Variant = p.Region, p.ServiceTier, p.Variant
	}
	if r.IntN(10) > 0 {
		c.At = time.Date(2026, 11, 1+r.IntN(60), r.IntN(24), r.IntN(60), r.IntN(60), 0, time.UTC)
	}
	for _, p := range prices { // at the very moment of a change
		for _, d := range []catalog.Date{p.ValidFrom, p.ValidUntil} {
			if at, ok := d.Time(); ok && r.IntN(4) == 0 {
				c.At = at
			}
		}
	}
	return c
}
