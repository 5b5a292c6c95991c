package migrate

import (
	"slices"
	"strconv"
	"sync"

	"github.com/opcat/opcat/compile/legacy"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
)

var decisionFactNames = []string{"decision_protocol", "decision_question_kinds", "decision_limits", "decision_upstream_provider"}

// decisionFact marks the facts of a decision contract; all others are facts of
// text.
var decisionFact = sync.OnceValue(func() []bool {
	is := make([]bool, numFacts())
	for _, name := range decisionFactNames {
		is[factIndex(name)] = true
	}
	return is
})

// decisionLaw holds the decision facts of a row to the laws of operations: they
// need the operation on the row, they come from the row's own provider, and a
// bare wildcard alone never gives them. structured_llm is no decision contract:
// the row loses the operation, and what it can do is said by its structured output
// (L09, L13).
func (w *rulework) decisionLaw(row *legacyRow, a *answer) {
	protocol := a.get("decision_protocol")
	switch {
	case !row.Does(decisionOperation):
		w.decisionWithoutOperation(row, a)
	case protocol.node != nil && protocol.node.Str() == legacy.StructuredLLM:
		w.structuredLLM(row, a, protocol)
	default:
		for _, name := range decisionFactNames {
			if g := a.get(name); g.node != nil && (g.rule == nil || g.layer > 0) {
				a.drop(name)
			}
		}
		if protocol = a.get("decision_protocol"); protocol.rule != nil && protocol.rule.onlyAny(w.identityOf(row)) {
			w.wildcard(row, protocol.node)
		}
		return
	}
	for _, name := range decisionFactNames {
		a.drop(name)
	}
}

// decisionWithoutOperation reports decision facts of a row that does not decide.
// Those of a family or of a whole provider are left out without a word.
func (w *rulework) decisionWithoutOperation(row *legacyRow, a *answer) {
	if row.Unsure {
		return
	}
	for _, name := range decisionFactNames {
		g := a.get(name)
		if g.rule == nil || g.layer > 0 {
			continue
		}
		w.report(diag.Diagnostic{Code: diag.ContractWithoutOperation, At: g.node.KeyAt(), Row: row.RowID(), Provider: row.Provider, Fields: []string{name},
			Message: "decision fields need the decision operation on the row", Got: bracketed(row.Operations), Allowed: []string{"operations containing decision_evaluation"},
			Help:  "add decision_evaluation to the row's operations, or take the decision fields away",
			Notes: w.rowNote(row, "the row does "+bracketed(row.Operations))})
		return
	}
}

func (w *rulework) structuredLLM(row *legacyRow, a *answer, protocol given) {
	d := diag.Diagnostic{At: protocol.node.At(), Row: row.RowID(), Provider: row.Provider, Fields: []string{"decision_protocol"}}
	switch {
	case !row.Does(textOperation):
		d.Code = diag.ProtocolNeedsOperation
		d.Message = "structured_llm dials the chat endpoint and needs text_generation on the row"
		d.Got, d.Allowed = bracketed(row.Operations), []string{"text_generation, decision_evaluation"}
		d.Notes = w.rowNote(row, "the row does "+bracketed(row.Operations))
		w.report(d)
	case !bySchema(a.transport()):
		d.Code = diag.ProtocolNeedsCapability
		d.Message = "structured_llm needs a transport that carries the schema"
		d.Got, d.Allowed = "no structured_output", []string{"native", "tool_use", "format_kw"}
		if n := a.strategy(); n != nil {
			d.Got = n.Str()
			d.Fields = append(d.Fields, n.Name())
			d.Notes = []diag.Note{{At: n.KeyAt(), Message: "against " + show(n)}}
		}
		w.report(d)
	}
	at := row.OperationsAt
	if at == nil {
		at = protocol.node
	}
	move := w.migration.moved("L09", at, row.RowID(), "operations: decision, "+show(protocol.node), "dropped")
	move.Named = true
	move.Note = "a judgement through a schema is no operation of the row: the evaluator reads the text contract's structured output"
	row.Operations = slices.DeleteFunc(slices.Clone(row.Operations), func(o string) bool { return o == decisionOperation })
}

