package decision

import (
	"slices"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/op"
)

// protocols are the wires of decision evaluation. What a wire has no place for,
// whatever a contract says, is for its misfit function.
var protocols = []op.Protocol{
	{Name: "typesafe_system_one", Codec: true, Dialects: []string{"eu_jev", "laya", "nace"}, Misfit: place{
		inputs: []string{"text", "json"},
		kinds:  QuestionKinds,
		forms:  []string{FormJSONInstructions, FormNoInstructions, FormOneSide, FormBothSides},
	}.misfit},
	{Name: "openai_decisions", Codec: true, Carries: []string{"prompt_cache_key", "safety_identifier"}, Misfit: place{
		inputs: []string{"text", "json", "image"},
		kinds:  distributions,
		forms:  []string{FormTypedOptions, FormRemote},
	}.misfit},
	{Name: "openrouter_decisions", Codec: true, Misfit: place{
		inputs: []string{"text", "json"},
		kinds:  distributions,
		forms:  []string{FormJSONInstructions, FormOneSide, FormBothSides},
	}.misfit},
	{Name: "vercel_evaluate", Codec: true, Misfit: place{
		inputs: []string{"text", "json"},
		kinds:  distributions,
		forms:  []string{FormJSONInstructions, FormNoInstructions, FormOneSide, FormBothSides},
	}.misfit},
	{Name: "google_decisions", Codec: true, Misfit: place{
		inputs: []string{"text", "image", "audio", "video"},
		kinds:  distributions,
		forms:  []string{FormOneSide, FormBothSides, FormRemote},
	}.misfit},
	{Name: "cloudflare_run", Codec: true, Misfit: place{
		inputs: []string{"text", "json", "image"},
		kinds:  distributions,
		forms:  []string{FormJSONInstructions, FormOneSide, FormBothSides},
	}.misfit},
	{Name: "databricks_ai_decide", Codec: true, Misfit: place{
		inputs: []string{"text", "json"},
		kinds:  distributions,
		forms:  []string{FormJSONInstructions, FormOneSide, FormBothSides},
	}.misfit},
	{Name: "parallel_decisions", Codec: true, Misfit: place{
		inputs: []string{"text", "json"},
		kinds:  distributions,
		forms:  []string{FormJSONInstructions, FormNoInstructions, FormOneSide, FormBothSides},
	}.misfit},
	{Name: "vercel_sdk_decision"},
	{Name: "agentcore_system_one"},
}

// distributions are the kinds that every wire has; a box needs its own.
var distributions = []string{"boolean", "choice", "score"}

// A place is what a wire can write.
type place struct {
	inputs, kinds, forms []string
}

func (w place) misfit(_ *catalog.Contract, n *op.Needs) (field, got string) {
	for _, check := range []struct {
		field      string
		asked, has []string
	}{{"input", n.Inputs, w.inputs}, {"question_kinds", n.Questions, w.kinds}, {"questions", n.Forms, w.forms}} {
		for _, x := range check.asked {
			if !slices.Contains(check.has, x) {
				return check.field, x
			}
		}
	}
	return "", ""
}
