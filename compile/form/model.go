package form

import (
	"sync"

	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/shape"
)

// Jobs are what a row may be listed as when no contract can be granted: the
// registry's members and jobs without an executor.
var Jobs = append(operations.Names(), "transcription", "speech", "image_generation", "image_edit", "video_generation",
	"realtime", "ocr", "search", "vector_store", "extraction", "classification", "segmentation", "unknown")

// Model is `[[model]]` of a catalog fragment: one served row.
var Model = sync.OnceValue(func() *shape.Table {
	return shape.New("a model row", overlay(
		shape.F("provider", shape.Of(shape.ID)).Always().Says("the provider that serves it"),
		shape.F("wire_model", shape.Of(shape.WireID)).Always().Says("what the provider calls it on the wire; with the provider it is the row's id"),
		shape.F("name", text()).Says("for people"),
		shape.F("logical_model", text()).Says("what rows of several providers share"),
		shape.F("served_variant", text()).Says("how this one differs from others of its logical model"),
		shape.F("equivalence_group", text()).Says("rows that may stand in for one another"),
		shape.F("upstream_id", text()).Says("what the provider's own upstream calls it"),
		shape.F("released", date()).Says("when it came out"),
		shape.F("snapshot", text()).Says("an immutable build"),
		shape.F("selects", text()).Says("the logical model that a moving name follows"),
		shape.F("current", row()).Says("the row seen behind a selector"),
		shape.F("version", shape.Of(shape.Semver)).Says("what model_version of a rule reads"),
		shape.F("inherits", shape.Rec(shape.New("an inheritance", overlay(
			shape.F("from", row()).Always(),
			shape.F("fields", shape.SetOf(text()).Full()).Always(),
		)...))),
		shape.F("limits", shape.Rec(Limits())).Says("sizes in tokens; what nobody stated is unknown"),
		shape.F("lifecycle", shape.Rec(Lifecycle())).Says("deprecation, end and successor"),
		shape.F("price", prices()).Says("a price entry for each meter and set of conditions"),
		shape.F("region", shape.ListOf(shape.Rec(shape.New("a region of a row",
			shape.F("name", text()).Always(),
			shape.F("wire_model", shape.Of(shape.WireID)),
		)))),
		shape.F("regional_only", yesno()).Means("false").Says("the bare wire id is never dialled"),
		shape.F("availability", shape.EnumOf("serverless", "dedicated")).Says("shared, or an endpoint of one's own"),
		shape.F("stream_timeout", shape.Of(shape.Duration)).Says("how long a stream may stay silent"),
		shape.F("quota", shape.Rec(Quota())).Says("how often it may be asked"),
		shape.F("data_controls", shape.Rec(DataControls())).Says("what happens to what is sent"),
		shape.F("local_memory", shape.Rec(LocalMemory())).Says("what it needs on the user's own machine"),
		shape.F("tier", shape.ListOf(shape.Rec(ServingTier()))).Says("service tiers; their rates are price entries"),
		shape.F("reasoning_mode", shape.ListOf(shape.Rec(ReasoningMode()))).Says("modes that raise token counts, not rates"),
		shape.F("listed_as", shape.SetOf(shape.EnumOf(Jobs...)).Full()).Says("what an upstream calls the row when no contract can be granted"),
		shape.F("source", shape.ListOf(shape.Rec(shape.New("a source",
			shape.F("url", source()).Always(),
			shape.F("checked_on", date()).Always(),
		))).Full()),
		shape.F("disagreement", shape.ListOf(shape.Rec(shape.New("a disagreement",
			shape.F("field", text()).Always(),
			shape.F("value", text()).Always(),
			shape.F("source", source()).Always(),
			shape.F("checked_on", date()).Always(),
			shape.F("why", text()).Always(),
		)))),
		shape.F("presentation", shape.Rec(RowPresentation())).Says("shown to people, read by nothing else"),
		shape.F("metadata", shape.Rec(Metadata())).Says("facts of the weights; they grant nothing"),
		shape.F("change_operations", shape.Rec(shape.New("a change of operations",
			shape.F("from", shape.SetOf(shape.EnumOf(operations.Names()...))).Always(),
			shape.F("to", shape.SetOf(shape.EnumOf(operations.Names()...))).Always(),
		))).ForLayers(),
		shape.Elsewhere("id", "a row's id is provider/wire_model; write these two"),
		shape.Elsewhere("operations", "a row's list grants nothing in format 1.0; write a contract under capability_sources that names the row"),
		shape.Elsewhere("embedding_dim", "write dimensions in the row's embedding contract"),
		shape.Elsewhere("embedding_max_tokens", "write limits.input_tokens in the row's embedding contract"),
		shape.Elsewhere("is_embedding_model", "the embedding contract says it"),
		shape.Elsewhere("model_type", "the contracts of capability_sources say what a row does"),
		shape.Elsewhere("api_dialect", "write protocol in the row's text_generation contract"),
		shape.Elsewhere("capabilities", "the contracts of capability_sources say what a row can do"),
		shape.Elsewhere("input_kinds", "write input_kinds in the row's contract"),
		shape.Elsewhere("context_window", "write limits.context_tokens"),
		shape.Elsewhere("max_input", "write limits.input_tokens"),
		shape.Elsewhere("max_output", "write limits.output_tokens"),
		shape.Elsewhere("max_input_tokens", "write limits.input_tokens"),
		shape.Elsewhere("max_output_tokens", "write limits.output_tokens"),
		shape.Elsewhere("context_tokens", "write limits.context_tokens"),
		shape.Elsewhere("input_tokens", "write limits.input_tokens"),
		shape.Elsewhere("output_tokens", "write limits.output_tokens"),
		shape.Elsewhere("pricing", "write [[model.price]] entries"),
		shape.Elsewhere("cost", "write [[model.price]] entries"),
		shape.Elsewhere("row_kind", "write snapshot, or selects"),
		shape.Elsewhere("current_snapshot", "write current"),
		shape.Elsewhere("superseded_by", "write lifecycle.successor"),
		shape.Elsewhere("deprecated", "write lifecycle.deprecated"),
		shape.Elsewhere("deprecation_note", "write lifecycle.note"),
		shape.Elsewhere("sunset_date", "write lifecycle.ends_on"),
		shape.Elsewhere("retires_on", "write lifecycle.announced_end"),
		shape.Elsewhere("rate_limits", "write quota"),
		shape.Elsewhere("serving_tiers", "write [[model.tier]] entries"),
	)...)
})

