package legacy

import (
	"sync"

	"github.com/opcat/opcat/shape"
)

// Pricing is a price card: USD per million tokens unless a key says otherwise.
var Pricing = sync.OnceValue(func() *shape.Table {
	return shape.New("a price card", append(rates(),
		shape.F("input_token_bands", shape.ListOf(shape.Rec(priceBand()))),
		shape.F("promotions", shape.ListOf(shape.Rec(promotion()))),
		shape.F("schedules", shape.ListOf(shape.Rec(schedule()))),
		shape.F("hosted_tool_fees", shape.MapOf(shape.Text, shape.Rec(toolFee()))),
		shape.F("modality_rates", shape.Rec(modalityRates())),
	)...)
})

func rates() []*shape.Key {
	return []*shape.Key{
		shape.F("input_per_mtok", number()),
		shape.F("output_per_mtok", number()),
		shape.F("cache_read_per_mtok", number()),
		shape.F("cache_write_per_mtok", number()),
		shape.F("cache_write_1h_per_mtok", number()),
	}
}

var priceBand = sync.OnceValue(func() *shape.Table {
	return shape.New("a price band",
		shape.F("minimum_input_tokens", count()).Always(),
		shape.F("input_multiplier", number()).Always(),
		shape.F("output_multiplier", number()).Always(),
	)
})

var promotion = sync.OnceValue(func() *shape.Table {
	return shape.New("a promotion", append(rates(),
		shape.F("id", text()).Always(),
		shape.F("starts_on", date()), shape.F("starts_at", date()),
		shape.F("ends_on", date()), shape.F("ends_at", date()),
		shape.F("review_after", date()),
		shape.F("source_url", source()),
		shape.F("note", text()),
	)...)
})

var schedule = sync.OnceValue(func() *shape.Table {
	return shape.New("a price schedule",
		shape.F("id", text()).Always(),
		shape.F("days", shape.SetOf(shape.EnumOf("mon", "tue", "wed", "thu", "fri", "sat", "sun")).Full()).Always(),
		shape.F("start", shape.Of(shape.Clock)).Always(),
		shape.F("end", shape.Of(shape.Clock)).Always(),
		shape.F("utc_offset", shape.Of(shape.Offset)).Always(),
		shape.F("input_multiplier", number()).Always(),
		shape.F("output_multiplier", number()).Always(),
		shape.F("cache_read_multiplier", number()),
		shape.F("cache_write_multiplier", number()),
		shape.F("source_url", source()),
		shape.F("review_after", date()),
		shape.F("note", text()),
	)
})

var toolFee = sync.OnceValue(func() *shape.Table {
	return shape.New("a hosted tool fee",
		shape.F("per_1k_calls", number()).Always(),
		shape.F("free_per_month", count()),
		shape.F("source_url", source()),
	)
})

var modalityRates = sync.OnceValue(func() *shape.Table {
	return shape.New("the modality rates",
		shape.F("audio_input", number()),
		shape.F("audio_output", number()),
		shape.F("cached_audio_input", number()),
	)
})
