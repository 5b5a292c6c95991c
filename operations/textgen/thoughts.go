package textgen

import (
	"errors"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
)

// A Thought is what a model gave of its thinking, as its wire writes it: signed,
// sealed or plain, for the same model to read when the turn is sent again. Nothing
// in it is to be read or changed.
type Thought struct {
	Route    string       `json:"route"`                                                                                                    // the row that thought it; no other takes it
	Protocol string       `json:"protocol" is:"one of openai_chat_completions openai_responses anthropic_messages gemini_generate_content"` // the wire that it was written for
	At       int64        `json:"at" is:"0.."`                                                                                              // its place in the order of the turn's parts and tool calls, which it stands before
	Inside   bool         `json:"inside,omitzero"`                                                                                          // it is a mark on the part or call at its place instead
	Data     catalog.JSON `json:"data" is:"object"`
}

// before reports whether a thought may stand before another of the same turn.
// There is one mark at most on a part or call.
func (t *Thought) before(next *Thought) bool {
	return t.At < next.At || t.At == next.At && !t.Inside
}

// thoughts checks what a turn has of thinking, and notes whose it is.
func (m *Message) thoughts(n *op.Needs, i int, tally *op.Tally) {
	pieces := int64(len(m.Parts) + len(m.ToolCalls))
	if m.Role != "assistant" {
		n.Fail("message %d: only the assistant has thoughts", i)
	}
	for j := range m.Thoughts {
		t := &m.Thoughts[j]
		tally.Around(op.AroundPiece)
		tally.Text(string(t.Data))
		n.From(t.Route, t.Protocol)
		last := pieces
		if t.Inside {
			last--
		}
		switch {
		case t.Route == "":
			n.Fail("message %d, thought %d: it needs its route: send a thought as it was answered", i, j)
		case t.At < 0 || t.At > last:
			n.Fail("message %d, thought %d: at %d is no place in a turn of %d parts and calls", i, j, t.At, pieces)
		case j > 0 && !m.Thoughts[j-1].before(t):
			n.Fail("message %d, thought %d: it stands before the thought in front of it, or is a second mark on one place", i, j)
		case j > 0 && t.Protocol == "openai_chat_completions":
			n.Fail("message %d, thought %d: a message has one object of thoughts on this wire", i, j)
		}
		if err := t.Check(); err != nil {
			n.Fail("message %d, thought %d: %w", i, j, err)
		}
		if t.Protocol == "openai_chat_completions" {
			n.Form(t.chatForm())
		}
	}
}

// Check holds a thought's data to what its wire has for thoughts, so that nothing
// else travels as one, past the rules for it.
func (t *Thought) Check() error {
	switch t.Protocol {
	case "openai_chat_completions":
		return t.checkChat()
	case "openai_responses":
		return t.checkItem()
	case "anthropic_messages":
		var block struct {
			Type string `json:"type"`
		}
		if err := json.Unmarshal([]byte(t.Data), &block); err != nil || block.Type != "thinking" && block.Type != "redacted_thinking" || t.Inside {
			return errors.New("the data is not a thinking block")
		}
	case "gemini_generate_content":
		var part struct {
			Text      *string        `json:"text"`
			Image     jsontext.Value `json:"inlineData"`
			Thought   bool           `json:"thought"`
			Signature string         `json:"thoughtSignature"`
		}
		err := json.Unmarshal([]byte(t.Data), &part, json.RejectUnknownMembers(true))
		switch {
		case err != nil || !part.Thought && part.Signature == "":
			return errors.New("the data is neither a part that is a thought nor a thoughtSignature")
		case !part.Thought && (part.Image != nil || part.Text != nil && *part.Text != ""):
			return errors.New("the data holds a part that is no thought")
		case t.Inside && (part.Thought || part.Text != nil):
			return errors.New("the data of a mark is a thoughtSignature alone")
		}
	default:
		return errors.New("no thoughts are sent over the protocol " + t.Protocol)
	}
	return nil
}

// Commentary is the phase of a message that leads up to the answer, on the wire of
// responses.
const Commentary = "commentary"

// checkItem is for the wire of responses: an item of its own that is sealed or leads
// up to the answer, or the phase of a message.
func (t *Thought) checkItem() error {
	var item struct {
		Type    string `json:"type"`
		Sealed  string `json:"encrypted_content"`
		Role    string `json:"role"`
		Phase   string `json:"phase"`
		Content []struct {
			Type string `json:"type"`
		} `json:"content"`
	}
	err := json.Unmarshal([]byte(t.Data), &item)
	switch {
	case err == nil && t.Inside:
		var mark struct {
			Phase string `json:"phase"`
		}
		if json.Unmarshal([]byte(t.Data), &mark, json.RejectUnknownMembers(true)) != nil || mark.Phase == "" {
			return errors.New("the data of a mark is a phase alone")
		}
	case err == nil && item.Type == "reasoning" && item.Sealed != "":
	case err == nil && item.Type == "message" && item.Role == "assistant" && item.Phase == Commentary:
		for i := range item.Content {
			if item.Content[i].Type != "output_text" {
				return errors.New("the data is a message that holds more than text")
			}
		}
	default:
		return errors.New("the data is neither a reasoning item with its encrypted_content nor a message of commentary")
	}
	return nil
}

// chatMembers are what a message of chat completions may have of thinking.
type chatMembers struct {
	Content *string                     `json:"reasoning_content"`
	Text    *string                     `json:"reasoning"`
	Details []map[string]jsontext.Value `json:"reasoning_details"`
}

func (t *Thought) chat() (m chatMembers, err error) {
	err = json.Unmarshal([]byte(t.Data), &m, json.RejectUnknownMembers(true))
	return m, err
}

// checkChat is for the wire of chat completions, where thoughts are members of the
// message: it has one object of them, in front.
func (t *Thought) checkChat() error {
	m, err := t.chat()
	if err != nil || (m.Content != nil) == (m.Text != nil || m.Details != nil) {
		return errors.New("the data is neither reasoning_content nor reasoning and reasoning_details")
	}
	if t.At != 0 || t.Inside {
		return errors.New("the thoughts of a message stand at 0, before all of it")
	}
	return nil
}

// chatForm is the form of a message with the thought.
func (t *Thought) chatForm() string {
	if m, _ := t.chat(); m.Content != nil {
		return plainThoughts
	}
	return listedThoughts
}

// ChatThoughts is how a chat row takes back what it thought: "reasoning_content"
// as one text, "reasoning_details" as a gateway's list with its text, or "" where
// nothing says that it does. Some take it from a request with tools alone.
func ChatThoughts(c *catalog.Contract) (member string, withTools bool) {
	r := c.TextGeneration.Reasoning
	switch {
	case r == nil:
	case r.HistoryField == "reasoning_content" && (r.RoundTrip == "echo_same_key" || r.RoundTrip == "echo_same_key_when_tools_present"):
		return r.HistoryField, r.RoundTrip == "echo_same_key_when_tools_present"
	case r.Wire == "openrouter" && r.RoundTrip != "strip":
		return "reasoning_details", false
	}
	return "", false
}

// Seals reports whether a row's reasoning can be had sealed, over a wire that keeps
// nothing and has a place for it.
func Seals(c *catalog.Contract) bool {
	r := c.TextGeneration.Reasoning
	return r != nil && len(r.Modes) > 0 && r.RoundTrip != "strip"
}
