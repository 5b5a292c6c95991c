package decision

import "github.com/opcat/opcat/operations/op"

// protocols are the wires of decision evaluation. What a wire has no place for,
// whatever a contract says, is for its misfit function.
var protocols = []op.Protocol{
	{Name: "typesafe_system_one", Codec: true, Dialects: []string{"eu_jev", "laya", "nace"}, Misfit: op.Place{
		Inputs:    []string{"text", "json"},
		Questions: QuestionKinds,
		Forms:     []string{FormJSONInstructions, FormNoInstructions, FormOneSide, FormBothSides},
	}.Misfit},
	{Name: "openai_decisions", Codec: true, Carries: []string{"prompt_cache_key", "safety_identifier"}, Misfit: op.Place{
		Inputs:    []string{"text", "json", "image"},
		Questions: distributions,
		Forms:     []string{FormTypedOptions, FormRemote},
	}.Misfit},
	{Name: "openrouter_decisions", Codec: true, Misfit: op.Place{
		Inputs:    []string{"text", "json"},
		Questions: distributions,
		Forms:     []string{FormJSONInstructions, FormOneSide, FormBothSides},
	}.Misfit},
	{Name: "vercel_evaluate", Codec: true, Misfit: op.Place{
		Inputs:    []string{"text", "json"},
		Questions: distributions,
		Forms:     []string{FormJSONInstructions, FormNoInstructions, FormOneSide, FormBothSides},
	}.Misfit},
	{Name: "google_decisions", Codec: true, Misfit: op.Place{
		Inputs:    []string{"text", "image", "audio", "video"},
		Questions: distributions,
		Forms:     []string{FormOneSide, FormBothSides, FormRemote},
	}.Misfit},
	{Name: "cloudflare_run", Codec: true, Misfit: op.Place{
		Inputs:    []string{"text", "json", "image"},
		Questions: distributions,
		Forms:     []string{FormJSONInstructions, FormOneSide, FormBothSides},
	}.Misfit},
	{Name: "databricks_ai_decide", Codec: true, Misfit: op.Place{
		Inputs:    []string{"text", "json"},
		Questions: distributions,
		Forms:     []string{FormJSONInstructions, FormOneSide, FormBothSides},
	}.Misfit},
	{Name: "parallel_decisions", Codec: true, Misfit: op.Place{
		Inputs:    []string{"text", "json"},
		Questions: distributions,
		Forms:     []string{FormJSONInstructions, FormNoInstructions, FormOneSide, FormBothSides},
	}.Misfit},
	{Name: "vercel_sdk_decision"},
	{Name: "agentcore_system_one"},
}

// distributions are the kinds that every wire has; a box needs its own.
var distributions = []string{"boolean", "choice", "score"}