// onlyAny reports whether the rule fits the id by a bare wildcard alone.
func (r *rule) onlyAny(id string) bool {
	id = folded(id)
	any := false
	for i := range r.patterns {
		if _, ok := r.patterns[i].match(id); ok {
			if !r.patterns[i].any {
				return false
			}
			any = true
		}
	}
	return any
}

// wildcard reports an operation that only a bare wildcard would admit.
func (w *rulework) wildcard(row *legacyRow, at *tree.Node) {
	w.report(diag.Diagnostic{Code: diag.WildcardCannotAdmit, At: at.KeyAt(), Row: row.RowID(), Provider: row.Provider, Fields: []string{at.Name()},
		Message: "only a wildcard describes how " + row.ID + " decides, and a wildcard never admits an operation",
		Got:     `model_match = "*"`, Allowed: []string{"a rule whose pattern names the route"},
		Notes: w.rowNote(row, "the row"), Help: "write a rule with model_match = " + strconv.Quote(row.ID)})
}

// decisionContract writes a native decision contract (L09 to L12).
func (w *writer) decisionContract() {
	protocol := w.node("decision_protocol")
	if protocol == nil {
		return
	}
	w.text(w.contract, "implementation", "native", protocol)
	w.text(w.contract, "protocol", protocol.Str(), protocol)
	kinds := w.list(w.contract, "input_kinds", protocol)
	w.item(kinds, "text", protocol)
	w.item(kinds, "json", protocol)
	w.text(w.contract, "evidence_kind", "input_reference", protocol)
	w.movedBy("L09", protocol, decisionOperation+".protocol")
	w.decisionBounds()
}

// decisionBounds writes what may be asked, how much of it, and of whom.
func (w *writer) decisionBounds() {
	if n := w.node("decision_question_kinds"); n.First() != nil {
		w.copied(w.contract, "question_kinds", n)
		w.movedBy("L10", n, decisionOperation+".question_kinds")
	}
	if n := w.node("decision_limits"); n != nil {
		limits := w.table(w.contract, "limits", n)
		for _, l := range decisionLimits {
			if c := n.Get(l.from); c != nil && c.Int() > 0 {
				w.copied(limits, l.to, c)
			}
		}
		w.movedBy("L11", n, decisionOperation+".limits")
	}
	if n := w.node("decision_upstream_provider"); n != nil {
		w.copied(w.contract, "upstream", n)
		w.movedBy("L12", n, decisionOperation+".upstream")
	}
}

var decisionLimits = []struct{ from, to string }{
	{"max_questions", "questions"}, {"max_choice_options", "choice_options"}, {"score_levels_min", "score_levels_min"},
	{"score_levels_max", "score_levels_max"}, {"state_window_tokens", "state_tokens"}, {"request_window_tokens", "request_tokens"},
}

// judgeDecision judges the decision facts of a rule or row. The row's window and
// price are judged in today's form.
func (v *view) judgeDecision() {
	protocol, pin := v.get("decision_protocol"), v.get("decision_upstream_provider")
	if protocol.node != nil && pin.node != nil && protocol.node.Str() != "vercel_evaluate" && protocol.node.Str() != "openrouter_decisions" {
		v.quarrel(pin, protocol, diag.Diagnostic{Code: diag.FieldNotApplicable, Message: protocol.node.Str() + " is direct and has no upstream to pin",
			Got: pin.node.Str(), Allowed: []string{"no pin"}})
	}
	limits, kinds := v.get("decision_limits"), v.get("decision_question_kinds")
	if v.row == nil && limits.node != nil {
		v.judgeLimits(limits.node, kinds.node)
	}
}

