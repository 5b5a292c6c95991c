package operations

import (
	"strconv"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
)

// outputCap is the setting that caps how many tokens come out.
const outputCap = "max_output_tokens"

// judgeLimits compares sizes with the contract's limits and the row's windows, and
// finds how many tokens can come out.
func (r *route) judgeLimits(n *op.Needs, t *Terms, m *match) op.Complaint {
	for i := range n.Sizes {
		if c := r.size(n, &n.Sizes[i]); c.Why != op.None {
			return c
		}
	}
	if r.cap < 0 {
		return op.Complaint{}
	}
	return r.output(n, t, m)
}

// size judges one size. A count without a limit may be one; tokens without a limit
// of their own have the row's window.
func (r *route) size(n *op.Needs, s *op.Size) op.Complaint {
	var limit catalog.Opt[int64]
	if r.op.Limit != nil {
		limit = r.op.Limit(r.contract, s.Name)
	}
	most, known := limit.Get()
	tokens := strings.HasSuffix(s.Name, "_tokens")
	c := op.Complaint{Field: s.Name, Size: s.Most, Limit: most}
	switch {
	case strings.HasSuffix(s.Name, "_min"):
		if known && s.Most < most {
			c.Why = op.TooFew
		}
		return c
	case tokens && n.Cut && !s.Sum && s.Name != "request_tokens":
		return op.Complaint{} // the caller lets the server cut it
	case !known && tokens && s.Sum, !known && s.Name == "tools":
		return op.Complaint{}
	case !known && tokens:
		if c.Limit, known = r.window.Get(); !known {
			return op.Complaint{}
		}
	case !known:
		c.Limit = 1
		c.Note = "nobody stated how many it takes, so one"
	}
	if s.Most <= c.Limit {
		return op.Complaint{}
	}
	c.Why = op.TooMany
	if tokens && !s.Told {
		c.Note = byBytes
	}
	return c
}

// byBytes explains a size that nobody counted.
const byBytes = "so many at most, by its bytes; if you counted them, say so in input_tokens"

// output finds the cap on the output: what the row writes at most, and what its
// context has room for beside the input.
func (r *route) output(n *op.Needs, t *Terms, m *match) op.Complaint {
	most := r.writes
	input := n.Tokens.Most
	if window, ok := r.context.Get(); ok {
		room := window - input
		if room <= 0 {
			c := op.Complaint{Why: op.TooMany, Field: "context_tokens", Size: input, Limit: window, Note: "the input leaves no room for an answer"}
			if !n.Tokens.Told {
				c.Note = byBytes
			}
			return c
		}
		if w, ok := most.Get(); !ok || room < w {
			most = catalog.Known(room)
		}
	}
	m.outputMost = most
	asked, explicit := asInt(n.Setting(outputCap))
	switch {
	case explicit:
		return r.askedCap(n, asked, m)
	case n.Partial:
		return op.Complaint{}
	}
	return r.ownCap(n, t, m)
}

func asInt(v catalog.Value) (int64, bool) {
	if v.IsZero() {
		return 0, false // as most have it, and an error would cost memory
	}
	i, err := strconv.ParseInt(v.String(), 10, 64)
	return i, err == nil
}

// askedCap judges a cap that the caller names.
func (r *route) askedCap(n *op.Needs, asked int64, m *match) op.Complaint {
	most, known := m.outputMost.Get()
	if !known || asked <= most {
		m.outputMost, m.send = catalog.Known(asked), true
		return op.Complaint{}
	}
	if n.Lower && r.takesCap(n, m, most) {
		m.send = true
		return op.Complaint{}
	}
	c := op.Complaint{Why: op.TooMany, Field: outputCap, Size: asked, Limit: most}
	if w, ok := r.writes.Get(); (!ok || most < w) && !n.Partial {
		c.Note = strconv.FormatInt(n.Tokens.Most, 10) + " tokens of input and the cap come to " + strconv.FormatInt(n.Tokens.Most+asked, 10) +
			", and the context has " + r.context.String()
		if !n.Tokens.Told {
			c.Note += "; " + byBytes
		}
	}
	return c
}

// ownCap decides whether a cap has to be sent that the caller did not name: where
// the contract demands one, and where a bound of the price rests on it.
func (r *route) ownCap(n *op.Needs, t *Terms, m *match) op.Complaint {
	s := scene{p: r.promise, n: n, w: &r.wires[m.wire]}
	s.ask()
	demanded := s.demanded(r.cap)
	if !demanded && !(t.MaxUSD.IsKnown() && s.w.carries&(1<<r.cap) != 0 && r.options[r.cap].said >= supported && r.options[r.cap].said != refused) {
		return op.Complaint{}
	}
	most, known := m.outputMost.Get()
	if high, ok := s.highest(r.cap); ok && (!known || high < most) {
		most, known = high, true
	}
	switch {
	case known && r.takesCap(n, m, most):
		m.outputMost, m.send = catalog.Known(most), true
	case demanded:
		return op.Complaint{Why: op.Missing, Field: outputCap, Note: "nobody stated what the row writes at most, so none can be computed"}
	}
	return op.Complaint{}
}

// highest is the largest value that a setting takes in this request, where a rule
// says so.
func (s *scene) highest(at int) (int64, bool) {
	for i := range s.p.options[at].rules {
		r := &s.p.options[at].rules[i]
		if high, ok := whole(r.Max); ok && s.holds(r.when) {
			return high, true
		}
	}
	return 0, false
}

// takesCap reports whether the contract takes a cap of this size.
func (r *route) takesCap(n *op.Needs, m *match, size int64) bool {
	s := scene{p: r.promise, n: n, w: &r.wires[m.wire]}
	s.ask()
	o := &r.options[r.cap]
	switch o.said {
	case supported:
		return true
	case ruled:
		for i := range o.rules {
			if s.holds(o.rules[i].when) && o.rules[i].takesCount(size) {
				return true
			}
		}
	}
	return false
}

// takesCount is takes for a whole number.
func (r *rule) takesCount(n int64) bool {
	listed := r.Values == nil
	for i := range r.Values {
		v, ok := asInt(r.Values[i])
		listed = listed || ok && v == n
	}
	low, hasLow := whole(r.Min)
	high, hasHigh := whole(r.Max)
	return listed && (!hasLow || n >= low) && (!hasHigh || n <= high)
}

// whole is a decimal's whole part.
func whole(d catalog.Decimal) (int64, bool) {
	digits, _, _ := strings.Cut(string(d), ".")
	v, err := strconv.ParseInt(digits, 10, 64)
	return v, err == nil
}
