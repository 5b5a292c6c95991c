package price

import (
	"testing"
	"time"

	"github.com/opcat/opcat/catalog"
)

// sonnet is a row as the catalog has many: tiers of service, of cache lifetime and
// of input size.
var sonnet = []catalog.Price{
	{Meter: "input_token", USDPerMillion: "3"},
	{Meter: "input_token", USDPerMillion: "6", AboveInputTokens: catalog.Known[int64](200000)},
	{Meter: "input_token", USDPerMillion: "1.5", ServiceTier: "batch"},
	{Meter: "output_token", USDPerMillion: "15"},
	{Meter: "output_token", USDPerMillion: "22.5", AboveInputTokens: catalog.Known[int64](200000)},
	{Meter: "output_token", USDPerMillion: "7.5", ServiceTier: "batch"},
	{Meter: "cache_read_token", USDPerMillion: "0.3"},
	{Meter: "cache_write_token", USDPerMillion: "6", CacheLifetime: "1h"},
	{Meter: "cache_write_token", USDPerMillion: "3.75", CacheLifetime: "5m"},
}

var benchUsage = Usage{Lines: []Line{
	{Meter: "input_token", Count: 1200}, {Meter: "cache_read_token", Count: 8000},
	{Meter: "cache_write_token", CacheLifetime: "5m", Count: 500}, {Meter: "output_token", Count: 350},
}}

var benchCall = Call{Operation: "text_generation", CacheLifetime: "5m", At: time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)}

// BenchmarkTotal is the exact cost of one call with four meters.
func BenchmarkTotal(b *testing.B) {
	s := Compile(sonnet)
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := s.Total(&benchUsage, &benchCall); !ok {
			b.Fatal("unknown")
		}
	}
}

// BenchmarkTotalPlain is the commonest call: input and output.
func BenchmarkTotalPlain(b *testing.B) {
	s := Compile(sonnet)
	u := Usage{Lines: []Line{{Meter: "input_token", Count: 1000}, {Meter: "output_token", Count: 350}}}
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := s.Total(&u, &benchCall); !ok {
			b.Fatal("unknown")
		}
	}
}

// BenchmarkCost is the same call with a receipt.
func BenchmarkCost(b *testing.B) {
	s := Compile(sonnet)
	b.ReportAllocs()
	for b.Loop() {
		if r := s.Cost(benchUsage, benchCall); !r.USD.IsKnown() {
			b.Fatal("unknown")
		}
	}
}

// BenchmarkBound is the worst case of a text request.
func BenchmarkBound(b *testing.B) {
	s := Compile(sonnet)
	m := Most{Input: 8192, InputMeters: []string{"input_token", "cache_read_token", "cache_write_token"}, Output: 256, OutputMeters: []string{"output_token"}}
	b.ReportAllocs()
	for b.Loop() {
		if _, gap := s.Bound(&m, &benchCall); gap != nil {
			b.Fatal(gap)
		}
	}
}

// BenchmarkCompile is what a row costs once.
func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Compile(sonnet)
	}
}
