// Package openrouter reads the answer of OpenRouter's /models: what a gateway says of
// the models that it serves itself.
package openrouter

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/upstream/amount"
	"github.com/opcat/opcat/upstream/doc"
	"github.com/opcat/opcat/upstream/fact"
	"github.com/opcat/opcat/upstream/read"
)

// Read reads the file name.
func Read(fsys fs.FS, name string, from fact.Source) (fact.Catalog, error) {
	src, err := doc.ReadFile(fsys, name, nil)
	if err != nil {
		return fact.Catalog{}, err
	}
	v, err := doc.JSON(src)
	if err != nil {
		return fact.Catalog{}, fmt.Errorf("%s: %w", name, err)
	}
	data, ok := v.Get("data")
	if !ok || data.Kind != doc.List {
		return fact.Catalog{}, fmt.Errorf("%s holds no list data; OpenRouter answers with one", name)
	}
	r := &reader{Sink: read.New(from)}
	at := path.Base(name)
	for key, v := range (read.Part{Sink: r.Sink, At: at, Value: &v}).Fields {
		if key != "data" {
			r.News(key, at, v, []string{"data"})
		}
	}
	r.Catalog.Providers = []fact.Provider{{ID: "openrouter", Name: "OpenRouter", API: "https://openrouter.ai/api/v1", At: at}}
	for i := range data.Kids {
		r.model(fmt.Sprintf("%s#%d", at, i), at, &data.Kids[i])
	}
	return r.Done(), nil
}

type reader struct {
	*read.Sink
}

var modelFields = []string{"id", "canonical_slug", "hugging_face_id", "name", "created", "description", "context_length", "architecture", "pricing", "top_provider",
	"per_request_limits", "supported_parameters", "default_parameters", "expiration_date", "supported_voices", "knowledge_cutoff", "links"}

func (r *reader) model(at, file string, v *doc.Value) {
	part := read.Part{Sink: r.Sink, At: at, Value: v}
	if v.Kind != doc.Map {
		r.Fault(at, "the model is %s, not a table", v.Kind)
		return
	}
	id := ""
	if t, ok := v.Get("id"); ok && t.Kind == doc.Text {
		id = t.Text
	}
	if id == "" {
		r.Fault(at, "the model has no id")
		return
	}
	part.At = read.Place(file+"#", id)
	if !part.WireID(id) {
		return
	}
	m := fact.Model{At: part.At, Row: catalog.Row{Provider: "openrouter", WireModel: id}}
	limits := catalog.Limits{}
	for key, v := range part.Fields {
		switch key {
		case "id":
		case "name":
			m.Row.Name, _ = part.Text(key, v)
		case "created":
			if n, err := amount.Count(v.Text); v.Kind == doc.Number && err == nil {
				m.Row.Released = catalog.DateOf(time.Unix(n, 0).UTC().Truncate(24 * time.Hour))
			} else if v.Kind != doc.Null {
				r.Fault(part.At, "created is no time: %s", v.Brief())
			}
		case "context_length":
			limits.ContextTokens = part.Count(key, v)
		case "architecture":
			r.architecture(part.Sub(key, v), &m)
		case "pricing":
			r.pricing(part.Sub(key, v), &m)
		case "top_provider":
			top := part.Sub(key, v)
			for key, v := range top.Fields {
				switch key {
				case "max_completion_tokens":
					limits.OutputTokens = top.Count(key, v)
				case "context_length", "is_moderated":
					r.Leave("top_provider."+key, "of one of the servers behind the gateway")
				default:
					top.Unknown(key, v, []string{"max_completion_tokens", "context_length", "is_moderated"})
				}
			}
		case "supported_parameters":
			r.parameters(part, &m, v)
		case "expiration_date":
			if d, ok := part.Date(key, v); ok {
				m.Row.Lifecycle = &catalog.Lifecycle{AnnouncedEnd: d}
			}
		case "knowledge_cutoff":
			if s, ok := part.Text(key, v); ok {
				m.Row.Metadata = &catalog.Metadata{Architecture: &catalog.Architecture{KnowledgeCutoff: s}}
			}
		case "canonical_slug", "hugging_face_id", "description", "default_parameters", "per_request_limits", "supported_voices", "links":
			r.Leave(key, "nothing that a row or a contract says")
		default:
			part.Unknown(key, v, modelFields)
		}
	}
	if limits != (catalog.Limits{}) {
		m.Row.Limits = &limits
	}
	r.Catalog.Models = append(r.Catalog.Models, &m)
}

