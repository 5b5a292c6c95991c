package litellm

import (
	"slices"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/upstream/amount"
	"github.com/opcat/opcat/upstream/doc"
	"github.com/opcat/opcat/upstream/fact"
	"github.com/opcat/opcat/upstream/read"
)

// fieldNames are all fields that are known and no prices.
var fieldNames = []string{"litellm_provider", "mode", "max_tokens", "max_input_tokens", "max_output_tokens", "output_vector_size", "supports_function_calling",
	"supports_tool_choice", "supports_parallel_function_calling", "supports_response_schema", "supports_native_structured_output", "supports_reasoning",
	"supports_prompt_caching", "supports_system_messages", "supports_assistant_prefill", "supports_vision", "supports_image_input", "supports_embedding_image_input",
	"supports_pdf_input", "supports_audio_input", "supports_video_input", "supports_audio_output", "supported_modalities", "supported_output_modalities",
	"supported_endpoints", "deprecation_date", "rpm", "tpm", "source", "tiered_pricing", "search_context_cost_per_query"}

// left are the fields that are known and have no place in a row, with the reason.
var left = map[string]string{
	"source":                          "the page that LiteLLM's editors looked at, which nobody here has looked at",
	"metadata":                        "remarks for people",
	"comment":                         "remarks for people",
	"supported_regions":               "where it is served, which the provider's endpoints say",
	"supports_native_streaming":       "how LiteLLM streams",
	"supports_web_search":             "a tool of the provider's, which a contract states when somebody has tried it",
	"supports_url_context":            "a tool of the provider's, which a contract states when somebody has tried it",
	"supports_code_execution":         "a tool of the provider's, which a contract states when somebody has tried it",
	"supports_file_search":            "a tool of the provider's, which a contract states when somebody has tried it",
	"supports_computer_use":           "a tool of the provider's, which a contract states when somebody has tried it",
	"supports_service_tier":           "whether tiers are taken; the prices name them",
	"supports_preset":                 "a feature of one provider's request",
	"supports_multimodal":             "whether more than text goes in, without saying what",
	"supports_nova_canvas_image_edit": "a feature of one provider's request",
	"tool_use_system_prompt_tokens":   "what a provider adds to a prompt, which no limit or price holds",
	"web_search_billing_unit":         "what the price of a search is per; the price says query",
	"max_images_per_prompt":           "a limit of a kind of input that no contract states",
	"max_audio_length_hours":          "a limit of a kind of input that no contract states",
	"max_audio_per_prompt":            "a limit of a kind of input that no contract states",
	"max_pdf_size_mb":                 "a limit of a kind of input that no contract states",
	"max_video_length":                "a limit of a kind of input that no contract states",
	"max_videos_per_prompt":           "a limit of a kind of input that no contract states",
	"max_query_tokens":                "a limit of reranking, which a contract states when it is granted",
	"max_document_chunks_per_query":   "a limit of reranking, which a contract states when it is granted",
	"max_tokens_per_document_chunk":   "a limit of reranking, which a contract states when it is granted",
	"supported_resolutions":           "the sizes of a video, which no contract states",
	"uses_embed_content":              "how LiteLLM calls it",
	"max_tokens":                      "LiteLLM's older word for max_output_tokens or for max_input_tokens",
}

func init() {
	for k := range left {
		fieldNames = append(fieldNames, k)
	}
	for _, e := range efforts {
		fieldNames = append(fieldNames, "supports_"+e+"_reasoning_effort")
	}
	for k := range bases {
		fieldNames = append(fieldNames, k)
	}
	slices.Sort(fieldNames)
}

var efforts = []string{"none", "minimal", "low", "medium", "high", "xhigh", "max"}

