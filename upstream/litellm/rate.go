package litellm

import (
	"strconv"
	"strings"

	"github.com/opcat/opcat/catalog"
)

// A rate is what a key of the file prices, taken from the parts of the key.
type rate struct {
	known   bool
	meter   string
	per     int // ten to the power of it is how many the amount is for
	tier    string
	life    string
	above   int64
	variant string
	tool    string
	dbu     bool
	why     string // why the price cannot be said, although the key is known
}

// bases are the keys without what follows them. seconds stands for a meter that
// depends on the mode.
var bases = map[string]rate{
	"input_cost_per_token":                        {meter: "input_token"},
	"output_cost_per_token":                       {meter: "output_token"},
	"output_cost_per_reasoning_token":             {meter: "reasoning_token"},
	"cache_read_input_token_cost":                 {meter: "cache_read_token"},
	"input_cost_per_token_cache_hit":              {meter: "cache_read_token"},
	"cache_creation_input_token_cost":             {meter: "cache_write_token"},
	"citation_cost_per_token":                     {meter: "citation_token"},
	"input_cost_per_audio_token":                  {meter: "input_audio_token"},
	"output_cost_per_audio_token":                 {meter: "output_audio_token"},
	"cache_read_input_audio_token_cost":           {meter: "cache_read_audio_token"},
	"cache_read_input_token_cost_per_audio_token": {meter: "cache_read_audio_token"},
	"cache_creation_input_audio_token_cost":       {meter: "cache_write_audio_token"},
	"input_cost_per_image_token":                  {meter: "input_image_token"},
	"output_cost_per_image_token":                 {meter: "output_image_token"},
	"cache_read_input_image_token_cost":           {meter: "cache_read_image_token"},
	"input_cost_per_character":                    {meter: "input_character"},
	"output_cost_per_character":                   {meter: "output_character"},
	"input_cost_per_pixel":                        {meter: "input_pixel"},
	"output_cost_per_pixel":                       {meter: "output_pixel"},
	"input_cost_per_image":                        {meter: "input_image"},
	"output_cost_per_image":                       {meter: "output_image"},
	"input_cost_per_second":                       {meter: inputSecond},
	"output_cost_per_second":                      {meter: outputSecond},
	"input_cost_per_audio_per_second":             {meter: "input_audio_second"},
	"input_cost_per_video_per_second":             {meter: "input_video_second"},
	"output_cost_per_video_per_second":            {meter: "output_video_second"},
	"input_cost_per_query":                        {meter: "query"},
	"input_cost_per_request":                      {meter: "request"},
	"ocr_cost_per_page":                           {meter: "page"},
	"annotation_cost_per_page":                    {meter: "page", variant: "annotation"},
	"code_interpreter_cost_per_session":           {meter: "session", tool: "code_interpreter"},
	"file_search_cost_per_1k_calls":               {meter: "tool_call", per: 3, tool: "file_search"},
	"file_search_cost_per_gb_per_day":             {meter: "gigabyte_day", tool: "file_search"},
	"vector_store_cost_per_gb_per_day":            {meter: "gigabyte_day", tool: "vector_store"},
	"computer_use_input_cost_per_1k_tokens":       {meter: "input_token", per: 3, tool: "computer_use"},
	"computer_use_output_cost_per_1k_tokens":      {meter: "output_token", per: 3, tool: "computer_use"},
	"input_dbu_cost_per_token":                    {meter: "input_token", dbu: true},
	"output_dbu_cost_per_token":                   {meter: "output_token", dbu: true},
}

// What a second is of depends on what the model does.
const (
	inputSecond  = "input second"
	outputSecond = "output second"
)

// variants are suffixes that say which size or quality an amount is for.
var variants = []struct{ suffix, variant string }{
	{"_above_1024_and_1024_pixels_and_premium_image", "above 1024x1024, premium"},
	{"_above_512_and_512_pixels_and_premium_image", "above 512x512, premium"},
	{"_above_1024_and_1024_pixels", "above 1024x1024"},
	{"_above_512_and_512_pixels", "above 512x512"},
	{"_premium_image", "premium"},
	{"_1080p", "1080p"},
	{"_720p", "720p"},
	{"_4k", "4k"},
}

// tiers are suffixes that say for which service tier an amount is.
var tiers = []struct{ suffix, tier string }{
	{"_priority", "priority"}, {"_flex", "flex"}, {"_batches", "batch"}, {"_batch_requests", "batch"},
}

// rate finds what a key prices; known is false for a key that is no price.
func (r *reader) rate(key string) *rate {
	if found, ok := r.keys[key]; ok {
		return found
	}
	found := parseRate(key)
	r.keys[key] = &found
	return &found
}

func parseRate(key string) rate {
	var suffix rate
	rest := key
	for {
		if base, ok := bases[rest]; ok {
			base.known = true
			base.tier, base.life, base.above, base.why = suffix.tier, suffix.life, suffix.above, suffix.why
			if suffix.variant != "" {
				base.variant = suffix.variant
			}
			return base
		}
		next := cutSuffix(rest, &suffix)
		if next == rest {
			return rate{}
		}
		rest = next
	}
}

// cutSuffix takes the last condition off a key.
func cutSuffix(key string, to *rate) string {
	for _, t := range tiers {
		if rest, ok := strings.CutSuffix(key, t.suffix); ok && to.tier == "" {
			to.tier = t.tier
			return rest
		}
	}
	for _, v := range variants {
		if rest, ok := strings.CutSuffix(key, v.suffix); ok && to.variant == "" {
			to.variant = v.variant
			return rest
		}
	}
	if rest, ok := strings.CutSuffix(key, "_above_1hr"); ok && to.life == "" {
		to.life = "1h"
		return rest
	}
	i := strings.LastIndex(key, "_above_")
	if i < 0 {
		return key
	}
	bound := key[i+len("_above_"):]
	if n, ok := strings.CutSuffix(bound, "k_tokens"); ok && to.above == 0 {
		if v, err := strconv.ParseInt(n, 10, 64); err == nil && v > 0 && v < 1e9 {
			to.above = v * 1000
			return key[:i]
		}
	}
	if n, ok := strings.CutSuffix(bound, "s_interval"); ok && to.why == "" {
		if _, err := strconv.Atoi(n); err == nil {
			to.why = "it holds above a length of video, and no condition of a price is a length"
			return key[:i]
		}
	}
	return key
}

// second is what a second is of, for a mode; "" if nobody knows.
func second(meter, mode string) string {
	switch {
	case meter == inputSecond && mode == "audio_transcription":
		return "input_audio_second"
	case meter == outputSecond && (mode == "audio_transcription" || mode == "audio_speech"):
		return "output_audio_second"
	case meter == outputSecond && mode == "video_generation":
		return "output_video_second"
	}
	return ""
}

// price says a rate's conditions in our words.
func (t *rate) price(p catalog.Price) catalog.Price {
	p.ServiceTier, p.CacheLifetime, p.Variant, p.Tool = t.tier, t.life, t.variant, t.tool
	if t.above > 0 {
		p.AboveInputTokens = catalog.Known(t.above)
	}
	return p
}
