package legacy

import (
	"github.com/opcat/opcat/operations/textgen"
	"github.com/opcat/opcat/shape"
)

// PortableOptions are the generation options that legacy rules speak of.
var PortableOptions = []string{
	"temperature", "top_p", "top_k", "seed", "frequency_penalty", "presence_penalty", "stop", "logprobs", "logit_bias", "min_p",
	"repetition_penalty", "prediction", "verbosity", "mirostat", "parallel_tool_calls", "cache", "prompt_cache_ttl",
}

// StructuredOutputs are the legacy transports of structured output.
var StructuredOutputs = []string{"native", "tool_use", "format_kw", "delimited", "none", "unsupported"}

// flags declares facts that are true or false.
func flags(names ...string) []*shape.Key {
	keys := make([]*shape.Key, len(names))
	for i, name := range names {
		keys[i] = shape.F(name, yesno())
	}
	return keys
}

func wireFacts() []*shape.Key {
	return append([]*shape.Key{
		shape.F("message_wire_format", shape.EnumOf("openai", "anthropic", "gemini", "ollama")),
		shape.F("native_tool_wire_format", shape.EnumOf("openai", "anthropic")),
		shape.F("live_endpoint_family", shape.EnumOf("gemini_generate_content", "gemini_interactions")),
		shape.F("recommended_endpoint", text()),
	}, flags("responses_api", "chat_completions_unsupported", "reasoning_tools_require_responses",
		"requires_streaming", "requires_completion_tokens")...)
}

func inputFacts() []*shape.Key {
	return append(flags("vision", "vision_supported", "audio", "audio_supported", "pdf", "pdf_supported", "video", "video_supported",
		"image_url_input_supported", "files_api_supported"),
		shape.F("file_upload_wire_format", shape.EnumOf("anthropic", "gemini")))
}

func toolFacts() []*shape.Key {
	return append(flags("native_tools", "text_tool_wire_format_supported"),
		shape.F("preferred_tool_format", shape.EnumOf("native", "json", "text", "none")),
		shape.F("tool_search", texts()),
		shape.F("defer_loading", yesno()),
		shape.F("max_tools", count()),
		shape.F("allowed_tool_choice_modes", shape.SetOf(shape.EnumOf("auto", "none", "required", "any", "tool"))),
		shape.F("supports_parallel_tool_calls", yesno()),
		shape.F("requires_parallel_tool_calls_false", yesno()),
		shape.F("tools_exclude_response_format", yesno()),
		shape.F("reserved_tool_call_token", yesno()),
		shape.F("tool_mode_parity", text()),
		shape.F("tool_mode_parity_notes", text()),
		shape.F("tool_format_justification", shape.Rec(shape.New("a tool format justification",
			shape.F("measured", text()),
			shape.F("assumed", text()),
			shape.F("mirrors", shape.Rec(shape.New("a mirrored rule",
				shape.F("provider", shape.Of(shape.ID)).Always(),
				shape.F("model_match", shape.Of(shape.Glob)).Always(),
			))),
		))),
	)
}

func hostedFacts() []*shape.Key {
	return append([]*shape.Key{shape.F("hosted_tools", texts())}, append(
		flags("remote_mcp", "conversation_state", "compaction", "background_mode"),
		shape.F("tool_approval_policy", text()),
		shape.F("computer_use_style", text()),
		shape.F("screenshot_scaling", text()),
		shape.F("safety_ack_flow", yesno()),
	)...)
}

func structuredFacts() []*shape.Key {
	return []*shape.Key{
		shape.F("structured_output", shape.EnumOf(StructuredOutputs...)),
		shape.F("json_schema", shape.EnumOf(StructuredOutputs...)).Says("old name of structured_output"),
		shape.F("structured_output_mode", shape.EnumOf("native_json", "delimited", "xml_tagged", "none")),
	}
}

