package migrate

import (
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
)

// channels tells which tool channels a row has, by what format 0 means where it
// says nothing: no native tools, and tools written as text.
func (a *answer) channels() (native, text bool) {
	return a.node("native_tools").IsTrue(), !a.node("text_tool_wire_format_supported").IsFalse()
}

// toolsKnown reports whether a rule says anything of the tool channels.
func (a *answer) toolsKnown() bool {
	for _, name := range []string{"native_tools", "text_tool_wire_format_supported", "preferred_tool_format"} {
		if g := a.get(name); g.rule != nil {
			return true
		}
	}
	return false
}

// tools writes the tool channels (L18), their parity (L19) and the settings that
// belong to them.
func (w *writer) tools() {
	if w.toolsKnown() {
		w.toolChannels()
	}
	if native, _ := w.channels(); native {
		w.carry(nativeTools())
	}
	w.toolRest()
}

var (
	toolFormats = groupOf("tools", "L18", "native_tools", "native", "text_tool_wire_format_supported", "text", "preferred_tool_format", "preferred")
	nativeTools = groupOf("tools", "L18", "native_tool_wire_format", "wire", "tool_search", "search", "defer_loading", "defer_loading", "max_tools", "max")
)

// toolRest writes what rules say of tools beside their channels.
func (w *writer) toolRest() {
	w.parity()
	if n := w.node("tool_format_justification"); n != nil {
		w.justification(n)
	}
	if n := w.node("allowed_tool_choice_modes"); n != nil {
		w.values("tool_choice", n, n.Strings()...)
		w.movedBy("L25", n, textOperation+".settings.tool_choice")
	}
	w.parallelCalls()
}

func (w *writer) toolChannels() {
	native, text := w.channels()
	src := w.at
	for _, name := range []string{"preferred_tool_format", "text_tool_wire_format_supported", "native_tools"} {
		if n := w.node(name); n != nil {
			src = n
		}
	}
	t := w.table(w.contract, "tools", src)
	place := func(name string) *tree.Node {
		if n := w.node(name); n != nil {
			w.movedBy("L18", n, textOperation+".tools")
			return n
		}
		return src
	}
	w.yesno(t, "native", native, place("native_tools"))
	w.yesno(t, "text", text, place("text_tool_wire_format_supported"))
	preferred := "none"
	switch {
	case w.node("preferred_tool_format") != nil:
		preferred = w.node("preferred_tool_format").Str()
	case native:
		preferred = "native"
	case text:
		preferred = "json"
	}
	w.text(t, "preferred", preferred, place("preferred_tool_format"))
}

func (w *writer) parity() {
	verdict, notes := w.node("tool_mode_parity"), w.node("tool_mode_parity_notes")
	for _, n := range []*tree.Node{verdict, notes} {
		if n == nil {
			continue
		}
		p := w.table(w.table(w.contract, "tools", n), "parity", n)
		if n == verdict {
			w.copied(p, "verdict", n)
			w.text(p, "source", "declared", n)
		} else {
			w.copied(p, "notes", n)
		}
		w.movedBy("L19", n, textOperation+".tools.parity")
	}
}

// justification carries a reason over. A mirrored rule is named in one text:
// provider/pattern.
func (w *writer) justification(n *tree.Node) {
	j := w.table(w.table(w.contract, "tools", n), "justification", n)
	for c := range n.Each() {
		if c.Form == shape.FormTable {
			w.text(j, c.Name(), c.Get("provider").Str()+"/"+c.Get("model_match").Str(), c)
			continue
		}
		w.copied(j, c.Name(), c)
	}
	w.movedBy("L18", n, textOperation+".tools.justification")
}

// parallelCalls writes whether a caller may ask for parallel tool calls, or must
// switch them off.
func (w *writer) parallelCalls() {
	supports, off := w.node("supports_parallel_tool_calls"), w.node("requires_parallel_tool_calls_false")
	const name = "parallel_tool_calls"
	switch {
	case off.IsTrue():
		rule := w.table(w.setting(name, off), name, off)
		list := w.list(rule, "values", off)
		list.Append(w.arena.From(off, itemKey(list), shape.FormBool, "false"))
	case supports != nil:
		w.supported(name, supports.IsTrue(), supports)
	}
	for _, n := range []*tree.Node{supports, off} {
		if n != nil {
			w.movedBy("L25", n, textOperation+".settings."+name)
		}
	}
}

func (v *view) judgeTools() {
	native, text, preferred := v.get("native_tools"), v.get("text_tool_wire_format_supported"), v.get("preferred_tool_format")
	if preferred.node != nil {
		v.judgePreferred(native, text, preferred)
	}
	if modes := v.get("allowed_tool_choice_modes"); native.node.IsFalse() && modes.node.First() != nil {
		v.quarrel(modes, native, diag.Diagnostic{Code: diag.ToolFactWithoutTools,
			Message: "tool-choice modes describe native tools, which the route does not have", Got: spell(modes.node), Allowed: []string{"native_tools = true"}})
	}
	supports, off := v.get("supports_parallel_tool_calls"), v.get("requires_parallel_tool_calls_false")
	if supports.node.IsTrue() && off.node.IsTrue() {
		v.quarrel(off, supports, diag.Diagnostic{Code: diag.FlagContradicts,
			Message: "parallel tool calls are allowed and must be switched off at once", Got: "true, true", Allowed: []string{"one of the two"}})
	}
}

// judgePreferred holds the preferred format against the channels: native needs
// native tools, json and text need tools written as text, none needs neither.
func (v *view) judgePreferred(native, text, preferred given) {
	d := diag.Diagnostic{Code: diag.ToolFormatContradicts, Got: preferred.node.Str()}
	switch preferred.node.Str() {
	case "native":
		if native.node.IsFalse() {
			d.Message, d.Allowed = "the preferred tool format is native, and native tools are not offered", []string{"json", "text", "none"}
			v.quarrel(preferred, native, d)
		}
	case "json", "text":
		if text.node.IsFalse() {
			d.Message = "the preferred tool format is " + preferred.node.Str() + ", and tools written as text are not offered"
			d.Allowed = []string{"native", "none"}
			if native.node.IsFalse() {
				d.Allowed = []string{"none"}
			}
			v.quarrel(preferred, text, d)
		}
	case "none":
		for _, g := range []given{native, text} {
			if g.node.IsTrue() {
				d.Message, d.Allowed = "the preferred tool format is none, and tools are offered", []string{"native", "json", "text"}
				v.quarrel(preferred, g, d)
				return
			}
		}
	}
}
