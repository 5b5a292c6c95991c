package check

import (
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/layer"
	"github.com/opcat/opcat/compile/resolve"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// lookup finds a row by id; nil if there is none.
func (c *checker) lookup(id string) *resolve.Row {
	i, ok := slices.BinarySearchFunc(c.draft.Rows, id, func(r *resolve.Row, id string) int { return strings.Compare(r.ID, id) })
	if !ok {
		return nil
	}
	return c.draft.Rows[i]
}

// selector finds moving names that say something else than the row behind them.
// The vendor moves the name, the copy of the old price stays, and every call is
// billed by it. A dynamic price says openly that it depends, and agrees with any.
// A selector of format 0 says everything itself, so there is nothing to hold it to.
func (r *row) selector() {
	current, selects := r.model[kCurrent], r.model[kSelects]
	if current == nil || selects == nil || legacy(current) {
		return
	}
	target := r.lookup(current.Str())
	if target == nil || target == r.Row || target.Table == nil {
		return
	}
	if logical := target.Table.Get("logical_model"); logical != nil && logical.Str() != selects.Str() {
		r.contradicts(selects, logical, "logical model", selects.Str(), logical.Str())
	}
	for _, part := range [...]string{"limits", "lifecycle"} {
		behind := target.Table.Get(part)
		for n := r.Table.Get(part).First(); n != nil; n = n.Next() {
			switch n.Name() {
			case "source", "checked_on", "note", "add", "unset":
				continue // of what the table itself says
			}
			if other := behind.Get(n.Name()); other != nil && !tree.Equal(n, other) {
				r.contradicts(n, other, part+"."+n.Name(), n.Str(), other.Str())
			}
		}
	}
	for i := range r.prices {
		own := &r.prices[i]
		if own.k[pDynamic].IsTrue() {
			continue
		}
		key := ""
		for n := target.Table.Get("price").First(); n != nil; n = n.Next() {
			var other price
			other.read(n)
			if other.meter != own.meter || sameAmount(own, &other) {
				continue
			}
			if key == "" {
				key = layer.PriceKey(own.node)
			}
			if layer.PriceKey(n) == key {
				r.contradicts(own.place(), other.place(), "price of "+own.meterName(), own.rate(), other.rate())
			}
		}
	}
}

func (r *row) contradicts(own, other *tree.Node, what, says, behind string) {
	r.add(diag.Diagnostic{Code: diag.SelectorContradicts, At: own.At(), Message: "the " + what + " of " + quote(r.ID) + " is " + says + ", but that of " + quote(r.model[kCurrent].Str()) + " behind it is " + behind,
		Got: says, Allowed: []string{behind}, Notes: note(other, "the row behind the name says "+behind),
		Help: "leave it out: a moving name takes its facts from the row behind it"})
}
