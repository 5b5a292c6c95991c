// Package textgen declares text_generation: text, images, sound and files in;
// text, and where served images or sound, out.
package textgen

import (
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/operations/price"
	"github.com/opcat/opcat/shape"
)

// Efforts are the reasoning efforts that callers may ask for. A row supports a
// set of them, not a range.
var Efforts = []string{"none", "minimal", "low", "medium", "high", "xhigh", "max"}

// ServiceTiers are the tiers that a request may name and a price may depend on.
var ServiceTiers = []string{"standard", "batch", "flex", "scale", "priority", "fast", "ultrafast", "reserved"}

var (
	thinkings   = []string{"enabled", "adaptive", "toggle", "disabled", "between_tools"}
	toolChoices = []string{"auto", "none", "required", "any", "tool"}
	verbosities = []string{"low", "medium", "high"}
	cacheTTLs   = []string{"5m", "30m", "1h", "24h"}
)

// The places of the settings.
const (
	atMaxOutputTokens = iota
	atEffort
	atThinking
	atResponseSchema
	atToolChoice
	atParallelToolCalls
	atServiceTier
	atTemperature
	atTopP
	atTopK
	atMinP
	atSeed
	atFrequencyPenalty
	atPresencePenalty
	atRepetitionPenalty
	atStop
	atLogprobs
	atLogitBias
	atPrediction
	atVerbosity
	atMirostat
	atCache
	atPromptCacheTTL
)

// Operation is the registry's member.
var Operation = op.Operation{
	Name:          "text_generation",
	Version:       "1.0.0",
	Summary:       "writes text for a prompt, optionally with tools and a response schema",
	Inputs:        []string{"text", "image", "audio", "video", "pdf", "file_ref"},
	Outputs:       []string{"text", "audio", "image"},
	Uncertainty:   "none",
	RequestSchema: requestSchema,
	ResultSchema:  resultSchema,
	ManyWires:     true,
	Judge:         judge,
	Limit:         limit,
	Protocols:     protocols,
	Keys: []*shape.Key{
		shape.F("tools", shape.Rec(tools)),
		shape.F("structured", shape.Rec(structured)),
		shape.F("reasoning", shape.Rec(reasoning)),
		shape.F("cache", shape.Rec(cache)),
		shape.F("batch", shape.Rec(batch)),
		shape.F("files", shape.Rec(shape.New("file uploads", shape.F("wire", shape.EnumOf("anthropic", "gemini"))))),
		shape.F("image", shape.Rec(shape.New("image input", shape.F("remote_url", yesno())))),
		shape.F("hosted", shape.Rec(hosted)),
		shape.F("routing", shape.Rec(routing)),
		shape.F("quirks", shape.Rec(quirks)),
	},
	Limits: []*shape.Key{
		shape.F("images", count()),
		shape.F("stop", count()),
	},
	Settings: []op.Setting{
		atMaxOutputTokens:   {Name: "max_output_tokens", Kind: shape.Count},
		atEffort:            {Name: "effort", Kind: shape.Enum, Values: Efforts},
		atThinking:          {Name: "thinking", Kind: shape.Enum, Values: thinkings},
		atResponseSchema:    {Name: "response_schema", Kind: shape.Bool},
		atToolChoice:        {Name: "tool_choice", Kind: shape.Enum, Values: toolChoices},
		atParallelToolCalls: {Name: "parallel_tool_calls", Kind: shape.Bool},
		atServiceTier:       {Name: "service_tier", Kind: shape.Enum, Values: ServiceTiers},
		atTemperature:       {Name: "temperature", Kind: shape.Number, Min: "0"},
		atTopP:              {Name: "top_p", Kind: shape.Number, Min: "0", Max: "1"},
		atTopK:              {Name: "top_k", Kind: shape.Count, Min: "0"},
		atMinP:              {Name: "min_p", Kind: shape.Number, Min: "0", Max: "1"},
		atSeed:              {Name: "seed", Kind: shape.Count, Min: "-9007199254740991"},
		atFrequencyPenalty:  {Name: "frequency_penalty", Kind: shape.Number, Min: "-2", Max: "2"},
		atPresencePenalty:   {Name: "presence_penalty", Kind: shape.Number, Min: "-2", Max: "2"},
		atRepetitionPenalty: {Name: "repetition_penalty", Kind: shape.Number, Min: "0"},
		atStop:              {Name: "stop", Kind: shape.Text},
		atLogprobs:          {Name: "logprobs", Kind: shape.Text, Min: "0"},
		atLogitBias:         {Name: "logit_bias", Kind: shape.Text},
		atPrediction:        {Name: "prediction", Kind: shape.Text},
		atVerbosity:         {Name: "verbosity", Kind: shape.Enum, Values: verbosities},
		atMirostat:          {Name: "mirostat", Kind: shape.Text},
		atCache:             {Name: "cache", Kind: shape.Bool},
		atPromptCacheTTL:    {Name: "prompt_cache_ttl", Kind: shape.Enum, Values: cacheTTLs},
	},
	Meters: []string{
		"input_token", "output_token", "reasoning_token", "cache_read_token", "cache_write_token", "citation_token",
		"input_audio_token", "output_audio_token", "cache_read_audio_token", "cache_write_audio_token",
		"input_image_token", "output_image_token", "cache_read_image_token", "cache_write_image_token",
		"input_video_token", "output_video_token", "cache_read_video_token", "cache_write_video_token",
		"input_character", "output_character", "input_image", "output_image", "input_audio_second", "output_audio_second",
		"input_video_second", "page", "search_unit", "query", "request", "tool_call", "session", "gpu_second", "gigabyte_day",
	},
	Usual: price.Usage{Lines: []price.Line{{Meter: "input_token", Count: 3000}, {Meter: "output_token", Count: 1000}}},
}

