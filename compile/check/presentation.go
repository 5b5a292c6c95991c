package check

import (
	"strconv"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// presentation finds pickers that contradict themselves: they would show a choice
// that nobody can make, or two automatic ones.
func (c *checker) presentation() {
	shown := c.draft.Root.Get("presentation")
	c.variants(shown.Get("variant"))
	for f := shown.Get("family").First(); f != nil; f = f.Next() {
		c.family(f)
	}
}

func (c *checker) quarrel(at *tree.Node, message, help string, other *tree.Node, says string) {
	d := diag.Diagnostic{Code: diag.PresentationContradicts, At: at.At(), Message: message, Got: at.Str(), Help: help}
	if other != nil {
		d.Notes = note(other, says)
	}
	c.add(d)
}

// variants finds a second automatic variant, and receipts that count wrongly.
func (c *checker) variants(all *tree.Node) {
	var automatic *tree.Node
	for v := all.First(); v != nil; v = v.Next() {
		e := v.Get("automatic_eligibility")
		if e == nil {
			continue
		}
		if automatic != nil {
			c.quarrel(e, "two variants are picked automatically, "+quote(automatic.Name())+" and "+quote(v.Name()), "keep one", automatic.Get("automatic_eligibility"), "the other one")
		} else {
			automatic = v
		}
		for r := e.Get("receipts").First(); r != nil; r = r.Next() {
			passed, trials := r.Get("passed"), r.Get("trials")
			if passed.Int() > trials.Int() {
				c.quarrel(passed, "more trials passed ("+passed.Str()+") than were made ("+trials.Str()+")", "mend one of the two", trials, "the trials")
			}
		}
	}
}

func (c *checker) family(f *tree.Node) {
	dims := f.Get("dimensions")
	if n := dims.Len(); dims != nil && (n < 1 || n > 2) {
		c.quarrel(dims, "a family has one dimension or two, and "+quote(f.Name())+" has "+strconv.Itoa(n), "give it one dimension or two", nil, "")
	}
	twice(dims, "key", "the dimension", c.add)
	for d := dims.First(); d != nil; d = d.Next() {
		twice(d.Get("ordered_values"), "value", "the value", c.add)
	}
	twice(f.Get("presets"), "id", "the preset", c.add)
	for p := f.Get("presets").First(); p != nil; p = p.Next() {
		c.preset(p, dims)
	}
}

// preset compares a preset's coordinates with the dimensions that they lie on.
func (c *checker) preset(p, dims *tree.Node) {
	at := p.Get("coordinates")
	if at == nil {
		return
	}
	for d := dims.First(); d != nil; d = d.Next() {
		key := d.Get("key").Str()
		n := at.Get(key)
		if n == nil {
			c.quarrel(at, "the preset "+quote(p.Get("id").Str())+" says nothing of the dimension "+quote(key), "add "+key, d.Get("key"), "the dimension")
			continue
		}
		found := false
		for v := d.Get("ordered_values").First(); v != nil && !found; v = v.Next() {
			found = v.Get("value").Str() == n.Str()
		}
		if !found {
			c.quarrel(n, "the dimension "+quote(key)+" has no value "+quote(n.Str()), "mend the value", d.Get("key"), "the dimension")
		}
	}
	for n := at.First(); n != nil; n = n.Next() {
		known := false
		for d := dims.First(); d != nil && !known; d = d.Next() {
			known = d.Get("key").Str() == n.Name()
		}
		if !known {
			c.quarrel(n, "the family has no dimension "+quote(n.Name()), "mend the name", dims, "its dimensions")
		}
	}
}
