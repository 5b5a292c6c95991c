package legacy

import (
	"sync"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/shape"
)

// Provider is `[providers.<id>]` of format 0.
var Provider = sync.OnceValue(func() *shape.Table {
	return shape.New("a provider",
		shape.F("display_name", text()),
		shape.F("icon", text()),
		shape.F("protocol", shape.EnumOf("acp", "http")),
		shape.F("managed_supply", shape.Rec(shape.New("a managed supply", shape.F("version", count()).Always()))),
		shape.F("base_url", address()),
		shape.F("base_url_env", env()),
		shape.F("region_env", env()),
		shape.F("regions", shape.MapOf(shape.Text, shape.Rec(providerRegion()))),
		shape.F("auth_style", shape.EnumOf("bearer", "none", "header", "azure_openai", "aws_sigv4")),
		shape.F("auth_header", shape.Of(shape.Header)),
		shape.F("auth_env", shape.OneOf(env(), shape.ListOf(env()))),
		shape.F("credential_resolution", shape.EnumOf("env", "platform_managed")),
		shape.F("credential_env", shape.ListOf(env())),
		shape.F("extra_headers", shape.MapOf(shape.Header, text())),
		shape.F("chat_endpoint", address()),
		shape.F("chat_api_adapter", shape.EnumOf("model_default", "ollama_openai_compat")),
		shape.F("completion_endpoint", text()),
		shape.F("embeddings_endpoint", text()),
		shape.F("command", text()),
		shape.F("args", texts()),
		shape.F("env", shape.MapOf(shape.EnvName, text())),
		shape.F("cwd", text()),
		shape.F("mcp_servers", texts()),
		shape.F("healthcheck", shape.Rec(healthcheck())),
		shape.F("local_runtime", shape.Rec(localRuntime())),
		shape.F("cache_usage_accounting", yesno()),
		shape.F("stream_usage_accounting", yesno()),
		shape.F("data_controls", shape.Rec(dataControls())),
		shape.F("features", shape.SetOf(shape.EnumOf(Features...))),
		shape.F("fallback", id()),
		shape.F("retry_count", whole()),
		shape.F("retry_delay_ms", whole()),
		shape.F("rpm", count()),
		shape.F("rate_limits", shape.Rec(rateLimits())),
		shape.F("cost_per_1k_in", number()),
		shape.F("cost_per_1k_out", number()),
		shape.F("platform_fee_percent", number()),
		shape.F("latency_p50_ms", count()),
		shape.F("performance", shape.Rec(performance())),
	)
})

// Features are the labels of a provider that act as switches.
var Features = []string{"native_tools", "reasoning", "batch", "prompt_caching", "responses_api", "model_proxy", "embeddings",
	"wire_model_capabilities", "thinking", "vision"}

// address is a URL or path that format 0 lets be empty.
func address() *shape.Type { return shape.Of(shape.Any) }

var providerRegion = sync.OnceValue(func() *shape.Table {
	return shape.New("a region of a provider",
		shape.F("base_url", shape.Of(shape.URL)).Always(),
		shape.F("data_controls", shape.Rec(dataControls())),
		shape.F("label", text()),
		shape.F("source_url", source()),
		shape.F("last_verified", date()),
		shape.F("notes", text()),
	)
})

var healthcheck = sync.OnceValue(func() *shape.Table {
	return shape.New("a health check",
		shape.F("method", text()),
		shape.F("path", text()),
		shape.F("url", shape.Of(shape.URL)),
		shape.F("body", text()),
	)
})

// rateLimits is `rate_limits` of a provider or row.
var rateLimits = sync.OnceValue(func() *shape.Table {
	return shape.New("the rate limits",
		shape.F("rpm", count()), shape.F("rph", count()), shape.F("rpd", count()),
		shape.F("tpm", count()), shape.F("tph", count()), shape.F("tpd", count()),
		shape.F("input_tpm", count()), shape.F("output_tpm", count()),
		shape.F("concurrency", count()),
		shape.F("tier", text()),
		shape.F("source_url", source()), shape.F("last_verified", date()), shape.F("notes", text()),
	)
})

// ControlDialects are the words of applies_to in format 0.
var ControlDialects = []string{"typesafe_system_one", "vercel_evaluate", "openrouter_decisions", "anthropic_sse", "open_ai_sse",
	"ollama_ndjson", "gemini_json", "gemini_interactions_sse"}

var dataControls = sync.OnceValue(func() *shape.Table {
	return shape.New("the data controls",
		shape.F("control_scope", shape.EnumOf("per_request", "account", "none")),
		shape.F("request_controls", shape.ListOf(shape.Rec(shape.New("a request control",
			shape.F("location", shape.EnumOf("body", "header")).Always(),
			shape.F("name", text()).Always(),
			shape.F("value", shape.OneOf(yesno(), text())).Always(),
			shape.F("effect", shape.EnumOf("retention", "training")).Always(),
			shape.F("applies_to", shape.SetOf(shape.EnumOf(ControlDialects...))),
			shape.F("caveat", text()),
		)))),
		shape.F("retention_default", shape.EnumOf("retained", "not_retained", "abuse_monitoring_only", "unspecified")),
		shape.F("training_default", shape.EnumOf("trains", "does_not_train", "unspecified")),
		shape.F("no_training_requires", shape.SetOf(shape.EnumOf("billing_enabled", "contributor_sharing_disabled"))),
		shape.F("checked_on", date()),
		shape.F("sources", shape.ListOf(source())),
		shape.F("note", text()),
	)
})

// localRuntime is today's table but for the names of its evidence.
var localRuntime = sync.OnceValue(func() *shape.Table {
	var keys []*shape.Key
	for _, k := range form.LocalRuntime().Keys {
		switch k.Name {
		case "source", "checked_on", "note", "add", "unset":
			continue
		}
		keys = append(keys, shape.F(k.Name, k.Type))
	}
	return shape.New("a local runtime", append(keys,
		shape.F("source_url", source()), shape.F("last_verified", date()), shape.F("notes", text()))...)
})

var performance = sync.OnceValue(func() *shape.Table {
	return shape.New("an observed performance",
		shape.F("observed_ttft_ms", count()),
		shape.F("output_tokens_per_sec", number()),
		shape.F("time_to_answer_s", number()),
		shape.F("source", text()),
		shape.F("source_url", source()),
		shape.F("last_verified", date()),
		shape.F("sample_size", count()),
		shape.F("notes", text()),
	)
})
