package anthropic_messages

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/dispatch/internal/post"
	"github.com/opcat/opcat/dispatch/internal/turn"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/operations/textgen"
)

func encode(a turn.Admitted) (wire.Request, error) {
	ask := turn.Of(a, ownTransport)
	s := &ask.Settings
	body := request{
		Model:         a.WireModel(),
		Temperature:   turn.Number(s.Temperature),
		TopP:          turn.Number(s.TopP),
		TopK:          s.TopK,
		StopSequences: s.Stop,
	}
	for _, fill := range []func(*turn.Ask) error{body.cap, body.output, body.think, body.tier, body.tools, body.messages, body.cache} {
		if err := fill(&ask); err != nil {
			return wire.Request{}, err
		}
	}
	out, err := post.JSON(a.URL(), &body)
	if err != nil {
		return wire.Request{}, err
	}
	version := a.APIVersion()
	if version == "" {
		version = ownVersion
	}
	out.Header.Set("Anthropic-Version", version)
	beta := ask.Quirks().AnthropicBetaFeatures
	if body.Speed != "" {
		beta = append(slices.Clip(beta), fastMode)
	}
	if len(beta) > 0 {
		out.Header.Set("Anthropic-Beta", strings.Join(beta, ","))
	}
	return out, nil
}

// fastMode is the beta that some models want named for any speed.
const fastMode = "fast-mode-2026-02-01"

func (b *request) cap(a *turn.Ask) error {
	n, ok := a.Cap.Get()
	if !ok {
		return errors.New("the protocol wants max_output_tokens, and none was admitted")
	}
	b.MaxTokens = n
	return nil
}

func (b *request) output(a *turn.Ask) error {
	out := outputConfig{Effort: a.Settings.Effort}
	switch a.Transport() {
	case "", "tool_schema":
	case "native_schema":
		out.Format = &format{"json_schema", turn.Raw(a.ResponseSchema.Schema)}
		if _, err := turn.Schema(a.ResponseSchema.Schema); err != nil {
			return err
		}
	default:
		return turn.Unwritten("response_schema", a.Transport())
	}
	if out != (outputConfig{}) {
		b.OutputConfig = &out
	}
	return nil
}

func (b *request) think(a *turn.Ask) error {
	switch word := a.Settings.Thinking; word {
	case "":
	case "enabled":
		b.Thinking = &thinking{word, textgen.ThinkingBudget(a.Contract, b.MaxTokens, true)}
		if b.Thinking.BudgetTokens >= b.MaxTokens {
			return fmt.Errorf("a cap of %d tokens leaves nothing beside a thinking budget of %d", b.MaxTokens, b.Thinking.BudgetTokens)
		}
	case "adaptive", "disabled", "between_tools":
		b.Thinking = &thinking{Type: word}
	default:
		return turn.Unwritten("thinking", word)
	}
	return nil
}

// tier keeps a call of the standard tier to it: left alone, the server may take
// capacity that was paid for ahead.
func (b *request) tier(a *turn.Ask) error {
	switch word := a.Settings.ServiceTier; word {
	case "":
	case "standard":
		b.ServiceTier = "standard_only"
	case "fast":
		b.Speed = "fast"
	default:
		return turn.Unwritten("service_tier", word)
	}
	return nil
}

func (b *request) tools(a *turn.Ask) error {
	for i := range a.Tools {
		t := &a.Tools[i]
		b.Tools = append(b.Tools, tool{t.Name, t.Description, turn.Raw(t.Parameters)})
	}
	if t, ok := a.SchemaTool(); ok {
		if len(a.Tools) > 0 {
			return turn.Unwritten("response_schema", "tool_schema with other tools")
		}
		b.Tools = []tool{{t.Name, t.Description, turn.Raw(t.Parameters)}}
		b.ToolChoice = &toolChoice{Type: "tool", Name: t.Name}
		_, err := turn.Schema(t.Parameters)
		return err
	}
	s := &a.Settings
	parallel, said := s.ParallelToolCalls.Get()
	if s.ToolChoice == "" && !said {
		return nil
	}
	choice := toolChoice{Type: s.ToolChoice, Name: s.ToolName}
	switch s.ToolChoice {
	case "":
		choice.Type = "auto" // what the server takes a request to mean that has tools
	case "required":
		choice.Type = "any"
	}
	if said {
		choice.DisableParallel = catalog.Known(!parallel)
	}
	b.ToolChoice = &choice
	return nil
}

