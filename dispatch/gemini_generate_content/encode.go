package gemini_generate_content

import (
	"errors"
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
	body := request{ServiceTier: s.ServiceTier}
	g := generation{
		MaxOutputTokens:  ask.Cap,
		Temperature:      turn.Number(s.Temperature),
		TopP:             turn.Number(s.TopP),
		TopK:             s.TopK,
		Seed:             s.Seed,
		PresencePenalty:  turn.Number(s.PresencePenalty),
		FrequencyPenalty: turn.Number(s.FrequencyPenalty),
		StopSequences:    s.Stop,
		ResponseLogprobs: s.Logprobs.IsKnown(),
	}
	if n, ok := s.Logprobs.Get(); ok && n > 0 {
		g.Logprobs = s.Logprobs
	}
	for _, kind := range ask.Outputs {
		g.ResponseModalities = append(g.ResponseModalities, strings.ToUpper(kind))
	}
	if err := errors.Join(g.think(&ask), g.schema(&ask), body.contents(&ask)); err != nil {
		return wire.Request{}, err
	}
	body.GenerationConfig = g
	body.tools(&ask)
	return post.JSON(a.URL(), &body)
}

// automatic is the budget that the model chooses by itself.
const automatic = -1

func (g *generation) think(a *turn.Ask) error {
	effort, thinks := a.Settings.Effort, a.Settings.Thinking
	switch {
	case effort == "" && thinks == "":
		return nil
	case effort != "" && thinks != "":
		return turn.Unwritten("thinking", thinks+" beside an effort")
	case effort == "none" || effort == "max":
		return turn.Unwritten("effort", effort)
	case effort != "":
		g.ThinkingConfig = &thinkingConfig{ThinkingLevel: strings.ToUpper(effort)}
		return nil
	}
	budget := int64(0)
	switch thinks {
	case "disabled":
	case "adaptive":
		budget = automatic
	case "enabled":
		outputCap, capped := a.Cap.Get()
		if budget = textgen.ThinkingBudget(a.Contract, outputCap, capped); budget < 0 {
			return turn.Unwritten("thinking", "enabled without a bound for its budget")
		}
	default:
		return turn.Unwritten("thinking", thinks)
	}
	g.ThinkingConfig = &thinkingConfig{ThinkingBudget: catalog.Known(budget)}
	return nil
}

func (g *generation) schema(a *turn.Ask) error {
	switch a.Transport() {
	case "":
		return nil
	case "native_schema":
		g.ResponseMimeType = "application/json"
		g.ResponseJSONSchema = turn.Raw(a.ResponseSchema.Schema)
		_, err := turn.Schema(a.ResponseSchema.Schema)
		return err
	}
	return turn.Unwritten("response_schema", a.Transport())
}

func (b *request) tools(a *turn.Ask) {
	if len(a.Tools) == 0 {
		return
	}
	declared := make([]declaration, len(a.Tools))
	for i := range a.Tools {
		t := &a.Tools[i]
		declared[i] = declaration{t.Name, t.Description, turn.Raw(t.Parameters)}
	}
	b.Tools = []tools{{declared}}
	config := callingConfig{}
	switch word := a.Settings.ToolChoice; word {
	case "":
		return
	case "required", "any":
		config.Mode = "ANY"
	case "tool":
		config.Mode, config.Allowed = "ANY", []string{a.Settings.ToolName}
	default:
		config.Mode = strings.ToUpper(word)
	}
	b.ToolConfig = &toolConfig{config}
}

// contents takes the system messages that come first apart; turns of one role in
// a row are one.
func (b *request) contents(a *turn.Ask) error {
	for i := range a.Messages {
		m := &a.Messages[i]
		parts, err := parts(a, i, m)
		if err != nil {
			return err
		}
		if m.Role == "system" {
			if len(b.Contents) > 0 {
				return errors.New("the protocol takes system messages before the first turn only")
			}
			if b.SystemInstruction == nil {
				b.SystemInstruction = &content{}
			}
			b.SystemInstruction.Parts = append(b.SystemInstruction.Parts, parts...)
			continue
		}
		role := "user"
		if m.Role == "assistant" {
			role = "model"
		}
		if k := len(b.Contents) - 1; k >= 0 && b.Contents[k].Role == role {
			b.Contents[k].Parts = append(b.Contents[k].Parts, parts...)
			continue
		}
		b.Contents = append(b.Contents, content{role, parts})
	}
	return nil
}

func parts(a *turn.Ask, i int, m *textgen.Message) ([]part, error) {
	if m.Role == "tool" {
		text, err := turn.Texts(m)
		if err != nil {
			return nil, err
		}
		name, err := a.Called(i)
		return []part{{FunctionResponse: &functionResponse{turn.SentID(m.ToolCallID), name, response{post.Text(text)}}}}, err
	}
	out := make([]part, 0, len(m.Parts)+len(m.ToolCalls)+len(m.Thoughts))
	thoughts := turn.Thoughts(m)
	add := func(p part) {
		out = think(out, &thoughts)
		p.Thought = thoughts.Next()
		out = append(out, p)
	}
	for p, c := range textgen.Pieces(m.Parts, m.ToolCalls) {
		if c != nil {
			add(part{FunctionCall: &functionCall{turn.SentID(c.ID), c.Name, turn.Raw(c.Arguments)}})
			continue
		}
		if m.Role != "user" && p.Kind != "text" {
			return nil, turn.NoPlace(m, p)
		}
		add(newPart(p))
	}
	return think(out, &thoughts), nil
}

// think adds what was thought before the part that comes next.
func think(out []part, thoughts *turn.Thinker) []part {
	for data := thoughts.Before(); data != nil; data = thoughts.Before() {
		out = append(out, part{Thought: data})
	}
	return out
}

func newPart(p *textgen.Part) part {
	switch {
	case p.Kind == "text":
		return part{Text: (*post.Text)(&p.Text)}
	case p.FileID != "":
		return part{FileData: &fileData{p.MediaType, p.FileID}}
	case p.URL != "":
		return part{FileData: &fileData{p.MediaType, p.URL}}
	}
	return part{InlineData: &blob{p.MediaType, post.Text(p.Data)}}
}
