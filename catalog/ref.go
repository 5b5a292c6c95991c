package catalog

import (
	"iter"
	"time"
)

// A Ref is a row known by the index: its id, what it may do and since when it is
// gone cost no decoding. Row decodes the rest.
type Ref struct {
	c *Catalog
	n int
}

// Find finds a row by its id.
func (c *Catalog) Find(id string) (Ref, bool) {
	i, ok := c.ix.findRow(id)
	return Ref{c, i}, ok
}

// Refs are all rows in the order of ids.
func (c *Catalog) Refs() iter.Seq[Ref] {
	return func(yield func(Ref) bool) {
		for i := range c.ix.rows {
			if !yield(Ref{c, i}) {
				return
			}
		}
	}
}

// RefsOf are the rows of a provider in the order of ids.
func (c *Catalog) RefsOf(provider string) iter.Seq[Ref] {
	return func(yield func(Ref) bool) {
		p, ok := c.ix.findProvider(provider)
		if !ok {
			return
		}
		at := c.ix.providerAt + p*providerSize
		first, rows := c.ix.u32(at+12), c.ix.u32(at+16)
		for i := first; i < first+rows; i++ {
			if !yield(Ref{c, i}) {
				return
			}
		}
	}
}

// Routes are the rows that have a contract for an operation, in the order of ids.
// It does not slow down with the rows that other operations have.
func (c *Catalog) Routes(operation string) iter.Seq[Ref] {
	return func(yield func(Ref) bool) {
		o := c.ix.operation(operation)
		if o < 0 {
			return
		}
		for i := c.ix.u32(c.ix.startAt + 4*o); i < c.ix.u32(c.ix.startAt+4*o+4); i++ {
			if !yield(Ref{c, c.ix.u32(c.ix.routeAt + i*routeSize)}) {
				return
			}
		}
	}
}

// RouteCount is the number of rows that have a contract for an operation.
func (c *Catalog) RouteCount(operation string) int {
	o := c.ix.operation(operation)
	if o < 0 {
		return 0
	}
	return c.ix.u32(c.ix.startAt+4*o+4) - c.ix.u32(c.ix.startAt+4*o)
}

// Number is the row's place in the order of ids, from 0.
func (r Ref) Number() int { return r.n }

// ID is the row's id: provider/wire_model.
func (r Ref) ID() string { return r.c.ix.rowID(r.n) }

// Provider is the id of the row's provider.
func (r Ref) Provider() string {
	return r.c.ix.providerID(r.c.ix.u32(r.c.ix.rowAt + r.n*rowSize + 8))
}

// Operations are the operations that the row has contracts for, in the
// registry's order.
func (r Ref) Operations() []string {
	ops := []string{}
	for i := range r.c.ix.operations {
		if r.operations()&(1<<i) != 0 {
			ops = append(ops, r.c.ix.names[i])
		}
	}
	return ops
}

func (r Ref) operations() int { return r.c.ix.u32(r.c.ix.rowAt + r.n*rowSize + 12) }

// Has reports whether the row has a contract for an operation.
func (r Ref) Has(operation string) bool {
	o := r.c.ix.operation(operation)
	return o >= 0 && r.operations()&(1<<o) != 0
}

// InputKinds are the kinds of input that the row's contract for an operation
// takes; empty if it has none.
func (r Ref) InputKinds(operation string) []string {
	at := r.c.ix.routeOf(operation, r.n)
	if at < 0 {
		return []string{}
	}
	return r.c.ix.kindNames(r.c.ix.inputs(at))
}

// Takes reports whether the row's contract for an operation takes a kind of input.
func (r Ref) Takes(operation, kind string) bool {
	at := r.c.ix.routeOf(operation, r.n)
	if at < 0 {
		return false
	}
	for i := range r.c.ix.kinds {
		if r.c.ix.names[r.c.ix.operations+i] == kind {
			return r.c.ix.inputs(at)&(1<<i) != 0
		}
	}
	return false
}

// Support is how well the row's contract for an operation is evidenced: declared,
// documented, probed, or "" if that is unknown.
func (r Ref) Support(operation string) string {
	at := r.c.ix.routeOf(operation, r.n)
	if at < 0 {
		return ""
	}
	if s := r.c.ix.support(at); s > 0 && s <= len(supportNames) {
		return supportNames[s-1]
	}
	return ""
}

// ContractJSON is the text of the row's contract for an operation; "" if it has
// none.
func (r Ref) ContractJSON(operation string) string {
	at := r.c.ix.routeOf(operation, r.n)
	if at < 0 {
		return ""
	}
	off := r.c.ix.u32(at + 4)
	return r.JSON()[off : off+r.c.ix.u32(at+8)]
}

// Contract decodes the row's contract for an operation, and nothing else of it.
func (r Ref) Contract(operation string) (Contract, bool) {
	s := r.ContractJSON(operation)
	if s == "" {
		return Contract{}, false
	}
	return must(s, func(d *decoder) Contract { return d.contract(operation) }), true
}

// JSONFor is the row's text with the contract for one operation alone; "" if it
// has none.
func (r Ref) JSONFor(operation string) string { return string(r.AppendJSONFor(nil, operation)) }

// AppendJSONFor appends what JSONFor gives.
func (r Ref) AppendJSONFor(dst []byte, operation string) []byte {
	contract := r.ContractJSON(operation)
	if contract == "" {
		return dst
	}
	row := r.JSON()
	start := r.contractsAt()
	end := start + len("{}")
	for i, name := range r.Operations() {
		if i > 0 {
			end += len(",")
		}
		end += len(name) + len(`"":`) + len(r.ContractJSON(name))
	}
	dst = append(dst, row[:start]...)
	dst = append(dst, `{"`...)
	dst = append(dst, operation...)
	dst = append(dst, `":`...)
	dst = append(dst, contract...)
	dst = append(dst, '}')
	return append(dst, row[end:]...)
}

// State is where the row stands in its life at a moment.
func (r Ref) State(at time.Time) State { return r.c.ix.state(r.n, at) }

// JSON is the row's own text: one line of the catalog.
func (r Ref) JSON() string {
	at := r.c.ix.rowAt + r.n*rowSize
	off := r.c.ix.u32(at)
	return r.c.text[off : off+r.c.ix.u32(at+4)]
}

// contractsAt is where the row's contracts start in its text.
func (r Ref) contractsAt() int { return r.c.ix.u32(r.c.ix.rowAt + r.n*rowSize + 20) }

// JSONThrough is the catalog's text from the row to one that is not before it, what
// stands between them included: a line for each row, with commas.
func (r Ref) JSONThrough(last Ref) string {
	from, to := r.c.ix.rowAt+r.n*rowSize, r.c.ix.rowAt+last.n*rowSize
	return r.c.text[r.c.ix.u32(from) : r.c.ix.u32(to)+r.c.ix.u32(to+4)]
}

// Row decodes the row.
func (r Ref) Row() Row { return must(r.JSON(), (*decoder).row) }

// Sibling finds the row of the same provider that serves a model by its wire id.
func (r Ref) Sibling(wireModel string) (Ref, bool) { return r.c.Find(r.Provider() + "/" + wireModel) }

// Contract finds a row's contract for an operation.
func (r *Row) Contract(operation string) (Contract, bool) {
	for _, c := range r.Contracts {
		if c.Operation == operation {
			return c, true
		}
	}
	return Contract{}, false
}
