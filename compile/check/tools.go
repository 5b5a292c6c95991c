package check

import (
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// tools finds tool formats that are preferred and not offered, and facts of
// native tools on a contract that has none. A driver that follows such a
// preference writes calls that nobody parses.
func (c *contract) tools() {
	t := c.get(c.k.tools)
	if t == nil {
		return
	}
	native, text := t.Get("native"), t.Get("text")
	c.preferred(t.Get("preferred"), native, text)
	if !native.IsFalse() {
		return
	}
	without := func(n *tree.Node, message string) {
		c.add(diag.Diagnostic{Code: diag.ToolFactWithoutTools, At: n.KeyAt(), Message: message + ", and the contract has none", Got: n.Str(),
			Allowed: []string{"native = true"}, Notes: note(native, "no native tools"), Help: "remove it, or say native = true"})
	}
	for _, f := range []struct{ name, message string }{
		{"search", "a tool search is for native tools"}, {"defer_loading", "deferred loading is for native tools"}, {"max", "a number of tools bounds native tools"},
	} {
		if n := t.Get(f.name); n != nil && !n.IsFalse() && !overruled(n, native) && (n.Str() != "" || n.First() != nil) {
			without(n, f.message)
		}
	}
	if s := c.settings.at(c.k.set.toolChoice); admits(s) && c.choosesTools(s) && !overruled(s, native) {
		without(s, "tool_choice is for native tools")
	}
}

// choosesTools reports whether the setting lets a call choose any tool: one that
// takes only "none" says the same as no tools.
func (c *contract) choosesTools(s *tree.Node) bool {
	if s.First() == nil {
		return true
	}
	chooses := false
	c.each(s, func(a *alternative) {
		v := a.k[sValues]
		chooses = chooses || v == nil || v.First() != nil && (v.First().Str() != "none" || v.First().Next() != nil)
	})
	return chooses
}

func (c *contract) preferred(n, native, text *tree.Node) {
	if n == nil {
		return
	}
	d := diag.Diagnostic{Code: diag.ToolFormatContradicts, At: n.At(), Got: n.Str()}
	switch {
	case overruled(n, native), overruled(n, text): // what is preferred is what was
		return
	case n.Str() == "native" && native.IsFalse():
		d.Message, d.Notes = "native tool calls are preferred and not offered", note(native, "not offered")
		d.Allowed = []string{"json", "text", "none"}
		if text.IsFalse() {
			d.Allowed = []string{"none"}
		}
	case (n.Str() == "text" || n.Str() == "json") && text.IsFalse():
		d.Message, d.Notes = "tool calls in text are preferred and not offered", note(text, "not offered")
		d.Allowed = []string{"native", "none"}
		if native.IsFalse() {
			d.Allowed = []string{"none"}
		}
	case n.Str() == "none" && (native.IsTrue() || text.IsTrue()):
		channel := native
		if !native.IsTrue() {
			channel = text
		}
		d.Message, d.Notes = "no tool format is preferred, and tool calls are offered", note(channel, "offered")
		d.Allowed = []string{"native", "json", "text"}
	default:
		return
	}
	d.Help = "mend one of the two"
	c.add(d)
}
