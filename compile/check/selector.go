package check

import (
	"slices"
	"strings"

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
func (r *row) selector() {
	current := r.model[kCurrent]
	if current == nil || r.model[kSelects] == nil || r.Broken {
		return
	}
	target := r.lookup(current.Text)
	if target == nil || target == r.Row || target.Broken || target.Table == nil {
		return
	}
	for _, part := range []string{"limits", "lifecycle"} {
		behind := target.Table.Get(part)
		for n := r.Table.Get(part).First(); n != nil; n = n.Next() {
			switch n.Name() {
			case "source", "checked_on", "note", "add", "unset":
				continue
			}
			if other := behind.Get(n.Name()); other != nil && !tree.Equal(n, other) {
				r.contradicts(n, other, part+"."+n.Name(), n.Text, other.Text)
			}
		}
	}
	if logical := target.Table.Get("logical_model"); logical != nil && logical.Text != r.model[kSelects].Text {
		r.contradicts(r.model[kSelects], logical, "selects", r.model[kSelects].Text, logical.Text)
	}
	for i := range r.prices {
		own := &r.prices[i]
		if own.k[pDynamic].IsTrue() {
			continue
		}
		for n := target.Table.Get("price").First(); n != nil; n = n.Next() {
			var other price
			other.read(n)
			if other.meter != own.meter || sameAmount(own, &other) || other.conditions() != own.conditions() || !tree.Equal(own.k[pWindow], other.k[pWindow]) {
				continue
			}
			r.contradicts(own.place(), other.place(), "price of "+own.meterName(), own.rate(), other.rate())
		}
	}
}

func (r *row) contradicts(own, other *tree.Node, what, says, behind string) {
	r.add(diag.Diagnostic{Code: diag.SelectorContradicts, At: own.At(), Message: "the " + what + " of " + quote(r.ID) + " is " + says + ", but that of " + quote(r.model[kCurrent].Text) + " behind it is " + behind,
		Got: says, Allowed: []string{behind}, Notes: note(other, "the row behind the name says "+behind),
		Help: "leave it out: a moving name takes its facts from the row behind it"})
}

func sameAmount(a, b *price) bool {
	for _, i := range [...]int{pMillion, pUnit, pCurrency, pCurMil, pCurUnit, pDynamic} {
		if a.k[i].Str() != b.k[i].Str() {
			return false
		}
	}
	return true
}

// place is the smallest text that says the entry's amount.
func (p *price) place() *tree.Node {
	if n := p.amount(); n != nil {
		return n
	}
	if n := p.k[pDynamic]; n != nil {
		return n
	}
	return p.node
}

// rate is the entry's amount with what it is for, as people say it.
func (p *price) rate() string {
	switch {
	case p.k[pDynamic].IsTrue():
		return "dynamic"
	case p.k[pMillion] != nil:
		return p.k[pMillion].Text + " USD per million"
	case p.k[pUnit] != nil:
		return p.k[pUnit].Text + " USD each"
	case p.k[pCurMil] != nil:
		return p.k[pCurMil].Text + " " + p.k[pCurrency].Str() + " per million"
	case p.k[pCurUnit] != nil:
		return p.k[pCurUnit].Text + " " + p.k[pCurrency].Str() + " each"
	}
	return "no amount"
}
