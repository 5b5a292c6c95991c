package operations

import (
	"fmt"
	"os"
	"testing"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/operations/price"
)

var wantSampling = []op.SettingValue{{Name: "seed"}}

// benchQueries have five constraints each.
var benchQueries = []struct {
	name string
	q    Query
}{
	{"broad", Query{Operation: "text_generation", Inputs: []string{"text"}, Tools: true, MinContext: 32_768, Support: "declared", Lifecycle: "announced"}},
	{"narrow", Query{Operation: "text_generation", Inputs: []string{"text", "image", "audio", "pdf"}, Settings: wantSampling, Tools: true, MinContext: 200_000, Support: "documented"}},
	{"last", Query{Operation: "text_generation", Inputs: []string{"text"}, Settings: []op.SettingValue{{Name: "logprobs"}}, Tools: true, MinContext: 32_768, Lifecycle: "announced"}},
	{"absent", Query{Operation: "reranking", Inputs: []string{"image"}, Settings: []op.SettingValue{{Name: "top_n"}}, MinContext: 8192, Support: "probed", Lifecycle: "active"}},
	{"provider", Query{Operation: "text_generation", Inputs: []string{"text"}, Tools: true, MinContext: 32_768, Support: "declared", Providers: []string{"vendor-00007"}}},
	{"usage", Query{Operation: "text_generation", Inputs: []string{"text"}, Tools: true, MinContext: 32_768, Support: "declared", Lifecycle: "announced",
		Usage: price.Usage{Lines: []price.Line{{Meter: "input_token", Count: 8000}, {Meter: "output_token", Count: 500}}}}},
}

func benchRows() []int {
	rows := []int{5000}
	if os.Getenv("OPCAT_BENCH_LARGE") != "" {
		rows = append(rows, 500_000)
	}
	return rows
}

func BenchmarkSelect(b *testing.B) {
	for _, rows := range benchRows() {
		c := marketOf(b, rows)
		for _, x := range benchQueries {
			b.Run(fmt.Sprintf("%s/%d", x.name, rows), func(b *testing.B) {
				s := Select(c, x.q)
				n, err := Count(c, x.q)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportAllocs()
				for b.Loop() {
					s = Select(c, x.q)
				}
				if s.Err() != nil {
					b.Fatal(s.Err())
				}
				b.ReportMetric(float64(n), "hits")
			})
		}
	}
}

func BenchmarkBuildTable(b *testing.B) {
	for name, c := range map[string]*catalog.Catalog{"bundled": bundled(b), "market5000": marketOf(b, 5000)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				buildTable(c, c.AsOf())
			}
		})
	}
}