// judgeLimits judges the table of limits by itself. Its members are reported
// where they stand.
func (v *view) judgeLimits(limits, kinds *tree.Node) {
	at := func(n *tree.Node, code diag.Code, message, got, allowed string) {
		v.report(diag.Diagnostic{Code: code, At: n.KeyAt(), Provider: v.rule.provider, Fields: []string{"decision_limits." + n.Name()},
			Message: message, Got: got, Allowed: []string{allowed}})
	}
	options, low, high := limits.Get("max_choice_options"), limits.Get("score_levels_min"), limits.Get("score_levels_max")
	if low != nil && high != nil && low.Int() > high.Int() {
		v.report(diag.Diagnostic{Code: diag.RangeReversed, At: low.KeyAt(), Provider: v.rule.provider, Message: "the least number of score levels is above the greatest",
			Fields: []string{"decision_limits.score_levels_min", "decision_limits.score_levels_max"}, Got: low.Str() + " > " + high.Str(),
			Allowed: []string{"min <= max"}, Notes: []diag.Note{{At: high.KeyAt(), Message: "against " + show(high)}}})
	}
	if low != nil && low.Int() < 2 && (kinds == nil || kinds.Has("score")) {
		at(low, diag.OutOfRange, "a score needs two levels at least", low.Str(), "score_levels_min >= 2")
	}
	if options != nil && options.Int() < 2 && (kinds == nil || kinds.Has("choice")) {
		at(options, diag.OutOfRange, "a choice needs room for two options at least", options.Str(), "max_choice_options >= 2")
	}
	for _, name := range []string{"max_questions", "state_window_tokens", "request_window_tokens"} {
		if n := limits.Get(name); n != nil && n.Int() == 0 {
			at(n, diag.OutOfRange, name+" leaves no room", "0", ">= 1")
		}
	}
	state, request := limits.Get("state_window_tokens"), limits.Get("request_window_tokens")
	if state != nil && request != nil && state.Int() > request.Int() {
		v.report(diag.Diagnostic{Code: diag.LimitExceedsWindow, At: state.KeyAt(), Provider: v.rule.provider, Message: "the state alone would overflow the request",
			Fields: []string{"decision_limits.state_window_tokens", "decision_limits.request_window_tokens"}, Got: state.Str() + " > " + request.Str(),
			Allowed: []string{"state <= request"}, Notes: []diag.Note{{At: request.KeyAt(), Message: "against " + show(request)}}})
	}
}

// missingOfDecision judges what a native decision contract must say.
func (v *view) missingOfDecision() {
	protocol := v.get("decision_protocol")
	if protocol.node == nil || protocol.node.Str() == legacy.StructuredLLM {
		return
	}
	if v.node("decision_limits") == nil {
		v.lacks(protocol, "decision_limits", diag.Diagnostic{Code: diag.DecisionLimitsMissing,
			Message: "a native protocol publishes its ceilings; without them nothing bounds a request", Got: "absent", Allowed: []string{"decision_limits"}})
	}
	if kinds := v.get("decision_question_kinds"); kinds.node.First() == nil {
		at, got := protocol, "absent"
		if kinds.rule != nil {
			at, got = kinds, "[]"
		}
		v.lacks(at, "decision_question_kinds", diag.Diagnostic{Code: diag.DecisionKindsEmpty,
			Message: "a decision contract lists its question kinds", Got: got, Allowed: []string{"boolean", "choice", "score"}})
	}
	if protocol.node.Str() == "vercel_evaluate" && v.node("decision_upstream_provider") == nil {
		v.lacks(protocol, "decision_upstream_provider", diag.Diagnostic{Code: diag.UpstreamPinMissing,
			Message: "vercel_evaluate needs the exact upstream: who made the model and who serves it may differ", Got: "absent",
			Allowed: []string{"decision_upstream_provider"}})
	}
}

// rowNote points at the operations of a row, or at the row.
func (w *rulework) rowNote(row *legacyRow, message string) []diag.Note {
	switch {
	case row.OperationsAt != nil:
		return []diag.Note{{At: row.OperationsAt.KeyAt(), Message: message}}
	case row.Table != nil && row.Table.Form == shape.FormTable:
		return []diag.Note{{At: row.Table.KeyAt(), Message: message}}
	}
	return nil
}
