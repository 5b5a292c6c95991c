package textgen

import (
	"slices"
	"strconv"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
)

// A fitting looks for the first thing that a request needs and a wire has no
// place for under a contract.
type fitting struct {
	c          *catalog.Contract
	n          *op.Needs
	field, got string
}

func (f *fitting) miss(field, got string) {
	if f.field == "" {
		f.field, f.got = field, got
	}
}

// word is what a setting is asked to be; "" if it is left out.
func (f *fitting) word(at int) string { return f.n.At(at).String() }

// words refuses a word of a setting that is not among those with a place. One
// that a selection wants whatever its value needs a place for some value.
func (f *fitting) words(at int, places ...string) {
	if f.n.Asks(at) {
		f.asked(at, places)
	}
}

func (f *fitting) asked(at int, places []string) {
	v := f.n.At(at)
	if v.IsZero() && len(places) == 0 || !v.IsZero() && !slices.Contains(places, v.String()) {
		f.miss(f.n.Name(at), v.String())
	}
}

// without refuses shapes of the request.
func (f *fitting) without(forms ...string) {
	if len(f.n.Forms) > 0 {
		f.formless(forms)
	}
}

func (f *fitting) formless(forms []string) {
	for _, form := range forms {
		if f.n.Has(form) {
			f.miss("messages", form)
		}
	}
}

// noInput refuses kinds of input.
func (f *fitting) noInput(kinds ...string) {
	for _, kind := range f.n.Inputs {
		if slices.Contains(kinds, kind) {
			f.miss("input", kind)
		}
	}
}

// noOutput refuses kinds of output.
func (f *fitting) noOutput(kinds ...string) {
	for _, kind := range f.n.Outputs {
		if slices.Contains(kinds, kind) {
			f.miss("output", kind)
		}
	}
}

// schema refuses a response schema by a transport that the wire does not have. A
// tool's parameters can hold it, if that is the only tool.
func (f *fitting) schema(transports ...string) {
	if !f.n.Structured {
		return
	}
	t := Transport(f.c, transports[0])
	if !slices.Contains(transports, t) {
		f.miss("response_schema", t)
	} else if t == "tool_schema" && (f.n.Tools || !forcesTool(f.c)) {
		f.miss("response_schema", "tool_schema without the right to force the one tool")
	}
}

// forcesTool reports whether a contract lets a request force a tool by name; what
// it leaves unsaid stands in no way of the transport that it states.
func forcesTool(c *catalog.Contract) bool {
	s, _ := c.Settings.Setting("tool_choice")
	return s.Word != "refused" && (len(s.Rules) == 0 || slices.ContainsFunc(s.Rules, func(r catalog.SettingRule) bool {
		return slices.ContainsFunc(r.Values, func(v catalog.Value) bool { return v.String() == "tool" })
	}))
}

// fit looks at what holds on every wire; the wire's own function goes on.
func fit(c *catalog.Contract, n *op.Needs) fitting {
	f := fitting{c: c, n: n}
	t := c.TextGeneration
	if t.Quirks == nil || !t.Quirks.SupportsAssistantPrefill.Or(false) {
		f.without(prefill)
	}
	if !n.Tools {
		f.words(atToolChoice)
		f.words(atParallelToolCalls)
	}
	if f.word(atCache) == "false" {
		f.words(atPromptCacheTTL)
	}
	return f
}

func chatMisfit(c *catalog.Contract, n *op.Needs) (field, got string) {
	f := fit(c, n)
	f.noOutput("audio", "image")                  // a voice would have to be named; images come in no standard place
	f.without(remoteAudio, remotePDF, textBehind) // calls stand beside the text
	f.thoughts()
	f.schema("native_schema", "tool_schema")
	f.words(atServiceTier, "standard", "flex", "scale", "priority", "fast")
	f.words(atThinking, chatThinking(c)...)
	if reasoningWire(c) == "groq_qwen" && f.word(atThinking) != "" {
		f.words(atEffort) // both go into one place
	}
	f.openAICache()
	return f.field, f.got
}

// thoughts refuses those that the row does not take, or not without tools.
func (f *fitting) thoughts() {
	member, withTools := ChatThoughts(f.c)
	for _, form := range []string{plainThoughts, listedThoughts} {
		if f.n.Has(form) && (form != "thoughts as "+member || withTools && !f.n.Tools) {
			f.miss("thoughts", form)
		}
	}
}

