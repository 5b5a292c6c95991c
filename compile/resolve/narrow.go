package resolve

import (
	"math/big"
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/shape"
)

// narrow holds a value to what a rule of a higher layer says of the same field.
// The second result reports whether that is all the rule asks: false where it asks
// for something wider or merely different, which the value then does not follow.
func (m *merge) narrow(path string, base, top *tree.Node) (*tree.Node, bool) {
	switch {
	case base != nil && tree.Equal(base, top):
		return base, true
	case strings.HasPrefix(path, "limits."):
		return narrowLimit(path, base, top)
	case path == "settings.exclusive":
		return m.union(base, top), true
	case isSetting(path):
		return m.narrowSetting(base, top)
	case path == "protocol":
		if base != nil && fewer(base, top) {
			return m.filterProtocols(base, top), true
		}
		return base, false
	case slices.Contains(sets, path):
		if base == nil {
			return base, false
		}
		out := m.both(base, top)
		if out.First() == nil {
			return base, false
		}
		return out, out.Len() == top.Len()
	case path == "meters", path == "routing.deny": // more of these is less freedom
		if base == nil {
			if path == "routing.deny" {
				return top, true
			}
			return base, false
		}
		return m.union(base, top), m.both(base, top).Len() == base.Len()
	case slices.Contains(ceilings, path):
		if base == nil || top.Int() < base.Int() {
			return top, true
		}
		return base, top.Int() == base.Int()
	case top.IsFalse() && slices.Contains(abilities, first(path)):
		return top, true
	case path == "structured.transport" && top.Str() == "unsupported":
		return top, true
	case base == nil && top.Form != shape.FormTable:
		return top, false // a detail that nobody states: a trusted pattern may fill it in
	}
	return base, false
}

// sets are the keys of which a subset is narrower.
var sets = []string{"input_kinds", "output_kinds", "question_kinds", "element_types", "routing.allow"}

// ceilings are counts outside limits of which the smaller is narrower.
var ceilings = []string{"tools.max", "batch.max_requests", "batch.max_input_bytes", "reasoning.max_budget_tokens"}

func first(path string) string {
	head, _, _ := strings.Cut(path, ".")
	return head
}

// oneUnstated are the limits that admit one where nothing is stated.
var oneUnstated = []string{"limits.questions", "limits.choice_options", "limits.items", "limits.documents"}

// narrowLimit keeps the smaller of two limits; of a lower bound the larger. What is
// unstated has no number, except where it means one.
func narrowLimit(path string, base, top *tree.Node) (*tree.Node, bool) {
	if base == nil {
		return top, !slices.Contains(oneUnstated, path) && !strings.HasPrefix(path, "limits.score_levels") || top.Int() == 1
	}
	if wider(path, base, top) {
		return base, false
	}
	return top, true
}

// wider reports whether a limit admits more than another.
func wider(path string, base, top *tree.Node) bool {
	if path == "limits.score_levels_min" {
		return top.Int() < base.Int()
	}
	return top.Int() > base.Int()
}

// union lists what either list has, base's first.
func (m *merge) union(base, top *tree.Node) *tree.Node {
	if base == nil {
		return top
	}
	out := m.r.arena.Open(base)
	for c := range top.Each() {
		if !holds(base, c) {
			out.Append(m.r.arena.Share(c))
		}
	}
	return out
}

// both lists what the two lists share, in base's order.
func (m *merge) both(base, top *tree.Node) *tree.Node {
	out := m.r.arena.Shallow(top)
	for c := range base.Each() {
		if holds(top, c) {
			out.Append(m.r.arena.Share(c))
		}
	}
	return out
}

func holds(list, item *tree.Node) bool {
	for c := range list.Each() {
		if tree.Equal(c, item) {
			return true
		}
	}
	return false
}

// filterProtocols keeps of a protocol list, with its order and conditions, what
// another one names.
func (m *merge) filterProtocols(base, top *tree.Node) *tree.Node {
	if base.Form != shape.FormList {
		return base
	}
	names := protocols(top)
	out := m.r.arena.Open(base)
	out.Filter(func(c *tree.Node) bool {
		if c.Form == shape.FormTable {
			return slices.Contains(names, c.Get("protocol").Str())
		}
		return slices.Contains(names, c.Str())
	})
	return out
}

