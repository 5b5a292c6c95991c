package textgen

import (
	"github.com/opcat/opcat/catalog"
)

// A Result is one complete turn of the model. A turn that was refused, filtered
// or cut off is no Result: dispatch gives it as a failure of its own kind.
type Result struct {
	Stop      string       `json:"stop" is:"one of end stop_sequence tool_calls"` // end, stop_sequence or tool_calls
	Parts     []Part       `json:"parts,omitempty"`
	ToolCalls []ToolCall   `json:"tool_calls,omitempty"`
	Thoughts  []Thought    `json:"thoughts,omitempty"` // to be sent again with the turn
	Logprobs  []TokenProb  `json:"logprobs,omitempty"`
	JSON      catalog.JSON `json:"json,omitzero"` // the text, where a response schema was asked for
}

// A TokenProb is a token with its logarithmic probability.
type TokenProb struct {
	Token        string          `json:"token" is:"empty"`
	Logprob      catalog.Decimal `json:"logprob"`
	Alternatives []TokenProb     `json:"alternatives,omitempty"`
}

// Stops are the ways in which a turn can end whole.
var Stops = []string{"end", "stop_sequence", "tool_calls"}

// Text is all text of the turn.
func (r Result) Text() string {
	s := ""
	for _, p := range r.Parts {
		if p.Kind == "text" {
			s += p.Text
		}
	}
	return s
}
