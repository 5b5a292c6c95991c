package form

import (
	"sync"

	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/shape"
)

// Schemes are how a credential rides on a request.
var Schemes = []string{"bearer", "header", "query", "aws_sigv4", "gcp_adc", "none"}

// ProviderKinds are what a provider can be.
var ProviderKinds = []string{"api", "gateway", "local", "agent"}

// Provider is `[provider.<id>]` of a catalog fragment: who serves, where, and
// with which credential.
var Provider = sync.OnceValue(func() *shape.Table {
	return shape.New("a provider", overlay(
		shape.F("name", text()).Merged().Says("for people"),
		shape.F("kind", shape.EnumOf(ProviderKinds...)).Means("api").Says("a vendor's API, a gateway to others, a server on this machine, or an agent"),
		shape.F("docs", source()).Says("its documentation"),
		shape.F("headers", shape.MapOf(shape.Header, text())).Says("fixed headers of every request"),
		shape.F("credential", shape.Rec(Credential())).Merged().Says("how a call says who pays"),
		shape.F("endpoint", shape.MapOf(shape.ID, shape.Rec(Endpoint()))).Says("one for each protocol served"),
		shape.F("process", shape.Rec(shape.New("the process of an agent provider", overlay(
			shape.F("command", text()).Always(),
			shape.F("args", texts()),
			shape.F("env", shape.MapOf(shape.EnvName, text())),
			shape.F("cwd", text()),
			shape.F("mcp_servers", texts()),
		)...))),
		shape.F("quota", shape.Rec(Quota())).Says("how often it may be asked"),
		shape.F("data_controls", shape.Rec(DataControls())).Says("what happens to what is sent"),
		shape.F("accounting", shape.Rec(shape.New("the accounting of a provider", overlay(
			shape.F("cache_usage", yesno()),
			shape.F("stream_usage", yesno()),
		)...))),
		shape.F("healthcheck", shape.Rec(shape.New("a health check", overlay(
			shape.F("method", text()),
			shape.F("path", text()),
			shape.F("url", shape.Of(shape.URL)),
			shape.F("body", text()),
		)...))),
		shape.F("local_runtime", shape.Rec(LocalRuntime())).Says("how its server is started and stopped"),
		shape.F("performance", shape.Rec(Performance())).Says("observations, never promises"),
		shape.F("platform_fee_percent", amount()).Says("what buying credit costs on top; no call is charged with it, so it is in no price, cost or bound"),
		shape.F("fallback_price", prices()).Says("only a policy may use it"),
		shape.F("presentation", shape.Rec(shape.New("the presentation of a provider", overlay(
			shape.F("display_name", text()),
			shape.F("icon", text()),
		)...))),
	)...)
})

// Credential is `[provider.<id>.credential]`.
var Credential = sync.OnceValue(func() *shape.Table {
	return shape.New("a credential", overlay(
		shape.F("scheme", shape.EnumOf(Schemes...)).Merged().Says("how the key rides on a request"),
		shape.F("env", shape.ListOf(shape.Of(shape.EnvName)).Full()).Says("variables that hold the key; the first that is set wins"),
		shape.F("origins", shape.SetOf(shape.Of(shape.Origin)).Full()).Says("the only origins it may be sent to"),
		shape.F("header", shape.Of(shape.Header)).Says("the header of scheme header"),
		shape.F("query", text()).Says("the parameter of scheme query"),
		shape.F("withheld_env", shape.ListOf(shape.Of(shape.EnvName))).Says("kept from child processes too"),
	)...)
})

// Endpoint is `[provider.<id>.endpoint.<protocol>]`.
var Endpoint = sync.OnceValue(func() *shape.Table {
	return shape.New("an endpoint", overlay(
		shape.F("url", shape.Of(shape.URL)).Merged().Says("holes: {model}, {region} and the endpoint's variables"),
		shape.F("regions", shape.MapOf(shape.Text, shape.Of(shape.URL))).Says("the URL of each region"),
		shape.F("api_version", text()).Says("as the provider writes it"),
		shape.F("dialect", text()).Says("how its wire differs from the protocol's"),
		shape.F("unbilled_statuses", shape.SetOf(shape.CountOf(100, 599))).Says("HTTP statuses that cost nothing"),
		shape.F("variable", shape.MapOf(shape.Text, shape.Rec(shape.New("a variable of an endpoint", overlay(
			shape.F("env", shape.Of(shape.EnvName)),
			shape.F("default", text()),
			shape.F("pattern", text()).Says("one DNS label when left out"),
		)...)))),
	)...)
})

