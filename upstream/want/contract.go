package want

import (
	"slices"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/upstream/fact"
	"github.com/opcat/opcat/upstream/sense"
)

// contract writes the contract of an operation as far as evidence carries one, or says
// why there is none: then the row is listed and cannot be selected.
func (m *making) contract(operation, by string) (c catalog.Contract, from *fact.Source, why string) {
	def := operations.Lookup(operation)
	if def == nil {
		return c, nil, "it has no executor"
	}
	protocol, why := m.protocol(def)
	if why != "" {
		return c, nil, why
	}
	from = new(fact.Source)
	for _, s := range m.by("operation") {
		if s.from.Name == by {
			from = s.from
			break
		}
	}
	c = catalog.Contract{Operation: operation, Protocol: m.wire(protocol.Name), InputKinds: m.inputs(def), Evidence: m.declared(from)}
	switch operation {
	case sense.Text:
		m.text(&c, protocol)
	case "embedding":
		width := m.width()
		if !width.IsKnown() {
			return c, nil, "no upstream says how wide its vectors are"
		}
		c.Embedding = &catalog.Embedding{Dimensions: &catalog.Dimensions{Default: width.Or(0)}}
	default:
		return c, nil, "what a contract of it must say, no upstream says"
	}
	return c, from, ""
}

// wire is the list of one protocol.
func (m *making) wire(protocol string) []catalog.Protocol {
	list, ok := m.room.wires[protocol]
	if !ok {
		list = []catalog.Protocol{{Name: protocol}}
		keep(&m.room.wires, protocol, list)
	}
	return list
}

// declared is the evidence that an upstream is.
func (m *making) declared(from *fact.Source) *catalog.Evidence {
	e := m.room.evidence[from]
	if e == nil {
		e = &catalog.Evidence{Support: op.Supports[0], Source: from.URL, CheckedOn: from.Checked}
		keep(&m.room.evidence, from, e)
	}
	return e
}

// preferred are the protocols of an operation in the order in which they are taken
// where a provider has several and nobody says which.
var preferred = map[string][]string{
	sense.Text:  {"openai_chat_completions", "openai_responses", "anthropic_messages", "gemini_generate_content", "ollama_chat", "bedrock_converse", "cohere_chat"},
	"embedding": {"openai_embeddings", "gemini_embed", "cohere_embed", "voyage_embeddings", "mistral_embeddings", "jina_embeddings", "ollama_embed"},
}

// protocol is how the row is spoken to: the model's own word for it if its provider has
// an endpoint for that, what serves its endpoints, or else its provider's.
func (m *making) protocol(def *op.Operation) (*op.Protocol, string) {
	speaks := func(name string) bool { _, ok := m.p.Endpoint[name]; return ok }
	find := func(name string) *op.Protocol {
		for i := range def.Protocols {
			if def.Protocols[i].Name == name {
				return &def.Protocols[i]
			}
		}
		return &op.Protocol{}
	}
	if def.Name == sense.Text {
		if own := m.ownWire(); own != "" {
			if w, ok := wires[own]; ok && speaks(w.protocol) {
				return find(w.protocol), ""
			}
			return nil, "it is spoken to in another way than its provider's other rows (" + own + "), and no endpoint is known for that"
		}
		if name := m.served(); name == "openai_completions" {
			return nil, "it is served where prompts are completed, and no codec speaks that"
		} else if name != "" && speaks(name) {
			return find(name), ""
		}
	}
	for _, name := range preferred[def.Name] {
		if speaks(name) {
			return find(name), ""
		}
	}
	return nil, "no endpoint of its provider is known for it"
}

// ownWire is the row's own way to be spoken to, where an upstream says one that is not
// its provider's.
func (m *making) ownWire() string {
	for _, s := range m.by("settings") {
		if s.m.Says.Wire != "" {
			return s.m.Says.Wire
		}
	}
	return ""
}

// served is the protocol that LiteLLM's mode and endpoints speak of.
func (m *making) served() string {
	for _, s := range m.by("operation") {
		says := &s.m.Says
		has := func(path string) bool { return slices.Contains(says.Endpoints, path) }
		switch {
		case has("/v1/chat/completions"):
			return "openai_chat_completions"
		case has("/v1/responses") || says.Mode == "responses":
			return "openai_responses"
		case says.Mode == "completion" || has("/v1/completions"):
			return "openai_completions"
		}
	}
	return ""
}

// inputs are the kinds that go in, as far as somebody says them; text always does.
func (m *making) inputs(def *op.Operation) []string {
	for _, s := range m.by("kinds") {
		if len(s.m.Says.Inputs) == 0 {
			continue
		}
		set := inputs{operation: def.Name}
		for i, k := range inputKinds {
			set.kinds[i] = slices.Contains(s.m.Says.Inputs, k) && slices.Contains(def.Inputs, k)
		}
		list, ok := m.room.inputs[set]
		if !ok {
			list = []string{"text"}
			for i, k := range inputKinds {
				if set.kinds[i] {
					list = append(list, k)
				}
			}
			list = slices.Clip(list)
			keep(&m.room.inputs, set, list)
		}
		return list
	}
	return onlyText
}

