package legacy

import (
	"sync"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/shape"
)

// Capabilities is the shape of capability_sources in format 0: rules that say
// what a route can do in flat fields, defaults for whole providers, limits of the
// rate governor, and the families along which rules are inherited.
var Capabilities = &form.Root{Name: form.Capabilities.Name, Table: sync.OnceValue(func() *shape.Table {
	return shape.New("a capability fragment of format 0",
		shape.F("provider", shape.MapOf(shape.ID, shape.ListOf(shape.Rec(Rule())))),
		shape.F("provider_defaults", shape.MapOf(shape.ID, shape.Rec(RuleDefaults()))),
		shape.F("provider_limits", shape.MapOf(shape.ID, shape.Rec(GovernorLimits()))),
		shape.F("provider_family", shape.MapOf(shape.ID, shape.Of(shape.ID))).Says("child = parent"),
	)
})}

// Rule is `[[provider.<id>]]` of format 0: the routes that it matches, and facts
// about them.
var Rule = sync.OnceValue(func() *shape.Table {
	return shape.New("a capability rule", append([]*shape.Key{
		shape.F("model_match", shape.OneOf(shape.Of(shape.Glob), shape.ListOf(shape.Of(shape.Glob)).Full())).Always().
			Says("one pattern or several; any that fits is enough"),
		shape.F("version_min", shape.ListOf(shape.CountOf(0, 0))).Says("[major, minor] read from the id"),
		shape.F("extends", yesno()).Says("fills what is unset and lets the search go on"),
		shape.F("operations", shape.Rec(Contracts())).Says("contracts in today's keys"),
	}, ruleFacts()...)...)
})

// RuleDefaults is `[provider_defaults.<id>]`: facts of every route of a provider
// that no rule states.
var RuleDefaults = sync.OnceValue(func() *shape.Table {
	return shape.New("the rule defaults of a provider", ruleFacts()...)
})

// Request is the part of a registration that becomes an exact rule.
var Request = sync.OnceValue(func() *shape.Table {
	return shape.New("a registered request", ruleFacts()...)
})

// GovernorLimits is `[provider_limits.<id>]`: what the rate governor holds a
// provider to.
var GovernorLimits = sync.OnceValue(func() *shape.Table {
	return shape.New("the governor limits of a provider",
		shape.F("max_concurrency", count()),
		shape.F("min_concurrency", count()),
		shape.F("rpm", count()),
		shape.F("tpm", count()),
		shape.F("adaptive", yesno()),
		shape.F("backoff", shape.Rec(shape.New("a governor backoff",
			shape.F("base_ms", count()),
			shape.F("max_ms", count()),
			shape.F("multiplier", shape.Of(shape.Float)),
			shape.F("jitter", yesno()),
		))),
	)
})

// ruleFacts are the facts that a rule can state, in canonical order.
func ruleFacts() []*shape.Key {
	var keys []*shape.Key
	for _, group := range [][]*shape.Key{
		wireFacts(), decisionFacts(), inputFacts(), toolFacts(), hostedFacts(), structuredFacts(), reasoningFacts(),
		optionFacts(), cacheFacts(), batchFacts(), promptFacts(), routingFacts(),
	} {
		keys = append(keys, group...)
	}
	return keys
}
