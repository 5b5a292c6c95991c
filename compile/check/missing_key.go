package check

import (
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
)

// A table of an overlay says only what it changes, so what a provider, a row or
// a contract must say can only be asked of what all layers make of it together.

// missing finds required keys that a provider lacks. Without a name nobody knows
// who serves; without origins a credential could go anywhere.
func (p *provider) missing() {
	if p.Broken {
		return
	}
	who := "provider " + quote(p.ID)
	p.lacking(p.Table, who, "name", p.Table.Get("name"))
	if p.lacking(p.Table, who, "credential", p.credential); p.credential != nil {
		p.missingCredential()
	}
	for e := p.endpoints.First(); e != nil; e = e.Next() {
		p.lacking(e, "the endpoint "+e.Name(), "url", e.Get("url"))
	}
	if p.Table.Get("kind").Str() == "agent" {
		p.lacking(p.Table, who+" is an agent and", "process", p.Table.Get("process"))
	}
	if r := p.Table.Get("local_runtime"); r != nil && r.Get("kind").Str() == "managed_process" {
		p.lacking(r, "the local runtime is a managed process and", "command", r.Get("command"))
	}
	if h := p.Table.Get("healthcheck"); h != nil && h.Get("path") == nil && h.Get("url") == nil {
		p.lacking(h, "the health check has no url and", "path", nil)
	}
}

func (p *provider) missingCredential() {
	who := "the credential of " + quote(p.ID)
	scheme := p.scheme()
	p.lacking(p.credential, who, "scheme", p.credential.Get("scheme"))
	switch scheme {
	case "", "none":
		return
	case "header", "query":
		p.lacking(p.credential, who+" rides in "+diag.A(scheme)+" and", scheme, p.credential.Get(scheme))
	}
	p.lacking(p.credential, who, "env", p.credential.Get("env"))
	p.lacking(p.credential, who, "origins", p.credential.Get("origins"))
}

func (p *provider) lacking(table *tree.Node, who, name string, there *tree.Node) {
	if there == nil {
		p.add(lacks(table, who, name))
	}
}

// lacks is the finding that a table lacks a key.
func lacks(table *tree.Node, who, name string) diag.Diagnostic {
	d := diag.Diagnostic{Code: diag.MissingKey, At: table.KeyAt(), Message: who + " lacks " + quote(name)}
	if t := table.Type(); t != nil && t.Kind == shape.Record {
		if k := t.Table.Key(name); k != nil && k.Type != nil {
			d.Help = k.Ask()
		}
	}
	return d
}

// missing finds required keys that a contract lacks: without them nobody knows
// how the operation is dialled or what it takes. A vector without a width is a
// finding of its own, since callers size their storage by it.
func (c *contract) missing() {
	if c.partial() {
		return
	}
	for _, k := range c.k.merged {
		if c.kids[k.Index] != nil {
			continue
		}
		d := diag.Diagnostic{Code: diag.MissingKey, At: c.place(), Message: "the " + c.Op.Name + " contract lacks " + quote(k.Name),
			Help: k.Ask()}
		if k.Index == c.k.dimensions {
			d.Code = diag.EmbeddingDimensionMissing
			d.Message = "the embedding contract does not say how wide its vectors are"
			d.Help = "add dimensions = N, or dimensions = { default = N, allowed = [N, ...] }"
		}
		c.add(d)
	}
}

// place is where a contract stands: its own table, or the rule that grants it.
func (c *contract) place() diag.Pos {
	if p := c.Table.KeyAt(); p.Line > 0 {
		return p
	}
	if c.Grant != nil {
		return c.Grant.KeyAt()
	}
	return c.Table.KeyAt()
}

// missing finds required keys of a row's parts.
func (r *row) missing() {
	if r.Broken {
		return
	}
	if n := r.life[kDeprecated]; n.IsTrue() && r.life[kNote] == nil {
		r.add(diag.Diagnostic{Code: diag.MissingKey, At: n.KeyAt(), Message: `a deprecated row lacks "note"`,
			Help: "add note: say in a sentence why, and what to use instead"})
	}
	for t := r.model[kTier].First(); t != nil; t = t.Next() {
		if t.Get("id").Str() == "fast" && t.Get("request").First() == nil {
			r.add(diag.Diagnostic{Code: diag.MissingKey, At: t.Get("id").At(), Message: `the tier "fast" lacks "request": nothing says how it is asked for`,
				Help: `add request = { param = "...", value = "..." }`})
		}
	}
	for m := r.model[kMode].First(); m != nil; m = m.Next() {
		if q := m.Get("request"); q != nil && q.Get("param_path").First() == nil {
			r.add(diag.Diagnostic{Code: diag.MissingKey, At: q.KeyAt(), Message: `the request of reasoning mode ` + quote(m.Get("id").Str()) + ` lacks "param_path"`,
				Help: "add param_path: where in the request's body the mode is asked for"})
		}
	}
}