var onlyText = []string{"text"}

// inputKinds are what may go in beside text; inputs says which of them an operation takes.
var inputKinds = [...]string{"image", "audio", "video", "pdf"}

type inputs struct {
	operation string
	kinds     [len(inputKinds)]bool
}

func (m *making) width() catalog.Opt[int64] {
	for _, s := range m.by("settings") {
		if s.m.Says.Width.IsKnown() {
			return s.m.Says.Width
		}
	}
	return catalog.Opt[int64]{}
}

// says is the first yes or no that an upstream has for something.
func (m *making) says(get func(*fact.Says) catalog.Opt[bool]) (v catalog.Opt[bool]) {
	for _, s := range m.by("settings") {
		if v = get(&s.m.Says); v.IsKnown() {
			return v
		}
	}
	return v
}

// A text is what upstreams say of a text contract, but for its efforts. Many rows have
// the same, and then they share what it makes.
type text struct {
	protocol                                                      string
	output                                                        bool // its output tokens have a limit
	tools, choice, parallel, structured, temperature, cache, fill catalog.Opt[bool]
}

// texts is what follows from it.
type texts struct {
	of       catalog.TextGeneration
	settings *catalog.Settings
}

// text says what is known of a text contract: tools, structured output, reasoning, and
// the settings that an upstream names. What nobody names is unknown.
func (m *making) text(c *catalog.Contract, protocol *op.Protocol) {
	t := text{
		protocol:    protocol.Name,
		output:      m.out.Row.Limits != nil && m.out.Row.Limits.OutputTokens.IsKnown(),
		tools:       m.says(func(s *fact.Says) catalog.Opt[bool] { return s.Tools }),
		choice:      m.says(func(s *fact.Says) catalog.Opt[bool] { return s.ToolChoice }),
		parallel:    m.says(func(s *fact.Says) catalog.Opt[bool] { return s.ParallelTools }),
		structured:  m.says(func(s *fact.Says) catalog.Opt[bool] { return s.Structured }),
		temperature: m.says(func(s *fact.Says) catalog.Opt[bool] { return s.Temperature }),
		cache:       m.says(func(s *fact.Says) catalog.Opt[bool] { return s.Caching }),
		fill:        m.says(func(s *fact.Says) catalog.Opt[bool] { return s.Prefill }),
	}
	var made *texts
	if efforts, standard := m.efforts(); len(efforts) > 0 {
		made = t.make(protocol, efforts, standard)
	} else if made = m.room.texts[t]; made == nil {
		made = t.make(protocol, nil, "")
		keep(&m.room.texts, t, made)
	}
	c.TextGeneration, c.Settings = &made.of, made.settings
}

func (t *text) make(protocol *op.Protocol, efforts []string, standard string) *texts {
	made := &texts{}
	if t.tools.IsKnown() {
		made.of.Tools = &catalog.Tools{Native: t.tools}
	}
	if t.structured.Or(false) {
		made.of.Structured = &catalog.StructuredOutput{Transport: "native_schema", Mode: "native_json"}
	}
	if t.cache.Or(false) {
		made.of.Cache = &catalog.PromptCache{On: catalog.Known(true)}
	}
	if t.fill.Or(false) {
		made.of.Quirks = &catalog.Quirks{SupportsAssistantPrefill: t.fill}
	}
	named := map[string]catalog.Setting{}
	word := func(name, w string) { named[name] = catalog.Setting{Name: name, Word: w} }
	if t.output {
		word("max_output_tokens", "supported")
	}
	yesno := func(name string, v catalog.Opt[bool]) {
		if b, ok := v.Get(); ok && b {
			word(name, "supported")
		} else if ok {
			word(name, "refused")
		}
	}
	yesno("temperature", t.temperature)
	yesno("response_schema", t.structured)
	if t.tools.Or(false) {
		yesno("tool_choice", t.choice)
		yesno("parallel_tool_calls", t.parallel)
	}
	if len(efforts) > 0 {
		rule := catalog.SettingRule{}
		for _, e := range efforts {
			rule.Values = append(rule.Values, catalog.TextValue(e))
		}
		if slices.Contains(efforts, standard) {
			rule.Default = catalog.TextValue(standard)
		}
		named["effort"] = catalog.Setting{Name: "effort", Rules: []catalog.SettingRule{rule}}
		made.of.Reasoning = &catalog.Reasoning{Modes: []string{"effort"}}
	}
	settings := catalog.Settings{}
	for _, s := range operations.Lookup(sense.Text).Settings { // in the registry's order
		if n, ok := named[s.Name]; ok && (slices.Contains(protocol.Carries, s.Name) || n.Word == "refused" || !protocol.Codec) {
			settings.Named = append(settings.Named, n)
		}
	}
	if len(settings.Named) > 0 {
		made.settings = &settings
	}
	return made
}

// efforts are what a caller may ask for by the first upstream that lists them.
func (m *making) efforts() (values []string, standard string) {
	for _, s := range m.by("settings") {
		if len(s.m.Says.Efforts) > 1 {
			return s.m.Says.Efforts, s.m.Says.Effort
		}
	}
	return nil, ""
}
