package legacy

import (
	"sync"

	"github.com/opcat/opcat/shape"
)

// Model is `[models."<id>"]` of format 0. What it must have is judged after
// registrations, imported facts and patches have had their say.
var Model = sync.OnceValue(func() *shape.Table {
	return shape.New("a model row", append(rowKeys(),
		shape.F("models_dev", shape.Rec(modelsDev())),
		shape.F("registration", shape.Rec(registration())),
	)...)
})

// Patch is `[patch.models."<id>"]`: some fields of a row. A value of the wrong
// type is kept as it is, since a patch that does not fit has a code of its own.
var Patch = sync.OnceValue(func() *shape.Table {
	keys := rowKeys()
	for _, k := range keys {
		k.Type = shape.OneOf(k.Type, shape.Of(shape.Any))
	}
	return shape.New("a row patch", append(keys, shape.F("change_operations", shape.Rec(shape.New("a change of operations",
		shape.F("from", shape.ListOf(text())).Always(),
		shape.F("to", shape.ListOf(text())).Always(),
	))))...)
})

// rowKeys are the fields that a row may have wherever it is written.
func rowKeys() []*shape.Key {
	return []*shape.Key{
		shape.F("name", text()),
		shape.F("display_name", text()),
		shape.F("blurb", text()),
		shape.F("provider", id()),
		shape.F("context_window", count()),
		shape.F("operations", texts()),
		shape.F("model_type", text()),
		shape.F("output_modalities", texts()),
		shape.F("is_embedding_model", yesno()),
		shape.F("logical_model", text()),
		shape.F("equivalence_group", text()),
		shape.F("served_variant", text()),
		shape.F("wire_model", wire()),
		shape.F("api_dialect", text()),
		shape.F("rate_limits", shape.Rec(rateLimits())),
		shape.F("performance", shape.Rec(performance())),
		shape.F("architecture", shape.Rec(architecture())),
		shape.F("local_memory", shape.Rec(localMemory())),
		shape.F("runtime_context_window", count()),
		shape.F("stream_timeout", number()),
		shape.F("capabilities", texts()),
		shape.F("pricing", shape.Rec(Pricing())),
		shape.F("data_controls", shape.Rec(dataControls())),
		shape.F("deprecated", yesno()),
		shape.F("deprecation_note", text()),
		shape.F("sunset_date", date()),
		shape.F("retires_on", date()),
		shape.F("superseded_by", wire()),
		shape.F("serving_tiers", shape.ListOf(shape.Rec(servingTier()))),
		shape.F("reasoning_modes", shape.ListOf(shape.Rec(reasoningMode()))),
		shape.F("quality_tags", texts()),
		shape.F("availability", shape.EnumOf("serverless", "dedicated", "unknown")),
		shape.F("tier", tier()),
		shape.F("open_weight", yesno()),
		shape.F("strengths", texts()),
		shape.F("benchmarks", shape.MapOf(shape.Text, number())),
		shape.F("family", text()),
		shape.F("lineage", text()),
		shape.F("complementary_with", texts()),
		shape.F("avoid_as_reviewer_for", texts()),
		shape.F("completion_review", shape.Rec(completionReview())),
		shape.F("released", date()),
		shape.F("row_kind", shape.EnumOf("snapshot", "selector")),
		shape.F("current_snapshot", wire()),
		shape.F("embedding_dim", count()),
		shape.F("embedding_max_tokens", count()),
		shape.F("fast_mode", shape.Of(shape.Any)),
	}
}

var architecture = sync.OnceValue(func() *shape.Table {
	return shape.New("the architecture of a model",
		shape.F("parameter_count_b", number()),
		shape.F("active_parameter_count_b", number()),
		shape.F("moe", yesno()),
		shape.F("quantization", text()), shape.F("precision", text()), shape.F("license", text()), shape.F("tokenizer", text()),
		shape.F("knowledge_cutoff", text()),
		shape.F("source_url", source()), shape.F("last_verified", date()),
	)
})

var localMemory = sync.OnceValue(func() *shape.Table {
	return shape.New("the local memory of a row",
		shape.F("measured_resident_gib", number()),
		shape.F("base_resident_gib", number()),
		shape.F("kv_cache_gib_per_1k_ctx", number()),
		shape.F("safety_margin_gib", number()),
		shape.F("measured_context_window", count()),
		shape.F("max_recommended_context", count()),
		shape.F("measured_cache_type", text()),
		shape.F("default_cache_type", text()),
		shape.F("cache_type_multipliers", shape.MapOf(shape.Text, number())),
		shape.F("source_url", source()), shape.F("last_verified", date()), shape.F("notes", text()),
	)
})

var completionReview = sync.OnceValue(func() *shape.Table {
	return shape.New("a completion review",
		shape.F("scrutiny", shape.EnumOf("light", "standard")),
		shape.F("max_judge_calls", count()),
		shape.F("evidence", text()).Always(),
	)
})

// knob is how a tier or mode is asked for on the wire.
func knob() *shape.Table {
	return shape.New("a request knob",
		shape.F("param", text()),
		shape.F("param_path", texts()),
		shape.F("value", shape.OneOf(text(), yesno())),
		shape.F("response_values", texts()),
		shape.F("beta_header", text()),
	)
}

func status() *shape.Type { return shape.EnumOf("ga", "beta", "research_preview", "deprecated") }

func economics() *shape.Type { return shape.EnumOf("discounted", "standard", "premium") }

var servingTier = sync.OnceValue(func() *shape.Table {
	return shape.New("a serving tier",
		shape.F("id", text()).Always(),
		shape.F("label", text()),
		shape.F("mode", shape.EnumOf("synchronous")),
		shape.F("economics", economics()),
		shape.F("request", shape.Rec(knob())),
		shape.F("otps_speedup", number()),
		shape.F("cost_multiplier", number()),
		shape.F("discount_percent", shape.CountOf(0, 100)),
		shape.F("status", status()),
		shape.F("pricing", shape.Rec(Pricing())),
		shape.F("latency", text()), shape.F("reliability", text()), shape.F("quota", text()),
		shape.F("suitable_workloads", texts()), shape.F("unsuitable_workloads", texts()),
		shape.F("note", text()),
	)
})

var reasoningMode = sync.OnceValue(func() *shape.Table {
	return shape.New("a reasoning mode",
		shape.F("id", text()).Always(),
		shape.F("label", text()),
		shape.F("economics", economics()),
		shape.F("request", shape.Rec(knob())).Always(),
		shape.F("token_multiplier", number()),
		shape.F("status", status()),
		shape.F("latency", text()),
		shape.F("suitable_workloads", texts()), shape.F("unsuitable_workloads", texts()),
		shape.F("note", text()),
	)
})
