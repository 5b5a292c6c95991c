package check

import (
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// toolTasks are the tasks that call tools.
var toolTasks = []string{"agent", "code", "verify"}

// reasoning finds ways to reason, or not to, that the contract itself rules out.
func (c *contract) reasoning() {
	r := c.get(c.k.reasoning)
	if r == nil {
		return
	}
	if trip := r.Get("round_trip"); (trip.Str() == "echo_same_key" || trip.Str() == "echo_same_key_when_tools_present") && r.Get("history_field") == nil && !c.partial() {
		c.add(diag.Diagnostic{Code: diag.RoundTripIncomplete, At: trip.At(), Message: "reasoning is sent back under its own key, and the key is not named", Got: trip.Str(),
			Allowed: []string{"history_field"}, Help: `add history_field, such as "reasoning_content"`})
	}
	if needs := r.Get("required_for_tools"); needs.IsTrue() {
		over := r.Get("auto_overrides")
		for _, task := range toolTasks {
			if n := over.Get(task); n != nil && (n.Str() == "off" || n.Str() == "none" || n.Str() == "disabled") {
				c.add(diag.Diagnostic{Code: diag.ReasoningOffForTools, At: n.At(), Message: "the model calls tools inside its reasoning, so " + quote(task) + " without reasoning calls none", Got: task + " = " + n.Str(),
					Allowed: []string{"a level above " + n.Str()}, Notes: note(needs, "reasoning is required for tools"), Help: "raise the level, or leave the task out"})
			}
		}
	}
	c.thinking(r)
}

// thinking compares the ways of thinking that a caller may ask for with those
// that the wire has.
func (c *contract) thinking(r *tree.Node) {
	s := c.settings.at(c.k.set.thinking)
	if s == nil {
		return
	}
	modes, off := r.Get("modes"), r.Path("off", "switch")
	c.each(s, func(a *alternative) {
		for v := a.k[sValues].First(); v != nil; v = v.Next() {
			d := diag.Diagnostic{Code: diag.ReasoningContradicts, At: v.At(), Got: v.Str(), Help: "mend one of the two"}
			switch v.Str() {
			case "disabled", "between_tools":
				if !off.IsFalse() || overruled(v, off) {
					continue
				}
				d.Message, d.Notes = "thinking may be "+v.Str()+", and reasoning has no off switch", note(off, "no switch")
			default:
				if modes == nil || modes.Has(v.Str()) || overruled(v, modes) {
					continue
				}
				d.Message, d.Notes = "thinking may be "+v.Str()+", which is not one of the reasoning modes", note(modes, "the modes")
				d.Allowed = modes.Strings()
			}
			c.add(d)
		}
	})
}
