package build

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/layer"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/shape"
)

// A bag is a list of tables whose order means nothing. It is written sorted by
// the keys that tell its items apart, then by all others.
type bag struct {
	table *shape.Table
	keys  []*shape.Key
	place []uint8 // in keys, by the key's Index in the table
}

// bags are the lists whose items may be written in any order. In all others the
// order is a fact: steps, protocols, values, the variables of a credential.
var bags = sync.OnceValue(func() map[*shape.Key]*bag {
	return map[*shape.Key]*bag{
		form.Model().Must("price"):                   newBag(form.Price(), priceOrder...).and(layer.Untrusted),
		form.Provider().Must("fallback_price"):       newBag(form.Price(), priceOrder...).and(layer.Untrusted),
		form.Model().Must("region"):                  bagOf(form.Model().Must("region")),
		form.Model().Must("tier"):                    newBag(form.ServingTier()),
		form.Model().Must("reasoning_mode"):          newBag(form.ReasoningMode()),
		form.Model().Must("source"):                  bagOf(form.Model().Must("source")),
		form.Model().Must("disagreement"):            bagOf(form.Model().Must("disagreement")),
		form.DataControls().Must("request_controls"): bagOf(form.DataControls().Must("request_controls")),
	}
})

var priceOrder = []string{
	"meter", "operation", "service_tier", "region", "tool", "variant", "cache_lifetime", "above_input_tokens", "valid_from", "valid_until",
}

func bagOf(k *shape.Key) *bag { return newBag(k.Type.Elem.Table) }

func newBag(t *shape.Table, first ...string) *bag {
	b := &bag{table: t, place: make([]uint8, len(t.Keys))}
	for _, name := range first {
		b.keys = append(b.keys, t.Must(name))
	}
	for _, k := range t.Keys {
		if !slices.Contains(b.keys, k) {
			b.keys = append(b.keys, k)
		}
	}
	for i, k := range b.keys {
		b.place[k.Index] = uint8(i)
	}
	return b
}

// and adds a mark that a stage sets.
func (b *bag) and(mark *shape.Key) *bag {
	b.keys = append(b.keys, mark)
	return b
}

// compare orders two items: what is absent comes first.
func (b *bag) compare(x, y *tree.Node) int {
	if f, g := x.Said().First(), y.Said().First(); f != nil && g != nil && f.Key == b.keys[0] && g.Key == f.Key && f.Str() != g.Str() { // mostly
		return compareNodes(f, g)
	}
	for some := b.has(x) | b.has(y); some != 0; some &= some - 1 {
		k := b.keys[bits.TrailingZeros64(some)]
		if c := compareNodes(child(x, k), child(y, k)); c != 0 {
			return c
		}
	}
	return x.At().Compare(y.At()) // the same item twice: only provenance can tell
}

// has tells which of the keys an item has, each the bit of its place.
func (b *bag) has(n *tree.Node) (some uint64) {
	for c := n.Said().First(); c != nil; c = c.Next() {
		if c.Key.Within == b.table {
			some |= 1 << b.place[c.Key.Index]
		} else { // a mark
			some |= 1 << (len(b.keys) - 1)
		}
	}
	return some
}

func child(n *tree.Node, k *shape.Key) *tree.Node {
	for c := n.Said().First(); c != nil; c = c.Next() {
		if c.Key == k {
			if superfluous(c, k) {
				return nil
			}
			return c
		}
	}
	return nil
}

// compareNodes orders two values of one key by what is written of them.
func compareNodes(x, y *tree.Node) int {
	if x == nil || y == nil {
		return cmp.Compare(present(x), present(y))
	}
	if c := cmp.Compare(x.Form, y.Form); c != 0 {
		return c
	}
	switch t := x.Key.Type; {
	case x.Form == shape.FormTable || x.Form == shape.FormList:
		return strings.Compare(rendered(x), rendered(y))
	case x.Str() == y.Str():
		return 0
	case t.Kind == shape.Enum:
		return enumRank(t, x.Str()) - enumRank(t, y.Str())
	case x.Form == shape.FormInteger:
		return byCount(x, y)
	}
	return byText(x, y)
}

func present(n *tree.Node) int {
	if n == nil {
		return 0
	}
	return 1
}

func enumRank(t *shape.Type, word string) int { return slices.Index(t.Values, word) }

// rendered is a value's canonical text. Only items that agree in all their plain
// keys before it are told apart by it.
func rendered(n *tree.Node) string {
	var w writer
	return string(w.value(nil, n))
}
