package legacy

import (
	"sync"

	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/decision"
	"github.com/opcat/opcat/shape"
)

// StructuredLLM is the legacy name of a decision asked of a text model. It is no
// wire protocol: it becomes schema support of the text contract.
const StructuredLLM = "structured_llm"

// DecisionProtocols are the decision protocols that format 0 knows.
var DecisionProtocols = []string{"typesafe_system_one", "vercel_evaluate", "openrouter_decisions", StructuredLLM}

// decisionFacts are the flat fields of a decision contract.
func decisionFacts() []*shape.Key {
	return []*shape.Key{
		shape.F("decision_protocol", shape.EnumOf(DecisionProtocols...)),
		shape.F("decision_question_kinds", shape.SetOf(shape.EnumOf("boolean", "choice", "score"))),
		shape.F("decision_limits", shape.Rec(DecisionLimits())),
		shape.F("decision_upstream_provider", text()),
	}
}

// DecisionLimits is the closed table `decision_limits`. Zero is read, so that a
// finding can say which kind of question has no room.
var DecisionLimits = sync.OnceValue(func() *shape.Table {
	return shape.New("the decision limits of a rule",
		shape.F("max_questions", shape.CountOf(0, 0)),
		shape.F("max_choice_options", shape.CountOf(0, 0)).Always(),
		shape.F("score_levels_min", shape.CountOf(0, 0)).Always(),
		shape.F("score_levels_max", shape.CountOf(0, 0)).Always(),
		shape.F("state_window_tokens", shape.CountOf(0, 0)).Always(),
		shape.F("request_window_tokens", shape.CountOf(0, 0)),
	)
})

// Contracts is `[provider.<id>.operations]` under a rule of format 0: today's
// contracts, and the decision contract also under its old name.
var Contracts = sync.OnceValue(func() *shape.Table {
	var keys []*shape.Key
	for _, o := range operations.All() {
		c := o.Contract()
		if o.Name == decision.Operation.Name {
			c = decisionContract(c)
		}
		c.Foreign = func(name string) string { return otherOwner(name, o.Name) }
		keys = append(keys, shape.F(o.Name, shape.Rec(c)))
		if o.Name == decision.Operation.Name {
			keys = append(keys, shape.F("decision", shape.Rec(c)).Says("old name of decision_evaluation"))
		}
	}
	return shape.New("the operations of a rule", keys...)
})

// decisionContract widens a decision contract by the values and keys that
// format 0 lets stand, so that they are refused for what they mean.
func decisionContract(today *shape.Table) *shape.Table {
	keys := make([]*shape.Key, 0, len(today.Keys)+1)
	for _, k := range today.Keys {
		c := *k
		c.Need = shape.Optional
		switch k.Name {
		case "protocol":
			c.Type = shape.EnumOf(append(append([]string{}, k.Type.Values...), StructuredLLM)...)
		case "evidence_kind":
			c.Type = shape.EnumOf(append(append([]string{}, k.Type.Values...), "model_rationale")...)
		}
		keys = append(keys, &c)
	}
	keys = append(keys, shape.F("options", shape.MapOf(shape.Text, shape.Of(shape.Any))))
	return shape.New(today.Name, keys...)
}

// otherOwner names an operation other than own whose contracts have the key.
func otherOwner(key, own string) string {
	for _, o := range operations.All() {
		if o.Name == own {
			continue
		}
		for _, k := range o.Keys {
			if k.Name == key {
				return o.Name
			}
		}
	}
	return ""
}
