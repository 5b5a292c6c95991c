package ollama_chat

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/dispatch/internal/post"
	"github.com/opcat/opcat/dispatch/internal/turn"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/operations/textgen"
)

type request struct {
	Model       string             `json:"model"`
	Stream      bool               `json:"stream"`
	Truncate    bool               `json:"truncate"`
	Shift       bool               `json:"shift"`
	Messages    []message          `json:"messages"`
	Tools       []tool             `json:"tools,omitzero"`
	Format      jsontext.Value     `json:"format,omitzero"`
	Think       jsontext.Value     `json:"think,omitzero"` // a yes or no, or a level
	Logprobs    bool               `json:"logprobs,omitzero"`
	TopLogprobs catalog.Opt[int64] `json:"top_logprobs,omitzero"`
	Options     options            `json:"options,omitzero"`
}

type message struct {
	Role       string      `json:"role"`
	Content    post.Text   `json:"content"`
	Images     []post.Text `json:"images,omitzero"` // bytes in base64
	ToolCalls  []call      `json:"tool_calls,omitzero"`
	ToolName   string      `json:"tool_name,omitzero"`
	ToolCallID string      `json:"tool_call_id,omitzero"`
}

type call struct {
	ID       string `json:"id,omitzero"`
	Function called `json:"function"`
}

type called struct {
	Name      string         `json:"name"`
	Arguments jsontext.Value `json:"arguments"`
}

type tool struct {
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name        string         `json:"name"`
	Description string         `json:"description,omitzero"`
	Parameters  jsontext.Value `json:"parameters"`
}

type options struct {
	NumPredict       catalog.Opt[int64] `json:"num_predict,omitzero"`
	Temperature      jsontext.Value     `json:"temperature,omitzero"`
	TopP             jsontext.Value     `json:"top_p,omitzero"`
	TopK             catalog.Opt[int64] `json:"top_k,omitzero"`
	MinP             jsontext.Value     `json:"min_p,omitzero"`
	Seed             catalog.Opt[int64] `json:"seed,omitzero"`
	FrequencyPenalty jsontext.Value     `json:"frequency_penalty,omitzero"`
	PresencePenalty  jsontext.Value     `json:"presence_penalty,omitzero"`
	RepeatPenalty    jsontext.Value     `json:"repeat_penalty,omitzero"`
	Stop             []string           `json:"stop,omitzero"`
}

func encode(a turn.Admitted) (wire.Request, error) {
	ask := turn.Of(a, ownTransport)
	s := &ask.Settings
	body := request{Model: a.WireModel(), Logprobs: s.Logprobs.IsKnown()}
	if n, ok := s.Logprobs.Get(); ok && n > 0 {
		body.TopLogprobs = s.Logprobs
	}
	body.options(&ask)
	for _, fill := range []func(*turn.Ask) error{body.format, body.think, body.messages} {
		if err := fill(&ask); err != nil {
			return wire.Request{}, err
		}
	}
	for i := range ask.Tools {
		t := &ask.Tools[i]
		body.Tools = append(body.Tools, tool{"function", function{t.Name, t.Description, turn.Raw(t.Parameters)}})
	}
	return post.JSON(a.URL(), &body)
}

func (b *request) options(a *turn.Ask) {
	s := &a.Settings
	b.Options = options{
		NumPredict:       a.Cap,
		Temperature:      turn.Number(s.Temperature),
		TopP:             turn.Number(s.TopP),
		TopK:             s.TopK,
		MinP:             turn.Number(s.MinP),
		Seed:             s.Seed,
		FrequencyPenalty: turn.Number(s.FrequencyPenalty),
		PresencePenalty:  turn.Number(s.PresencePenalty),
		RepeatPenalty:    turn.Number(s.RepetitionPenalty),
		Stop:             s.Stop,
	}
}

func (b *request) format(a *turn.Ask) error {
	switch a.Transport() {
	case "":
		return nil
	case "format_schema":
		b.Format = turn.Raw(a.ResponseSchema.Schema)
		_, err := turn.Schema(a.ResponseSchema.Schema)
		return err
	}
	return turn.Unwritten("response_schema", a.Transport())
}

// think writes the switch, or the level, which switches it on.
func (b *request) think(a *turn.Ask) error {
	effort, thinks := a.Settings.Effort, a.Settings.Thinking
	switch {
	case effort != "" && thinks == "disabled":
		return turn.Unwritten("effort", effort+" with thinking disabled")
	case effort == "low" || effort == "medium" || effort == "high":
		b.Think = jsontext.Value(strconv.Quote(effort))
	case effort != "":
		return turn.Unwritten("effort", effort)
	case thinks == "enabled" || thinks == "disabled":
		b.Think = jsontext.Value(strconv.FormatBool(thinks == "enabled"))
	case thinks != "":
		return turn.Unwritten("thinking", thinks)
	}
	return nil
}

// messages writes the turns in their order. A message has one text; images stand
// beside it.
func (b *request) messages(a *turn.Ask) error {
	b.Messages = make([]message, len(a.Messages))
	for i := range a.Messages {
		m, out := &a.Messages[i], &b.Messages[i]
		out.Role = m.Role
		for k := range m.Parts {
			if err := out.add(m, &m.Parts[k]); err != nil {
				return err
			}
		}
		for _, c := range m.ToolCalls {
			out.ToolCalls = append(out.ToolCalls, call{turn.SentID(c.ID), called{c.Name, turn.Raw(c.Arguments)}})
		}
		if m.Role == "tool" {
			out.ToolCallID = turn.SentID(m.ToolCallID)
			var err error
			if out.ToolName, err = a.Called(i); err != nil {
				return err
			}
		}
	}
	return nil
}

func (out *message) add(m *textgen.Message, p *textgen.Part) error {
	switch {
	case p.Kind == "text":
		out.Content += post.Text(p.Text)
	case p.Kind == "image" && p.Data != "" && m.Role == "user":
		out.Images = append(out.Images, post.Text(p.Data))
	default:
		return turn.NoPlace(m, p)
	}
	return nil
}
