package migrate

import (
	"slices"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// modes lists the thinking modes of a row and the fact that gives them; the old
// flag alone stands for enabled (L21).
func (a *answer) modes() ([]string, *tree.Node) {
	if n := a.node("thinking_modes"); n != nil {
		return n.Strings(), n
	}
	switch n := a.node("thinking"); {
	case n.IsTrue():
		return []string{"enabled"}, n
	case n != nil:
		return nil, n
	}
	return nil, nil
}

// reasons reports whether a row has any reasoning mode.
func (a *answer) reasons() bool {
	modes, _ := a.modes()
	return len(modes) > 0
}

func (w *writer) reasoning() {
	modes, src := w.modes()
	if src != nil {
		list := w.list(w.table(w.contract, "reasoning", src), "modes", src)
		for _, m := range modes {
			w.item(list, m, src)
		}
		w.movedBy("L21", src, textOperation+".reasoning.modes")
		w.thinking(modes, src)
	}
	if n := w.node("reasoning_disable_supported"); n != nil {
		w.yesno(w.table(w.table(w.contract, "reasoning", n), "off", n), "switch", n.IsTrue(), n)
		w.movedBy("L22", n, textOperation+".reasoning.off.switch")
	}
	if n := w.node("thinking_off_type"); n != nil {
		w.text(w.table(w.table(w.contract, "reasoning", n), "off", n), "type", n.Str(), n)
		w.movedBy("L22", n, textOperation+".reasoning.off.type")
	}
	w.carry(reasoningFacts())
	w.effort(modes)
}

var reasoningFacts = groupOf("reasoning", "L22", "max_thinking_budget", "max_budget_tokens",
	"interleaved_thinking_supported", "interleaved", "reasoning_required_for_tools", "required_for_tools",
	"reasoning_text_promotable", "text_promotable", "preserve_thinking", "preserve", "reasoning_wire_format", "wire",
	"reasoning_round_trip", "round_trip", "reasoning_history_wire_field", "history_field",
	"thinking_disable_directive", "disable_directive", "auto_reasoning_overrides", "auto_overrides",
	"thinking_block_style", "block_style")

// thinking writes what a caller may ask of thinking: the modes that are asked for
// by name, and the words that switch it off.
func (w *writer) thinking(modes []string, src *tree.Node) {
	var values []string
	for _, m := range []string{"enabled", "adaptive", "toggle"} {
		if slices.Contains(modes, m) {
			values = append(values, m)
		}
	}
	if len(values) > 0 {
		if word := w.offWord(); word != "" {
			values = append(values, word)
		}
	}
	w.values("thinking", src, values...)
}

// offWord is the value of thinking that switches reasoning off; "" if none does.
func (a *answer) offWord() string {
	if n := a.node("thinking_off_type"); n != nil {
		return n.Str()
	}
	if a.node("reasoning_disable_supported").IsTrue() {
		return "disabled"
	}
	return ""
}

// effort writes the ladder of efforts (L22). A ladder that nobody states, of a
// route that takes efforts, stays open: any effort may be asked for.
func (w *writer) effort(modes []string) {
	levels, claim, none := w.node("reasoning_effort_levels"), w.node("reasoning_effort_supported"), w.node("reasoning_none_supported")
	_, src := w.modes()
	switch {
	case levels != nil:
		w.values("effort", levels, levels.Strings()...)
	case claim != nil:
		w.supported("effort", claim.IsTrue(), claim)
	case slices.Contains(modes, "effort"):
		w.supported("effort", true, src)
	case none.IsTrue():
		w.values("effort", none, "none")
	}
	for _, n := range []*tree.Node{levels, claim, none} {
		if n != nil {
			w.movedBy("L22", n, textOperation+".settings.effort")
		}
	}
}

func (v *view) judgeReasoning() {
	flag, modes := v.get("thinking"), v.get("thinking_modes")
	if flag.node != nil && modes.node != nil && flag.node.IsTrue() == (modes.node.First() == nil) {
		v.aliasQuarrel(flag, modes, "thinking is the old flag of thinking_modes")
	}
	claim, levels := v.get("reasoning_effort_supported"), v.get("reasoning_effort_levels")
	if claim.node.IsFalse() && levels.node.First() != nil {
		v.quarrel(claim, levels, diag.Diagnostic{Code: diag.EffortContradicts, Message: "the levels claim effort and the flag denies it",
			Got: "false with " + spell(levels.node), Allowed: []string{"no levels", "reasoning_effort_supported = true"}})
	}
	none := v.get("reasoning_none_supported")
	if none.node != nil && levels.node.First() != nil && none.node.IsTrue() != levels.node.Has("none") {
		v.noneQuarrel(none, levels)
	}
	v.judgeOverrides()
}

func (v *view) noneQuarrel(none, levels given) {
	d := diag.Diagnostic{Code: diag.EffortNoneContradicts, Got: spell(levels.node)}
	if none.node.IsTrue() {
		d.Message, d.Allowed = "effort none is supported only when the levels hold it", []string{"none in reasoning_effort_levels", "no reasoning_none_supported"}
	} else {
		d.Message, d.Allowed = "the levels hold none, and the flag denies it", []string{"levels without none", "reasoning_none_supported = true"}
	}
	v.quarrel(none, levels, d)
}

// toolTasks are the tasks that call tools.
var toolTasks = []string{"agent", "code", "verify"}

func (v *view) judgeOverrides() {
	needed, overrides := v.get("reasoning_required_for_tools"), v.get("auto_reasoning_overrides")
	if !needed.node.IsTrue() || overrides.node == nil {
		return
	}
	for _, task := range toolTasks {
		if n := overrides.node.Get(task); n != nil && (n.Str() == "off" || n.Str() == "none") {
			v.quarrel(overrides, needed, diag.Diagnostic{Code: diag.ReasoningOffForTools,
				Message: "the model calls tools inside its reasoning, and reasoning is switched off for " + task,
				Got:     task + " = " + n.Str(), Allowed: []string{"a level above off for agent, code and verify"}})
			return
		}
	}
}

func (v *view) missingOfReasoning() {
	g := v.get("reasoning_round_trip")
	if g.node == nil || g.node.Str() != "echo_same_key" && g.node.Str() != "echo_same_key_when_tools_present" || v.node("reasoning_history_wire_field") != nil {
		return
	}
	v.lacks(g, "reasoning_history_wire_field", diag.Diagnostic{Code: diag.RoundTripIncomplete,
		Message: "reasoning is sent back under its own key, and nothing names the key", Allowed: []string{"reasoning_history_wire_field"}})
}