func (r *reader) architecture(part read.Part, m *fact.Model) {
	kinds := func(key string, v *doc.Value) []string {
		words, ok := part.Texts(key, v)
		if !ok {
			return nil
		}
		for i, w := range words {
			switch w {
			case "file":
				words[i] = "pdf" // OpenRouter reads files of one kind
			case "embeddings":
				words[i] = "vector"
			}
		}
		return part.Kinds(key, words)
	}
	for key, v := range part.Fields {
		switch key {
		case "input_modalities":
			m.Says.Inputs = kinds(key, v)
		case "output_modalities":
			m.Says.Outputs = kinds(key, v)
		case "modality", "tokenizer", "instruct_type":
			r.Leave("architecture."+key, "said by the lists, or nothing that a row says")
		default:
			part.Unknown(key, v, []string{"input_modalities", "output_modalities", "modality", "tokenizer", "instruct_type"})
		}
	}
}

// meters are the keys of pricing; an amount is for one of what it names.
var meters = map[string]string{
	"prompt": "input_token", "completion": "output_token", "internal_reasoning": "reasoning_token", "input_cache_read": "cache_read_token", "input_cache_write": "cache_write_token",
	"image": "input_image", "image_output": "output_image_token", "audio": "input_audio_token", "audio_output": "output_audio_token", "input_audio_cache": "cache_read_audio_token",
	"request": "request", "web_search": "tool_call",
}

var priceFields = []string{"prompt", "completion", "internal_reasoning", "input_cache_read", "input_cache_write", "image", "image_output", "audio", "audio_output", "input_audio_cache", "request", "web_search", "discount"}

// pricing reads amounts as text. -1 means, here and nowhere else, that the price
// depends on where the request goes; any other negative amount is none.
func (r *reader) pricing(part read.Part, m *fact.Model) {
	if part.Value.Kind != doc.Map {
		r.Fault(part.At, "pricing is %s, not a table", part.Value.Kind)
		return
	}
	billed := false
	for _, v := range part.Value.Kids {
		if d, err := amount.Shifted(v.Text, 0); err != nil || !d.IsZero() {
			billed = true
		}
	}
	for key, v := range part.Fields {
		meter, ok := meters[key]
		switch {
		case key == "discount":
			r.Leave("pricing.discount", "a share off the other prices, which they have in them")
		case !ok:
			part.Unknown(key, v, priceFields)
			m.Unread = append(m.Unread, fact.Unread{Field: "pricing." + key, Value: v.Brief(), Why: "OpenRouter had no such price when this was written"})
		case v.Text == "-1":
			m.Row.Price = append(m.Row.Price, catalog.Price{Meter: meter, Dynamic: catalog.Known(true)})
		default:
			p, ok := part.Price(m, key, v, meter, 0)
			if !ok {
				continue
			}
			if zero := p.USDPerMillion.IsZero() || p.USDPerUnit.IsZero(); zero && (billed && key != "prompt" && key != "completion") {
				r.Leave("pricing."+key, "zero beside prices, where this list also means that nothing is counted")
				continue
			}
			if key == "web_search" {
				p.Tool = "web_search"
			}
			m.Row.Price = append(m.Row.Price, p)
		}
	}
}

func (r *reader) parameters(part read.Part, m *fact.Model, v *doc.Value) {
	words, ok := part.Texts("supported_parameters", v)
	if !ok {
		return
	}
	has := func(w string) catalog.Opt[bool] { return catalog.Known(slices.Contains(words, w)) }
	m.Says.Tools, m.Says.ToolChoice, m.Says.ParallelTools = has("tools"), has("tool_choice"), has("parallel_tool_calls")
	m.Says.Reasoning, m.Says.Temperature, m.Says.Structured = has("reasoning"), has("temperature"), has("structured_outputs")
	known := "tools tool_choice parallel_tool_calls reasoning temperature structured_outputs"
	for _, w := range words {
		if !strings.Contains(known, w) {
			r.Leave("supported_parameters."+w, "a setting that a contract states when somebody has tried it")
		}
	}
}
