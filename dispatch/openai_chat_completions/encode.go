package openai_chat_completions

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/dispatch/internal/openai"
	"github.com/opcat/opcat/dispatch/internal/post"
	"github.com/opcat/opcat/dispatch/internal/turn"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/operations/textgen"
)

func encode(a turn.Admitted) (wire.Request, error) {
	ask := turn.Of(a, ownTransport)
	s := &ask.Settings
	body := request{
		Model:             a.WireModel(),
		ParallelToolCalls: s.ParallelToolCalls,
		ServiceTier:       openai.TierWord(s.ServiceTier),
		Temperature:       turn.Number(s.Temperature),
		TopP:              turn.Number(s.TopP),
		TopK:              s.TopK,
		MinP:              turn.Number(s.MinP),
		Seed:              s.Seed,
		FrequencyPenalty:  turn.Number(s.FrequencyPenalty),
		PresencePenalty:   turn.Number(s.PresencePenalty),
		RepetitionPenalty: turn.Number(s.RepetitionPenalty),
		Stop:              s.Stop,
		Logprobs:          s.Logprobs.IsKnown(),
		Verbosity:         s.Verbosity,
	}
	if n, ok := s.Logprobs.Get(); ok && n > 0 {
		body.TopLogprobs = s.Logprobs
	}
	if len(s.LogitBias) > 0 {
		body.LogitBias = make(map[string]jsontext.Value, len(s.LogitBias))
		for token, bias := range s.LogitBias {
			body.LogitBias[token] = turn.Number(bias)
		}
	}
	if s.Prediction != "" {
		body.Prediction = &prediction{"content", s.Prediction}
	}
	if named := ask.Quirks().RequiresCompletionTokens; named.Or(a.Provider().ID == "openai") {
		body.MaxCompletionTokens = ask.Cap // OpenAI's name; max_tokens is what it was, and what others know
	} else {
		body.MaxTokens = ask.Cap
	}
	if a.Provider().ID == "openrouter" {
		body.gateway(&ask)
	}
	for _, fill := range []func(*turn.Ask) error{body.reason, body.schema, body.tools, body.messages, body.cache} {
		if err := fill(&ask); err != nil {
			return wire.Request{}, err
		}
	}
	return post.JSON(a.URL(), &body)
}

// reason writes effort and thinking in the dialect of the row.
func (b *request) reason(a *turn.Ask) error {
	effort, thinks := a.Settings.Effort, a.Settings.Thinking
	dialect := a.Reasoning().Wire
	if dialect == "minimax" {
		b.ReasoningSplit = true // else the thoughts stand in the content
	}
	if dialect == "openrouter" {
		if effort != "" || thinks != "" {
			b.Reasoning = &reasoning{Effort: effort, Enabled: onOff(thinks)}
		}
		return written(thinks, "", "enabled", "disabled")
	}
	b.ReasoningEffort = effort
	if thinks == "" {
		return nil
	}
	switch on := onOff(thinks); {
	case dialect == "minimax" || dialect == "thinking_type":
		b.Thinking = &thinking{thinks}
		if dialect == "minimax" {
			return written(thinks, "adaptive", "disabled")
		}
	case dialect == "enabled":
		b.Reasoning = &reasoning{Enabled: on}
	case dialect == "groq_qwen":
		b.ReasoningEffort = map[string]string{"enabled": "default", "disabled": "none"}[thinks]
	case a.Quirks().HonorsChatTemplateKwargs.Or(false):
		b.Template = jsontext.Value(`{"enable_thinking":` + on.String() + `}`)
	default:
		return written(thinks)
	}
	return written(thinks, "enabled", "disabled")
}

func onOff(thinks string) (on catalog.Opt[bool]) {
	if thinks != "" {
		on = catalog.Known(thinks == "enabled")
	}
	return on
}

func written(thinks string, words ...string) error {
	for _, w := range words {
		if w == thinks {
			return nil
		}
	}
	return turn.Unwritten("thinking", thinks)
}

func (b *request) schema(a *turn.Ask) error {
	switch a.Transport() {
	case "", "tool_schema":
		return nil
	case "native_schema":
		b.ResponseFormat = &responseFormat{"json_schema", jsonSchema{a.ResponseSchema.Name, true, turn.Raw(a.ResponseSchema.Schema)}}
		_, err := turn.Schema(a.ResponseSchema.Schema)
		return err
	}
	return turn.Unwritten("response_schema", a.Transport())
}

func (b *request) tools(a *turn.Ask) error {
	for i := range a.Tools {
		b.Tools = append(b.Tools, functionTool(&a.Tools[i]))
	}
	if t, ok := a.SchemaTool(); ok {
		if len(a.Tools) > 0 {
			return turn.Unwritten("response_schema", "tool_schema with other tools")
		}
		b.Tools, b.ToolChoice = []tool{functionTool(&t)}, named(t.Name)
		_, err := turn.Schema(t.Parameters)
		return err
	}
	switch word := a.Settings.ToolChoice; word {
	case "":
	case "any":
		b.ToolChoice = jsontext.Value(`"required"`)
	case "tool":
		b.ToolChoice = named(a.Settings.ToolName)
	default:
		b.ToolChoice = jsontext.Value(strconv.Quote(word))
	}
	return nil
}

