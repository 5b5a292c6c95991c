package form

import (
	"sync"

	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/shape"
)

// Alias is `[alias.<name>]`: for each operation the row, or another alias.
var Alias = sync.OnceValue(func() *shape.Table {
	return shape.New("an alias", perOperation(text())...)
})

// Defaults is `[default.<operation>.<purpose>]`: for each provider its row.
var Defaults = sync.OnceValue(func() *shape.Table {
	return shape.New("the defaults", overlay(func() []*shape.Key {
		var keys []*shape.Key
		byProvider := shape.MapOf(shape.ID, row())
		for _, o := range operations.All() {
			keys = append(keys, shape.F(o.Name, shape.Rec(shape.New("the defaults of "+o.Name, overlay(
				shape.F("runtime", byProvider), shape.F("portal", byProvider), shape.F("qc", byProvider))...))))
		}
		return append(keys, shape.F("portal_reasoning_effort", shape.MapOf(shape.ID, text())),
			shape.F("provider", shape.Of(shape.ID)).Says("of a call that names neither provider nor row"),
			shape.F("tier", text()))
	}()...)...)
})

func perOperation(t *shape.Type) []*shape.Key {
	var keys []*shape.Key
	for _, name := range operations.Names() {
		keys = append(keys, shape.F(name, t))
	}
	return overlay(append(keys, shape.Elsewhere("id", "name the operation: text_generation = \"provider/wire_model\""))...)
}

// Ladder is `[ladder.<id>]`: steps to climb for one operation.
var Ladder = sync.OnceValue(func() *shape.Table {
	return shape.New("a ladder", overlay(
		shape.F("operation", shape.EnumOf(operations.Names()...)).Always(),
		shape.F("label", text()),
		shape.F("steps", shape.ListOf(shape.Rec(shape.New("a ladder step",
			shape.F("row", row()).Always(),
			shape.F("label", text()),
			shape.F("needs", free()),
		))).Full()),
	)...)
})

// Presentation is `[presentation]`: what pickers show.
var Presentation = sync.OnceValue(func() *shape.Table {
	return shape.New("the presentation", overlay(
		shape.F("variant", shape.MapOf(shape.Text, shape.Rec(shape.New("a picker variant", overlay(
			shape.F("order", count()),
			shape.F("label", text()),
			shape.F("description", text()),
			shape.F("selector", shape.Rec(shape.New("a picker selector",
				shape.F("kind", shape.EnumOf("alias", "model", "best_local", "cheapest_hosted", "largest_vision_context", "largest_context")).Always(),
				shape.F("operation", shape.EnumOf(operations.Names()...)),
				shape.F("alias", text()),
				shape.F("row", row()),
			))),
			shape.F("automatic_eligibility", shape.Rec(shape.New("an automatic eligibility",
				shape.F("schema", text()),
				shape.F("decision", text()),
				shape.F("receipts", shape.ListOf(shape.Rec(shape.New("an eligibility receipt",
					shape.F("kind", shape.EnumOf("meter_holdout", "tool_call_fidelity", "provider_health")).Always(),
					shape.F("source", text()).Always(),
					shape.F("observed_at", date()).Always(),
					shape.F("version", text()).Always(),
					shape.F("passed", shape.CountOf(0, 0)).Always(),
					shape.F("trials", count()).Always(),
				)))),
			))),
		)...)))),
		shape.F("family", shape.MapOf(shape.Text, shape.Rec(shape.New("a picker family", overlay(
			shape.F("label", text()),
			shape.F("plain_description", text()),
			shape.F("row", row()),
			shape.F("dimensions", shape.ListOf(shape.Rec(shape.New("a picker dimension",
				shape.F("key", text()).Always(),
				shape.F("label", text()),
				shape.F("plain_description", text()),
				shape.F("kind", shape.EnumOf("model", "reasoning_effort")).Always(),
				shape.F("ordered_values", shape.ListOf(shape.Rec(shape.New("a picker value",
					shape.F("value", text()).Always(),
					shape.F("label", text()),
					shape.F("plain_description", text()),
					shape.F("relative_cost_hint", shape.CountOf(1, 5)),
					shape.F("relative_speed_hint", shape.CountOf(1, 5)),
					shape.F("row", row()),
				)))),
			)))),
			shape.F("presets", shape.ListOf(shape.Rec(shape.New("a picker preset",
				shape.F("id", text()).Always(),
				shape.F("label", text()),
				shape.F("plain_blurb", text()),
				shape.F("coordinates", shape.MapOf(shape.Text, text())),
			)))),
		)...)))),
		shape.F("featured_providers", shape.ListOf(shape.Of(shape.ID))),
	)...)
})
