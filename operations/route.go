package operations

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/operations/price"
)

// A route is a row and one of its contracts, decoded and made ready for judging.
// It never changes.
type route struct {
	*promise
	catalog *catalog.Catalog // that has it
	row     *catalog.Row
	ref     catalog.Ref
	sheet   *price.Sheet
	bill    bill
	digest  string // of the contract

	context catalog.Opt[int64] // tokens in and out together
	window  catalog.Opt[int64] // tokens in
	writes  catalog.Opt[int64] // tokens out
	ends    int64              // when it is past its end, in seconds of Unix time

	ready []string // the URL by wire, where nothing but the model fills it; "" elsewhere
}

// routeOf gives the route of a row for an operation, made when it is first asked
// for; nil if the row has no contract for it.
func routeOf(c *catalog.Catalog, ref catalog.Ref, o *op.Operation) *route {
	r, _ := ref.Derived(o.Name, func(ref catalog.Ref) any { return newRoute(c, ref, o) }).(*route)
	return r
}

func newRoute(c *catalog.Catalog, ref catalog.Ref, o *op.Operation) *route {
	row := ref.Row()
	contract, _ := row.Contract(o.Name)
	provider, _ := c.Provider(row.Provider)
	sum := sha256.Sum256([]byte(ref.ContractJSON(o.Name)))
	r := &route{
		promise: promiseOf(o, &contract, &provider), catalog: c, row: &row, ref: ref, sheet: price.Compile(row.Price),
		digest: "sha256:" + hex.EncodeToString(sum[:]),
	}
	r.ends = min(ref.Ends())
	if l := row.Limits; l != nil {
		r.context = least(l.ContextTokens, l.RuntimeContextTokens)
		r.window = least(r.context, l.InputTokens)
		r.writes = l.OutputTokens
	}
	r.bill = newBill(r)
	r.ready = make([]string, len(r.wires))
	for i := range r.wires {
		w := &r.wires[i]
		if !w.serves() || w.address.open {
			continue
		}
		if f, code, _ := w.address.fill(row.WireModel, "", &Terms{}); code == "" {
			r.ready[i] = f.url
		}
	}
	return r
}

// least is the smaller of two counts, or the one that is known.
func least(a, b catalog.Opt[int64]) catalog.Opt[int64] {
	x, ok := a.Get()
	if y, also := b.Get(); also && (!ok || y < x) {
		return b
	}
	return a
}

// wireModel is the model as it is dialled in a region.
func (r *route) wireModel(region string) string {
	if region != "" {
		i := slices.IndexFunc(r.row.Region, func(g catalog.Region) bool { return g.Name == region })
		if i >= 0 && r.row.Region[i].WireModel != "" {
			return r.row.Region[i].WireModel
		}
	}
	return r.row.WireModel
}
