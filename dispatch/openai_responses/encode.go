package openai_responses

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

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
		MaxOutputTokens:   ask.Cap,
		ParallelToolCalls: s.ParallelToolCalls,
		ServiceTier:       openai.TierWord(s.ServiceTier),
		Temperature:       turn.Number(s.Temperature),
		TopP:              turn.Number(s.TopP),
	}
	if s.Effort != "" {
		body.Reasoning = &reasoning{s.Effort}
	}
	if textgen.Seals(ask.Contract) {
		body.Include = []string{"reasoning.encrypted_content"} // nothing is stored, so only what comes back sealed can be sent again
	}
	if n, ok := s.Logprobs.Get(); ok {
		body.Include = append(body.Include, "message.output_text.logprobs")
		if n > 0 {
			body.TopLogprobs = s.Logprobs
		}
	}
	if on, ok := s.Cache.Get(); ok || s.PromptCacheTTL != "" {
		body.CacheOptions = &cacheOptions{openai.CacheMode(on, ok), s.PromptCacheTTL}
	}
	body.tools(&ask)
	if err := body.text(&ask); err != nil {
		return wire.Request{}, err
	}
	if err := body.input(&ask); err != nil {
		return wire.Request{}, err
	}
	return post.JSON(a.URL(), &body)
}

func (b *request) text(a *turn.Ask) error {
	if a.ResponseSchema == nil && a.Settings.Verbosity == "" {
		return nil
	}
	b.Text = &text{Verbosity: a.Settings.Verbosity}
	switch a.Transport() {
	case "":
		return nil
	case "native_schema":
		b.Text.Format = &format{"json_schema", a.ResponseSchema.Name, true, turn.Raw(a.ResponseSchema.Schema)}
		_, err := turn.Schema(a.ResponseSchema.Schema)
		return err
	}
	return turn.Unwritten("response_schema", a.Transport())
}

func (b *request) tools(a *turn.Ask) {
	for i := range a.Tools {
		t := &a.Tools[i]
		b.Tools = append(b.Tools, tool{"function", t.Name, t.Description, turn.Raw(t.Parameters), false})
	}
	switch word := a.Settings.ToolChoice; word {
	case "":
	case "any":
		b.ToolChoice = jsontext.Value(`"required"`)
	case "tool":
		b.ToolChoice, _ = json.Marshal(choice{"function", a.Settings.ToolName}) // a name that was admitted is written
	default:
		b.ToolChoice = jsontext.Value(strconv.Quote(word))
	}
}

// input writes the turns in their order. A call and what the tool gave are items
// of their own.
func (b *request) input(a *turn.Ask) error {
	system := "system"
	if a.Quirks().PrefersRoleDeveloper.Or(false) {
		system = "developer"
	}
	for i := range a.Messages {
		m := &a.Messages[i]
		if m.Role == "tool" {
			output, err := turn.Texts(m)
			if err != nil {
				return err
			}
			b.Input = append(b.Input, item{Type: "function_call_output", CallID: m.ToolCallID, Output: (*post.Text)(&output)})
			continue
		}
		if m.Role == "assistant" {
			if err := b.turn(m); err != nil {
				return err
			}
			continue
		}
		out := item{Type: "message", Role: m.Role}
		if out.Role == "system" {
			out.Role = system
		}
		if err := out.Content.fill(m); err != nil {
			return err
		}
		b.Input = append(b.Input, out)
	}
	return nil
}

// turn writes what the assistant said, called and thought in its order. Texts with
// nothing between them are one message.
func (b *request) turn(m *textgen.Message) error {
	thoughts := turn.Thoughts(m)
	var said []string
	var mark jsontext.Value
	flush := func() {
		if said != nil {
			text := post.Text(strings.Join(said, ""))
			b.Input = append(b.Input, item{Type: "message", Role: "assistant", Content: content{text: &text}, Thought: mark})
			said, mark = nil, nil
		}
	}
	think := func() {
		for data := thoughts.Before(); data != nil; data = thoughts.Before() {
			flush()
			b.Input = append(b.Input, item{Thought: data})
		}
	}
	for p, c := range textgen.Pieces(m.Parts, m.ToolCalls) {
		think()
		next := thoughts.Next()
		switch {
		case c != nil:
			flush()
			b.Input = append(b.Input, item{Type: "function_call", CallID: c.ID, Name: c.Name, Arguments: post.Text(c.Arguments)})
			continue
		case p.Kind != "text":
			return turn.NoPlace(m, p)
		case next != nil:
			flush()
			mark = next
		}
		said = append(said, p.Text)
	}
	think()
	flush()
	return nil
}

// fill takes one text, or the user's list of parts.
func (c *content) fill(m *textgen.Message) error {
	if m.Role != "user" || len(m.Parts) == 1 && m.Parts[0].Kind == "text" {
		text, err := turn.Texts(m)
		c.text = (*post.Text)(&text)
		return err
	}
	c.parts = make([]part, len(m.Parts))
	for i := range m.Parts {
		if err := c.parts[i].fill(m, &m.Parts[i]); err != nil {
			return err
		}
	}
	return nil
}

func (out *part) fill(m *textgen.Message, p *textgen.Part) error {
	switch {
	case p.Kind == "text":
		out.Type, out.Text = "input_text", (*post.Text)(&p.Text)
	case p.Kind == "image" && p.FileID == "":
		out.Type, out.ImageURL, out.Detail = "input_image", post.Text(turn.DataURL(p)), "auto"
	case p.Kind == "pdf" && p.URL != "":
		out.Type, out.FileURL = "input_file", p.URL
	case p.Kind == "pdf" && p.Data != "":
		out.Type, out.Filename, out.FileData = "input_file", "document.pdf", post.Text(turn.DataURL(p))
	case p.Kind == "file_ref" && strings.HasPrefix(p.MediaType, "image/"):
		out.Type, out.FileID, out.Detail = "input_image", p.FileID, "auto"
	case p.Kind == "file_ref":
		out.Type, out.FileID = "input_file", p.FileID
	default:
		return turn.NoPlace(m, p)
	}
	return nil
}