// chatThinking are the words for thinking that a chat row's wire can say. A row
// that names no wire says none: nobody knows how.
func chatThinking(c *catalog.Contract) []string {
	switch reasoningWire(c) {
	case "openrouter", "enabled", "thinking_type", "groq_qwen":
		return onOff
	case "minimax":
		return adaptiveOff
	}
	if q := c.TextGeneration.Quirks; q != nil && q.HonorsChatTemplateKwargs.Or(false) && q.ChatTemplateOptionsField == "" {
		return onOff
	}
	return nil
}

var (
	onOff       = []string{"enabled", "disabled"}
	adaptiveOff = []string{"adaptive", "disabled"}
)

func reasoningWire(c *catalog.Contract) string {
	if r := c.TextGeneration.Reasoning; r != nil {
		return r.Wire
	}
	return ""
}

// openAICache refuses a cache lifetime that neither a breakpoint nor OpenAI's own
// option can say.
func (f *fitting) openAICache() {
	if !HasBreakpoint(f.c) {
		f.words(atPromptCacheTTL, "30m")
	}
}

func responsesMisfit(c *catalog.Contract, n *op.Needs) (field, got string) {
	f := fit(c, n)
	f.noInput("audio", "video")
	f.noOutput("audio", "image")
	f.schema("native_schema")
	f.words(atServiceTier, "standard", "flex", "scale", "priority", "fast", "ultrafast")
	f.openAICache()
	return f.field, f.got
}

func messagesMisfit(c *catalog.Contract, n *op.Needs) (field, got string) {
	f := fit(c, n)
	f.noInput("audio", "video")
	f.noOutput("audio", "image")
	if q := c.TextGeneration.Quirks; q == nil || q.SystemMessagePlacement != "native_directive" {
		f.without(lateSystem)
	}
	f.schema("native_schema", "tool_schema")
	f.words(atEffort, "low", "medium", "high", "xhigh", "max")
	f.words(atThinking, "enabled", "adaptive", "disabled", "between_tools")
	f.words(atServiceTier, "standard", "fast")
	f.words(atPromptCacheTTL, "5m", "1h")
	if k := c.TextGeneration.Cache; k != nil && k.Breakpoint == "none" {
		f.words(atCache)
		f.words(atPromptCacheTTL)
	}
	if f.word(atToolChoice) == "none" {
		f.words(atParallelToolCalls)
	}
	f.budget()
	if n.Structured && Transport(c, "native_schema") == "tool_schema" {
		f.words(atThinking, "disabled") // a forced tool leaves no room to think
	}
	return f.field, f.got
}

// budget refuses thinking with a budget under a cap that holds none.
func (f *fitting) budget() {
	if f.word(atThinking) != "enabled" {
		return
	}
	if most := f.word(atMaxOutputTokens); most != "" {
		if n, err := strconv.ParseInt(most, 10, 64); err == nil && n <= minBudget {
			f.miss("max_output_tokens", most)
		}
	}
}

func geminiMisfit(c *catalog.Contract, n *op.Needs) (field, got string) {
	f := fit(c, n)
	f.without(lateSystem)
	f.schema("native_schema")
	f.words(atEffort, "minimal", "low", "medium", "high", "xhigh")
	f.words(atServiceTier, "standard", "flex", "priority")
	f.words(atThinking, "enabled", "adaptive", "disabled")
	if f.word(atEffort) != "" {
		f.words(atThinking) // a level and a budget exclude each other
	}
	f.budget()
	if r := c.TextGeneration.Reasoning; f.word(atMaxOutputTokens) == "" && (r == nil || !r.MaxBudgetTokens.IsKnown()) {
		f.words(atThinking, "adaptive", "disabled") // nothing says how large the budget may be
	}
	return f.field, f.got
}

func ollamaMisfit(c *catalog.Contract, n *op.Needs) (field, got string) {
	f := fit(c, n)
	f.noInput("audio", "video", "pdf", "file_ref")
	f.noOutput("audio", "image")
	f.without(remoteImage, textBehind)
	f.schema("format_schema")
	f.words(atEffort, "low", "medium", "high")
	f.words(atThinking, "enabled", "disabled")
	if f.word(atThinking) == "disabled" {
		f.words(atEffort)
	}
	return f.field, f.got
}
