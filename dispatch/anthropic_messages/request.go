package anthropic_messages

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/dispatch/internal/post"
)

type request struct {
	Model         string             `json:"model"`
	MaxTokens     int64              `json:"max_tokens"`
	System        []block            `json:"system,omitzero"`
	Messages      []message          `json:"messages"`
	OutputConfig  *outputConfig      `json:"output_config,omitzero"`
	Thinking      *thinking          `json:"thinking,omitzero"`
	Tools         []tool             `json:"tools,omitzero"`
	ToolChoice    *toolChoice        `json:"tool_choice,omitzero"`
	ServiceTier   string             `json:"service_tier,omitzero"`
	Speed         string             `json:"speed,omitzero"`
	Temperature   jsontext.Value     `json:"temperature,omitzero"`
	TopP          jsontext.Value     `json:"top_p,omitzero"`
	TopK          catalog.Opt[int64] `json:"top_k,omitzero"`
	StopSequences []string           `json:"stop_sequences,omitzero"`
	CacheControl  *cacheControl      `json:"cache_control,omitzero"`
}

type message struct {
	Role    string  `json:"role"`
	Content []block `json:"content"`
}

// block is one piece of content; Type says which members it has. One that was
// thought has none of them and is written as it came.
type block struct {
	Type      string         `json:"type,omitzero"`
	Text      *post.Text     `json:"text,omitzero"`
	Source    *source        `json:"source,omitzero"`
	ID        string         `json:"id,omitzero"`
	Name      string         `json:"name,omitzero"`
	Input     jsontext.Value `json:"input,omitzero"`
	ToolUseID string         `json:"tool_use_id,omitzero"`
	Content   []block        `json:"content,omitzero"`

	CacheControl *cacheControl `json:"cache_control,omitzero"`

	Thought jsontext.Value `json:",embed"`
}

type source struct {
	Type      string    `json:"type"`
	MediaType string    `json:"media_type,omitzero"`
	Data      post.Text `json:"data,omitzero"`
	URL       string    `json:"url,omitzero"`
	FileID    string    `json:"file_id,omitzero"`
}

type outputConfig struct {
	Effort string  `json:"effort,omitzero"`
	Format *format `json:"format,omitzero"`
}

type format struct {
	Type   string         `json:"type"`
	Schema jsontext.Value `json:"schema"`
}

type thinking struct {
	Type         string `json:"type"`
	BudgetTokens int64  `json:"budget_tokens,omitzero"`
}

type tool struct {
	Name        string         `json:"name"`
	Description string         `json:"description,omitzero"`
	InputSchema jsontext.Value `json:"input_schema"`
}

type toolChoice struct {
	Type            string            `json:"type"`
	Name            string            `json:"name,omitzero"`
	DisableParallel catalog.Opt[bool] `json:"disable_parallel_tool_use,omitzero"`
}

type cacheControl struct {
	Type string `json:"type"`
	TTL  string `json:"ttl,omitzero"`
}
