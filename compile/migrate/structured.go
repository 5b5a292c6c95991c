package migrate

import (
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// transports are today's names of structured output (L20).
var transports = map[string]string{
	"native": "native_schema", "tool_use": "tool_schema", "format_kw": "format_schema", "delimited": "prompt_validation",
	"none": "unsupported", "unsupported": "unsupported",
}

// strategy is the fact that names the structured output of a row; nil if none does.
func (a *answer) strategy() *tree.Node {
	if n := a.node("structured_output"); n != nil {
		return n
	}
	return a.node("json_schema")
}

// transport is how a row gives structured output; what says nothing is validated
// against the prompt.
func (a *answer) transport() string {
	if n := a.strategy(); n != nil {
		return transports[n.Str()]
	}
	return "prompt_validation"
}

// bySchema reports whether a schema goes over the wire.
func bySchema(transport string) bool {
	return transport == "native_schema" || transport == "tool_schema" || transport == "format_schema"
}

func (w *writer) structured() {
	src, transport := w.at, w.transport()
	if n := w.strategy(); n != nil {
		src = n
		w.movedBy("L20", n, textOperation+".structured.transport = ", transport)
	}
	if n := w.node("json_schema"); n != nil {
		w.movedBy("L20", n, textOperation+".structured.transport")
	}
	w.text(w.table(w.contract, "structured", src), "transport", transport, src)
	w.carry(structuredMode())

	without := w.node("tools_exclude_response_format")
	if !bySchema(transport) || !without.IsTrue() {
		w.supported("response_schema", bySchema(transport), src)
	} else {
		w.when("response_schema", without, "tools", "none")
	}
	if without != nil {
		w.movedBy("L25", without, textOperation+".settings.response_schema")
	}
}

var structuredMode = groupOf("structured", "L20", "structured_output_mode", "mode")

func (v *view) judgeStructured() {
	strategy, old, mode := v.get("structured_output"), v.get("json_schema"), v.get("structured_output_mode")
	if strategy.node != nil && old.node != nil && strategy.node.Str() != old.node.Str() {
		v.aliasQuarrel(strategy, old, "json_schema is the old name of structured_output")
	}
	for _, g := range []given{strategy, old} {
		if g.node != nil && transports[g.node.Str()] == "unsupported" && mode.node.Str() == "native_json" {
			v.quarrel(mode, g, diag.Diagnostic{Code: diag.StructuredModeWithoutTransport,
				Message: "native_json needs a transport for structured output, and there is none", Got: "native_json", Allowed: []string{"none"}})
		}
	}
}
