package openai_responses

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/dispatch/internal/post"
)

type request struct {
	Model             string             `json:"model"`
	Input             []item             `json:"input"`
	Store             bool               `json:"store"`
	MaxOutputTokens   catalog.Opt[int64] `json:"max_output_tokens,omitzero"`
	Reasoning         *reasoning         `json:"reasoning,omitzero"`
	Text              *text              `json:"text,omitzero"`
	Tools             []tool             `json:"tools,omitzero"`
	ToolChoice        jsontext.Value     `json:"tool_choice,omitzero"`
	ParallelToolCalls catalog.Opt[bool]  `json:"parallel_tool_calls,omitzero"`
	ServiceTier       string             `json:"service_tier,omitzero"`
	Temperature       jsontext.Value     `json:"temperature,omitzero"`
	TopP              jsontext.Value     `json:"top_p,omitzero"`
	Include           []string           `json:"include,omitzero"`
	TopLogprobs       catalog.Opt[int64] `json:"top_logprobs,omitzero"`
	CacheOptions      *cacheOptions      `json:"prompt_cache_options,omitzero"`
}

// item is a message, a call of a tool or what a tool gave; Type says which. One that
// was thought has no other members and is written as it came.
type item struct {
	Type      string     `json:"type,omitzero"`
	Role      string     `json:"role,omitzero"`
	Content   content    `json:"content,omitzero"`
	CallID    string     `json:"call_id,omitzero"`
	Name      string     `json:"name,omitzero"`
	Arguments post.Text  `json:"arguments,omitzero"` // JSON as a string
	Output    *post.Text `json:"output,omitzero"`

	Thought jsontext.Value `json:",embed"` // or the mark on a message
}

// content is a list of parts, or a text alone, which is written as a string.
type content struct {
	text  *post.Text
	parts []part
}

// IsZero reports whether an item has none.
func (c content) IsZero() bool { return c.text == nil && c.parts == nil }

// MarshalJSONTo writes it.
func (c content) MarshalJSONTo(e *jsontext.Encoder) error {
	if c.text != nil {
		return json.MarshalEncode(e, c.text)
	}
	return json.MarshalEncode(e, c.parts)
}

type part struct {
	Type     string     `json:"type"`
	Text     *post.Text `json:"text,omitzero"`
	ImageURL post.Text  `json:"image_url,omitzero"`
	Detail   string     `json:"detail,omitzero"`
	FileID   string     `json:"file_id,omitzero"`
	FileURL  string     `json:"file_url,omitzero"`
	Filename string     `json:"filename,omitzero"`
	FileData post.Text  `json:"file_data,omitzero"`
}

type reasoning struct {
	Effort string `json:"effort"`
}

type text struct {
	Format    *format `json:"format,omitzero"`
	Verbosity string  `json:"verbosity,omitzero"`
}

type format struct {
	Type   string         `json:"type"`
	Name   string         `json:"name"`
	Strict bool           `json:"strict"`
	Schema jsontext.Value `json:"schema"`
}

// tool is a function. strict has to be said: left out, the server would hold the
// parameters to its own subset of JSON Schema.
type tool struct {
	Type        string         `json:"type"`
	Name        string         `json:"name"`
	Description string         `json:"description,omitzero"`
	Parameters  jsontext.Value `json:"parameters"`
	Strict      bool           `json:"strict"`
}

type choice struct {
	Type string `json:"type"`
	Name string `json:"name"`
}

type cacheOptions struct {
	Mode string `json:"mode,omitzero"`
	TTL  string `json:"ttl,omitzero"`
}
