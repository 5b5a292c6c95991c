// Package catwalk reads catwalk's JSON: a file for each provider.
//
// Its files are printed from a struct, so a number that nobody filled in is 0. A
// price of 0 is therefore unknown here, and never free.
package catwalk

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/upstream/doc"
	"github.com/opcat/opcat/upstream/fact"
	"github.com/opcat/opcat/upstream/read"
)

// Read reads the file name, or the JSON files in the folder name.
func Read(fsys fs.FS, name string, from fact.Source) (fact.Catalog, error) {
	st, err := fs.Stat(fsys, name)
	if err != nil {
		return fact.Catalog{}, err
	}
	r := &reader{Sink: read.New(from)}
	if !st.IsDir() {
		err := r.file(fsys, name)
		return r.Done(), err
	}
	root := name
	for _, below := range []string{"internal/providers/configs", "configs"} {
		if _, err := fs.Stat(fsys, path.Join(name, below)); err == nil {
			root = path.Join(name, below)
			break
		}
	}
	entries, err := fs.ReadDir(fsys, root)
	if err != nil {
		return fact.Catalog{}, err
	}
	found := false
	for _, e := range entries {
		if path.Ext(e.Name()) != ".json" {
			continue
		}
		found = true
		if err := r.file(fsys, path.Join(root, e.Name())); err != nil {
			var p *fs.PathError
			if errors.As(err, &p) {
				err = p.Err
			}
			r.Lose(strings.TrimSuffix(e.Name(), ".json"), "", e.Name(), "%s", err) // a file is named for its provider
		}
	}
	if !found {
		return fact.Catalog{}, fmt.Errorf("%s holds no JSON file; catwalk has a file for each provider", root)
	}
	return r.Done(), nil
}

type reader struct {
	*read.Sink
}

func (r *reader) file(fsys fs.FS, name string) error {
	src, err := doc.ReadFile(fsys, name, nil)
	if err != nil {
		return err
	}
	v, err := doc.JSON(src)
	if err != nil {
		return err
	}
	at := path.Base(name)
	if v.Kind == doc.List { // the list that its server gives
		for i := range v.Kids {
			r.provider(fmt.Sprintf("%s#%d", at, i), &v.Kids[i])
		}
		return nil
	}
	r.provider(at, &v)
	return nil
}

var providerFields = []string{"name", "id", "api_key", "api_endpoint", "type", "default_large_model_id", "default_small_model_id", "models", "default_headers"}

func (r *reader) provider(at string, v *doc.Value) {
	part := read.Part{Sink: r.Sink, At: at, Path: "provider", Value: v}
	if v.Kind != doc.Map {
		r.Fault(at, "the provider is %s, not a table", v.Kind)
		return
	}
	p := fact.Provider{At: at}
	if id, ok := v.Get("id"); ok {
		p.ID, _ = part.Text("id", id)
	}
	if p.ID == "" {
		r.Fault(at, "the provider has no id")
		return
	}
	var models *doc.Value
	for key, v := range part.Fields {
		switch key {
		case "id":
		case "name":
			p.Name, _ = part.Text(key, v)
		case "api_endpoint":
			p.API, _ = part.Text(key, v)
		case "type":
			p.Wire, _ = part.Text(key, v)
		case "api_key":
			if s, ok := part.Text(key, v); ok && len(s) > 1 && s[0] == '$' {
				p.Env = append(p.Env, s[1:])
			}
		case "default_large_model_id", "default_small_model_id":
			r.Leave("provider."+key, "which model a program of theirs begins with")
		case "default_headers":
			r.Leave("provider."+key, "how a program of theirs names itself")
		case "models":
			models = v
		default:
			part.Unknown(key, v, providerFields)
		}
	}
	r.Catalog.Providers = append(r.Catalog.Providers, p)
	if models == nil || models.Kind != doc.List {
		r.Fault(at, "the provider has no list of models")
		return
	}
	for i := range models.Kids {
		r.model(p.ID, at, i, &models.Kids[i])
	}
}

var modelFields = []string{"id", "name", "cost_per_1m_in", "cost_per_1m_out", "cost_per_1m_in_cached", "cost_per_1m_out_cached", "context_window", "default_max_tokens",
	"can_reason", "reasoning_levels", "default_reasoning_effort", "supports_attachments", "options", "has_reasoning_efforts"}

// meters are the keys of prices. The cached ones are named for the struct they come
// from: what goes in to the cache is written, what comes out of it is read.
var meters = map[string]string{
	"cost_per_1m_in": "input_token", "cost_per_1m_out": "output_token", "cost_per_1m_in_cached": "cache_write_token", "cost_per_1m_out_cached": "cache_read_token",
}

func (r *reader) model(provider, at string, n int, v *doc.Value) {
	part := read.Part{Sink: r.Sink, At: fmt.Sprintf("%s#%d", at, n), Path: "model", Value: v}
	if v.Kind != doc.Map {
		r.Fault(part.At, "the model is %s, not a table", v.Kind)
		return
	}
	id := ""
	if t, ok := v.Get("id"); ok && t.Kind == doc.Text {
		id = t.Text
	}
	if id == "" {
		r.Fault(part.At, "the model has no id")
		return
	}
	part.At = read.Place(at+"#", id)
	if !part.WireID(id) {
		return
	}
	m := fact.Model{At: part.At, Row: catalog.Row{Provider: provider, WireModel: id}}
	for key, v := range part.Fields {
		if meter, ok := meters[key]; ok {
			p, ok := part.Price(&m, key, v, meter, 6)
			switch {
			case !ok:
			case p.USDPerMillion.IsZero():
				r.Leave("model."+key, "zero, which a catwalk file also holds where nothing is known")
			default:
				m.Row.Price = append(m.Row.Price, p)
			}
			continue
		}
		switch key {
		case "id":
		case "name":
			m.Row.Name, _ = part.Text(key, v)
		case "context_window":
			if n := part.Count(key, v); n.IsKnown() {
				m.Row.Limits = &catalog.Limits{ContextTokens: n}
			}
		case "default_max_tokens":
			r.Leave("model."+key, "what a program of theirs asks for, which is no limit")
		case "can_reason":
			m.Says.Reasoning = part.Bool(key, v)
		case "reasoning_levels":
			levels, _ := part.Texts(key, v)
			for _, l := range levels {
				if slices.Contains(efforts, l) {
					m.Says.Efforts = append(m.Says.Efforts, l)
				} else {
					m.Unread = append(m.Unread, fact.Unread{Field: "model.reasoning_levels", Value: l, Why: "no effort that a caller can ask for"})
				}
			}
		case "default_reasoning_effort", "reasoning_effort":
			if s, ok := part.Text(key, v); ok && slices.Contains(efforts, s) {
				m.Says.Effort = s
			}
		case "supports_attachments":
			r.Leave("model."+key, "whether files can be attached, without saying of which kind")
		case "has_reasoning_efforts":
			r.Leave("model."+key, "the levels say it")
		case "options", "temperature", "top_p":
			r.Leave("model."+key, "what a program of theirs sends")
		default:
			part.Unknown(key, v, modelFields)
		}
	}
	r.Catalog.Models = append(r.Catalog.Models, &m)
}

var efforts = []string{"none", "minimal", "low", "medium", "high", "xhigh", "max"}
