package check

import (
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// A range whose minimum lies above its maximum admits nothing, and code that
// tests only one end lets everything through.

// reversed is the finding that low lies above high; nil if it does not.
func reversed(low, high *tree.Node, what string) *diag.Diagnostic {
	if low == nil || high == nil || compare(low.Str(), high.Str()) <= 0 {
		return nil
	}
	return &diag.Diagnostic{Code: diag.RangeReversed, At: low.At(), Message: what + ": " + name(low) + " " + low.Str() + " is above " + name(high) + " " + high.Str(),
		Got: low.Str() + " > " + high.Str(), Allowed: []string{name(low) + " <= " + name(high)}, Notes: note(high, "the other end")}
}

func name(n *tree.Node) string { return n.Key.Name }

func (c *checker) reverse(low, high *tree.Node, what string, add func(diag.Diagnostic)) {
	if d := reversed(low, high, what); d != nil {
		add(*d)
	}
}

func (p *provider) rangesReversed() {
	p.quota(p.Table.Get("quota"), p.add)
	for n := p.Table.Get("fallback_price").First(); n != nil; n = n.Next() {
		var e price
		e.read(n)
		e.reversed(p.add)
	}
}

func (c *checker) quota(q *tree.Node, add func(diag.Diagnostic)) {
	if q == nil {
		return
	}
	c.reverse(q.Get("min_concurrency"), q.Get("concurrency"), "the quota", add)
	c.reverse(q.Path("backoff", "base_ms"), q.Path("backoff", "max_ms"), "the backoff", add)
}

func (r *row) rangesReversed() {
	r.quota(r.model[kQuota], r.add)
	for i := 0; i < len(r.prices) && r.pricedBy(1<<pFrom); i++ {
		r.prices[i].reversed(r.add)
	}
}

// reversed finds prices that end before they begin: they never hold.
func (p *price) reversed(add func(diag.Diagnostic)) {
	from, until := p.k[pFrom], p.k[pUntil]
	if from == nil || until == nil || p.from < p.until {
		return
	}
	add(diag.Diagnostic{Code: diag.RangeReversed, At: from.At(), Message: "the price never holds: valid_from " + from.Str() + " is not before valid_until " + until.Str(),
		Got: from.Str() + " to " + until.Str(), Allowed: []string{"valid_from < valid_until"}, Notes: note(until, "valid_until is exclusive")})
}

func (c *contract) rangesReversed() {
	c.row.reverse(c.limit(c.k.lim.levelsMin), c.limit(c.k.lim.levelsMax), "the levels of a score", c.add)
	if d := c.get(c.k.dimensions); d.First() != nil {
		c.row.reverse(d.Get("min"), d.Get("max"), "the dimensions", c.add)
	}
	for i := range c.alternatives {
		if a := &c.alternatives[i]; a.k[sMin] != nil && a.k[sMax] != nil && compare(a.k[sMin].Str(), a.k[sMax].Str()) > 0 {
			c.row.reverse(a.k[sMin], a.k[sMax], "the setting "+quote(a.setting.Name()), c.add)
		}
	}
}
