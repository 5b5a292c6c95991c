package modelsdev

import (
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/upstream/doc"
	"github.com/opcat/opcat/upstream/fact"
	"github.com/opcat/opcat/upstream/read"
)

var providerFields = []string{"id", "name", "env", "npm", "api", "doc", "models"}

func (r *reader) provider(id, at string, v *doc.Value) {
	part := read.Part{Sink: r.Sink, At: at, Path: "provider", Value: v}
	p := fact.Provider{ID: id, At: at}
	for key, v := range part.Fields {
		switch key {
		case "id", "models":
		case "name":
			p.Name, _ = part.Text(key, v)
		case "doc":
			p.Docs, _ = part.Text(key, v)
		case "api":
			p.API, _ = part.Text(key, v)
		case "npm":
			p.Wire, _ = part.Text(key, v)
		case "env":
			p.Env, _ = part.Texts(key, v)
		default:
			part.Unknown(key, v, providerFields)
		}
	}
	r.Catalog.Providers = append(r.Catalog.Providers, p)
}

var modelFields = []string{"id", "name", "family", "release_date", "last_updated", "attachment", "reasoning", "temperature", "knowledge", "tool_call",
	"structured_output", "open_weights", "cost", "limit", "modalities", "interleaved", "status", "provider", "experimental", "extends"}

func (r *reader) model(provider, wire, at string, v *doc.Value) {
	part := read.Part{Sink: r.Sink, At: at, Path: "", Value: v}
	if v.Kind != doc.Map {
		r.Lose(provider, wire, at, "the model is %s, not a table", v.Kind)
		return
	}
	if id, ok := v.Get("id"); ok { // a name that no file can have
		if id.Kind != doc.Text {
			r.Lose(provider, wire, at, "id is %s, not a text", id.Kind)
			return
		}
		wire = id.Text
	}
	if !part.WireID(wire) {
		return
	}
	m := r.Room.Model.New()
	m.At, m.Row.Provider, m.Row.WireModel, m.Row.Price = at, provider, wire, r.prices[:0]
	meta, arch := catalog.Metadata{}, catalog.Architecture{}
	for key, v := range part.Fields {
		switch key {
		case "id", "extends":
		case "name":
			m.Row.Name, _ = part.Text(key, v)
		case "family":
			meta.Family, _ = part.Text(key, v)
		case "release_date":
			m.Row.Released, _ = part.Date(key, v)
		case "last_updated":
			r.Leave(key, "when the entry was edited, which says nothing of the model")
		case "attachment":
			r.Leave(key, "whether files can be attached; the kinds stand in modalities")
		case "interleaved":
			r.Leave(key, "how a client sends reasoning back, which belongs to a contract that somebody has tried")
		case "reasoning":
			m.Says.Reasoning = part.Bool(key, v)
		case "temperature":
			m.Says.Temperature = part.Bool(key, v)
		case "tool_call":
			m.Says.Tools = part.Bool(key, v)
		case "structured_output":
			m.Says.Structured = part.Bool(key, v)
		case "open_weights":
			meta.OpenWeight = part.Bool(key, v)
		case "knowledge":
			arch.KnowledgeCutoff, _ = part.Text(key, v)
		case "status":
			r.status(part, m, v)
		case "cost":
			r.cost(part.Sub(key, v), m, "")
		case "limit":
			r.limits(part.Sub(key, v), m)
		case "modalities":
			r.modalities(part.Sub(key, v), m)
		case "provider":
			r.wire(part.Sub(key, v), m)
		case "experimental":
			r.experimental(part.Sub(key, v), m)
		default:
			part.Unknown(key, v, modelFields)
		}
	}
	if arch.KnowledgeCutoff != "" {
		meta.Architecture = r.Room.Architecture.Put(arch)
	}
	if meta.Architecture != nil || meta.Family != "" || meta.OpenWeight.IsKnown() {
		m.Row.Metadata = r.Room.Metadata.Put(meta)
	}
	r.prices = m.Row.Price
	m.Row.Price = r.Room.Price.Clone(m.Row.Price)
	r.Catalog.Models = append(r.Catalog.Models, m)
}

func (r *reader) status(part read.Part, m *fact.Model, v *doc.Value) {
	s, ok := part.Text("status", v)
	switch {
	case !ok:
	case s == "deprecated":
		m.Row.Lifecycle = &catalog.Lifecycle{Deprecated: catalog.Known(true), Note: "models.dev lists it as deprecated."}
	case s == "alpha", s == "beta":
		r.Leave("status", s+", which is no stage of a row's life")
	default:
		part.Fault(part.At, "status is %q; models.dev knows alpha, beta and deprecated", s)
	}
}

