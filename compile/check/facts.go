package check

import (
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/resolve"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
)

// A checker looks at one draft.
type checker struct {
	draft  *resolve.Draft
	asOf   int64
	placed bool // values are looked at in their own places: what is found may be reported
	found  diag.List

	dialled map[wireRoute]claim // what rows dial by a region's id
	groups  map[groupFact]claim // what failover classes were found to share
}

func newChecker(d *resolve.Draft, placed bool) *checker {
	load()
	return &checker{draft: d, asOf: instant(d.AsOf), placed: placed}
}

func (c *checker) findings() diag.List { return diag.Join(once(c.found)) }

func (c *checker) add(d diag.Diagnostic) { c.found = append(c.found, d) }

// A provider is one provider under the checks, with what its tables say.
type provider struct {
	*checker
	*resolve.Provider
	credential, endpoints *tree.Node
	legacy                bool // written in format 0
}

func (p *provider) read(c *checker, from *resolve.Provider) {
	*p = provider{checker: c, Provider: from, credential: from.Table.Get("credential"), endpoints: from.Table.Get("endpoint")}
	p.legacy = from.Table.File != nil && from.Table.File.Legacy
}

func (p *provider) add(d diag.Diagnostic) {
	d.Provider = p.ID
	p.checker.add(d)
}

// scheme is how the credential rides; "" if nothing says so.
func (p *provider) scheme() string { return p.credential.Get("scheme").Str() }

// A row is one served row under the checks. It is read once and used again for
// the next row, so that looking costs no memory.
type row struct {
	*checker
	*resolve.Row
	model, limits, life kids
	prices              []price
	contracts           []contract
	priced              uint32 // the keys that some price has, by position
	regional            bool   // some price names a region
	billable            uint64 // the meters that its operations can be billed by
}

func (r *row) add(d diag.Diagnostic) {
	d.Row = r.ID
	if r.Provider != nil {
		d.Provider = r.Provider.ID
	}
	r.checker.add(d)
}

func (r *row) read(from *resolve.Row) {
	r.readTable(from)
	r.limits.read(r.model[kLimits], len(form.Limits().Keys), r.placed)
	r.readPrices(r.model[kPrice])

	r.contracts, r.billable = r.contracts[:0], 0
	for _, c := range from.Contracts {
		k := keysOf(c.Op)
		if k == nil || c.Table == nil {
			continue
		}
		n := len(r.contracts)
		r.contracts = slices.Grow(r.contracts, 1)[:n+1]
		r.contracts[n].read(r, c, k)
		r.billable |= r.contracts[n].billable
	}
}

// readTable reads what the checks among rows look at.
func (r *row) readTable(from *resolve.Row) {
	r.Row = from
	r.model.read(from.Table, len(form.Model().Keys), r.placed)
	r.life.read(r.model[kLife], len(form.Lifecycle().Keys), r.placed)
}

// partial reports whether the row may do, or have done, more than its contracts
// say: some rule could not be read, or a layer took an operation away.
func (r *row) partial() bool {
	return r.Broken || r.draft.RulesBroken || len(r.Changes) > 0
}

// pricedBy reports whether some price has one of the keys: nearly no row's have
// most of them.
func (r *row) pricedBy(keys uint32) bool { return r.priced&keys != 0 }

// contract finds the row's contract for an operation; nil if it has none.
func (r *row) contract(operation string) *contract {
	for i := range r.contracts {
		if r.contracts[i].Op.Name == operation {
			return &r.contracts[i]
		}
	}
	return nil
}

// A contract is one row's contract for one operation under the checks.
type contract struct {
	*resolve.Contract
	row              *row
	k                *opKeys
	kids             kids
	settings, limits kids
	alternatives     []alternative // of all its settings
	protocols        []protocol
	billable         uint64
}

// A protocol is one entry of a contract's list.
type protocol struct{ name, when *tree.Node }

// partial reports whether some of what the contract or its row says could not be
// read: then nothing is said of what they lack.
func (c *contract) partial() bool {
	return c.row.Broken || broken(c.Table) || broken(c.Grant)
}

func broken(n *tree.Node) bool { return n != nil && n.File != nil && n.File.Broken }

func (c *contract) add(d diag.Diagnostic) { c.row.add(d) }

// get is a key of the contract that not every operation has.
func (c *contract) get(index int) *tree.Node { return c.kids.at(index) }

func (c *contract) read(r *row, from *resolve.Contract, k *opKeys) {
	c.Contract, c.row, c.k = from, r, k
	c.kids.read(from.Table, len(k.table.Keys), r.placed)
	c.limits.read(c.get(k.limits), k.limitKeys, r.placed)
	c.readSettings(c.get(k.settings))

	c.protocols = c.protocols[:0]
	switch n := c.kids[k.protocol]; {
	case n == nil:
	case n.First() == nil && n.Str() != "":
		c.protocols = append(c.protocols, protocol{name: n})
	default:
		for p := n.First(); p != nil; p = p.Next() {
			if p.Str() != "" {
				c.protocols = append(c.protocols, protocol{name: p})
			} else if name := p.Get("protocol"); name != nil {
				c.protocols = append(c.protocols, protocol{name: name, when: p.Get("when")})
			}
		}
	}

	c.billable = k.billable
	if n := c.kids[k.meters]; n != nil {
		c.billable = 0
		for m := n.First(); m != nil; m = m.Next() {
			c.billable |= 1 << meterIndex(m.Str())
		}
	}
}

// limit finds a limit of a contract; nil if it is not stated.
func (c *contract) limit(index int) *tree.Node { return c.limits.at(index) }

// speaks finds the entry of a protocol in the contract's list.
func (c *contract) speaks(name string) *tree.Node {
	for _, p := range c.protocols {
		if p.name.Str() == name {
			return p.name
		}
	}
	return nil
}

// admits reports whether some request may carry the setting: it is stated and
// not refused.
func admits(n *tree.Node) bool { return n != nil && n.Str() != "refused" }

// overruled reports whether a higher layer than the one that states a fact said
// something narrower, such as a smaller window or that there are no tools. What
// the lower layer describes then stays as it was: that is no contradiction.
func overruled(fact, by *tree.Node) bool {
	return fact != nil && by != nil && fact.File != nil && by.File != nil && by.File.Rank > fact.File.Rank
}

// inOneFile reports whether two facts were written in the same file.
func inOneFile(a, b *tree.Node) bool { return a.File == b.File }

// legacy reports whether a fact was written in format 0.
func legacy(n *tree.Node) bool { return n != nil && n.File != nil && n.File.Legacy }

// note points at the other place of a quarrel.
func note(n *tree.Node, message string) []diag.Note {
	return []diag.Note{{At: n.At(), Message: message}}
}

// against points at the other fact of a quarrel and repeats it.
func against(n *tree.Node) []diag.Note { return note(n, said(n)) }

// said spells a fact as its source does; a table by its name alone.
func said(n *tree.Node) string {
	var value string
	switch n.Form {
	case shape.FormString:
		value = quote(n.Str())
	case shape.FormTable:
		return n.Name()
	case shape.FormList:
		if first := n.First(); first != nil && first.Form == shape.FormTable {
			return n.Name()
		}
		items := n.Strings()
		if first := n.First(); first != nil && first.Form == shape.FormString {
			for i := range items {
				items[i] = quote(items[i])
			}
		}
		value = "[" + strings.Join(items, ", ") + "]"
	default:
		value = n.Str()
	}
	if n.Name() == "" {
		return value
	}
	return n.Name() + " = " + value
}
