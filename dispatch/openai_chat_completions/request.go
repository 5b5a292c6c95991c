package openai_chat_completions

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/dispatch/internal/post"
)

type request struct {
	Model    string    `json:"model"`
	Messages []message `json:"messages"`

	MaxCompletionTokens catalog.Opt[int64] `json:"max_completion_tokens,omitzero"`
	MaxTokens           catalog.Opt[int64] `json:"max_tokens,omitzero"`

	ReasoningEffort string         `json:"reasoning_effort,omitzero"`
	Reasoning       *reasoning     `json:"reasoning,omitzero"`
	Thinking        *thinking      `json:"thinking,omitzero"`
	ReasoningSplit  bool           `json:"reasoning_split,omitzero"`
	Template        jsontext.Value `json:"chat_template_kwargs,omitzero"`

	ResponseFormat    *responseFormat    `json:"response_format,omitzero"`
	Tools             []tool             `json:"tools,omitzero"`
	ToolChoice        jsontext.Value     `json:"tool_choice,omitzero"`
	ParallelToolCalls catalog.Opt[bool]  `json:"parallel_tool_calls,omitzero"`
	ServiceTier       string             `json:"service_tier,omitzero"`
	Temperature       jsontext.Value     `json:"temperature,omitzero"`
	TopP              jsontext.Value     `json:"top_p,omitzero"`
	TopK              catalog.Opt[int64] `json:"top_k,omitzero"`
	MinP              jsontext.Value     `json:"min_p,omitzero"`
	Seed              catalog.Opt[int64] `json:"seed,omitzero"`
	FrequencyPenalty  jsontext.Value     `json:"frequency_penalty,omitzero"`
	PresencePenalty   jsontext.Value     `json:"presence_penalty,omitzero"`
	RepetitionPenalty jsontext.Value     `json:"repetition_penalty,omitzero"`
	Stop              []string           `json:"stop,omitzero"`
	Logprobs          bool               `json:"logprobs,omitzero"`
	TopLogprobs       catalog.Opt[int64] `json:"top_logprobs,omitzero"`

	LogitBias    map[string]jsontext.Value `json:"logit_bias,omitzero"`
	Prediction   *prediction               `json:"prediction,omitzero"`
	Verbosity    string                    `json:"verbosity,omitzero"`
	CacheOptions *cacheOptions             `json:"prompt_cache_options,omitzero"`
	CacheControl *cacheControl             `json:"cache_control,omitzero"`
	Provider     *routing                  `json:"provider,omitzero"`
}

type message struct {
	Role       string     `json:"role"`
	Content    content    `json:"content,omitzero"`
	ToolCalls  []toolCall `json:"tool_calls,omitzero"`
	ToolCallID string     `json:"tool_call_id,omitzero"`

	Thoughts jsontext.Value `json:",embed"` // members, as they came
}

// content is a list of parts, or a text alone, which is written as a string.
type content struct {
	text  *post.Text
	parts []part
}

// IsZero reports whether a message has none.
func (c content) IsZero() bool { return c.text == nil && c.parts == nil }

// MarshalJSONTo writes it.
func (c content) MarshalJSONTo(e *jsontext.Encoder) error {
	if c.text != nil {
		return json.MarshalEncode(e, c.text)
	}
	return json.MarshalEncode(e, c.parts)
}

// part is one piece of content; Type says which member it has.
type part struct {
	Type       string      `json:"type"`
	Text       *post.Text  `json:"text,omitzero"`
	ImageURL   *address    `json:"image_url,omitzero"`
	VideoURL   *address    `json:"video_url,omitzero"`
	InputAudio *inputAudio `json:"input_audio,omitzero"`
	File       *file       `json:"file,omitzero"`

	CacheControl *cacheControl `json:"cache_control,omitzero"`
}

type address struct {
	URL post.Text `json:"url"`
}

type inputAudio struct {
	Data   post.Text `json:"data"`
	Format string    `json:"format"`
}

type file struct {
	FileID   string    `json:"file_id,omitzero"`
	Filename string    `json:"filename,omitzero"`
	FileData post.Text `json:"file_data,omitzero"`
}

type tool struct {
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name        string         `json:"name"`
	Description string         `json:"description,omitzero"`
	Parameters  jsontext.Value `json:"parameters,omitzero"`
}

type toolCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function called `json:"function"`
}

type called struct {
	Name      string    `json:"name"`
	Arguments post.Text `json:"arguments"` // JSON as a string
}

type responseFormat struct {
	Type       string     `json:"type"`
	JSONSchema jsonSchema `json:"json_schema"`
}

type jsonSchema struct {
	Name   string         `json:"name"`
	Strict bool           `json:"strict"`
	Schema jsontext.Value `json:"schema"`
}

type reasoning struct {
	Effort  string            `json:"effort,omitzero"`
	Enabled catalog.Opt[bool] `json:"enabled,omitzero"`
}

type thinking struct {
	Type string `json:"type"`
}

type prediction struct {
	Type    string `json:"type"`
	Content string `json:"content"`
}

type cacheOptions struct {
	Mode string `json:"mode,omitzero"`
	TTL  string `json:"ttl,omitzero"`
}

type cacheControl struct {
	Type string `json:"type"`
	TTL  string `json:"ttl,omitzero"`
}

// routing says which of a gateway's servers may be used.
type routing struct {
	Only              []string `json:"only,omitzero"`
	Ignore            []string `json:"ignore,omitzero"`
	RequireParameters bool     `json:"require_parameters,omitzero"`
}
