package check

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/opcat/opcat/diag"
)

// An offer is a price entry of the model below.
type offer struct {
	tier, operation, tool string
	above                 int
	from, until           int // days; 0 where it does not say
}

// A demand is a call: it may fit offers.
type demand struct {
	tier, operation, tool string
	input, day            int
}

func (o offer) fits(d demand) bool {
	return o.tier == d.tier && (o.operation == "" || o.operation == d.operation) && (o.tool == "" || o.tool == d.tool) &&
		(o.above == 0 || d.input > o.above) && (o.from == 0 || d.day >= o.from) && (o.until == 0 || d.day < o.until)
}

// covers reports whether o states all that p does; of two tiers the higher one
// reached counts as more.
func (o offer) covers(p offer) bool {
	return (p.operation == "" || p.operation == o.operation) && (p.tool == "" || p.tool == o.tool) &&
		o.above >= p.above && (p.from == 0 || p.from == o.from) && (p.until == 0 || p.until == o.until)
}

func (o offer) toml() string {
	s := `{ meter = "tool_call", usd_per_unit = "1"`
	for _, c := range []struct{ key, value string }{{"service_tier", strings.TrimPrefix(o.tier, "standard")}, {"operation", o.operation}, {"tool", o.tool}} {
		if c.value != "" {
			s += fmt.Sprintf(`, %s = %q`, c.key, c.value)
		}
	}
	if o.above > 0 {
		s += fmt.Sprintf(", above_input_tokens = %d", o.above)
	}
	for _, c := range []struct {
		key string
		day int
	}{{"valid_from", o.from}, {"valid_until", o.until}} {
		if c.day > 0 {
			s += fmt.Sprintf(`, %s = "2026-11-%02d"`, c.key, c.day)
		}
	}
	return s + " },\n"
}

// TestOverlapAgainstModel: an overlap is found exactly where some call fits
// entries none of which wins.
func TestOverlapAgainstModel(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	pick := func(words ...string) string { return words[rnd.IntN(len(words))] }
	both := [2]int{}
	for range 3000 {
		offers := make([]offer, 2+rnd.IntN(4))
		for i := range offers {
			offers[i] = offer{tier: pick("standard", "standard", "flex"), operation: pick("", "", "text_generation", "embedding"), tool: pick("", "", "a", "b"), above: rnd.IntN(3) * 100}
			if rnd.IntN(3) == 0 {
				offers[i].from = 10
			}
			if rnd.IntN(3) == 0 {
				offers[i].until = 10 + rnd.IntN(2)*10
			}
			if offers[i].from > 0 && offers[i].from == offers[i].until {
				offers[i].from = 0
			}
		}
		var b strings.Builder
		b.WriteString("schema = \"1.0\"\n[[model]]\nprovider = \"acme\"\nwire_model = \"a\"\nlisted_as = [\"text_generation\", \"embedding\"]\nprice = [\n")
		for _, o := range offers {
			b.WriteString(o.toml())
		}
		b.WriteString("]\n")
		draft, _ := drafted(fstest.MapFS{"catalog_sources/a.toml": {Data: []byte(b.String()), Mode: 0o644}})
		got := slices.ContainsFunc(Rules(draft), func(d diag.Diagnostic) bool { return d.Code == diag.PriceOverlap })
		if want := undecided(offers); got != want {
			t.Fatalf("found %v, want %v:\n%s", got, want, b.String())
		} else if want {
			both[1]++
		} else {
			both[0]++
		}
	}
	if both[0] < 100 || both[1] < 100 {
		t.Errorf("the model tries too little of one kind: %v", both)
	}
}

// undecided tries every call.
func undecided(offers []offer) bool {
	for _, tier := range []string{"standard", "flex"} {
		for _, operation := range []string{"text_generation", "embedding"} {
			for _, tool := range []string{"a", "b", "c"} {
				for _, input := range []int{1, 101, 201} {
					for _, day := range []int{5, 15, 25} {
						if !decided(offers, demand{tier, operation, tool, input, day}) {
							return true
						}
					}
				}
			}
		}
	}
	return false
}

func decided(offers []offer, d demand) bool {
	var fit []offer
	for _, o := range offers {
		if o.fits(d) {
			fit = append(fit, o)
		}
	}
	for i, w := range fit {
		wins := true
		for j, o := range fit {
			wins = wins && (i == j || w.covers(o) && !o.covers(w))
		}
		if wins {
			return true
		}
	}
	return len(fit) == 0
}

// TestManyPrices: a price copied a thousand times is a bounded list of findings.
func TestManyPrices(t *testing.T) {
	const n = 4000
	src := "schema = \"1.0\"\n[[model]]\nprovider = \"acme\"\nwire_model = \"a\"\nprice = [\n" +
		strings.Repeat("{ meter = \"input_token\", usd_per_million = \"1\" },\n", n) + "]\n"
	draft, _ := drafted(fstest.MapFS{"catalog_sources/a.toml": {Data: []byte(src), Mode: 0o644}})
	if got := len(Rules(draft)); got > n {
		t.Errorf("%d findings about %d entries", got, n)
	}
}
