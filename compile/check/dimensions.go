package check

import (
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// vectors finds widths that contradict each other. Callers size an index by the
// width: one of another width can't be written into it, or worse, can.
func (c *contract) vectors() {
	dims := c.get(c.k.dimensions)
	if dims != nil && dims.First() != nil {
		c.widths(dims)
	}
	if c.k.dimensions < 0 {
		return
	}
	if s := c.settings.at(c.k.set.dimensions); admits(s) && dims != nil {
		c.asked(s, dims)
	}
	c.elements()
}

func (c *contract) quarrel(code diag.Code, at, other *tree.Node, message, help string) {
	d := diag.Diagnostic{Code: code, At: at.At(), Message: message, Got: at.Str(), Help: help}
	if other != nil {
		d.Notes = against(other)
	}
	c.add(d)
}

func (c *contract) widths(dims *tree.Node) {
	std, allowed, low, high := dims.Get("default"), dims.Get("allowed"), dims.Get("min"), dims.Get("max")
	for _, bound := range []*tree.Node{low, high} {
		if bound != nil && allowed != nil {
			c.quarrel(diag.DimensionsContradict, bound, allowed, "the widths are listed and bounded too", "keep allowed, or min and max")
			return
		}
	}
	if (low == nil) != (high == nil) && !c.partial() {
		one, missing := low, "max"
		if low == nil {
			one, missing = high, "min"
		}
		c.quarrel(diag.DimensionsContradict, one, nil, "the range of widths has one end: "+missing+" is missing", "add "+missing)
	}
	switch {
	case std == nil, low != nil && high != nil && above(low, high): // a reversed range is said already
	case allowed != nil && !allowed.Has(std.Str()):
		d := diag.Diagnostic{Code: diag.DimensionsContradict, At: std.At(), Message: "the default width is not one of the allowed", Got: std.Str(), Allowed: allowed.Strings(),
			Notes: note(allowed, "the allowed widths"), Help: "mend the default, or add it"}
		c.add(d)
	case low != nil && above(low, std):
		c.quarrel(diag.DimensionsContradict, std, low, "the default width is below the smallest", "mend one of the two")
	case high != nil && above(std, high):
		c.quarrel(diag.DimensionsContradict, std, high, "the default width is above the largest", "mend one of the two")
	}
}

// asked compares the widths that a caller may ask for with those of the contract.
func (c *contract) asked(s, dims *tree.Node) {
	allowed, low, high := dims.Get("allowed"), dims.Get("min"), dims.Get("max")
	if allowed == nil && low == nil && high == nil {
		c.quarrel(diag.DimensionsContradict, s, dims, "a width may be asked for, and the contract states only one", "write dimensions = { default = N, allowed = [N, ...] }, or refuse the setting")
		return
	}
	within := func(n *tree.Node) {
		if n == nil || !isWhole(n.Str()) || compare(n.Str(), "1") < 0 { // no width at all: OUT_OF_RANGE says so
			return
		}
		if allowed != nil && !allowed.Has(n.Str()) || low != nil && compare(n.Str(), low.Str()) < 0 || high != nil && compare(n.Str(), high.Str()) > 0 {
			c.quarrel(diag.DimensionsContradict, n, dims, "a width of "+n.Str()+" may be asked for, and the contract has none", "mend one of the two")
		}
	}
	c.each(s, func(a *alternative) {
		if allowed == nil {
			within(a.k[sMin])
			within(a.k[sMax])
		}
		for v := a.k[sValues].First(); v != nil; v = v.Next() {
			within(v)
		}
		if std, own := dims.Get("default"), a.k[sDefault]; std != nil && own != nil && own.Str() != std.Str() {
			c.quarrel(diag.DimensionsContradict, own, std, "the default width is said twice and differs", "leave the setting's default out")
		}
	})
}

// elements compares the element types that may be asked for with those that the
// contract serves.
func (c *contract) elements() {
	served, s := c.get(c.k.elements), c.settings.at(c.k.set.element)
	if served == nil || s == nil {
		return
	}
	c.each(s, func(a *alternative) {
		for v := a.k[sValues].First(); v != nil; v = v.Next() {
			if !served.Has(v.Str()) && !overruled(v, served) {
				d := diag.Diagnostic{Code: diag.SettingContradicts, At: v.At(), Message: quote(v.Str()) + " may be asked for, and the contract does not serve it", Got: v.Str(), Allowed: served.Strings(),
					Notes: note(served, "the element types"), Help: "mend one of the two"}
				c.add(d)
			}
		}
	})
}
