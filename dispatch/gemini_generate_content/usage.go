package gemini_generate_content

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/dispatch/internal/turn"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/operations/price"
)

// usage counts what was used. What came from the cache lies inside
// promptTokenCount; thoughts and what tools of the server read stand beside the
// rest. The total is the sum of the four. A count of zero is left out on this wire.
type usage struct {
	Prompt     jsontext.Value `json:"promptTokenCount"`
	Cached     jsontext.Value `json:"cachedContentTokenCount"`
	Candidates jsontext.Value `json:"candidatesTokenCount"`
	Thoughts   jsontext.Value `json:"thoughtsTokenCount"`
	ToolUse    jsontext.Value `json:"toolUsePromptTokenCount"`
	Total      jsontext.Value `json:"totalTokenCount"`

	PromptDetails     []modality `json:"promptTokensDetails"`
	CacheDetails      []modality `json:"cacheTokensDetails"`
	CandidatesDetails []modality `json:"candidatesTokensDetails"`

	TrafficType string `json:"trafficType"`
}

// modality is how many tokens are of one kind.
type modality struct {
	Modality string         `json:"modality"`
	Count    jsontext.Value `json:"tokenCount"`
}

// tiers are our words for how the call was served.
var tiers = map[string]string{
	"ON_DEMAND":              "standard",
	"ON_DEMAND_PRIORITY":     "priority",
	"ON_DEMAND_FLEX":         "flex",
	"PROVISIONED_THROUGHPUT": "reserved",
}

func meta(a *turn.Ask, body *answer) wire.Meta {
	m := wire.Meta{Served: body.ModelVersion, RequestID: body.ResponseID}
	u := body.UsageMetadata
	if u == nil {
		m.Usage.Unknown = []string{"input_token", "output_token"}
		return m
	}
	var known bool
	if m.ServiceTier, known = tiers[u.TrafficType]; !known {
		m.ServiceTier = u.TrafficType
	}
	var t wire.Tally
	u.into(&t, &m.Usage, onlyText(a))
	if m.UsageError = t.Err; t.Err != "" {
		m.Usage = price.Usage{Unknown: []string{"input_token", "output_token"}}
	}
	return m
}

// onlyText reports whether all that was sent is text, so that every token is.
func onlyText(a *turn.Ask) bool {
	for i := range a.Messages {
		for k := range a.Messages[i].Parts {
			if a.Messages[i].Parts[k].Kind != "text" {
				return false
			}
		}
	}
	return true
}

func (u *usage) into(t *wire.Tally, to *price.Usage, onlyText bool) {
	prompt, known := t.Count("promptTokenCount", u.Prompt)
	cached, _ := t.Count("cachedContentTokenCount", u.Cached)
	toolUse, _ := t.Count("toolUsePromptTokenCount", u.ToolUse)
	thoughts, _ := t.Count("thoughtsTokenCount", u.Thoughts)
	candidates, wrote := t.Count("candidatesTokenCount", u.Candidates)
	total, summed := t.Count("totalTokenCount", u.Total)
	if !wrote && known && summed && total == prompt+toolUse+thoughts {
		wrote = true // a zero that was left out
	}
	if summed && known && wrote && t.Err == "" && total != prompt+toolUse+thoughts+candidates {
		t.Err = "totalTokenCount: it is not the sum of its parts"
	}
	if known {
		u.input(t, to, prompt, cached, toolUse, onlyText)
	} else {
		to.Unknown = append(to.Unknown, "input_token")
	}
	if !wrote {
		to.Unknown = append(to.Unknown, "output_token")
		return
	}
	for kind, n := range kinds(t, "candidatesTokensDetails", u.CandidatesDetails, candidates) {
		if kind == text || n > 0 {
			to.Add("output_"+meters[kind], n)
		}
	}
	if thoughts > 0 {
		to.Add("reasoning_token", thoughts)
	}
}

// input states the input by kind. Where the answer does not tell the kinds of what
// came from the cache apart, and there are several, the input is unknown.
func (u *usage) input(t *wire.Tally, to *price.Usage, prompt, cached, toolUse int64, onlyText bool) {
	if len(u.PromptDetails) == 0 && !onlyText {
		to.Unknown = append(to.Unknown, "input_token") // how many are of images, sound or films is not said
		return
	}
	in := kinds(t, "promptTokensDetails", u.PromptDetails, prompt)
	if len(u.CacheDetails) == 0 && cached > 0 && in[text] != prompt {
		to.Unknown = append(to.Unknown, "input_token", "cache_read_token")
		return
	}
	read := kinds(t, "cacheTokensDetails", u.CacheDetails, cached)
	in[text] += toolUse
	for kind := range in {
		if kind == text || in[kind] > 0 {
			to.Add("input_"+meters[kind], t.Inside("promptTokensDetails", in[kind], read[kind]))
		}
		if read[kind] > 0 {
			to.Add("cache_read_"+meters[kind], read[kind])
		}
	}
}

// The kinds of tokens that are metered apart.
const (
	text = iota
	image
	audio
	video
	kindsOfTokens
)

var meters = [kindsOfTokens]string{"token", "image_token", "audio_token", "video_token"}

var modalities = map[string]int{"TEXT": text, "DOCUMENT": text, "IMAGE": image, "AUDIO": audio, "VIDEO": video}

// kinds sorts a count by kind. Without details all of it is text; details that are
// not the whole, or of a kind that is not known, spoil the usage.
func kinds(t *wire.Tally, name string, details []modality, whole int64) (n [kindsOfTokens]int64) {
	if len(details) == 0 {
		n[text] = whole
		return n
	}
	rest := whole
	for _, d := range details {
		count, _ := t.Count(name, d.Count)
		kind, known := modalities[d.Modality]
		if !known && t.Err == "" {
			t.Err = name + ": tokens of an unknown kind"
		}
		n[kind] += count
		rest -= count
	}
	if rest != 0 && t.Err == "" {
		t.Err = name + ": the parts are not the whole"
	}
	return n
}
