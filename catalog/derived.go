package catalog

import "sync/atomic"

// Derived is what another package makes of a row's route for an operation: it is
// made once, when it is first asked for, and kept beside the route. A catalog
// never changes, so neither may what is derived from it. Nil if the row has no
// contract for the operation.
//
// There is one place for each route, and package operations has it.
func (r Ref) Derived(operation string, derive func(Ref) any) any {
	o := r.c.ix.operation(operation)
	if o < 0 {
		return nil
	}
	at := r.c.ix.route(o, r.n)
	if at < 0 {
		return nil
	}
	slot := &r.c.derivations()[(at-r.c.ix.routeAt)/routeSize]
	if v := slot.Load(); v != nil {
		return *v
	}
	v := derive(r)
	if !slot.CompareAndSwap(nil, &v) {
		return *slot.Load() // another was sooner; there is to be one
	}
	return v
}

// Derived is what another package makes of the whole catalog, once. There is one
// place, and package operations has it.
func (c *Catalog) Derived(derive func(*Catalog) any) any {
	if v := c.whole.Load(); v != nil {
		return *v
	}
	v := derive(c)
	if !c.whole.CompareAndSwap(nil, &v) {
		return *c.whole.Load()
	}
	return v
}

// WithSelection is the same catalog with the table that package operations made
// of it when it was compiled, so that nobody makes it again. What does not belong
// to the catalog is passed over.
func (c *Catalog) WithSelection(table string) *Catalog {
	return &Catalog{text: c.text, ix: c.ix, digest: c.digest, asOf: c.asOf, holds: c.holds, table: table}
}

// Selection is the table that came with the catalog; "" if none did.
func (c *Catalog) Selection() string { return c.table }

// derivations are the places, made when the first is needed.
func (c *Catalog) derivations() []atomic.Pointer[any] {
	if all := c.derived.Load(); all != nil {
		return *all
	}
	all := make([]atomic.Pointer[any], c.ix.routes)
	if !c.derived.CompareAndSwap(nil, &all) {
		return *c.derived.Load()
	}
	return all
}
