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
func (f *fitting) word(setting string) string { return f.n.Setting(setting).String() }

// words refuses a word of a setting that is not among those with a place. One
// that a selection wants whatever its value needs a place for some value.
func (f *fitting) words(setting string, places ...string) {
	for i := range f.n.Settings {
		s := &f.n.Settings[i]
		if s.Name != setting {
			continue
		}
		if s.Value.IsZero() && len(places) == 0 || !s.Value.IsZero() && !slices.Contains(places, s.Value.String()) {
			f.miss(setting, s.Value.String())
		}
	}
}

// without refuses shapes of the request.
func (f *fitting) without(forms ...string) {
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
		f.words("tool_choice")
		f.words("parallel_tool_calls")
	}
	if f.word("cache") == "false" {
		f.words("prompt_cache_ttl")
	}
	return f
}

func chatMisfit(c *catalog.Contract, n *op.Needs) (field, got string) {
	f := fit(c, n)
	f.noOutput("audio", "image")                  // a voice would have to be named; images come in no standard place
	f.without(remoteAudio, remotePDF, textBehind) // calls stand beside the text
	f.thoughts()
	f.schema("native_schema", "tool_schema")
	f.words("service_tier", "standard", "flex", "scale", "priority", "fast")
	f.words("thinking", chatThinking(c)...)
	if reasoningWire(c) == "groq_qwen" && f.word("thinking") != "" {
		f.words("effort") // both go into one place
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
		f.words("prompt_cache_ttl", "30m")
	}
}

func responsesMisfit(c *catalog.Contract, n *op.Needs) (field, got string) {
	f := fit(c, n)
	f.noInput("audio", "video")
	f.noOutput("audio", "image")
	f.schema("native_schema")
	f.words("service_tier", "standard", "flex", "scale", "priority", "fast", "ultrafast")
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
	f.words("effort", "low", "medium", "high", "xhigh", "max")
	f.words("thinking", "enabled", "adaptive", "disabled", "between_tools")
	f.words("service_tier", "standard", "fast")
	f.words("prompt_cache_ttl", "5m", "1h")
	if k := c.TextGeneration.Cache; k != nil && k.Breakpoint == "none" {
		f.words("cache")
		f.words("prompt_cache_ttl")
	}
	if f.word("tool_choice") == "none" {
		f.words("parallel_tool_calls")
	}
	f.budget()
	if n.Structured && Transport(c, "native_schema") == "tool_schema" {
		f.words("thinking", "disabled") // a forced tool leaves no room to think
	}
	return f.field, f.got
}

// budget refuses thinking with a budget under a cap that holds none.
func (f *fitting) budget() {
	if f.word("thinking") != "enabled" {
		return
	}
	if most := f.word("max_output_tokens"); most != "" {
		if n, err := strconv.ParseInt(most, 10, 64); err == nil && n <= minBudget {
			f.miss("max_output_tokens", most)
		}
	}
}

func geminiMisfit(c *catalog.Contract, n *op.Needs) (field, got string) {
	f := fit(c, n)
	f.without(lateSystem)
	f.schema("native_schema")
	f.words("effort", "minimal", "low", "medium", "high", "xhigh")
	f.words("service_tier", "standard", "flex", "priority")
	f.words("thinking", "enabled", "adaptive", "disabled")
	if f.word("effort") != "" {
		f.words("thinking") // a level and a budget exclude each other
	}
	f.budget()
	if r := c.TextGeneration.Reasoning; f.word("max_output_tokens") == "" && (r == nil || !r.MaxBudgetTokens.IsKnown()) {
		f.words("thinking", "adaptive", "disabled") // nothing says how large the budget may be
	}
	return f.field, f.got
}

func ollamaMisfit(c *catalog.Contract, n *op.Needs) (field, got string) {
	f := fit(c, n)
	f.noInput("audio", "video", "pdf", "file_ref")
	f.noOutput("audio", "image")
	f.without(remoteImage, textBehind)
	f.schema("format_schema")
	f.words("effort", "low", "medium", "high")
	f.words("thinking", "enabled", "disabled")
	if f.word("thinking") == "disabled" {
		f.words("effort")
	}
	return f.field, f.got
}