// Limits is `[model.limits]`.
var Limits = sync.OnceValue(func() *shape.Table {
	return shape.New("the limits of a row", overlay(
		shape.F("context_tokens", count()).Says("input and output together"),
		shape.F("input_tokens", count()).Says("the longest input"),
		shape.F("output_tokens", count()).Says("the longest output"),
		shape.F("runtime_context_tokens", count()).Says("the window of a local server"),
		shape.F("source", source()).Says("where it is stated"),
		shape.F("checked_on", date()).Says("when somebody looked"),
	)...)
})

// Lifecycle is `[model.lifecycle]`; the state is computed from it and a date.
var Lifecycle = sync.OnceValue(func() *shape.Table {
	return shape.New("the lifecycle of a row", overlay(
		shape.F("deprecated", yesno()).Says("its provider advises against it"),
		shape.F("note", text()).Says("in the provider's words"),
		shape.F("ends_on", date()).Says("when it stops to be served"),
		shape.F("announced_end", date()).Says("an end that is announced while it is active"),
		shape.F("successor", row()).Says("the row to use instead"),
		shape.F("source", source()).Says("where it is stated"),
		shape.F("checked_on", date()).Says("when somebody looked"),
	)...)
})

// LocalMemory is what a row needs on the user's own machine.
var LocalMemory = sync.OnceValue(func() *shape.Table {
	return shape.New("the local memory of a row", overlay(
		shape.F("measured_resident_gib", amount()),
		shape.F("base_resident_gib", amount()),
		shape.F("kv_cache_gib_per_1k_ctx", amount()),
		shape.F("safety_margin_gib", amount()),
		shape.F("measured_context_window", count()),
		shape.F("max_recommended_context", count()),
		shape.F("measured_cache_type", text()),
		shape.F("default_cache_type", text()),
		shape.F("cache_type_multipliers", shape.MapOf(shape.Text, amount())),
		shape.F("source", source()), shape.F("checked_on", date()), shape.F("note", text()),
	)...)
})