func (r *reader) fields(part read.Part, m *fact.Model) {
	if v, ok := part.Value.Get("mode"); ok {
		m.Says.Mode, _ = part.Text("mode", v)
	}
	limits := catalog.Limits{}
	quota := catalog.Quota{}
	var inputs, outputs []string
	yes := func(key string, v *doc.Value, kinds *[]string, kind string) {
		if b := part.Bool(key, v); b.Or(false) {
			*kinds = append(*kinds, kind)
		}
	}
	for key, v := range part.Fields {
		if t := r.rate(key); t.known {
			r.price(part, m, key, v, t)
			continue
		}
		switch key {
		case "litellm_provider", "mode":
		case "max_input_tokens":
			limits.InputTokens = part.Count(key, v)
		case "max_output_tokens":
			limits.OutputTokens = part.Count(key, v)
		case "output_vector_size":
			m.Says.Width = part.Count(key, v)
		case "supports_function_calling":
			m.Says.Tools = part.Bool(key, v)
		case "supports_tool_choice":
			m.Says.ToolChoice = part.Bool(key, v)
		case "supports_parallel_function_calling":
			m.Says.ParallelTools = part.Bool(key, v)
		case "supports_response_schema", "supports_native_structured_output":
			if b := part.Bool(key, v); b.IsKnown() && (!m.Says.Structured.IsKnown() || b.Or(false)) {
				m.Says.Structured = b
			}
		case "supports_reasoning":
			m.Says.Reasoning = part.Bool(key, v)
		case "supports_prompt_caching":
			m.Says.Caching = part.Bool(key, v)
		case "supports_system_messages":
			m.Says.System = part.Bool(key, v)
		case "supports_assistant_prefill":
			m.Says.Prefill = part.Bool(key, v)
		case "supports_vision", "supports_image_input", "supports_embedding_image_input":
			yes(key, v, &inputs, "image")
		case "supports_pdf_input":
			yes(key, v, &inputs, "pdf")
		case "supports_audio_input":
			yes(key, v, &inputs, "audio")
		case "supports_video_input":
			yes(key, v, &inputs, "video")
		case "supports_audio_output":
			yes(key, v, &outputs, "audio")
		case "supported_modalities":
			r.modalities(part, key, v, &inputs)
		case "supported_output_modalities":
			r.modalities(part, key, v, &outputs)
		case "supported_endpoints":
			m.Says.Endpoints, _ = part.Texts(key, v)
		case "deprecation_date":
			if d, ok := part.Date(key, v); ok {
				m.Row.Lifecycle = &catalog.Lifecycle{AnnouncedEnd: d}
			}
		case "rpm":
			quota.RPM = part.Count(key, v)
		case "tpm":
			quota.TPM = part.Count(key, v)
		case "tiered_pricing":
			r.tiered(part.Sub(key, v), m)
		case "search_context_cost_per_query":
			r.search(part.Sub(key, v), m)
		case "provider_specific_entry":
			m.Unread = append(m.Unread, fact.Unread{Field: key, Value: v.Brief(), Why: "factors on the other prices, and a price is an amount"})
		default:
			r.rest(part, m, key, v)
		}
	}
	if limits != (catalog.Limits{}) {
		m.Row.Limits = &limits
	}
	if quota != (catalog.Quota{}) {
		m.Row.Quota = &quota
	}
	m.Says.Inputs, m.Says.Outputs = set(part, inputs), set(part, outputs)
	r.zeros(m)
	r.lifetimes(m)
	r.dbus(m)
}

// rest are the yes or no of each effort, what is left out, and news.
func (r *reader) rest(part read.Part, m *fact.Model, key string, v *doc.Value) {
	if e, ok := strings.CutSuffix(key, "_reasoning_effort"); ok {
		if e, ok = strings.CutPrefix(e, "supports_"); ok && slices.Contains(efforts, e) {
			if part.Bool(key, v).Or(false) {
				m.Says.Efforts = append(m.Says.Efforts, e)
				slices.SortFunc(m.Says.Efforts, func(a, b string) int { return slices.Index(efforts, a) - slices.Index(efforts, b) })
			}
			return
		}
	}
	if why, ok := left[key]; ok {
		r.Leave(key, why)
		return
	}
	part.Unknown(key, v, fieldNames)
	if strings.Contains(key, "cost") {
		why := "LiteLLM had no such price when this was written, so its meter and unit are not known"
		if like, ok := read.Like(key, fieldNames); ok {
			why += "; probably " + like + " is meant"
		}
		m.Unread = append(m.Unread, fact.Unread{Field: key, Value: v.Brief(), Why: why})
	}
}

func (r *reader) modalities(part read.Part, key string, v *doc.Value, to *[]string) {
	words, _ := part.Texts(key, v)
	*to = append(*to, part.Kinds(key, words)...)
}

// set puts kinds in one order, each once.
func set(part read.Part, kinds []string) []string {
	if len(kinds) == 0 {
		return nil
	}
	return part.Kinds("modalities", kinds)
}

func (r *reader) price(part read.Part, m *fact.Model, key string, v *doc.Value, t *rate) {
	unread := func(why string) {
		if v.Kind != doc.Null {
			m.Unread = append(m.Unread, fact.Unread{Field: key, Value: v.Brief(), Why: why})
		}
	}
	if t.why != "" {
		unread(t.why)
		return
	}
	meter := t.meter
	if meter == inputSecond || meter == outputSecond {
		if meter = second(meter, m.Says.Mode); meter == "" {
			if d, err := amount.Shifted(v.Text, 0); err != nil || !d.IsZero() {
				unread("a second of what, the mode " + m.Says.Mode + " does not say; perhaps of a machine that is rented")
			}
			return
		}
	}
	money := ""
	if t.dbu {
		money = "DBU"
	}
	if p, ok := part.PriceIn(money, m, key, v, meter, t.per); ok {
		m.Row.Price = append(m.Row.Price, t.price(p))
	}
}