// messages takes the system messages that come first apart. A later one stays
// where it is, on models that take a directive there.
func (b *request) messages(a *turn.Ask) error {
	for i := range a.Messages {
		m := &a.Messages[i]
		content, err := blocks(m)
		if err != nil {
			return err
		}
		role := m.Role
		switch {
		case role == "system" && len(b.Messages) == 0:
			b.System = append(b.System, content...)
			continue
		case role == "system" && a.Quirks().SystemMessagePlacement != "native_directive":
			return errors.New("the model takes system messages before the first turn only")
		case role == "tool":
			role = "user"
		}
		if k := len(b.Messages) - 1; k >= 0 && b.Messages[k].Role == role {
			b.Messages[k].Content = append(b.Messages[k].Content, content...)
			continue
		}
		b.Messages = append(b.Messages, message{role, content})
	}
	return nil
}

func blocks(m *textgen.Message) ([]block, error) {
	if m.Role == "tool" {
		text, err := turn.Texts(m)
		return []block{{Type: "tool_result", ToolUseID: m.ToolCallID, Content: []block{{Type: "text", Text: (*post.Text)(&text)}}}}, err
	}
	out := make([]block, 0, len(m.Parts)+len(m.ToolCalls)+len(m.Thoughts))
	thoughts := turn.Thoughts(m)
	for p, c := range textgen.Pieces(m.Parts, m.ToolCalls) {
		out = think(out, &thoughts)
		thoughts.Next()
		if c != nil {
			out = append(out, block{Type: "tool_use", ID: c.ID, Name: c.Name, Input: turn.Raw(c.Arguments)})
			continue
		}
		if m.Role != "user" && p.Kind != "text" {
			return nil, turn.NoPlace(m, p)
		}
		out = append(out, block{})
		if err := out[len(out)-1].fill(m, p); err != nil {
			return nil, err
		}
	}
	return think(out, &thoughts), nil
}

// think adds what was thought before the block that comes next.
func think(out []block, thoughts *turn.Thinker) []block {
	for data := thoughts.Before(); data != nil; data = thoughts.Before() {
		out = append(out, block{Thought: data})
	}
	return out
}

func (out *block) fill(m *textgen.Message, p *textgen.Part) error {
	document := p.Kind == "pdf" || p.Kind == "file_ref" && !strings.HasPrefix(p.MediaType, "image/")
	switch p.Kind {
	case "text":
		out.Type, out.Text = "text", (*post.Text)(&p.Text)
		return nil
	case "image", "pdf", "file_ref":
	default:
		return turn.NoPlace(m, p)
	}
	out.Type = "image"
	if document {
		out.Type = "document"
	}
	switch {
	case p.FileID != "":
		out.Source = &source{Type: "file", FileID: p.FileID}
	case p.URL != "":
		out.Source = &source{Type: "url", URL: p.URL}
	default:
		out.Source = &source{Type: "base64", MediaType: p.MediaType, Data: post.Text(p.Data)}
	}
	return nil
}

// cache asks for the prompt cache with one breakpoint, at the end of what is sent:
// for the whole request, or on the last block where the contract says so.
func (b *request) cache(a *turn.Ask) error {
	on, asked := a.Settings.Cache.Get()
	ttl := a.Settings.PromptCacheTTL
	if asked && !on || !asked && ttl == "" {
		return nil // without a breakpoint nothing is cached
	}
	control := &cacheControl{"ephemeral", ttl}
	if a.Text.Cache == nil || a.Text.Cache.Breakpoint != "last_block" {
		b.CacheControl = control
		return nil
	}
	last := b.Messages[len(b.Messages)-1].Content
	k := len(last) - 1
	for k > 0 && last[k].Thought != nil {
		k-- // what was thought takes no mark
	}
	last[k].CacheControl = control
	return nil
}
