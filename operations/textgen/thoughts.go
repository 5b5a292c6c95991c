package textgen

import (
	"errors"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
)

// A Thought is what a model gave of its thinking, as its wire writes it: signed or
// sealed, for the same model to read when the turn is sent again. Nothing in it is
// to be read or changed.
type Thought struct {
	Route    string       `json:"route"`                                                           // the row that thought it; no other takes it
	Protocol string       `json:"protocol" is:"one of anthropic_messages gemini_generate_content"` // the wire that it was written for
	At       int64        `json:"at" is:"0.."`                                                     // its place among the turn's parts and then its tool calls, which it stands before
	Inside   bool         `json:"inside,omitzero"`                                                 // it is a mark on the part or call at its place instead
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
		}
		if err := t.Check(); err != nil {
			n.Fail("message %d, thought %d: %w", i, j, err)
		}
	}
}

// Check holds a thought's data to what its wire has for thoughts, so that nothing
// else travels as one, past the rules for it.
func (t *Thought) Check() error {
	switch t.Protocol {
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
