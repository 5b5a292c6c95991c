package form

import (
	"sync"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/price"
	"github.com/opcat/opcat/operations/textgen"
	"github.com/opcat/opcat/shape"
)

// Price is one price entry: a meter, one amount, and the conditions under which
// it holds.
var Price = sync.OnceValue(func() *shape.Table {
	return shape.New("a price entry",
		shape.F("meter", shape.EnumOf(catalog.Meters()...)).Always().Says("what is counted"),
		shape.F("usd_per_million", amount()).Says("USD for a million tokens, characters or pixels; \"0\" is free"),
		shape.F("usd_per_unit", amount()).Says("USD for one of anything else; \"0\" is free"),
		shape.F("currency", text()).Says("of a price in other money, which is shown and never converted"),
		shape.F("per_million", amount()).Says("in that currency"),
		shape.F("per_unit", amount()).Says("in that currency"),
		shape.F("dynamic", yesno()).Says("it depends on what the provider does"),
		shape.F("ceiling", amount()).Says("the most that a dynamic price can be, in USD"),
		shape.F("service_tier", shape.EnumOf(textgen.ServiceTiers...)).Means("standard").Says("holds for calls of this tier"),
		shape.F("operation", shape.EnumOf(operations.Names()...)).Says("holds for this operation alone"),
		shape.F("cache_lifetime", text()).Says("holds for a cache of this lifetime"),
		shape.F("region", text()).Says("holds in this region"),
		shape.F("variant", text()).Says("holds for this size or quality"),
		shape.F("tool", text()).Says("the tool that is called"),
		shape.F("above_input_tokens", count()).Says("holds for a request with more input than this, all of it"),
		shape.F("valid_from", date()).Says("holds from then on"),
		shape.F("valid_until", date()).Says("holds until then, exclusive"),
		shape.F("window", shape.Rec(shape.New("a price window",
			shape.F("days", shape.SetOf(shape.EnumOf(price.Days...)).Full()).Always(),
			shape.F("start", shape.Of(shape.Clock)).Always(),
			shape.F("end", shape.Of(shape.Clock)).Always(),
			shape.F("utc_offset", shape.Of(shape.Offset)).Always(),
		))),
		shape.F("free_units_per_month", count()).Says("not billed"),
		shape.F("above_guard", yesno()).Says("yes, more than 1,000 USD per million tokens is meant"),
		shape.F("source", source()).Says("where it is stated"),
		shape.F("checked_on", date()).Says("when somebody looked"),
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
		shape.Elsewhere("price", "the key says per how many: usd_per_million for tokens, characters and pixels, usd_per_unit for the rest"),
		shape.Elsewhere("input_per_mtok", `write an entry with meter = "input_token" and usd_per_million`),
		shape.Elsewhere("output_per_mtok", `write an entry with meter = "output_token" and usd_per_million`),
		shape.Elsewhere("cache_read_per_mtok", `write an entry with meter = "cache_read_token" and usd_per_million`),
		shape.Elsewhere("cache_write_per_mtok", `write an entry with meter = "cache_write_token" and usd_per_million`),
		shape.Elsewhere("cached_input", `write an entry with meter = "cache_read_token"`),
		shape.Elsewhere("cache_input", `write an entry with meter = "cache_read_token"`),
	)
})

// OtherMeters are the names that other catalogs and the wires give to meters, where they are
// too far from ours to be taken for misspelt.
var OtherMeters = map[string]string{
	"cached_input": "cache_read_token", "cache_input": "cache_read_token", "cached_token": "cache_read_token", "cached_tokens": "cache_read_token",
	"cache_creation": "cache_write_token", "prompt": "input_token", "prompt_token": "input_token", "prompt_tokens": "input_token",
	"completion": "output_token", "completion_token": "output_token", "completion_tokens": "output_token",
	"thinking": "reasoning_token", "thinking_token": "reasoning_token", "thinking_tokens": "reasoning_token",
}

func prices() *shape.Type { return shape.ListOf(shape.Rec(Price())) }