// narrowSetting holds one setting to what another says of it. A refusal always
// holds; bounds hold every alternative; a condition of its own never does.
func (m *merge) narrowSetting(base, top *tree.Node) (*tree.Node, bool) {
	switch {
	case base != nil && base.Str() == "refused":
		return base, top.Str() == "refused"
	case top.Str() == "refused":
		return top, true
	case base == nil, top.Form == shape.FormList, top.Form != shape.FormTable, top.Get("when") != nil:
		return base, false
	case base.Form == shape.FormTable:
		v, fits := m.bound(base, top)
		if v == nil {
			return m.refusal(base, top), fits
		}
		return v, fits
	case base.Form == shape.FormList:
		out, fits := m.r.arena.Shallow(base), true
		for alt := range base.Each() {
			v, ok := m.bound(alt, top)
			fits = fits && ok
			if v != nil {
				out.Append(m.r.arena.Share(v))
			}
		}
		if out.First() == nil {
			return m.refusal(base, top), fits
		}
		return out, fits
	}
	return top, true // base is "supported": whatever values top leaves
}

// refusal is a setting of which no value is left.
func (m *merge) refusal(base, top *tree.Node) *tree.Node {
	return m.r.arena.From(top, base.Key, shape.FormString, "refused")
}

// bound holds one alternative of a setting to the values and bounds of another
// table; nil if nothing is left. fits is false where top allows more than base.
func (m *merge) bound(base, top *tree.Node) (out *tree.Node, fits bool) {
	fits = true
	a := &m.r.arena
	out = a.Open(base)
	values, low, high := base.Get("values"), base.Get("min"), base.Get("max")
	if v := top.Get("values"); v != nil {
		kept := a.Shallow(v)
		for c := range v.Each() {
			if (values == nil || values.Has(c.Str())) && within(c, low, high) {
				kept.Append(a.Share(c))
			} else {
				fits = false
			}
		}
		values = kept
	} else if values != nil && (top.Get("min") != nil || top.Get("max") != nil) {
		kept := a.Shallow(values)
		for c := range values.Each() {
			if within(c, top.Get("min"), top.Get("max")) {
				kept.Append(a.Share(c))
			}
		}
		values = kept
	} else if values != nil {
		fits = false
	}
	if values != nil {
		if values.First() == nil {
			return nil, fits
		}
		out.Set(values)
		out.Drop("min")
		out.Drop("max")
	} else {
		for _, key := range []string{"min", "max"} {
			was, is := base.Get(key), top.Get(key)
			switch {
			case is == nil:
				fits = fits && was == nil
			case was == nil || tighter(key, was, is):
				out.Set(a.Share(is))
			default:
				fits = fits && was.Str() == is.Str()
			}
		}
		if l, h := number(out.Get("min")), number(out.Get("max")); l != nil && h != nil && l.Cmp(h) > 0 {
			return nil, fits
		}
	}
	if r := top.Get("required"); r.IsTrue() {
		out.Set(a.Share(r))
	}
	m.holdDefault(out, base.Get("default"), top.Get("default"))
	return out, fits
}

// holdDefault: a default stands as long as it is allowed. Where it no longer is,
// leaving the setting out would still mean it on the wire, so it must be given.
func (m *merge) holdDefault(out, was, is *tree.Node) {
	allowed := func(d *tree.Node) bool {
		values := out.Get("values")
		return (values == nil || values.Has(d.Str())) && within(d, out.Get("min"), out.Get("max"))
	}
	switch {
	case was == nil:
		if is != nil && allowed(is) {
			out.Set(m.r.arena.Share(is))
		}
	case !allowed(was):
		out.Drop("default")
		if k := requiredKey(out); k != nil {
			out.Set(m.r.arena.From(out, k, shape.FormBool, "true"))
		}
	}
}

func requiredKey(n *tree.Node) *shape.Key {
	if t := n.Type(); t != nil && t.Kind == shape.Record {
		return t.Table.Key("required")
	}
	return nil
}

// within reports whether a value lies between two bounds, each of which may be
// absent. A value that is no number has no bounds.
func within(v, low, high *tree.Node) bool {
	x := number(v)
	if x == nil {
		return low == nil && high == nil
	}
	if l := number(low); l != nil && x.Cmp(l) < 0 {
		return false
	}
	h := number(high)
	return h == nil || x.Cmp(h) <= 0
}

// tighter reports whether a bound leaves less than another.
func tighter(key string, was, is *tree.Node) bool {
	a, b := number(was), number(is)
	if a == nil || b == nil {
		return false
	}
	if key == "min" {
		return b.Cmp(a) > 0
	}
	return b.Cmp(a) < 0
}

// number reads a decimal exactly; nil if the value is absent or none.
func number(n *tree.Node) *big.Rat {
	const longest = 64
	if n == nil || n.Str() == "" || len(n.Str()) > longest || strings.Trim(n.Str(), "0123456789.-") != "" {
		return nil
	}
	r, ok := new(big.Rat).SetString(n.Str())
	if !ok {
		return nil
	}
	return r
}