// tiered reads a list of tiers by the size of the input: the first begins at zero, and
// each prices the whole request.
func (r *reader) tiered(part read.Part, m *fact.Model) {
	if part.Value.Kind != doc.List {
		r.Fault(part.At, "tiered_pricing is %s, not a list", part.Value.Kind)
		return
	}
	for i := range part.Value.Kids {
		t := part.Sub("[]", &part.Value.Kids[i])
		var above int64
		variant := ""
		bad := ""
		if v, ok := t.Value.Get("range"); ok {
			if len(v.Kids) != 2 {
				bad = "a range of something else than two numbers"
			} else if from, err := amount.Shifted(v.Kids[0].Text, 0); err != nil {
				bad = "a range that begins with no number"
			} else if !from.IsZero() {
				if above, err = amount.Count(v.Kids[0].Text); err != nil {
					bad = "a range that begins with something that " + err.Error()
				}
			}
		} else if v, ok := t.Value.Get("max_results_range"); ok && len(v.Kids) == 2 {
			variant = "up to " + v.Kids[1].Text + " results"
		} else {
			bad = "a tier without a range"
		}
		for key, v := range t.Fields {
			rate := r.rate(key)
			switch {
			case key == "range" || key == "max_results_range":
			case !rate.known:
				t.Unknown(key, v, fieldNames)
				m.Unread = append(m.Unread, fact.Unread{Field: t.Path + "." + key, Value: v.Brief(), Why: "no price that LiteLLM has elsewhere"})
			case bad != "":
				m.Unread = append(m.Unread, fact.Unread{Field: t.Path + "." + key, Value: v.Brief(), Why: bad})
			default:
				tier := *rate
				tier.above, tier.variant = above, variant
				r.price(t, m, key, v, &tier)
			}
		}
	}
}

// search reads what one search of the web costs, by how much it brings back.
func (r *reader) search(part read.Part, m *fact.Model) {
	for key, v := range part.Fields {
		size, ok := strings.CutPrefix(key, "search_context_size_")
		if !ok {
			part.Unknown(key, v, []string{"search_context_size_low", "search_context_size_medium", "search_context_size_high"})
			continue
		}
		if p, ok := part.Price(m, key, v, "tool_call", 0); ok {
			p.Tool, p.Variant = "web_search", size
			m.Row.Price = append(m.Row.Price, p)
		}
	}
}

// zeros takes out zeros that nobody stated. Token prices stand in every entry of this
// file, and are 0 where the model is billed by something else or nobody knows: such a
// zero is believed only beside a token price that is none.
func (r *reader) zeros(m *fact.Model) {
	tokens, others := false, false
	for i := range m.Row.Price {
		p := &m.Row.Price[i]
		if amountIsZero(p) {
			continue
		}
		if strings.HasSuffix(p.Meter, "_token") {
			tokens = true
		} else {
			others = true
		}
	}
	kept := m.Row.Price[:0]
	for _, p := range m.Row.Price {
		switch {
		case !amountIsZero(&p) || tokens && strings.HasSuffix(p.Meter, "_token"):
			kept = append(kept, p)
		case others:
			r.Leave(p.Meter, "zero, and the model is billed by something else")
		default:
			m.Unread = append(m.Unread, fact.Unread{Field: p.Meter, Value: "0", Why: "LiteLLM writes 0 for free and for what it does not know, and nothing here tells which"})
		}
	}
	m.Row.Price = kept
}

func amountIsZero(p *catalog.Price) bool {
	return p.USDPerMillion.IsZero() || p.USDPerUnit.IsZero() || p.PerMillion.IsZero()
}

// lifetimes says for which lifetime of a cache the plain price of a write is, where
// there is another for an hour.
func (r *reader) lifetimes(m *fact.Model) {
	long := map[string]bool{}
	for i := range m.Row.Price {
		if p := &m.Row.Price[i]; p.CacheLifetime != "" {
			long[p.Meter] = true
		}
	}
	for i := range m.Row.Price {
		if p := &m.Row.Price[i]; long[p.Meter] && p.CacheLifetime == "" {
			p.CacheLifetime = "5m"
		}
	}
}

// dbus makes notes of prices in Databricks' own unit where the same is said in
// dollars: a row has one price for a call.
func (r *reader) dbus(m *fact.Model) {
	m.Row.Price = slices.DeleteFunc(m.Row.Price, func(p catalog.Price) bool {
		if p.Currency == "" {
			return false
		}
		for i := range m.Row.Price {
			if q := &m.Row.Price[i]; q.Meter == p.Meter && q.Currency == "" && q.ServiceTier == p.ServiceTier && q.AboveInputTokens == p.AboveInputTokens {
				q.Note = string(p.PerMillion) + " " + p.Currency + " per million"
				return true
			}
		}
		return false
	})
}
