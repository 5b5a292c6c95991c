package operations

import (
	"slices"
	"strings"
	"time"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/operations/price"
)

// A bill is what calls of a route can be billed by, sorted by what bounds it.
type bill struct {
	input  []string // a token of text that goes in
	output []string // a token of text that comes out
	never  []string // of what the row prices: what a call with text alone is not billed by
	once   []price.Line

	units, characters, images bool // what is billed by counts of the request

	worst price.Worst // of text at the standard tier in no region, any cache lifetime
	plain bool        // it says what such a call can cost at most
}

// newBill reads what a contract is billed by; if it does not say, all that the row
// prices and the operation can be billed by, and its tokens of text in any case: a
// price that nobody stated is unknown, not zero.
func newBill(r *route) (b bill) {
	b.input = r.billable(inputMeters("", r.cached()))
	b.output = r.billable([]string{"output_token", "reasoning_token"})
	if r.bills("query") {
		b.once = append(b.once, price.Line{Meter: "query", Count: 1})
	}
	b.never = r.neverBilled(nil, nil)
	b.units = r.bills("search_unit") && r.op.Units != nil
	b.characters, b.images = r.bills("input_character"), r.bills("input_image")
	if !b.units && !b.characters {
		b.worst, b.plain = r.sheet.Worst(b.text(), &price.Call{Operation: r.op.Name})
	}
	return b
}

// text is what a call with text alone can use, its counts aside.
func (b *bill) text() *price.Most {
	return &price.Most{InputMeters: b.input, OutputMeters: b.output, Others: b.once, Never: b.never}
}

// cached reports whether the route may read or write a cache.
func (r *route) cached() bool {
	t := r.contract.TextGeneration
	return t == nil || t.Cache == nil || t.Cache.On.Or(true)
}

// inputMeters are the meters of a token of a kind; "" is text.
func inputMeters(kind string, cached bool) []string {
	token := "token"
	if kind != "" {
		token = kind + "_token"
	}
	if !cached {
		return []string{"input_" + token}
	}
	return []string{"input_" + token, "cache_read_" + token, "cache_write_" + token}
}

// bills reports whether calls of the route can be billed by a meter.
func (r *route) bills(meter string) bool {
	switch {
	case r.contract.Meters != nil:
		return slices.Contains(r.contract.Meters, meter)
	case !r.op.HasMeter(meter):
		return false
	}
	return meter == "input_token" || meter == "output_token" || r.prices(meter)
}

// prices reports whether the row prices a meter for the operation.
func (r *route) prices(meter string) bool {
	return slices.ContainsFunc(r.row.Price, func(p catalog.Price) bool {
		return p.Meter == meter && (p.Operation == "" || p.Operation == r.op.Name)
	})
}

func (r *route) billable(meters []string) []string {
	return slices.DeleteFunc(meters, func(m string) bool { return !r.bills(m) })
}

// neverBilled are the meters that the row prices and a call is not billed by: what
// the contract leaves out, tools of the provider, which no request asks for, and
// content of kinds that are not sent or not asked for.
func (r *route) neverBilled(inputs, outputs []string) []string {
	var never []string
	for i := range r.row.Price {
		m := r.row.Price[i].Meter
		if !slices.Contains(never, m) && (!r.bills(m) || m == "tool_call" || absent(m, inputs, outputs)) {
			never = append(never, m)
		}
	}
	return never
}

// absent reports whether a meter is of content that a request has not.
func absent(meter string, inputs, outputs []string) bool {
	of := inputs
	name, out := strings.CutPrefix(meter, "output_")
	if out {
		of = outputs
	}
	for _, prefix := range []string{"input_", "cache_read_", "cache_write_"} {
		name = strings.TrimPrefix(name, prefix)
	}
	if slices.Contains(inputs, "file_ref") {
		return false // it may hold anything
	}
	switch kind, _, _ := strings.Cut(name, "_"); kind {
	case "image":
		return !slices.Contains(of, "image") && !slices.Contains(inputs, "pdf") // pages are pictures too
	case "pixel":
		return !slices.Contains(of, "image")
	case "audio", "video":
		return !slices.Contains(of, kind)
	case "page":
		return !slices.Contains(inputs, "pdf")
	}
	return false
}

// most is the most that a request can use of each meter.
func (r *route) most(n *op.Needs, m *match) price.Most {
	w := *r.bill.text()
	w.Input, w.Output = r.inputMost(n), m.outputMost.Or(price.Uncapped)
	if r.bill.units {
		w.Others = append(slices.Clone(w.Others), price.Line{Meter: "search_unit", Count: r.op.Units(r.contract, n)})
	}
	if r.bill.characters && !n.Tokens.Told && !n.Tokens.Open {
		w.Others = append(slices.Clone(w.Others), price.Line{Meter: "input_character", Count: n.Tokens.Most})
	}
	if !textAlone(n) {
		r.media(n, &w)
	}
	return w
}