func reasoningFacts() []*shape.Key {
	return []*shape.Key{
		shape.F("thinking_modes", shape.SetOf(shape.EnumOf("enabled", "adaptive", "effort", "toggle"))),
		shape.F("thinking", yesno()).Says("old flag of thinking_modes"),
		shape.F("reasoning_effort_supported", yesno()),
		shape.F("reasoning_effort_levels", shape.SetOf(shape.EnumOf(textgen.Efforts...))),
		shape.F("reasoning_none_supported", yesno()),
		shape.F("reasoning_disable_supported", yesno()),
		shape.F("thinking_off_type", shape.EnumOf("disabled", "between_tools")),
		shape.F("max_thinking_budget", count()),
		shape.F("interleaved_thinking_supported", yesno()),
		shape.F("reasoning_required_for_tools", yesno()),
		shape.F("reasoning_text_promotable", yesno()),
		shape.F("reasoning_wire_format", shape.EnumOf("openai", "openrouter", "enabled", "minimax", "groq_qwen", "thinking_type")),
		shape.F("reasoning_round_trip", shape.EnumOf("strip", "echo_signed", "echo_same_key", "echo_same_key_when_tools_present")),
		shape.F("reasoning_history_wire_field", shape.EnumOf("reasoning_content")),
		shape.F("preserve_thinking", yesno()),
		shape.F("honors_preserve_thinking_kwarg", yesno()),
		shape.F("thinking_disable_directive", text()),
		shape.F("auto_reasoning_overrides", shape.MapOf(shape.Text, shape.EnumOf(append([]string{"off"}, textgen.Efforts...)...))),
		shape.F("thinking_block_style", shape.EnumOf("none", "thinking_blocks", "reasoning_summary", "inline")),
	}
}

func optionFacts() []*shape.Key {
	efforts := make([]*shape.Key, len(PortableOptions))
	for i, o := range PortableOptions {
		efforts[i] = shape.F(o, shape.SetOf(shape.EnumOf(textgen.Efforts...)))
	}
	options := func() *shape.Type { return shape.SetOf(shape.EnumOf(PortableOptions...)) }
	return append(flags("temperature_supported", "top_p_supported", "top_k_supported", "seed_supported",
		"frequency_penalty_supported", "presence_penalty_supported", "stop_supported"),
		shape.F("advanced_generation_options", options()),
		shape.F("reasoning_excluded_portable_options", options()),
		shape.F("portable_option_effort_support", shape.Rec(shape.New("the efforts of portable options", efforts...))),
		shape.F("portable_option_qualification", shape.EnumOf("stable_endpoint", "changing_pool")),
	)
}

func cacheFacts() []*shape.Key {
	return []*shape.Key{
		shape.F("prompt_caching", yesno()),
		shape.F("prompt_cache_ttls", shape.SetOf(shape.EnumOf("5m", "1h"))),
		shape.F("prompt_cache_min_prefix_tokens", count()),
		shape.F("cache_breakpoint_style", shape.EnumOf("none", "top_level", "last_block")),
	}
}

func batchFacts() []*shape.Key {
	return []*shape.Key{
		shape.F("batch_api", yesno()),
		shape.F("batch_wire_format", shape.EnumOf("openai", "anthropic_messages", "gemini", "mistral", "fireworks", "xai", "bedrock")),
		shape.F("batch_input_mode", shape.EnumOf("jsonl_file", "inline_requests", "jsonl_or_inline")),
		shape.F("batch_discount_percent", shape.CountOf(0, 100)),
		shape.F("batch_turnaround_hours", count()),
		shape.F("batch_max_requests", count()),
		shape.F("batch_max_input_bytes", count()),
		shape.F("batch_result_retention_days", count()),
		shape.F("batch_result_ordering", shape.EnumOf("custom_id_rejoin", "provider_ordered", "unknown")),
		shape.F("batch_partial_failure", shape.EnumOf("per_request", "whole_batch", "unknown")),
		shape.F("batch_cancellation", shape.EnumOf("supported", "not_supported", "unknown")),
		shape.F("batch_security_notes", texts()),
		shape.F("batch_operational_notes", texts()),
		shape.F("batch_regions", texts()),
	}
}

func promptFacts() []*shape.Key {
	return append(flags("prefers_xml_scaffolding", "prefers_markdown_scaffolding", "prefers_role_developer", "prefers_xml_tools",
		"supports_assistant_prefill"),
		shape.F("system_message_placement", shape.EnumOf("inline", "native_directive", "fold")),
		shape.F("server_parser", text()),
		shape.F("honors_chat_template_kwargs", yesno()),
		shape.F("chat_template_options_field", text()),
		shape.F("anthropic_beta_features", texts()),
	)
}

func routingFacts() []*shape.Key {
	return []*shape.Key{
		shape.F("provider_route_denylist", texts()),
		shape.F("openrouter_provider_order", texts()),
		shape.F("serving_precision", shape.EnumOf("trusted", "degraded", "throttled", "unverified")),
	}
}