func functionTool(t *textgen.Tool) tool {
	return tool{"function", function{t.Name, t.Description, turn.Raw(t.Parameters)}}
}

func named(name string) jsontext.Value {
	v, _ := json.Marshal(tool{"function", function{Name: name}}) // strings that were admitted are written
	return v
}

// messages writes the turns in their order; system messages stay where they are.
func (b *request) messages(a *turn.Ask) error {
	system := "system"
	if a.Quirks().PrefersRoleDeveloper.Or(false) {
		system = "developer"
	}
	b.Messages = make([]message, len(a.Messages))
	for i := range a.Messages {
		m := &a.Messages[i]
		out := &b.Messages[i]
		if out.Role = m.Role; m.Role == "system" {
			out.Role = system
		}
		out.ToolCallID = m.ToolCallID
		thoughts := turn.Thoughts(m)
		out.Thoughts = thoughts.Before()
		for _, c := range m.ToolCalls {
			out.ToolCalls = append(out.ToolCalls, toolCall{c.ID, "function", called{c.Name, post.Text(c.Arguments)}})
		}
		if err := out.Content.fill(m); err != nil {
			return err
		}
	}
	return nil
}

// fill takes what a message says. The wire takes anything but text from the user
// alone.
func (c *content) fill(m *textgen.Message) error {
	if len(m.Parts) == 0 {
		return nil
	}
	if len(m.Parts) == 1 && m.Parts[0].Kind == "text" {
		c.text = (*post.Text)(&m.Parts[0].Text)
		return nil
	}
	c.parts = make([]part, len(m.Parts))
	for i := range m.Parts {
		p := &m.Parts[i]
		if m.Role != "user" && p.Kind != "text" {
			return turn.NoPlace(m, p)
		}
		if err := c.parts[i].fill(m, p); err != nil {
			return err
		}
	}
	return nil
}

func (out *part) fill(m *textgen.Message, p *textgen.Part) error {
	switch {
	case p.Kind == "text":
		out.Type, out.Text = "text", (*post.Text)(&p.Text)
	case p.Kind == "image" && p.FileID == "":
		out.Type, out.ImageURL = "image_url", &address{post.Text(turn.DataURL(p))}
	case p.Kind == "video" && p.FileID == "":
		out.Type, out.VideoURL = "video_url", &address{post.Text(turn.DataURL(p))}
	case p.Kind == "audio" && p.Data != "":
		out.Type, out.InputAudio = "input_audio", &inputAudio{post.Text(p.Data), audioFormat(p.MediaType)}
	case p.Kind == "pdf" && p.Data != "":
		out.Type, out.File = "file", &file{Filename: "document.pdf", FileData: post.Text(turn.DataURL(p))}
	case p.Kind == "file_ref":
		out.Type, out.File = "file", &file{FileID: p.FileID}
	default:
		return turn.NoPlace(m, p)
	}
	return nil
}

// audioFormat is the wire's word for a media type: wav, mp3, or the subtype.
func audioFormat(mediaType string) string {
	_, sub, _ := strings.Cut(mediaType, "/")
	sub = strings.TrimPrefix(sub, "x-")
	if sub == "mpeg" {
		return "mp3"
	}
	return sub
}

// cache asks for the prompt cache: where a row marks places with a breakpoint, at
// the end of what was sent; else with OpenAI's own option.
func (b *request) cache(a *turn.Ask) error {
	on, asked := a.Settings.Cache.Get()
	ttl := a.Settings.PromptCacheTTL
	if !asked && ttl == "" {
		return nil
	}
	if !textgen.HasBreakpoint(a.Contract) {
		b.CacheOptions = &cacheOptions{openai.CacheMode(on, asked), ttl}
		return nil
	}
	if asked && !on {
		return nil // without a breakpoint nothing is cached
	}
	control := &cacheControl{"ephemeral", ttl}
	if a.Text.Cache.Breakpoint == "top_level" {
		b.CacheControl = control
		return nil
	}
	return b.mark(a, control)
}

// mark puts a breakpoint on the last part of the last message that has parts.
func (b *request) mark(a *turn.Ask, control *cacheControl) error {
	for i := len(a.Messages) - 1; i >= 0; i-- {
		m := &a.Messages[i]
		if len(m.Parts) == 0 {
			continue
		}
		parts := make([]part, len(m.Parts))
		for k := range m.Parts {
			if err := parts[k].fill(m, &m.Parts[k]); err != nil {
				return err
			}
		}
		parts[len(parts)-1].CacheControl = control
		b.Messages[i].Content = content{parts: parts}
		return nil
	}
	return turn.Unwritten("cache", "without a part to mark")
}

// gateway keeps OpenRouter to the servers whose promise the contract is, and to
// those that honour every setting: else it drops what a server does not take.
func (b *request) gateway(a *turn.Ask) {
	b.Provider = &routing{RequireParameters: true}
	if r := a.Text.Routing; r != nil {
		b.Provider.Only, b.Provider.Ignore = r.Allow, r.Deny
	}
}
