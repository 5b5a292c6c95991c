package anthropic_messages

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/operations/price"
)

// usage counts what was used. What was read from and written to the cache stands
// beside input_tokens; thinking lies inside output_tokens.
type usage struct {
	Input   jsontext.Value `json:"input_tokens"`
	Output  jsontext.Value `json:"output_tokens"`
	Read    jsontext.Value `json:"cache_read_input_tokens"`
	Written jsontext.Value `json:"cache_creation_input_tokens"`
	Lasting *struct {
		Minutes jsontext.Value `json:"ephemeral_5m_input_tokens"`
		Hour    jsontext.Value `json:"ephemeral_1h_input_tokens"`
	} `json:"cache_creation"`
	Details *struct {
		Thinking jsontext.Value `json:"thinking_tokens"`
	} `json:"output_tokens_details"`
	ServiceTier *string `json:"service_tier"`
	Speed       *string `json:"speed"`
}

func meta(r wire.Response, body *response) wire.Meta {
	m := wire.Meta{Served: body.Model, RequestID: r.Header.Get("Request-Id")}
	if body.Usage == nil {
		m.Usage.Unknown = []string{"input_token", "output_token"}
		return m
	}
	body.Usage.into(&m)
	return m
}

func (u *usage) into(m *wire.Meta) {
	m.ServiceTier = u.tier()
	var t wire.Tally
	u.input(&t, &m.Usage)
	u.output(&t, &m.Usage)
	if m.UsageError = t.Err; t.Err != "" {
		m.Usage = price.Usage{Unknown: []string{"input_token", "output_token"}}
	}
}

func (u *usage) input(t *wire.Tally, to *price.Usage) {
	if n, ok := t.Count("input_tokens", u.Input); ok {
		to.Add("input_token", n)
	} else {
		to.Unknown = append(to.Unknown, "input_token")
	}
	if n, ok := t.Count("cache_read_input_tokens", u.Read); ok {
		to.Add("cache_read_token", n)
	}
	written, ok := t.Count("cache_creation_input_tokens", u.Written)
	if u.Lasting == nil {
		if ok {
			to.Add("cache_write_token", written)
		}
		return
	}
	minutes, _ := t.Count("ephemeral_5m_input_tokens", u.Lasting.Minutes)
	hour, _ := t.Count("ephemeral_1h_input_tokens", u.Lasting.Hour)
	if ok && minutes+hour != written && t.Err == "" {
		t.Err = "cache_creation: its parts are not the whole"
	}
	to.Lines = append(to.Lines,
		price.Line{Meter: "cache_write_token", CacheLifetime: "5m", Count: minutes},
		price.Line{Meter: "cache_write_token", CacheLifetime: "1h", Count: hour})
}

func (u *usage) output(t *wire.Tally, to *price.Usage) {
	n, ok := t.Count("output_tokens", u.Output)
	if !ok {
		to.Unknown = append(to.Unknown, "output_token")
		return
	}
	var thinking int64
	if u.Details != nil {
		thinking, _ = t.Count("thinking_tokens", u.Details.Thinking)
	}
	to.Add("output_token", t.Inside("output_tokens", n, thinking))
	if thinking > 0 {
		to.Add("reasoning_token", thinking)
	}
}

// tier is our word for the tier that served: how fast comes before how reserved.
func (u *usage) tier() string {
	if u.Speed != nil && *u.Speed == "fast" {
		return "fast"
	}
	if u.ServiceTier != nil {
		return *u.ServiceTier
	}
	return ""
}
