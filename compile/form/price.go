package form

import (
	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/price"
	"github.com/opcat/opcat/operations/textgen"
	"github.com/opcat/opcat/shape"
)

// Price is one price entry: a meter, one amount, and the conditions under which
// it holds.
var Price = shape.New("a price entry",
	shape.F("meter", shape.EnumOf(catalog.Meters()...)).Always(),
	shape.F("usd_per_million", amount()),
	shape.F("usd_per_unit", amount()),
	shape.F("currency", text()),
	shape.F("per_million", amount()),
	shape.F("per_unit", amount()),
	shape.F("dynamic", yesno()),
	shape.F("ceiling", amount()),
	shape.F("service_tier", shape.EnumOf(textgen.ServiceTiers...)).Means("standard"),
	shape.F("operation", shape.EnumOf(operations.Names()...)),
	shape.F("cache_lifetime", text()),
	shape.F("region", text()),
	shape.F("variant", text()),
	shape.F("tool", text()),
	shape.F("above_input_tokens", count()),
	shape.F("valid_from", date()),
	shape.F("valid_until", date()),
	shape.F("window", shape.Rec(shape.New("a price window",
		shape.F("days", shape.SetOf(shape.EnumOf(price.Days...)).Full()).Always(),
		shape.F("start", shape.Of(shape.Clock)).Always(),
		shape.F("end", shape.Of(shape.Clock)).Always(),
		shape.F("utc_offset", shape.Of(shape.Offset)).Always(),
	))),
	shape.F("free_units_per_month", count()),
	shape.F("above_guard", yesno()),
	shape.F("source", source()),
	shape.F("checked_on", date()),
	shape.F("note", text()),
	shape.Elsewhere("unit", "the amount's key says the unit: usd_per_million or usd_per_unit"),
	shape.Elsewhere("usd", "the key says per how many: usd_per_million for tokens, characters and pixels, usd_per_unit for the rest"),
	shape.Elsewhere("usd_per_1k", "write the thousandfold as usd_per_million"),
	shape.Elsewhere("usd_per_thousand", "write the thousandfold as usd_per_million"),
	shape.Elsewhere("usd_per_token", "write the millionfold as usd_per_million"),
	shape.Elsewhere("input", `write an entry with meter = "input_token"`),
	shape.Elsewhere("output", `write an entry with meter = "output_token"`),
	shape.Elsewhere("cache_read", `write an entry with meter = "cache_read_token"`),
	shape.Elsewhere("cache_write", `write an entry with meter = "cache_write_token"`),
	shape.Elsewhere("discount", "write the price that is left as an entry of its own, with the service_tier that gets it"),
	shape.Elsewhere("batch_discount", `write the price that is left as an entry of its own, with service_tier = "batch"`),
	shape.Elsewhere("above", "write above_input_tokens; a tier always prices the whole request"),
	shape.Elsewhere("scope", "a tier always prices the whole request; one that prices only the excess cannot be written"),
	shape.Elsewhere("cached_input", `write an entry with meter = "cache_read_token"`),
	shape.Elsewhere("cache_input", `write an entry with meter = "cache_read_token"`),
)

func prices() *shape.Type { return shape.ListOf(shape.Rec(Price)) }