// textAlone reports whether nothing but text goes in and comes out.
func textAlone(n *op.Needs) bool {
	return len(n.Inputs) == 1 && n.Inputs[0] == "text" && len(n.Outputs) == 0
}

// media adds what content beside text can be billed by.
func (r *route) media(n *op.Needs, w *price.Most) {
	w.Never = r.neverBilled(n.Inputs, n.Outputs)
	w.InputMeters, w.OutputMeters, w.Others = slices.Clone(w.InputMeters), slices.Clone(w.OutputMeters), slices.Clone(w.Others)
	for _, kind := range []string{"image", "audio", "video"} {
		for _, meter := range r.billable(inputMeters(kind, r.cached())) {
			if !slices.Contains(w.Never, meter) && r.prices(meter) {
				w.InputMeters = append(w.InputMeters, meter)
			}
		}
		if meter := "output_" + kind + "_token"; r.bills(meter) && !slices.Contains(w.Never, meter) {
			w.OutputMeters = append(w.OutputMeters, meter)
		}
	}
	if images := n.Size("images"); images.Most > 0 && r.bill.images && !n.Sends("pdf") && !n.Sends("file_ref") {
		w.Others = append(w.Others, price.Line{Meter: "input_image", Count: images.Most})
	}
}

// inputMost bounds the tokens that go in. Where nothing else does, the row's
// window is what a server takes, of each piece that has it to itself.
func (r *route) inputMost(n *op.Needs) int64 {
	window, known := r.window.Get()
	switch {
	case n.Tokens.Told, !n.Tokens.Open && (n.Tokens.Sum || !known):
		return n.Tokens.Most
	case !n.Tokens.Open:
		return min(n.Tokens.Most, window)
	case !known:
		return price.Uncapped
	case n.Tokens.Sum:
		return window * max(n.Size("items").Most, n.Size("documents").Most)
	}
	return window
}

// judgePrice bounds what the request can cost, if a bound is asked. The terms have
// been checked.
func (r *route) judgePrice(s *scene, t *Terms, worst *price.Amount) bool {
	if !t.MaxUSD.IsKnown() {
		return true
	}
	var gap *price.Gap
	switch *worst, gap = r.bound(s.n, s.at, &s.match); {
	case gap != nil:
		return s.unbounded(gap)
	case worst.Cmp(t.limit) > 0:
		return s.refuse(PriceAboveBound, op.Complaint{Why: op.TooMany, Field: "max_usd", Got: string(worst.Decimal()), Allowed: []string{"at most " + string(t.MaxUSD)}})
	}
	return true
}

// unbounded refuses what nobody can bound.
func (s *scene) unbounded(gap *price.Gap) bool {
	if gap.Uncapped {
		return s.refuse(BoundUnenforceable, op.Complaint{Why: op.Missing, Field: gap.Meter, Note: gap.Error()})
	}
	return s.refuse(PriceUnknown, op.Complaint{Why: op.Unknown, Field: gap.Meter, Note: gap.Error()})
}

// bound is the most that a request can cost, or why nobody can say.
func (r *route) bound(n *op.Needs, at time.Time, m *match) (price.Amount, *price.Gap) {
	tier, lifetime := n.At(r.tier).String(), n.At(r.lifetime).String()
	if r.bill.plain && tier == "" && lifetime == "" && m.region == "" && textAlone(n) {
		if worst, ok := r.bill.worst.Bound(r.inputMost(n), m.outputMost.Or(price.Uncapped)); ok {
			return worst, nil
		}
	}
	most, call := r.most(n, m), r.call(tier, lifetime, at, m)
	call.CacheLifetime = lifetime // left out, the dearest counts
	return r.sheet.Bound(&most, &call)
}

// The settings that choose prices: how long a written prefix is kept, and how soon
// an answer comes.
const (
	cacheLifetime = "prompt_cache_ttl"
	serviceTier   = "service_tier"
)

// call is what prices depend on beside usage. A lifetime that is not asked for is the
// protocol's own.
func (r *route) call(tier, lifetime string, at time.Time, m *match) price.Call {
	c := price.Call{Operation: r.op.Name, ServiceTier: tier, Region: m.region, At: at, CacheLifetime: lifetime}
	if c.CacheLifetime == "" {
		c.CacheLifetime = r.wires[m.wire].protocol.CacheLifetime
	}
	return c
}