// Quota is what a provider or row may be asked within a time.
var Quota = sync.OnceValue(func() *shape.Table {
	return shape.New("a quota", overlay(
		shape.F("rpm", count()), shape.F("rph", count()), shape.F("rpd", count()),
		shape.F("tpm", count()), shape.F("tph", count()), shape.F("tpd", count()),
		shape.F("input_tpm", count()), shape.F("output_tpm", count()),
		shape.F("concurrency", count()),
		shape.F("min_concurrency", count()),
		shape.F("adaptive", yesno()),
		shape.F("backoff", shape.Rec(shape.New("a backoff",
			shape.F("base_ms", count()), shape.F("max_ms", count()), shape.F("multiplier", number()), shape.F("jitter", yesno())))),
		shape.F("tier", text()),
		shape.F("source", source()), shape.F("checked_on", date()), shape.F("note", text()),
	)...)
})

// DataControls is what happens to what is sent.
var DataControls = sync.OnceValue(func() *shape.Table {
	return shape.New("data controls", overlay(
		shape.F("control_scope", shape.EnumOf("per_request", "account", "none")),
		shape.F("request_controls", shape.ListOf(shape.Rec(shape.New("a request control",
			shape.F("location", shape.EnumOf("body", "header")).Always(),
			shape.F("name", text()).Always(),
			shape.F("value", shape.OneOf(yesno(), text())).Always(),
			shape.F("effect", shape.EnumOf("retention", "training")).Always(),
			shape.F("applies_to", shape.SetOf(shape.EnumOf(operations.Protocols()...))),
			shape.F("caveat", text()),
		)))),
		shape.F("retention_default", shape.EnumOf("retained", "not_retained", "abuse_monitoring_only", "unspecified")),
		shape.F("training_default", shape.EnumOf("trains", "does_not_train", "unspecified")),
		shape.F("no_training_requires", shape.SetOf(shape.EnumOf("billing_enabled", "contributor_sharing_disabled"))),
		shape.F("checked_on", date()),
		shape.F("sources", shape.ListOf(source())),
		shape.F("note", text()),
	)...)
})

// LocalRuntime is how a server on the user's own machine is started and stopped.
var LocalRuntime = sync.OnceValue(func() *shape.Table {
	return shape.New("a local runtime", overlay(
		shape.F("kind", shape.EnumOf("daemon_api", "managed_process", "external")),
		shape.F("wire_protocol", shape.EnumOf("ollama_api", "open_ai_compatible")),
		shape.F("stop", shape.EnumOf("keep_alive_zero", "pid", "external")),
		shape.F("command", text()),
		shape.F("prefix_args", texts()), shape.F("default_args", texts()),
		shape.F("model_source", text()), shape.F("model_source_env", shape.Of(shape.EnvName)),
		shape.F("default_port", shape.CountOf(1, 65535)),
		shape.F("model_arg", text()), shape.F("served_model_arg", text()), shape.F("host_arg", text()), shape.F("port_arg", text()),
		shape.F("ctx_arg", text()), shape.F("parallel_arg", text()), shape.F("gpu_layers_arg", text()),
		shape.F("cache_type_k_arg", text()), shape.F("cache_type_v_arg", text()), shape.F("cache_ram_arg", text()),
		shape.F("chat_template_kwargs_arg", text()), shape.F("jinja_arg", text()), shape.F("reasoning_arg", text()),
		shape.F("reasoning_format_arg", text()), shape.F("flash_attn_arg", text()), shape.F("metrics_arg", text()),
		shape.F("enable_lora_arg", text()), shape.F("lora_modules_arg", text()),
		shape.F("lora_modules_value_format", shape.EnumOf("name_path", "json_with_base_model")),
		shape.F("max_lora_rank_arg", text()),
		shape.F("source", source()), shape.F("checked_on", date()), shape.F("note", text()),
	)...)
})

// Performance is an observation, never a promise.
var Performance = sync.OnceValue(func() *shape.Table {
	return shape.New("an observed performance", overlay(
		shape.F("latency_p50_ms", count()),
		shape.F("observed_ttft_ms", count()),
		shape.F("output_tokens_per_sec", amount()),
		shape.F("time_to_answer_s", amount()),
		shape.F("observed_by", text()),
		shape.F("sample_size", count()),
		shape.F("source", source()), shape.F("checked_on", date()), shape.F("note", text()),
	)...)
})
