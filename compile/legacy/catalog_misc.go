package legacy

import (
	"sync"

	"github.com/opcat/opcat/shape"
)

var alias = sync.OnceValue(func() *shape.Table {
	return shape.New("an alias",
		shape.F("id", wire()).Always(),
		shape.F("provider", id()).Always(),
		shape.F("tool_format", shape.EnumOf("native", "text", "json")),
	)
})

var aliasToolCalling = sync.OnceValue(func() *shape.Table {
	return shape.New("the tool calling of an alias",
		shape.F("native", text()),
		shape.F("text", text()),
		shape.F("streaming_native", text()),
		shape.F("fallback_mode", text()),
		shape.F("failure_reason", text()),
		shape.F("last_probe_at", date()),
	)
})

var ladder = sync.OnceValue(func() *shape.Table {
	return shape.New("a ladder",
		shape.F("label", text()),
		shape.F("steps", shape.ListOf(shape.Rec(shape.New("a ladder step",
			shape.F("model", wire()).Always(),
			shape.F("provider", id()),
			shape.F("label", text()),
			shape.F("when", shape.Of(shape.Any)),
			shape.F("options", free()),
			shape.F("family", text()),
			shape.F("capabilities", texts()),
		)))).Always(),
	)
})

var presentation = sync.OnceValue(func() *shape.Table {
	return shape.New("the presentation",
		shape.F("variants", shape.MapOf(shape.Text, shape.Rec(variant()))),
		shape.F("families", shape.MapOf(shape.Text, shape.Rec(family()))),
		shape.F("featured_providers", shape.ListOf(id())),
	)
})

var variant = sync.OnceValue(func() *shape.Table {
	return shape.New("a picker variant",
		shape.F("order", count()),
		shape.F("label", text()),
		shape.F("description", text()),
		shape.F("selector", shape.Rec(shape.New("a picker selector",
			shape.F("kind", shape.EnumOf("alias", "model", "best_local", "cheapest_hosted", "largest_vision_context", "largest_context")).Always(),
			shape.F("name", text()),
			shape.F("id", wire()),
			shape.F("provider", id()),
		))),
		shape.F("automatic_eligibility", shape.Rec(shape.New("an automatic eligibility",
			shape.F("schema", text()),
			shape.F("decision", text()),
			shape.F("receipts", shape.ListOf(shape.Rec(shape.New("an eligibility receipt",
				shape.F("kind", shape.EnumOf("meter_holdout", "tool_call_fidelity", "provider_health")).Always(),
				shape.F("source", text()).Always(),
				shape.F("observed_at", date()).Always(),
				shape.F("version", text()),
				shape.F("harn_version", text()),
				shape.F("passed", whole()).Always(),
				shape.F("trials", count()).Always(),
			)))),
		))),
	)
})

// pickerValue is one value of a picker's dimension.
var pickerValue = sync.OnceValue(func() *shape.Table {
	return shape.New("a picker value",
		shape.F("value", text()).Always(),
		shape.F("label", text()),
		shape.F("plain_description", text()),
		shape.F("relative_cost_hint", shape.CountOf(1, 5)),
		shape.F("relative_speed_hint", shape.CountOf(1, 5)),
		shape.F("model_id", wire()),
	)
})

var family = sync.OnceValue(func() *shape.Table {
	return shape.New("a picker family",
		shape.F("label", text()),
		shape.F("plain_description", text()),
		shape.F("model_id", wire()),
		shape.F("dimensions", shape.ListOf(shape.Rec(shape.New("a picker dimension",
			shape.F("key", text()).Always(),
			shape.F("label", text()),
			shape.F("plain_description", text()),
			shape.F("kind", shape.EnumOf("model", "reasoning_effort")).Always(),
			shape.F("ordered_values", shape.ListOf(shape.Rec(pickerValue()))),
		)))),
		shape.F("presets", shape.ListOf(shape.Rec(shape.New("a picker preset",
			shape.F("id", text()).Always(),
			shape.F("label", text()),
			shape.F("plain_blurb", text()),
			shape.F("coordinates", shape.MapOf(shape.Text, text())),
		)))),
	)
})
