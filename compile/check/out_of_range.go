package check

import (
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
)

// Some numbers are in range by themselves and still too small for what they
// count: a choice with one option, a score with one level, a speed of zero.

func outOfRange(n *tree.Node, message, want string) diag.Diagnostic {
	return diag.Diagnostic{Code: diag.OutOfRange, At: n.At(), Message: message, Got: n.Str(), Allowed: []string{want}}
}

// positive finds amounts of zero where only more makes sense.
func positive(n *tree.Node, add func(diag.Diagnostic)) {
	if n != nil && isZero(n.Str()) {
		d := outOfRange(n, quote(n.Name())+" is zero", "> 0")
		d.Help = "leave the key out if the number is not known: unknown is not zero"
		add(d)
	}
}

func (p *provider) outOfRange() {
	performance(p.Table.Get("performance"), p.add)
	backoff(p.Table.Get("quota"), p.add)
	for n := p.Table.Get("fallback_price").First(); n != nil; n = n.Next() {
		var e price
		e.read(n)
		e.outOfRange(p.add)
	}
}

func performance(n *tree.Node, add func(diag.Diagnostic)) {
	if n != nil {
		positive(n.Get("output_tokens_per_sec"), add)
		positive(n.Get("time_to_answer_s"), add)
	}
}

// backoff finds a backoff that waits less each time.
func backoff(quota *tree.Node, add func(diag.Diagnostic)) {
	if n := quota.Path("backoff", "multiplier"); n != nil && compare(n.Str(), "1") < 0 {
		add(outOfRange(n, "a backoff that shrinks asks again faster and faster", ">= 1"))
	}
}

func (r *row) outOfRange() {
	performance(r.model[kMeta].Get("performance"), r.add)
	backoff(r.model[kQuota], r.add)
	for m := r.model[kMemory].Get("cache_type_multipliers").First(); m != nil; m = m.Next() {
		positive(m, r.add)
	}
	for t := r.model[kTier].First(); t != nil; t = t.Next() {
		positive(t.Get("otps_speedup"), r.add)
	}
	for m := r.model[kMode].First(); m != nil; m = m.Next() {
		positive(m.Get("token_multiplier"), r.add)
	}
	for i := 0; i < len(r.prices) && r.pricedBy(1<<pWindow); i++ {
		r.prices[i].outOfRange(r.add)
	}
}

// outOfRange finds windows that start when the day is over.
func (p *price) outOfRange(add func(diag.Diagnostic)) {
	if n := p.k[pWindow].Get("start"); n.Str() == "24:00" {
		add(outOfRange(n, "a window can't start at the end of the day", "00:00 to 23:59"))
	}
}

// outOfRange finds questions without room for an answer, and settings whose numbers
// the operation itself does not have.
func (c *contract) outOfRange() {
	if kinds := c.get(c.k.kinds); kinds != nil {
		if n := c.limit(c.k.lim.levelsMin); n != nil && n.Int() < 2 && kinds.Has("score") {
			c.add(outOfRange(n, "a score needs two levels at least", "score_levels_min >= 2"))
		}
		if n := c.limit(c.k.lim.levelsMax); n != nil && n.Int() < 2 && kinds.Has("score") {
			c.add(outOfRange(n, "a score needs room for two levels at least", "score_levels_max >= 2"))
		}
		if n := c.limit(c.k.lim.options); n != nil && n.Int() < 2 && kinds.Has("choice") {
			c.add(outOfRange(n, "a choice needs room for two options at least", "choice_options >= 2"))
		}
	}
	for i := range c.alternatives {
		a := &c.alternatives[i]
		if !numeric(a.kind) {
			continue
		}
		for _, v := range [...]*tree.Node{a.k[sMin], a.k[sMax], a.k[sDefault]} {
			c.within(v, a)
		}
		for v := a.k[sValues].First(); v != nil; v = v.Next() {
			c.within(v, a)
		}
	}
}

// within finds a number of a setting that no row can take: the operation bounds it,
// and a count is whole and 1 or more unless the operation says otherwise.
func (c *contract) within(v *tree.Node, a *alternative) {
	if v == nil {
		return
	}
	o := &c.Op.Settings[a.index]
	least, most := string(o.Min), string(o.Max)
	if a.kind == shape.Count {
		if least == "" {
			least = "1"
		}
		if !isWhole(v.Str()) || compare(v.Str(), least) < 0 {
			c.add(outOfRange(v, "the setting "+quote(a.setting.Name())+" counts in whole numbers from "+least, "an integer >= "+least))
		}
		return
	}
	if least != "" && compare(v.Str(), least) < 0 {
		c.add(outOfRange(v, "no "+c.Op.Name+" has a "+quote(a.setting.Name())+" below "+least, ">= "+least))
	}
	if most != "" && compare(v.Str(), most) > 0 {
		c.add(outOfRange(v, "no "+c.Op.Name+" has a "+quote(a.setting.Name())+" above "+most, "<= "+most))
	}
}
