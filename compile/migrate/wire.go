package migrate

import (
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// Text protocols that the fields of L23 name.
const (
	chatProtocol         = "openai_chat_completions"
	responsesProtocol    = "openai_responses"
	anthropicProtocol    = "anthropic_messages"
	geminiProtocol       = "gemini_generate_content"
	interactionsProtocol = "gemini_interactions"
	ollamaProtocol       = "ollama_chat"
)

// wireFormats are the protocols of message_wire_format.
var wireFormats = map[string]string{"openai": chatProtocol, "anthropic": anthropicProtocol, "gemini": geminiProtocol, "ollama": ollamaProtocol}

// wireOf is the protocol that a row is dialled by before responses come into
// play: the row's own dialect, else what a rule says of the message format where
// the provider's protocol is the general one, else the provider's (L23, L29).
func (v *view) wireOf() string {
	wire := chatProtocol
	if v.provider != nil && v.provider.Protocol != "" {
		wire = v.provider.Protocol
	}
	if v.row != nil && v.row.Dialect != "" {
		wire = v.row.Dialect
	} else if f := v.get("message_wire_format"); f.rule != nil && wire == chatProtocol {
		wire = wireFormats[f.node.Str()]
	}
	if wire == geminiProtocol && v.node("live_endpoint_family").Str() == interactionsProtocol {
		wire = interactionsProtocol
	}
	return wire
}

// protocols writes the ordered list of L23: the wire first and responses after
// it, unless reasoning with tools needs responses, or chat is served no more.
func (w *writer) protocols() {
	wire := w.wireOf()
	src := w.at
	if f := w.get("message_wire_format"); f.node != nil {
		src = f.node
	}
	if responses := w.node("responses_api"); responses.IsTrue() {
		w.withResponses(wire, src, responses)
	} else {
		w.item(w.list(w.contract, "protocol", src), wire, src)
	}
	for _, name := range wireFacts {
		if n := w.node(name); n != nil {
			w.movedBy("L23", n, textOperation+".protocol")
		}
	}
}

// wireFacts are the facts that settle the protocols of a row.
var wireFacts = []string{"message_wire_format", "live_endpoint_family", "responses_api", "chat_completions_unsupported", "reasoning_tools_require_responses"}

// withResponses writes the list of a row that serves responses beside its wire.
func (w *writer) withResponses(wire string, src, responses *tree.Node) {
	list := w.list(w.contract, "protocol", src)
	needs := w.node("reasoning_tools_require_responses")
	switch {
	case w.node("chat_completions_unsupported").IsTrue(), wire == responsesProtocol:
		w.item(list, responsesProtocol, responses)
	case needs.IsTrue():
		w.item(list, responsesProtocol, responses)
		w.conditional(list, wire, needs, "tools", "none")
		if w.mayAsk("effort", "none") {
			w.conditional(list, wire, needs, "effort", "none")
		}
	default:
		w.item(list, wire, src)
		w.item(list, responsesProtocol, responses)
	}
}

// mayAsk reports whether a caller may ask for an effort: its ladder holds it, or
// nobody states a ladder.
func (w *writer) mayAsk(setting, value string) bool {
	levels := w.node("reasoning_effort_levels")
	if levels == nil {
		levels = w.lower("settings", setting, "values")
	}
	return levels == nil || levels.Has(value)
}

// conditional adds a protocol that serves only where a setting has the value.
func (w *writer) conditional(list *tree.Node, protocol string, src *tree.Node, name, value string) {
	entry := w.tableItem(list, src)
	w.text(entry, "protocol", protocol, src)
	when := w.table(entry, "when", src)
	w.item(w.list(when, name, src), value, src)
}

func (v *view) judgeWire() {
	format, family := v.get("message_wire_format"), v.get("live_endpoint_family")
	if format.node != nil && format.node.Str() != "gemini" {
		v.quarrel(family, format, diag.Diagnostic{Code: diag.ProtocolFactNotApplicable,
			Message: "live_endpoint_family chooses between endpoints of the gemini dialect, and the messages are in the " + format.node.Str() + " format",
			Got:     family.node.Str(), Allowed: []string{"no live_endpoint_family"}, Help: "remove live_endpoint_family"})
	}
	unsupported, responses := v.get("chat_completions_unsupported"), v.get("responses_api")
	if unsupported.node.IsTrue() && responses.node.IsFalse() {
		v.quarrel(unsupported, responses, diag.Diagnostic{Code: diag.NoProtocol,
			Message: "chat completions and responses are both ruled out, so no text protocol is left",
			Allowed: []string{"at least one text protocol"}})
	}
	if v.row == nil || !v.row.Does(textOperation) || v.row.Dialect == "" {
		return
	}
	if format.rule != nil && wireFormats[format.node.Str()] != v.row.Dialect && !(format.node.Str() == "openai" && v.row.Dialect == responsesProtocol) {
		v.dialectQuarrel(format, "two fields name two wire protocols for one route", format.node.Str(), "one protocol")
	}
	if v.row.Dialect == responsesProtocol && responses.rule != nil && responses.node.IsFalse() {
		v.dialectQuarrel(responses, "the dialect demands the responses protocol and the rule denies it", "false", "responses_api = true, or another dialect")
	}
}

// dialectQuarrel reports a row whose dialect a rule contradicts.
func (v *view) dialectQuarrel(g given, message, got, allowed string) {
	at := v.row.Table.Get("api_dialect")
	d := diag.Diagnostic{Code: diag.ProtocolStatedTwice, At: at.KeyAt(), Message: message, Got: at.Str() + ", " + got, Allowed: []string{allowed},
		Row: v.row.RowID(), Provider: v.row.Provider, Fields: []string{"api_dialect", g.node.Name()},
		Notes: []diag.Note{{At: g.node.KeyAt(), Message: "the rule says " + show(g.node)}}}
	kept, ok := v.report(d)
	switch {
	case ok && kept == "api_dialect":
		v.drop(g.node.Name())
	case ok && kept == g.node.Name():
		v.row.Dialect = ""
	}
}

func (v *view) missingProtocol() {
	if v.row != nil && !v.row.Does(textOperation) {
		return
	}
	if g := v.get("chat_completions_unsupported"); g.node.IsTrue() && v.node("responses_api") == nil {
		v.lacks(g, "responses_api", diag.Diagnostic{Code: diag.NoProtocol,
			Message: "chat completions are ruled out and nothing says that the responses protocol is served", Allowed: []string{"responses_api = true"}})
	}
	family := v.get("live_endpoint_family")
	if family.node != nil && family.rule != nil && v.provider != nil && v.node("message_wire_format") == nil {
		if wire := v.wireOf(); wire != geminiProtocol && wire != interactionsProtocol {
			v.lacks(family, "endpoint of the gemini dialect", diag.Diagnostic{Code: diag.ProtocolFactNotApplicable,
				Message: "live_endpoint_family chooses between endpoints of the gemini dialect, and the route is dialled by " + wire,
				Got:     family.node.Str(), Allowed: []string{"no live_endpoint_family"}, Help: "remove live_endpoint_family"})
		}
	}
}

// blanked records that a fact does not count for the row's provider.
func (w *rulework) blanked(row *legacyRow, g given) {
	if g.rule != nil && g.node.Name() == "responses_api" {
		move := w.migration.moved("L23", g.node, row.RowID(), show(g.node), "dropped")
		move.Note = "it counts for openai and for providers with the feature responses_api"
		move.Named = true
	}
}