func yesno() *shape.Type { return shape.Of(shape.Bool) }
func count() *shape.Type { return shape.CountOf(1, 0) }
func text() *shape.Type  { return shape.Of(shape.Text) }

var tools = shape.New("the tools of a contract",
	shape.F("native", yesno()),
	shape.F("text", yesno()),
	shape.F("preferred", shape.EnumOf("native", "json", "text", "none")),
	shape.F("wire", shape.EnumOf("openai", "anthropic")),
	shape.F("search", shape.ListOf(text())),
	shape.F("defer_loading", yesno()),
	shape.F("max", count()),
	shape.F("parity", shape.Rec(shape.New("tool parity",
		shape.F("verdict", text()),
		shape.F("source", shape.EnumOf("declared", "derived", "probe")),
		shape.F("notes", text()),
	))),
	shape.F("justification", shape.Rec(shape.New("a tool justification",
		shape.F("measured", text()),
		shape.F("assumed", text()),
		shape.F("mirrors", text()),
	))),
)

var structured = shape.New("the structured output of a contract",
	shape.F("transport", shape.EnumOf("native_schema", "tool_schema", "format_schema", "prompt_validation", "unsupported")),
	shape.F("mode", shape.EnumOf("native_json", "delimited", "xml_tagged", "none")),
)

var reasoning = shape.New("the reasoning of a contract",
	shape.F("modes", shape.SetOf(shape.EnumOf("enabled", "adaptive", "effort", "toggle"))),
	shape.F("off", shape.Rec(shape.New("the reasoning off switch",
		shape.F("switch", yesno()),
		shape.F("type", shape.EnumOf("disabled", "between_tools")),
	))),
	shape.F("max_budget_tokens", count()),
	shape.F("interleaved", yesno()),
	shape.F("required_for_tools", yesno()),
	shape.F("text_promotable", yesno()),
	shape.F("preserve", yesno()),
	shape.F("wire", shape.EnumOf("openai", "openrouter", "enabled", "minimax", "groq_qwen", "thinking_type")),
	shape.F("round_trip", shape.EnumOf("strip", "echo_signed", "echo_same_key", "echo_same_key_when_tools_present")),
	shape.F("history_field", text()),
	shape.F("disable_directive", text()),
	shape.F("auto_overrides", shape.MapOf(shape.Text, text())),
	shape.F("block_style", shape.EnumOf("none", "thinking_blocks", "reasoning_summary", "inline")),
)

var cache = shape.New("the prompt cache of a contract",
	shape.F("on", yesno()),
	shape.F("min_prefix_tokens", count()),
	shape.F("breakpoint", shape.EnumOf("none", "top_level", "last_block")),
)

var batch = shape.New("the batch interface of a contract",
	shape.F("wire_format", shape.EnumOf("openai", "anthropic_messages", "gemini", "mistral", "fireworks", "xai", "bedrock")),
	shape.F("input_mode", shape.EnumOf("jsonl_file", "inline_requests", "jsonl_or_inline")),
	shape.F("turnaround_hours", count()),
	shape.F("max_requests", count()),
	shape.F("max_input_bytes", count()),
	shape.F("result_retention_days", count()),
	shape.F("result_ordering", shape.EnumOf("custom_id_rejoin", "provider_ordered", "unknown")),
	shape.F("partial_failure", shape.EnumOf("per_request", "whole_batch", "unknown")),
	shape.F("cancellation", shape.EnumOf("supported", "not_supported", "unknown")),
	shape.F("security_notes", shape.ListOf(text())),
	shape.F("operational_notes", shape.ListOf(text())),
	shape.F("regions", shape.ListOf(text())),
)

var hosted = shape.New("the hosted features of a contract",
	shape.F("tools", shape.ListOf(text())),
	shape.F("remote_mcp", yesno()),
	shape.F("conversation_state", yesno()),
	shape.F("compaction", yesno()),
	shape.F("background_mode", yesno()),
	shape.F("safety_ack_flow", yesno()),
	shape.F("tool_approval_policy", text()),
	shape.F("computer_use_style", text()),
	shape.F("screenshot_scaling", text()),
)

var routing = shape.New("the gateway routing of a contract",
	shape.F("deny", shape.ListOf(text())),
	shape.F("allow", shape.ListOf(text())),
	shape.F("precision", shape.EnumOf("trusted", "degraded", "throttled", "unverified")),
	shape.F("option_qualification", shape.EnumOf("stable_endpoint", "changing_pool")),
)

var quirks = shape.New("the quirks of a contract",
	shape.F("compat", yesno()),
	shape.F("requires_streaming", yesno()),
	shape.F("requires_completion_tokens", yesno()),
	shape.F("reserved_tool_call_token", yesno()),
	shape.F("honors_preserve_thinking_kwarg", yesno()),
	shape.F("prefers_xml_scaffolding", yesno()),
	shape.F("prefers_markdown_scaffolding", yesno()),
	shape.F("prefers_role_developer", yesno()),
	shape.F("prefers_xml_tools", yesno()),
	shape.F("supports_assistant_prefill", yesno()),
	shape.F("system_message_placement", shape.EnumOf("inline", "native_directive", "fold")),
	shape.F("server_parser", text()),
	shape.F("honors_chat_template_kwargs", yesno()),
	shape.F("chat_template_options_field", text()),
	shape.F("anthropic_beta_features", shape.ListOf(text())),
)
