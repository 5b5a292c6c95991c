package check

import (
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/operations"
)

// dialects finds endpoints of a dialect that the protocol does not have: nothing
// could be sent there.
func (p *provider) dialects() {
	for e := p.endpoints.First(); e != nil; e = e.Next() {
		if !knownProtocols[e.Name()] {
			continue
		}
		if d, wrong := unknownDialect(e.Get("dialect"), e.Name()); wrong {
			p.add(d)
		}
	}
}

// dialect is the same for a contract, whose protocols all have to know it.
func (c *contract) dialect() {
	at := c.Table.Get("dialect")
	for _, w := range c.protocols {
		if d, wrong := unknownDialect(at, w.name.Str()); wrong {
			c.add(d)
			return
		}
	}
}

func unknownDialect(at *tree.Node, protocol string) (diag.Diagnostic, bool) {
	known := operations.Dialects(protocol)
	if at == nil || contains(known, at.Str()) {
		return diag.Diagnostic{}, false
	}
	d := diag.Diagnostic{Code: diag.DialectUnknown, At: at.At(), Message: protocol + " has no dialect " + quote(at.Str()), Got: at.Str(), Allowed: known,
		Help: "without a dialect the plain wire is spoken"}
	if near, ok := diag.Nearest(at.Str(), known); ok {
		d.Help = "did you mean " + quote(near) + "?"
	}
	return d, true
}
