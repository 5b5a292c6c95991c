package check

import (
	"slices"

	"github.com/opcat/opcat/compile/resolve"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// A checker looks at one draft.
type checker struct {
	draft *resolve.Draft
	asOf  int64
	found diag.List

	dialled map[wireRoute]claim // what rows dial by a region's id
	groups  map[groupFact]claim // what failover classes were found to share
}

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
	r.Row = from
	r.model.read(from.Table)
	r.limits.read(r.model[kLimits])
	r.life.read(r.model[kLife])
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
	protocols        []protocol
	billable         uint64
}

// A protocol is one entry of a contract's list.
type protocol struct{ name, when *tree.Node }

func (c *contract) add(d diag.Diagnostic) { c.row.add(d) }

// get is a key of the contract that not every operation has.
func (c *contract) get(index int) *tree.Node {
	if index < 0 {
		return nil
	}
	return c.kids[index]
}

func (c *contract) read(r *row, from *resolve.Contract, k *opKeys) {
	c.Contract, c.row, c.k = from, r, k
	c.kids.read(from.Table)
	c.settings.read(c.get(k.settings))
	c.limits.read(c.get(k.limits))

	c.protocols = c.protocols[:0]
	switch n := c.kids[k.protocol]; {
	case n == nil:
	case n.First() == nil && n.Text != "":
		c.protocols = append(c.protocols, protocol{name: n})
	default:
		for p := n.First(); p != nil; p = p.Next() {
			if p.Text != "" {
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
			c.billable |= 1 << meterIndex(m.Text)
		}
	}
}

// setting finds what a contract says of a setting; nil if it says nothing.
func (c *contract) setting(name string) *tree.Node {
	if c.k.settingsTable == nil {
		return nil
	}
	if k := c.k.settingsTable.Key(name); k != nil && k.Index >= 0 {
		return c.settings[k.Index]
	}
	return nil
}

// limit finds a limit of a contract; nil if it is not stated.
func (c *contract) limit(name string) *tree.Node {
	if c.k.limitsTable == nil {
		return nil
	}
	if k := c.k.limitsTable.Key(name); k != nil && k.Index >= 0 {
		return c.limits[k.Index]
	}
	return nil
}

// speaks finds the entry of a protocol in the contract's list.
func (c *contract) speaks(name string) *tree.Node {
	for _, p := range c.protocols {
		if p.name.Text == name {
			return p.name
		}
	}
	return nil
}

// admits reports whether some request may carry the setting: it is stated and
// not refused.
func admits(n *tree.Node) bool { return n != nil && n.Text != "refused" }

// inOneLayer reports whether two facts come from the same layer. A higher layer
// may narrow what a lower one describes, and then the description stays: that is
// no contradiction.
func inOneLayer(a, b *tree.Node) bool {
	return a.File == nil || b.File == nil || a.File.Rank == b.File.Rank && a.File.Layer == b.File.Layer
}

// inOneFile reports whether two facts were written in the same file.
func inOneFile(a, b *tree.Node) bool { return a.File == b.File }

// legacy reports whether a fact was written in format 0.
func legacy(n *tree.Node) bool { return n != nil && n.File != nil && n.File.Legacy }

// note points at the other place of a quarrel.
func note(n *tree.Node, message string) []diag.Note {
	return []diag.Note{{At: n.At(), Message: message}}
}
