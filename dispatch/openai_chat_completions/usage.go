package openai_chat_completions

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/dispatch/internal/openai"
	"github.com/opcat/opcat/dispatch/internal/turn"
	"github.com/opcat/opcat/dispatch/wire"
)

// usage counts what was used. What was read from and written to the cache, and
// sound and images, lie inside prompt_tokens; reasoning lies inside
// completion_tokens.
type usage struct {
	Prompt     jsontext.Value `json:"prompt_tokens"`
	Completion jsontext.Value `json:"completion_tokens"`
	Total      jsontext.Value `json:"total_tokens"`
	In         *struct {
		Cached  jsontext.Value `json:"cached_tokens"`
		Written jsontext.Value `json:"cache_write_tokens"`
		Audio   jsontext.Value `json:"audio_tokens"`
		Image   jsontext.Value `json:"image_tokens"`
	} `json:"prompt_tokens_details"`
	Out *struct {
		Reasoning jsontext.Value `json:"reasoning_tokens"`
		Audio     jsontext.Value `json:"audio_tokens"`
	} `json:"completion_tokens_details"`
	Cost jsontext.Value `json:"cost"` // OpenRouter: in USD
}

func meta(a turn.Admitted, r wire.Response, body *response) wire.Meta {
	m := wire.Meta{Served: body.Model, RequestID: r.Header.Get("X-Request-Id")}
	if m.RequestID == "" {
		m.RequestID = body.ID
	}
	if body.ServiceTier != nil {
		m.ServiceTier = openai.Tier(*body.ServiceTier)
	}
	if u := body.Usage; u != nil {
		u.count(a, &m)
		m.VendorUSD = dollars(u.Cost)
	} else {
		m.Usage.Unknown = []string{"input_token", "output_token"}
	}
	return m
}

func (u *usage) count(a turn.Admitted, m *wire.Meta) {
	var c openai.Counter
	c.Input = c.Read("prompt_tokens", u.Prompt)
	c.Output = c.Read("completion_tokens", u.Completion)
	c.Total = c.Read("total_tokens", u.Total)
	if u.In != nil {
		c.Cached = c.Read("cached_tokens", u.In.Cached)
		c.Written = c.Read("cache_write_tokens", u.In.Written)
		c.AudioIn = c.Read("prompt audio_tokens", u.In.Audio)
		c.ImageIn = c.Read("prompt image_tokens", u.In.Image)
	}
	if u.Out != nil {
		c.Reasoning = c.Read("reasoning_tokens", u.Out.Reasoning)
		c.AudioOut = c.Read("completion audio_tokens", u.Out.Audio)
	}
	c.Into(m, a.Contract(), a.Provider())
}

// dollars is a cost in USD, where it is a number.
func dollars(v jsontext.Value) catalog.Decimal {
	var n wire.Number
	if len(v) == 0 || json.Unmarshal(v, &n) != nil {
		return ""
	}
	d, err := n.Decimal()
	if err != nil {
		return ""
	}
	return d
}
