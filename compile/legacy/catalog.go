package legacy

import (
	"sync"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/shape"
)

// Catalog is the catalog root of format 0.
var Catalog = &form.Root{Name: form.Catalog.Name, Table: catalogTable}

// CacheName is the file of a legacy tree that pins facts of models.dev.
const CacheName = "models-dev.json"

var catalogTable = sync.OnceValue(func() *shape.Table {
	return shape.New("a format 0 catalog fragment",
		shape.F("default_provider", id()),
		shape.F("fallback_model", shape.Of(shape.Any)),
		shape.F("providers", shape.MapOf(shape.ID, shape.Rec(Provider()))),
		shape.F("models", shape.MapOf(shape.WireID, shape.Rec(Model()))),
		shape.F("aliases", shape.MapOf(shape.Text, shape.Rec(alias()))),
		shape.F("alias_tool_calling", shape.MapOf(shape.Text, shape.Rec(aliasToolCalling()))),
		shape.F("provider_defaults", shape.MapOf(shape.ID, shape.Rec(providerDefaults()))),
		shape.F("qc_defaults", shape.MapOf(shape.ID, wire())),
		shape.F("inference_rules", shape.ListOf(shape.Rec(inferenceRule()))),
		shape.F("tier_rules", shape.Of(shape.Any)),
		shape.F("tier_defaults", shape.Rec(shape.New("the tier defaults", shape.F("default", tier())))),
		shape.F("model_defaults", shape.MapOf(shape.Text, free())),
		shape.F("model_roles", shape.MapOf(shape.Text, free())),
		shape.F("model_ladders", shape.MapOf(shape.Text, shape.Rec(ladder()))),
		shape.F("suppress", shape.Rec(shape.New("the suppressed routes", shape.F("routes", texts())))),
		shape.F("patch", shape.Rec(shape.New("the patches", shape.F("models", shape.MapOf(shape.WireID, shape.Rec(Patch())))))),
		shape.F("presentation", shape.Rec(presentation())),
		shape.F("routing_routes", shape.ListOf(shape.Rec(routingRoute()))),
		shape.F("usage_accounting_audit", shape.Rec(usageAudit())),
		shape.F("data_controls_audit", shape.Rec(controlsAudit())),
		shape.F("data_controls_policy", shape.Rec(shape.New("the data-control policy",
			shape.F("default_posture", shape.EnumOf("default", "strictest_available"))))),
	)
})

func tier() *shape.Type { return shape.EnumOf("small", "mid", "frontier", "reasoning") }

// providerDefaults is the catalog's table of that name. The capability root has
// another one, of rule facts.
var providerDefaults = sync.OnceValue(func() *shape.Table {
	return shape.New("the defaults of a provider",
		shape.F("runtime", wire()),
		shape.F("portal", wire()),
		shape.F("portal_reasoning_effort", text()),
	)
})

var inferenceRule = sync.OnceValue(func() *shape.Table {
	return shape.New("an inference rule",
		shape.F("exact", text()),
		shape.F("pattern", text()),
		shape.F("contains", text()),
		shape.F("provider", id()).Always(),
	)
})

var routingRoute = sync.OnceValue(func() *shape.Table {
	return shape.New("a routing route",
		shape.F("provider", id()).Always(),
		shape.F("model", wire()).Always(),
		shape.F("operations", texts()),
		shape.F("base_url", text()),
		shape.F("secret_env", env()),
		shape.F("timeout_ms", count()),
		shape.F("label", text()),
		shape.F("family", text()),
		shape.F("capabilities", texts()),
	)
})

var usageAudit = sync.OnceValue(func() *shape.Table {
	return shape.New("the audit of usage accounting",
		shape.F("reviewed_on", date()).Always(),
		shape.F("expires_on", date()).Always(),
		shape.F("tracking_issue", count()),
		shape.F("unverified", shape.SetOf(id())),
		shape.F("verified", shape.ListOf(shape.Rec(shape.New("a verified accounting",
			shape.F("provider", id()).Always(),
			shape.F("checked_on", date()).Always(),
			shape.F("fields", shape.SetOf(shape.EnumOf("cache", "stream"))),
			shape.F("sources", shape.ListOf(source())),
		)))),
	)
})

var controlsAudit = sync.OnceValue(func() *shape.Table {
	return shape.New("the audit of data controls",
		shape.F("reviewed_on", date()).Always(),
		shape.F("expires_on", date()).Always(),
		shape.F("tracking_issue", count()),
		shape.F("unverified", shape.SetOf(id())),
	)
})
