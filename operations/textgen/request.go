package textgen

import (
	"iter"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
)

// A Request asks for one turn of a conversation.
type Request struct {
	Messages       []Message       `json:"messages" is:"some"`
	Tools          []Tool          `json:"tools,omitempty"`
	ResponseSchema *ResponseSchema `json:"response_schema,omitempty"`      // the answer has to be JSON that fits it
	Outputs        []string        `json:"outputs,omitempty" is:"outputs"` // kinds of output; none means text
	Settings       Settings        `json:"settings,omitzero"`

	// InputTokens is how many tokens the caller counted in all of it, tools and
	// schema included. Unknown: the bytes bound them.
	InputTokens catalog.Opt[int64] `json:"input_tokens,omitzero" is:"0.."`
	// LowerCap lets an explicit max_output_tokens that does not fit the window be
	// lowered; the receipt says so. Without it such a request is refused.
	LowerCap bool `json:"lower_cap,omitzero"`
}

// Operation is the registry's member.
func (Request) Operation() *op.Operation { return &Operation }

// A Message is one turn.
type Message struct {
	Role       string     `json:"role" is:"one of system user assistant tool"` // system, user, assistant or tool
	Parts      []Part     `json:"parts,omitempty"`
	ToolCalls  []ToolCall `json:"tool_calls,omitempty"`   // assistant: the calls it made
	Thoughts   []Thought  `json:"thoughts,omitempty"`     // assistant: what its answer gave of its thinking, unchanged
	ToolCallID string     `json:"tool_call_id,omitempty"` // tool: the call that this answers
}

// A Part is one piece of content.
type Part struct {
	Kind      string `json:"kind" is:"inputs"`     // text, image, audio, video, pdf or file_ref
	Text      string `json:"text,omitempty"`       // of text
	MediaType string `json:"media_type,omitempty"` // of bytes: image/png ...
	Data      string `json:"data,omitempty"`       // the bytes in base64
	URL       string `json:"url,omitempty"`        // instead of bytes, where the contract takes remote ones
	FileID    string `json:"file_id,omitempty"`    // of file_ref: an upload's name at the provider
}

// A Tool is a function that the model may ask for.
type Tool struct {
	Name        string       `json:"name"`
	Description string       `json:"description,omitempty"`
	Parameters  catalog.JSON `json:"parameters" is:"object"` // JSON Schema of an object
}

// A ToolCall is the model's wish to run a tool.
type ToolCall struct {
	ID        string       `json:"id" is:"empty"` // the vendor's; empty where the wire has none
	Name      string       `json:"name"`
	Arguments catalog.JSON `json:"arguments" is:"object"` // a JSON object

	// Before is the number of the part that the call stands before, where the model
	// went on after it. Absent: the call stands behind all parts.
	Before catalog.Opt[int64] `json:"before,omitzero" is:"0.."`
}

// Pieces gives the parts and the tool calls of a turn in its order, one of the two
// at a time.
func Pieces(parts []Part, calls []ToolCall) iter.Seq2[*Part, *ToolCall] {
	return func(yield func(*Part, *ToolCall) bool) {
		next := 0
		for i := range parts {
			for ; next < len(calls) && calls[next].Before.Or(int64(len(parts))) <= int64(i); next++ {
				if !yield(nil, &calls[next]) {
					return
				}
			}
			if !yield(&parts[i], nil) {
				return
			}
		}
		for ; next < len(calls); next++ {
			if !yield(nil, &calls[next]) {
				return
			}
		}
	}
}

// A ResponseSchema is what the answer has to fit.
type ResponseSchema struct {
	Name   string       `json:"name" is:"name"` // letters, digits, _ and -, 64 at most
	Schema catalog.JSON `json:"schema" is:"object"`
}

// Settings are the options of a request. What is left out is not sent.
type Settings struct {
	MaxOutputTokens   catalog.Opt[int64]         `json:"max_output_tokens,omitzero"`
	Effort            string                     `json:"effort,omitempty"`
	Thinking          string                     `json:"thinking,omitempty"`
	ToolChoice        string                     `json:"tool_choice,omitempty"`
	ToolName          string                     `json:"tool_name,omitempty"` // of tool_choice "tool"
	ParallelToolCalls catalog.Opt[bool]          `json:"parallel_tool_calls,omitzero"`
	ServiceTier       string                     `json:"service_tier,omitempty"`
	Temperature       catalog.Decimal            `json:"temperature,omitempty"`
	TopP              catalog.Decimal            `json:"top_p,omitempty"`
	TopK              catalog.Opt[int64]         `json:"top_k,omitzero"`
	MinP              catalog.Decimal            `json:"min_p,omitempty"`
	Seed              catalog.Opt[int64]         `json:"seed,omitzero"`
	FrequencyPenalty  catalog.Decimal            `json:"frequency_penalty,omitempty"`
	PresencePenalty   catalog.Decimal            `json:"presence_penalty,omitempty"`
	RepetitionPenalty catalog.Decimal            `json:"repetition_penalty,omitempty"`
	Stop              []string                   `json:"stop,omitempty"`
	Logprobs          catalog.Opt[int64]         `json:"logprobs,omitzero"` // alternatives for each token; 0 gives the token's own alone
	LogitBias         map[string]catalog.Decimal `json:"logit_bias,omitempty"`
	Prediction        string                     `json:"prediction,omitempty"`
	Verbosity         string                     `json:"verbosity,omitempty"`
	Mirostat          string                     `json:"mirostat,omitempty"`
	Cache             catalog.Opt[bool]          `json:"cache,omitzero"`
	PromptCacheTTL    string                     `json:"prompt_cache_ttl,omitempty"`
}