// knob is how a tier or mode is asked for on the wire.
var knob = sync.OnceValue(func() *shape.Table {
	return shape.New("a request knob",
		shape.F("param", text()),
		shape.F("param_path", texts()),
		shape.F("value", shape.OneOf(text(), yesno())),
		shape.F("response_values", texts()),
		shape.F("beta_header", text()),
	)
})

// ServingTier describes a service tier; its rates are price entries.
var ServingTier = sync.OnceValue(func() *shape.Table {
	return shape.New("a serving tier",
		shape.F("id", text()).Always(),
		shape.F("label", text()),
		shape.F("mode", text()),
		shape.F("economics", shape.EnumOf("discounted", "standard", "premium")),
		shape.F("request", shape.Rec(knob())),
		shape.F("otps_speedup", amount()),
		shape.F("status", shape.EnumOf("ga", "beta", "research_preview", "deprecated")),
		shape.F("latency", text()), shape.F("reliability", text()), shape.F("quota", text()),
		shape.F("suitable_workloads", texts()), shape.F("unsuitable_workloads", texts()),
		shape.F("note", text()),
	)
})

// ReasoningMode is a mode that raises token counts, not rates.
var ReasoningMode = sync.OnceValue(func() *shape.Table {
	return shape.New("a reasoning mode",
		shape.F("id", text()).Always(),
		shape.F("label", text()),
		shape.F("economics", shape.EnumOf("discounted", "standard", "premium")),
		shape.F("request", shape.Rec(knob())).Always(),
		shape.F("token_multiplier", amount()),
		shape.F("status", shape.EnumOf("ga", "beta", "research_preview", "deprecated")),
		shape.F("latency", text()),
		shape.F("suitable_workloads", texts()), shape.F("unsuitable_workloads", texts()),
		shape.F("note", text()),
	)
})

// RowPresentation is shown to people and read by nothing else.
var RowPresentation = sync.OnceValue(func() *shape.Table {
	return shape.New("the presentation of a row", overlay(
		shape.F("name", text()), shape.F("display_name", text()), shape.F("blurb", text()),
		shape.F("tier", shape.EnumOf("small", "mid", "frontier", "reasoning")),
		shape.F("strengths", texts()), shape.F("tags", texts()),
		shape.F("benchmarks", shape.MapOf(shape.Text, number())),
		shape.F("complementary_with", texts()), shape.F("avoid_as_reviewer_for", texts()),
	)...)
})

// Metadata is facts of the weights; it grants nothing and picks no transport.
var Metadata = sync.OnceValue(func() *shape.Table {
	return shape.New("the metadata of a row", overlay(
		shape.F("architecture", shape.Rec(shape.New("an architecture", overlay(
			shape.F("parameter_count_b", amount()),
			shape.F("active_parameter_count_b", amount()),
			shape.F("moe", yesno()),
			shape.F("quantization", text()), shape.F("precision", text()), shape.F("license", text()), shape.F("tokenizer", text()),
			shape.F("knowledge_cutoff", text()),
			shape.F("source", source()), shape.F("checked_on", date()),
		)...))),
		shape.F("family", text()),
		shape.F("lineage", text()),
		shape.F("open_weight", yesno()),
		shape.F("performance", shape.Rec(Performance())),
		shape.F("completion_review", shape.Rec(shape.New("a completion review",
			shape.F("scrutiny", shape.EnumOf("light", "standard")),
			shape.F("max_judge_calls", count()),
			shape.F("evidence", text()).Always(),
		))),
		shape.F("recommended_endpoint", text()),
	)...)
})
