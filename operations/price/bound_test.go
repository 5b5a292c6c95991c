package price

import (
	"testing"

	"github.com/opcat/opcat/catalog"
)

// TestBound holds the worst case of calls, and what keeps one from having any.
func TestBound(t *testing.T) {
	jev := []catalog.Price{million("input_token", "0.042"), million("output_token", "0")}
	cached := []catalog.Price{million("input_token", "3"), million("cache_read_token", "0.3"), forLife(million("cache_write_token", "3.75"), "5m"), forLife(million("cache_write_token", "6"), "1h"), million("output_token", "15")}
	cheaper := []catalog.Price{million("input_token", "4"), above(million("input_token", "1"), 1000)}
	ceiling := []catalog.Price{{Meter: "input_token", Dynamic: catalog.Known(true), Ceiling: "2"}}
	input, output := []string{"input_token"}, []string{"output_token"}
	caching := []string{"input_token", "cache_read_token", "cache_write_token"}
	for _, tc := range []struct {
		name   string
		prices []catalog.Price
		most   Most
		call   Call
		want   string
	}{
		{"C39: a decision's reservation", jev, Most{Input: 8192, InputMeters: input, Output: 256, OutputMeters: output}, text, "0.000344064 USD"},
		{"what is free needs no cap", jev, Most{Input: 8192, InputMeters: input, Output: Uncapped, OutputMeters: output}, text, "0.000344064 USD"},
		{"input without a cap", jev, Most{Input: Uncapped, InputMeters: input}, text, "input_token: nothing caps how much of it the call can use"},
		{"output without a cap", cached, Most{Input: 1, InputMeters: input, Output: Uncapped, OutputMeters: output, Never: caching}, text, "output_token: nothing caps how much of it the call can use"},
		{"each input token is billed once, as the dearest", cached, Most{Input: 1000000, InputMeters: caching, Never: output}, Call{CacheLifetime: "5m"}, "3.75 USD"},
		{"a lifetime left open is the dearest", cached, Most{Input: 1000000, InputMeters: caching, Never: output}, text, "6 USD"},
		{"a cache that may not be used", cached, Most{Input: 1000000, InputMeters: input, Never: append(output, caching...)}, text, "3 USD"},
		{"a lower tier can cost more", cheaper, Most{Input: 1500, InputMeters: input}, text, "0.004 USD"},
		{"and the higher one in the end", cheaper, Most{Input: 1000000, InputMeters: input}, text, "1 USD"},
		{"a tier is not reached", cheaper, Most{Input: 1000, InputMeters: input}, text, "0.004 USD"},
		{"an unknown price", nil, Most{Input: 1, InputMeters: input}, text, "input_token: no price entry fits the call"},
		{"an unknown price of a class that may be used", []catalog.Price{million("input_token", "1")}, Most{Input: 1, InputMeters: caching}, text, "cache_read_token: no price entry fits the call"},
		{"C14: a dynamic price", []catalog.Price{{Meter: "input_token", Dynamic: catalog.Known(true)}}, Most{Input: 1, InputMeters: input}, text, "input_token: its price changes from call to call"},
		{"a dynamic price with a ceiling", ceiling, Most{Input: 1000000, InputMeters: input}, text, "2 USD"},
		{"a price of a layer that is not trusted", []catalog.Price{with(million("input_token", "0.01"), func(p *catalog.Price) { p.Untrusted = true })}, Most{Input: 1, InputMeters: input}, text, "input_token: its price comes from a layer that is not trusted"},
		{"every request is charged", append([]catalog.Price{unit("request", "0.005")}, jev...), Most{Input: 1000000, InputMeters: input, OutputMeters: output}, text, "0.047 USD"},
		{"a priced meter that nobody spoke of", append([]catalog.Price{unit("gpu_second", "1")}, jev...), Most{Input: 1, InputMeters: input, OutputMeters: output}, text, "gpu_second: nothing caps how much of it the call can use"},
		{"unless the call cannot be billed by it", append([]catalog.Price{unit("gpu_second", "1")}, jev...), Most{Input: 1000000, InputMeters: input, OutputMeters: output, Never: []string{"gpu_second"}}, text, "0.042 USD"},
		{"nor one of another operation", append([]catalog.Price{forOp(unit("page", "1"), "embedding")}, jev...), Most{Input: 1000000, InputMeters: input, OutputMeters: output}, text, "0.042 USD"},
		{"counts of other meters", []catalog.Price{unit("search_unit", "0.002")}, Most{Others: []Line{{Meter: "search_unit", Count: 3}}}, text, "0.006 USD"},
		{"any tool is the dearest", []catalog.Price{forTool(unit("tool_call", "0.01"), "a"), forTool(unit("tool_call", "0.02"), "b")}, Most{Others: []Line{{Meter: "tool_call", Count: 2}}}, text, "0.04 USD"},
		{"one tool is its own price", []catalog.Price{forTool(unit("tool_call", "0.01"), "a"), forTool(unit("tool_call", "0.02"), "b")}, Most{Others: []Line{{Meter: "tool_call", Tool: "a", Count: 2}}}, text, "0.02 USD"},
		{"reasoning is output", []catalog.Price{million("output_token", "2"), million("reasoning_token", "5")}, Most{Output: 1000000, OutputMeters: []string{"output_token", "reasoning_token"}}, text, "5 USD"},
		{"reasoning borrows", []catalog.Price{million("output_token", "2")}, Most{Output: 1000000, OutputMeters: []string{"output_token", "reasoning_token"}}, text, "2 USD"},
		{"an output tier follows the input", []catalog.Price{million("input_token", "0"), million("output_token", "2"), above(million("output_token", "9"), 100)}, Most{Input: 101, InputMeters: input, Output: 1000000, OutputMeters: output}, text, "9 USD"},
		{"free input without a cap reaches every output tier", []catalog.Price{million("input_token", "0"), million("output_token", "2"), above(million("output_token", "9"), 100)}, Most{Input: Uncapped, InputMeters: input, Output: 1000000, OutputMeters: output}, text, "9 USD"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, gap := Compile(tc.prices).Bound(&tc.most, &tc.call)
			said := got.String()
			if gap != nil {
				said = gap.Error()
			}
			if said != tc.want {
				t.Errorf("%s, want %s", said, tc.want)
			}
		})
	}
}
