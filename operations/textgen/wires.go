package textgen

import "github.com/opcat/opcat/operations/op"

// protocols are the wires of text generation. What a wire has a place for at all
// stands in Carries; what depends on the contract or on the rest of the request
// is for the misfit function, which knows what the wire's codec writes.
var protocols = []op.Protocol{
	{Name: "openai_chat_completions", Codec: true, Misfit: chatMisfit, Carries: []string{
		"max_output_tokens", "effort", "thinking", "response_schema", "tool_choice", "parallel_tool_calls", "service_tier",
		"temperature", "top_p", "top_k", "min_p", "seed", "frequency_penalty", "presence_penalty", "repetition_penalty",
		"stop", "logprobs", "logit_bias", "prediction", "verbosity", "cache", "prompt_cache_ttl",
	}},
	{Name: "openai_responses", Codec: true, Misfit: responsesMisfit, Carries: []string{
		"max_output_tokens", "effort", "response_schema", "tool_choice", "parallel_tool_calls", "service_tier",
		"temperature", "top_p", "logprobs", "verbosity", "cache", "prompt_cache_ttl",
	}},
	{Name: "anthropic_messages", Codec: true, CacheLifetime: "5m", Misfit: messagesMisfit, Carries: []string{
		"max_output_tokens", "effort", "thinking", "response_schema", "tool_choice", "parallel_tool_calls", "service_tier",
		"temperature", "top_p", "top_k", "stop", "cache", "prompt_cache_ttl",
	}},
	{Name: "gemini_generate_content", Codec: true, Misfit: geminiMisfit, Carries: []string{
		"max_output_tokens", "effort", "thinking", "response_schema", "tool_choice", "service_tier",
		"temperature", "top_p", "top_k", "seed", "frequency_penalty", "presence_penalty", "stop", "logprobs",
	}},
	{Name: "ollama_chat", Codec: true, Misfit: ollamaMisfit, Carries: []string{
		"max_output_tokens", "effort", "thinking", "response_schema",
		"temperature", "top_p", "top_k", "min_p", "seed", "frequency_penalty", "presence_penalty", "repetition_penalty",
		"stop", "logprobs",
	}},
	{Name: "openai_completions"},
	{Name: "gemini_interactions"},
	{Name: "cohere_chat"},
	{Name: "bedrock_converse"},
	{Name: "bedrock_invoke"},
	{Name: "agent_client"},
}
