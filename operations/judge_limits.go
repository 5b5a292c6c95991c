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
func (r *route) judgeLimits(s *scene, t *Terms) bool {
	for i := range s.n.Sizes {
		if !r.size(s, &s.n.Sizes[i]) {
			return false
		}
	}
	return r.cap < 0 || r.output(s, t)
}

// size judges one size. A count without a limit may be one; tokens without a limit
// of their own have the row's window.
func (r *route) size(s *scene, z *op.Size) bool {
	var stated catalog.Opt[int64]
	if r.op.Limit != nil {
		stated = r.op.Limit(r.contract, z.Name)
	}
	limit, known := stated.Get()
	tokens := strings.HasSuffix(z.Name, "_tokens")
	switch {
	case strings.HasSuffix(z.Name, "_min"):
		return !known || z.Most >= limit || s.refuse(LimitExceeded, op.Complaint{Why: op.TooFew, Field: z.Name, Size: z.Most, Limit: limit})
	case tokens && s.n.Cut && !z.Sum && z.Name != "request_tokens":
		return true // the caller lets the server cut it
	case known:
	case tokens && z.Sum, z.Name == "tools":
		return true
	case tokens:
		if limit, known = r.window.Get(); !known {
			return true
		}
	default:
		limit = 1
	}
	if z.Most <= limit {
		return true
	}
	c := op.Complaint{Why: op.TooMany, Field: z.Name, Size: z.Most, Limit: limit}
	switch {
	case tokens && !z.Told:
		c.Note = byBytes
	case !known:
		c.Note = "nobody stated how many it takes, so one"
	}
	return s.refuse(LimitExceeded, c)
}

// byBytes explains a size that nobody counted.
const byBytes = "so many at most, by its bytes; if you counted them, say so in input_tokens"

// output finds the cap on the output: what the row writes at most, and what its
// context has room for beside the input.
func (r *route) output(s *scene, t *Terms) bool {
	n := s.n
	s.outputMost = r.writes
	input := n.Tokens.Most
	if window, ok := r.context.Get(); ok {
		room := window - input
		if room <= 0 {
			c := op.Complaint{Why: op.TooMany, Field: "context_tokens", Size: input, Limit: window, Note: "the input leaves no room for an answer"}
			if !n.Tokens.Told {
				c.Note = byBytes
			}
			return s.refuse(LimitExceeded, c)
		}
		if w, ok := r.writes.Get(); !ok || room < w {
			s.outputMost = catalog.Known(room)
		}
	}
	asked, explicit := asInt(n.At(r.cap))
	switch {
	case explicit:
		return r.askedCap(s, asked)
	case n.Partial:
		return true
	}
	return r.ownCap(s, t)
}

func asInt(v catalog.Value) (int64, bool) {
	text := v.String()
	n := int64(0)
	for _, c := range []byte(text) {
		if c -= '0'; c > 9 || len(text) > 18 {
			long, err := strconv.ParseInt(text, 10, 64)
			return long, err == nil
		}
		n = n*10 + int64(c)
	}
	return n, text != ""
}

// askedCap judges a cap that the caller names.
func (r *route) askedCap(s *scene, asked int64) bool {
	n := s.n
	most, known := s.outputMost.Get()
	if !known || asked <= most {
		s.outputMost, s.send = catalog.Known(asked), true
		return true
	}
	if n.Lower && r.takesCap(s, most) {
		s.send = true
		return true
	}
	c := op.Complaint{Why: op.TooMany, Field: outputCap, Size: asked, Limit: most}
	if w, ok := r.writes.Get(); (!ok || most < w) && !n.Partial {
		c.Note = strconv.FormatInt(n.Tokens.Most, 10) + " tokens of input and the cap come to " + strconv.FormatInt(n.Tokens.Most+asked, 10) +
			", and the context has " + r.context.String()
		if !n.Tokens.Told {
			c.Note += "; " + byBytes
		}
	}
	return s.refuse(LimitExceeded, c)
}

// ownCap decides whether a cap has to be sent that the caller did not name: where
// the contract demands one, and where a bound of the price rests on it.
func (r *route) ownCap(s *scene, t *Terms) bool {
	demanded := s.demanded(r.cap)
	if !demanded && !(t.MaxUSD.IsKnown() && s.w.carries>>r.cap&1 != 0 && r.options[r.cap].said >= supported && r.options[r.cap].said != refused) {
		return true
	}
	most, known := s.outputMost.Get()
	if high, ok := s.highest(r.cap); ok && (!known || high < most) {
		most, known = high, true
	}
	switch {
	case known && r.takesCap(s, most):
		s.outputMost, s.send = catalog.Known(most), true
	case demanded:
		return s.refuse(LimitExceeded, op.Complaint{Why: op.Missing, Field: outputCap, Note: "nobody stated what the row writes at most, so none can be computed"})
	}
	return true
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
func (r *route) takesCap(s *scene, size int64) bool {
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