var costMeters = map[string]string{
	"input": "input_token", "output": "output_token", "reasoning": "reasoning_token", "cache_read": "cache_read_token", "cache_write": "cache_write_token",
	"input_audio": "input_audio_token", "output_audio": "output_audio_token",
}

var costFields = []string{"input", "output", "reasoning", "cache_read", "cache_write", "input_audio", "output_audio", "context_over_200k"}

// cost reads prices of a million tokens. Keys that are none of models.dev's are not
// taken for what they nearly are: a price under the wrong meter is worse than none.
func (r *reader) cost(part read.Part, m *fact.Model, tier string) {
	for key, v := range part.Fields {
		meter, ok := costMeters[key]
		switch {
		case ok:
			if p, ok := part.Price(m, key, v, meter, 6); ok {
				p.ServiceTier = tier
				m.Row.Price = append(m.Row.Price, p)
			}
		case key == "context_over_200k" && v.Kind == doc.Map:
			over := part.Sub(key, v)
			for key, v := range over.Fields {
				meter, ok := costMeters[key]
				if !ok {
					r.unknownCost(over, m, key, v)
					continue
				}
				if p, ok := over.Price(m, key, v, meter, 6); ok {
					p.ServiceTier, p.AboveInputTokens = tier, catalog.Known[int64](200000)
					m.Row.Price = append(m.Row.Price, p)
				}
			}
		default:
			r.unknownCost(part, m, key, v)
		}
	}
}

func (r *reader) unknownCost(part read.Part, m *fact.Model, key string, v *doc.Value) {
	part.Unknown(key, v, costFields)
	why := "models.dev has no such price, so its meter and unit are not known"
	if like, ok := read.Like(key, costFields); ok {
		why += "; probably " + like + " is meant"
	}
	m.Unread = append(m.Unread, fact.Unread{Field: part.Path + "." + key, Value: v.Brief(), Why: why})
}

var limitFields = []string{"context", "input", "output"}

func (r *reader) limits(part read.Part, m *fact.Model) {
	l := catalog.Limits{}
	for key, v := range part.Fields {
		switch key {
		case "context":
			l.ContextTokens = part.Count(key, v)
		case "input":
			l.InputTokens = part.Count(key, v)
		case "output":
			l.OutputTokens = part.Count(key, v)
		default:
			part.Unknown(key, v, limitFields)
		}
	}
	if l != (catalog.Limits{}) {
		m.Row.Limits = r.Room.Limits.Put(l)
	}
}

func (r *reader) modalities(part read.Part, m *fact.Model) {
	for key, v := range part.Fields {
		switch key {
		case "input":
			m.Says.Inputs = part.KindsIn(key, v)
		case "output":
			m.Says.Outputs = part.KindsIn(key, v)
		default:
			part.Unknown(key, v, []string{"input", "output"})
		}
	}
}

func (r *reader) wire(part read.Part, m *fact.Model) {
	for key, v := range part.Fields {
		switch key {
		case "npm":
			m.Says.Wire, _ = part.Text(key, v)
		case "api":
			m.Says.API, _ = part.Text(key, v)
		case "shape":
			if s, ok := part.Text(key, v); ok {
				m.Says.Endpoints = append(m.Says.Endpoints, s)
			}
		default:
			part.Unknown(key, v, []string{"npm", "api", "shape"})
		}
	}
}

// experimental reads modes: another price for the same model, asked for by a word in
// the request.
func (r *reader) experimental(part read.Part, m *fact.Model) {
	for key, v := range part.Fields {
		if key != "modes" {
			part.Unknown(key, v, []string{"modes"})
			continue
		}
		modes := part.Sub(key, v)
		for name, v := range modes.Fields {
			mode := modes.Sub("*", v)
			tier := ""
			if p, ok := v.Get("provider"); ok {
				if body, ok := p.Get("body"); ok {
					if t, ok := body.Get("service_tier"); ok {
						tier = t.Text
					} else if s, ok := body.Get("speed"); ok {
						tier = s.Text
					}
				}
			}
			for key, v := range mode.Fields {
				switch {
				case key == "provider":
					r.Leave("experimental.modes.*.provider", "how a mode is asked for, which is the protocol's to know")
				case key == "cost" && (tier == "priority" || tier == "fast"):
					r.cost(mode.Sub(key, v), m, tier)
				case key == "cost":
					m.Unread = append(m.Unread, fact.Unread{Field: "experimental.modes." + strings.ToLower(name) + ".cost", Value: v.Brief(), Why: "no service tier says when it holds"})
				default:
					mode.Unknown(key, v, []string{"cost", "provider"})
				}
			}
		}
	}
}
