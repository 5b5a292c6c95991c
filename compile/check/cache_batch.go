package check

import (
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// cache finds facts of a prompt cache on a contract that has none: callers would
// mark prompts for a cache and be billed as if there were one.
func (c *contract) cache() {
	t := c.get(c.k.cache)
	on := t.Get("on")
	if !on.IsFalse() {
		return
	}
	without := func(n *tree.Node, message string) {
		if overruled(n, on) {
			return
		}
		c.add(diag.Diagnostic{Code: diag.CacheFactWithoutCache, At: n.KeyAt(), Message: message + ", and the contract has none", Got: n.Str(),
			Allowed: []string{"on = true"}, Notes: note(on, "no cache"), Help: "remove it, or say on = true"})
	}
	if n := t.Get("min_prefix_tokens"); n != nil {
		without(n, "a shortest prefix is for a cache")
	}
	if n := t.Get("breakpoint"); n != nil && n.Str() != "none" {
		without(n, "a breakpoint is for a cache")
	}
	if s := c.settings.at(c.k.set.lifetime); admits(s) {
		without(s, "a lifetime is for a cache")
	}
	if s := c.settings.at(c.k.set.cache); admits(s) {
		without(s, "the setting is for a cache")
	}
}

// batch finds batch interfaces that can't be spoken: without the wire format and
// the way in, a batch is only a claim.
func (c *contract) batch() {
	t := c.get(c.k.batch)
	if t == nil || t.First() == nil && t.Str() != "" || c.partial() {
		return // an embedding only says yes or no
	}
	for _, key := range [...]string{"wire_format", "input_mode"} {
		if t.Get(key) == nil {
			c.add(diag.Diagnostic{Code: diag.BatchIncomplete, At: t.KeyAt(), Message: "the batch interface lacks " + quote(key), Got: "no " + key,
				Allowed: []string{"wire_format", "input_mode"}, Help: "add " + key + ", or remove batch"})
		}
	}
}

// uploads finds contracts that take references to files and do not say how a
// file gets there.
func (c *contract) uploads() {
	in := c.kids[c.k.inputs]
	if c.k.files < 0 || in == nil || !in.Has("file_ref") || c.get(c.k.files).Get("wire") != nil || c.partial() {
		return
	}
	if w := c.wire(); w == nil || w.Str() != "anthropic_messages" && w.Str() != "gemini_generate_content" {
		return // elsewhere a file's id is all that a message holds
	}
	at := in
	for n := in.First(); n != nil; n = n.Next() {
		if n.Str() == "file_ref" {
			at = n
		}
	}
	c.add(diag.Diagnostic{Code: diag.FilesIncomplete, At: at.At(), Message: "the contract takes file references, and nothing says how files are uploaded", Got: "file_ref",
		Allowed: []string{"anthropic", "gemini"}, Help: `add files = { wire = "..." }, or remove "file_ref"`})
}

// routing finds upstreams that a gateway is told to use and to avoid.
func (c *contract) routing() {
	t := c.get(c.k.routing)
	allow, deny := t.Get("allow"), t.Get("deny")
	for n := allow.First(); n != nil; n = n.Next() {
		for m := deny.First(); m != nil; m = m.Next() {
			if m.Str() == n.Str() {
				c.add(diag.Diagnostic{Code: diag.RoutingContradicts, At: m.At(), Message: quote(m.Str()) + " is allowed and denied", Got: m.Str(), Notes: note(n, "allowed here"), Help: "keep one"})
			}
		}
	}
}

// truncation finds rerankers that never cut a document and let a caller ask how.
func (c *contract) truncation() {
	n, s := c.get(c.k.truncates), c.settings.at(c.k.set.truncate)
	if n == nil || n.Str() != "never" || !admits(s) {
		return
	}
	cuts := s.First() == nil
	c.each(s, func(a *alternative) {
		v := a.k[sValues]
		cuts = cuts || v == nil || v.First() != nil && (v.First().Str() != "none" || v.First().Next() != nil)
	})
	if cuts {
		c.add(diag.Diagnostic{Code: diag.TruncateContradicts, At: s.At(), Message: "documents are never cut, and a caller may ask how they are", Got: s.Str(),
			Allowed: []string{"refused", `values = ["none"]`}, Notes: note(n, "never"), Help: "mend one of the two"})
	}
}
