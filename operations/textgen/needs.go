package textgen

import (
	"maps"
	"slices"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
)

// Needs states what the request asks of a route.
func (r Request) Needs(n *op.Needs) error {
	s := &r.Settings
	n.Count("max_output_tokens", s.MaxOutputTokens)
	n.Word("effort", s.Effort)
	n.Word("thinking", s.Thinking)
	if r.ResponseSchema != nil {
		n.YesNo("response_schema", catalog.Known(true))
	}
	n.Word("tool_choice", s.ToolChoice)
	n.YesNo("parallel_tool_calls", s.ParallelToolCalls)
	n.Word("service_tier", s.ServiceTier)
	n.Number("temperature", s.Temperature)
	n.Number("top_p", s.TopP)
	n.Count("top_k", s.TopK)
	n.Number("min_p", s.MinP)
	n.Count("seed", s.Seed)
	n.Number("frequency_penalty", s.FrequencyPenalty)
	n.Number("presence_penalty", s.PresencePenalty)
	n.Number("repetition_penalty", s.RepetitionPenalty)
	if len(s.Stop) > 0 {
		n.Word("stop", strings.Join(s.Stop, "\n"))
	}
	n.Count("logprobs", s.Logprobs)
	if len(s.LogitBias) > 0 {
		n.Word("logit_bias", strings.Join(slices.Sorted(maps.Keys(s.LogitBias)), ","))
	}
	n.Word("prediction", s.Prediction)
	n.Word("verbosity", s.Verbosity)
	n.Word("mirostat", s.Mirostat)
	n.YesNo("cache", s.Cache)
	n.Word("prompt_cache_ttl", s.PromptCacheTTL)
	n.Tools = len(r.Tools) > 0
	n.Structured = r.ResponseSchema != nil
	n.Outputs = r.Outputs
	for _, kind := range Operation.Inputs {
		for _, m := range r.Messages {
			if slices.ContainsFunc(m.Parts, func(p Part) bool { return p.Kind == kind }) {
				n.Inputs = append(n.Inputs, kind)
				break
			}
		}
	}
	return nil
}

// Clone shares no memory with its receiver.
func (r Request) Clone() Request {
	r.Messages = slices.Clone(r.Messages)
	for i := range r.Messages {
		r.Messages[i].Parts = slices.Clone(r.Messages[i].Parts)
		r.Messages[i].ToolCalls = slices.Clone(r.Messages[i].ToolCalls)
	}
	r.Tools = slices.Clone(r.Tools)
	r.Outputs = slices.Clone(r.Outputs)
	r.Settings.Stop = slices.Clone(r.Settings.Stop)
	r.Settings.LogitBias = maps.Clone(r.Settings.LogitBias)
	if r.ResponseSchema != nil {
		schema := *r.ResponseSchema
		r.ResponseSchema = &schema
	}
	return r
}
