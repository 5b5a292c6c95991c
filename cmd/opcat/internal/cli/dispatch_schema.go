package cli

import (
	"github.com/opcat/opcat/cmd/opcat/internal/schema"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
)

// dispatchSchema is the schema of a call's data.
func dispatchSchema() schema.Schema {
	text, texts := schema.String(), schema.Array(schema.String())
	usd, difference := schema.Cost(), schema.Pattern(number)
	count := schema.Int()
	return schema.Object(
		schema.Prop("operation", schema.Enum(operations.Names()...)),
		schema.Prop("admitted", grantSchema()),
		schema.Prop("sent", schema.Bool()),
		schema.Opt("result", schema.Doc("of the operation's own result schema", schema.Any())),
		schema.Opt("failure", schema.Object(schema.Prop("kind", text), schema.Prop("message", text), schema.Opt("vendor", text), schema.Opt("withheld", schema.Any()))),
		schema.Opt("receipt", schema.Object(
			schema.Prop("attempts", count), schema.Prop("boundary", text), schema.Opt("status", count), schema.Opt("unbilled", schema.Bool()),
			schema.Prop("served", schema.Object(schema.Prop("asked", text), schema.Opt("model", text), schema.Opt("match", text))),
			schema.Opt("request_id", text), schema.Opt("retry_after_ms", count), schema.Opt("service_tier", text),
			schema.Prop("usage", schema.Object(
				schema.Prop("lines", schema.Null(schema.Array(schema.Object(
					schema.Prop("meter", text), schema.Opt("cache_lifetime", text), schema.Opt("tool", text), schema.Prop("count", count))))),
				schema.Opt("unknown", texts))),
			schema.Opt("usage_error", text),
			schema.Prop("cost", schema.Object(
				schema.Prop("lines", schema.Array(schema.Object(
					schema.Prop("meter", text), schema.Opt("cache_lifetime", text), schema.Opt("tool", text), schema.Opt("count", count),
					schema.Opt("priced_as", text), schema.Opt("usd_per_million", usd), schema.Opt("usd_per_unit", usd), schema.Opt("usd", amount()),
					schema.Opt("unknown", text), schema.Opt("free_units_per_month", count), schema.Opt("conditions", text)))),
				schema.Opt("usd", amount()), schema.Prop("stated_usd", amount()), schema.Opt("nano_usd", count), schema.Opt("unknown", text),
				schema.Opt("vendor_usd", amount()), schema.Opt("vendor_difference_usd", difference), schema.Opt("funding_fee_percent", usd))),
		)),
	)
}

// amount is an exact sum, which may have more digits than a price.
func amount() schema.Schema { return schema.Pattern(`^[0-9]+(\.[0-9]+)?$`) }

// grantSchema is the schema of what was admitted.
func grantSchema() schema.Schema {
	text, texts := schema.String(), schema.Array(schema.String())
	return schema.Object(
		schema.Prop("row", text), schema.Prop("chain", texts), schema.Prop("wire_model", text), schema.Opt("region", text),
		schema.Prop("protocol", text), schema.Opt("api_version", text), schema.Opt("dialect", text), schema.Prop("url", text),
		schema.Prop("credential", schema.Object(schema.Prop("scheme", text), schema.Opt("env", texts), schema.Opt("header", text),
			schema.Opt("query", text), schema.Opt("origins", texts))),
		schema.Prop("settings", schema.Array(schema.Object(schema.Prop("name", text), schema.Prop("value", text), schema.Opt("filled", schema.Bool())))),
		schema.Opt("output_tokens_at_most", schema.Int()),
		schema.Prop("price", schema.Object(schema.Opt("usd", amount()), schema.Opt("unknown", text),
			schema.Prop("lines", schema.Array(schema.Object(schema.Prop("meters", texts), schema.Opt("at_most", schema.Int())))), schema.Opt("funding_fee_percent", schema.Pattern(number)))),
		schema.Opt("support", schema.Enum(op.Supports...)), schema.Prop("at", text), schema.Prop("catalog_digest", text), schema.Prop("contract_digest", text),
	)
}
