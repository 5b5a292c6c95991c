package check

import (
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/operations"
)

// protocolNames are the protocols of all operations.
var protocolNames = operations.Protocols()

var knownProtocols = func() map[string]bool {
	m := make(map[string]bool, len(protocolNames))
	for _, n := range protocolNames {
		m[n] = true
	}
	return m
}()

// unknownProtocols finds endpoints of protocols that do not exist: a contract
// would never find them.
func (p *provider) unknownProtocols() {
	for e := p.endpoints.First(); e != nil; e = e.Next() {
		if knownProtocols[e.Name()] {
			continue
		}
		d := diag.Diagnostic{Code: diag.UnknownProtocol, At: e.KeyAt(), Message: quote(e.Name()) + " is not a protocol", Got: e.Name(), Allowed: protocolNames}
		if near, ok := diag.Nearest(e.Name(), protocolNames); ok {
			d.Help = "did you mean " + quote(near) + "?"
		}
		p.add(d)
	}
}

// endpoint finds contracts that no endpoint of the provider serves. A path is
// never invented, and a chat endpoint does not serve a decision.
func (c *contract) endpoint() {
	p := c.row.Provider
	if p == nil || p.Table == nil || p.Broken || c.partial() || len(c.protocols) == 0 {
		return
	}
	endpoints := p.Table.Get("endpoint")
	for _, w := range c.protocols {
		if endpoints.Get(w.name.Str()) != nil || w.name.Str() == "agent_client" && p.Table.Get("process") != nil {
			return
		}
	}
	for e := endpoints.First(); e != nil; e = e.Next() {
		if !knownProtocols[e.Name()] {
			return // it may be the one, misspelt
		}
	}
	d := diag.Diagnostic{Code: diag.OperationWithoutEndpoint, At: c.protocols[0].name.At(),
		Message: "provider " + quote(p.ID) + " has no endpoint for " + c.Op.Name + ": none speaks " + c.protocols[0].name.Str(),
		Got:     "no endpoint", Notes: []diag.Note{{At: p.Table.KeyAt(), Message: "the provider is declared here"}},
		Help: "add [provider." + p.ID + ".endpoint." + c.protocols[0].name.Str() + "] with its url"}
	if len(c.protocols) > 1 {
		d.Message = "provider " + quote(p.ID) + " has no endpoint for " + c.Op.Name + ": none speaks any of the contract's protocols"
	}
	if endpoints.First() != nil {
		d.Got = ""
		for e := endpoints.First(); e != nil; e = e.Next() {
			if d.Got != "" {
				d.Got += ", "
			}
			d.Got += e.Name()
		}
	}
	for _, w := range c.protocols {
		d.Allowed = append(d.Allowed, w.name.Str())
	}
	c.add(d)
}

// protocolsRepeated finds entries of a protocol list that never serve, since the
// same protocol stands before them without a condition, or with the same one.
func (c *contract) protocolsRepeated() {
	for i, later := range c.protocols {
		for _, sooner := range c.protocols[:i] {
			if later.name.Str() != sooner.name.Str() || sooner.when != nil && !tree.Equal(sooner.when, later.when) {
				continue
			}
			c.add(diag.Diagnostic{Code: diag.ProtocolRepeated, At: later.name.At(), Message: later.name.Str() + " is listed again and never serves here: the entry before it always does first",
				Got: later.name.Str(), Notes: note(sooner.name, "the entry that serves first"), Help: "remove one, or give the first one its when"})
			break
		}
	}
}
