package dispatch

import (
	"encoding/json"
	"fmt"
	"strings"
)

// places says where each wire has its place for a setting: the member of the body
// at whose path, or below it, something may stand or change for the setting, and
// nothing for any other. Paths go through lists without numbers. It is written
// from the vendors' documents, not from the codecs.
var places = map[string]map[string]string{
	"openai_chat_completions": {
		"max_output_tokens": "max_completion_tokens max_tokens", "effort": "reasoning_effort reasoning", "thinking": "thinking reasoning reasoning_effort chat_template_kwargs",
		"response_schema": "response_format tools tool_choice", "tool_choice": "tool_choice", "parallel_tool_calls": "parallel_tool_calls", "service_tier": "service_tier",
		"temperature": "temperature", "top_p": "top_p", "top_k": "top_k", "min_p": "min_p", "seed": "seed", "frequency_penalty": "frequency_penalty",
		"presence_penalty": "presence_penalty", "repetition_penalty": "repetition_penalty", "stop": "stop", "logprobs": "logprobs top_logprobs",
		"logit_bias": "logit_bias", "prediction": "prediction", "verbosity": "verbosity", "cache": "messages cache_control prompt_cache_options",
		"prompt_cache_ttl": "prompt_cache_options cache_control messages",
	},
	"openai_responses": {
		"max_output_tokens": "max_output_tokens", "effort": "reasoning", "response_schema": "text tools tool_choice", "tool_choice": "tool_choice",
		"parallel_tool_calls": "parallel_tool_calls", "service_tier": "service_tier", "temperature": "temperature", "top_p": "top_p",
		"logprobs": "top_logprobs include", "verbosity": "text.verbosity", "cache": "input prompt_cache_options", "prompt_cache_ttl": "prompt_cache_options input",
	},
	"anthropic_messages": {
		"max_output_tokens": "max_tokens", "effort": "output_config", "thinking": "thinking", "response_schema": "output_config tools tool_choice",
		"tool_choice": "tool_choice", "parallel_tool_calls": "tool_choice", "service_tier": "service_tier speed", "temperature": "temperature", "top_p": "top_p",
		"top_k": "top_k", "stop": "stop_sequences", "cache": "cache_control system messages tools", "prompt_cache_ttl": "cache_control system messages tools",
	},
	"gemini_generate_content": {
		"max_output_tokens": "generationConfig.maxOutputTokens", "effort": "generationConfig.thinkingConfig", "thinking": "generationConfig.thinkingConfig",
		"response_schema": "generationConfig.responseMimeType generationConfig.responseJsonSchema", "tool_choice": "toolConfig", "service_tier": "serviceTier",
		"temperature": "generationConfig.temperature", "top_p": "generationConfig.topP", "top_k": "generationConfig.topK", "seed": "generationConfig.seed",
		"frequency_penalty": "generationConfig.frequencyPenalty", "presence_penalty": "generationConfig.presencePenalty",
		"stop": "generationConfig.stopSequences", "logprobs": "generationConfig.responseLogprobs generationConfig.logprobs",
	},
	"ollama_chat": {
		"max_output_tokens": "options.num_predict", "effort": "think", "thinking": "think", "response_schema": "format", "temperature": "options.temperature",
		"top_p": "options.top_p", "top_k": "options.top_k", "min_p": "options.min_p", "seed": "options.seed", "frequency_penalty": "options.frequency_penalty",
		"presence_penalty": "options.presence_penalty", "repetition_penalty": "options.repeat_penalty", "stop": "options.stop", "logprobs": "logprobs top_logprobs",
	},
	"openai_embeddings":  {"dimensions": "dimensions"},
	"gemini_embed":       {"dimensions": "outputDimensionality requests.outputDimensionality", "task": "taskType requests.taskType"},
	"cohere_embed":       {"dimensions": "output_dimension", "task": "input_type", "element_type": "embedding_types", "truncate": "truncate"},
	"voyage_embeddings":  {"dimensions": "output_dimension", "task": "input_type", "element_type": "output_dtype", "truncate": "truncation"},
	"mistral_embeddings": {"dimensions": "output_dimension", "element_type": "output_dtype"},
	"jina_embeddings":    {"dimensions": "dimensions", "task": "task", "element_type": "embedding_type", "truncate": "truncate"},
	"ollama_embed":       {"dimensions": "dimensions", "truncate": "truncate"},
	"tei_embed":          {"truncate": "truncate truncation_direction"},
	"cohere_rerank":      {"top_n": "top_n"},
	"voyage_rerank":      {"top_n": "top_k", "truncate": "truncation"},
	"jina_rerank":        {"top_n": "top_n"},
	"vllm_rerank":        {"top_n": "top_n"},
	"tei_rerank":         {"truncate": "truncate truncation_direction"},
	"openai_moderations": {},

	"openai_decisions":    {"prompt_cache_key": "prompt_cache_key", "safety_identifier": "safety_identifier"},
	"typesafe_system_one": {}, "openrouter_decisions": {}, "vercel_evaluate": {}, "google_decisions": {}, "cloudflare_run": {},
	"databricks_ai_decide": {}, "parallel_decisions": {},
}

// place reports whether a path is the setting's own.
func place(protocol, setting, path string) bool {
	for p := range strings.FieldsSeq(places[protocol][setting]) {
		if path == p || strings.HasPrefix(path, p+".") {
			return true
		}
	}
	return false
}

// leaves are the scalars of a body by their paths. Those that share a path, as the
// items of a list do, are written one after the other.
func leaves(body []byte) (map[string]string, error) {
	var v any
	d := json.NewDecoder(strings.NewReader(string(body)))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	out := map[string]string{}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, member := range v {
				walk(strings.TrimPrefix(path+"."+name, "."), member)
			}
		case []any:
			for _, item := range v {
				walk(path, item)
			}
		default:
			out[path] += fmt.Sprint(v) + "\n"
		}
	}
	walk("", v)
	return out, nil
}

// changed are the paths at which two bodies differ.
func changed(a, b map[string]string) []string {
	var paths []string
	for path, v := range a {
		if b[path] != v {
			paths = append(paths, path)
		}
	}
	for path := range b {
		if _, ok := a[path]; !ok {
			paths = append(paths, path)
		}
	}
	return paths
}
