// Package genaiprices reads genai-prices: the YAML files that people edit, one for a
// provider, or the data.json that is made of them.
//
// It is a catalog of prices alone, and its entries match ids by rules. A rule that
// begins, ends or contains something is a pattern, and a pattern makes no model: only
// the ids that an entry names whole are read.
package genaiprices

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/operations/price"
	"github.com/opcat/opcat/upstream/amount"
	"github.com/opcat/opcat/upstream/doc"
	"github.com/opcat/opcat/upstream/fact"
	"github.com/opcat/opcat/upstream/read"
)

// Read reads the file name, which is a data.json, or the YAML files in the folder name.
func Read(fsys fs.FS, name string, from fact.Source) (fact.Catalog, error) {
	st, err := fs.Stat(fsys, name)
	if err != nil {
		return fact.Catalog{}, err
	}
	r := &reader{Sink: read.New(from)}
	if st.IsDir() {
		err = r.folder(fsys, name)
	} else {
		err = r.data(fsys, name)
	}
	return r.Done(), err
}

type reader struct {
	*read.Sink
}

func (r *reader) data(fsys fs.FS, name string) error {
	src, err := doc.ReadFile(fsys, name, nil)
	if err != nil {
		return err
	}
	v, err := doc.JSON(src)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if v.Kind != doc.List {
		return fmt.Errorf("%s holds %s; genai-prices' data.json is a list of providers", name, v.Kind)
	}
	for i := range v.Kids {
		id := fmt.Sprint(i)
		if t, ok := v.Kids[i].Get("id"); ok && t.Kind == doc.Text {
			id = t.Text
		}
		r.provider(path.Base(name)+"#/"+id, &v.Kids[i])
	}
	return nil
}

func (r *reader) folder(fsys fs.FS, root string) error {
	if _, err := fs.Stat(fsys, path.Join(root, "providers")); err == nil {
		root = path.Join(root, "providers")
	} else if _, err := fs.Stat(fsys, path.Join(root, "prices/providers")); err == nil {
		root = path.Join(root, "prices/providers")
	}
	entries, err := fs.ReadDir(fsys, root)
	if err != nil {
		return err
	}
	found := false
	for _, e := range entries {
		name := e.Name()
		if ext := path.Ext(name); ext != ".yml" && ext != ".yaml" || strings.HasPrefix(name, ".") {
			continue
		}
		found = true
		src, err := doc.ReadFile(fsys, path.Join(root, name), nil)
		if err != nil {
			var p *fs.PathError
			if errors.As(err, &p) {
				err = p.Err
			}
			r.Lose(strings.TrimSuffix(name, path.Ext(name)), "", name, "%s", err) // a file is named for its provider
			continue
		}
		v, err := doc.YAML(src)
		if err != nil {
			r.Lose(strings.TrimSuffix(name, path.Ext(name)), "", name, "%s", err) // a file is named for its provider
			continue
		}
		r.provider(name, &v)
	}
	if !found {
		return fmt.Errorf("%s holds no YAML file; genai-prices has a file for each provider", root)
	}
	return nil
}

var providerFields = []string{"id", "name", "pricing_urls", "api_pattern", "models", "model_match", "provider_match", "extractors", "price_comments", "description", "fallback_model_providers", "tiers_comments"}

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
		case "pricing_urls":
			if urls, _ := part.Texts(key, v); len(urls) > 0 {
				p.Docs = urls[0]
			}
		case "models":
			models = v
		case "api_pattern", "model_match", "provider_match", "fallback_model_providers":
			r.Leave("provider."+key, "a rule for finding a provider or a model by a part of its name")
		case "extractors":
			r.Leave("provider."+key, "how a usage is read, which is the protocol's to know")
		case "price_comments", "description", "tiers_comments":
			r.Leave("provider."+key, "remarks for people")
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

var modelFields = []string{"id", "name", "description", "match", "context_window", "prices", "price_comments", "prices_checked", "price_discrepancies", "collapse", "deprecated", "removed"}

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
	m := fact.Model{At: part.At, Row: catalog.Row{Provider: provider}}
	var match *doc.Value
	var checked catalog.Date
	for key, v := range part.Fields {
		switch key {
		case "id":
		case "match":
			match = v
		case "name":
			m.Row.Name, _ = part.Text(key, v)
		case "context_window":
			if n := part.Count(key, v); n.IsKnown() {
				m.Row.Limits = &catalog.Limits{ContextTokens: n}
			}
		case "prices":
			r.prices(part.Sub(key, v), &m)
		case "prices_checked":
			checked, _ = part.Date(key, v)
		case "deprecated", "removed":
			if part.Bool(key, v).Or(false) {
				m.Row.Lifecycle = &catalog.Lifecycle{Deprecated: catalog.Known(true), Note: "genai-prices lists it as " + key + "."}
			}
		case "description", "price_comments", "price_discrepancies":
			r.Leave("model."+key, "remarks for people")
		case "collapse":
			r.Leave("model."+key, "how its own build joins entries")
		default:
			part.Unknown(key, v, modelFields)
		}
	}
	if checked != "" {
		for i := range m.Row.Price {
			m.Row.Price[i].CheckedOn = checked
		}
	}
	names, patterns := whole(match)
	if match == nil || matches(match, id) {
		names = append(names, id)
	}
	if patterns > 0 {
		r.Leave("model.match", "a pattern, which makes no model")
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if !part.WireID(name) {
			continue
		}
		named := m
		named.Row.WireModel = name
		named.Row.Price, named.Unread = slices.Clone(m.Row.Price), slices.Clone(m.Unread)
		r.Catalog.Models = append(r.Catalog.Models, &named)
	}
	if len(names) == 0 {
		r.Leave("model", "it is found by patterns alone, so no id is known")
	}
}

// whole lists the ids that a rule names whole, and counts its other clauses.
func whole(v *doc.Value) (names []string, patterns int) {
	if v == nil {
		return nil, 0
	}
	for i := range v.Kids {
		kid := &v.Kids[i]
		key := kid.Name
		switch {
		case key == "equals" && kid.Kind == doc.Text:
			names = append(names, kid.Text)
		case key == "or":
			for j := range kid.Kids {
				more, p := whole(&kid.Kids[j])
				names, patterns = append(names, more...), patterns+p
			}
		default:
			patterns++
		}
	}
	return names, patterns
}

// matches reports whether a rule holds for an id; a regular expression is not tried.
func matches(v *doc.Value, id string) bool {
	for i := range v.Kids {
		kid := &v.Kids[i]
		switch kid.Name {
		case "equals":
			return kid.Text == id
		case "starts_with":
			return kid.Text != "" && strings.HasPrefix(id, kid.Text)
		case "ends_with":
			return kid.Text != "" && strings.HasSuffix(id, kid.Text)
		case "contains":
			return kid.Text != "" && strings.Contains(id, kid.Text)
		case "or":
			for j := range kid.Kids {
				if matches(&kid.Kids[j], id) {
					return true
				}
			}
		case "and":
			for j := range kid.Kids {
				if !matches(&kid.Kids[j], id) {
					return false
				}
			}
			return len(kid.Kids) > 0
		}
	}
	return false
}

// meters are the keys of prices: of a million tokens, but for the thousand requests.
var meters = map[string]struct {
	meter string
	per   int
}{
	"input_mtok": {"input_token", 6}, "output_mtok": {"output_token", 6}, "cache_read_mtok": {"cache_read_token", 6}, "cache_write_mtok": {"cache_write_token", 6},
	"input_audio_mtok": {"input_audio_token", 6}, "output_audio_mtok": {"output_audio_token", 6}, "cache_audio_read_mtok": {"cache_read_audio_token", 6},
	"requests_kcount": {"request", 3},
}

var priceFields = []string{"input_mtok", "output_mtok", "cache_read_mtok", "cache_write_mtok", "input_audio_mtok", "output_audio_mtok", "cache_audio_read_mtok", "requests_kcount"}

// prices reads one set of prices, or a list of sets of which the last that holds counts.
func (r *reader) prices(part read.Part, m *fact.Model) {
	switch part.Value.Kind {
	case doc.Map:
		m.Row.Price = append(m.Row.Price, r.set(part, m)...)
	case doc.List:
		r.dated(part, m)
	case doc.Null:
	default:
		r.Fault(part.At, "prices is %s", part.Value.Kind)
	}
}

func (r *reader) set(part read.Part, m *fact.Model) (out []catalog.Price) {
	for key, v := range part.Fields {
		of, ok := meters[key]
		if !ok {
			part.Unknown(key, v, priceFields)
			m.Unread = append(m.Unread, fact.Unread{Field: part.Path + "." + key, Value: v.Brief(), Why: "genai-prices had no such price when this was written"})
			continue
		}
		if v.Kind != doc.Map {
			if p, ok := part.Price(m, key, v, of.meter, of.per); ok {
				out = append(out, p)
			}
			continue
		}
		out = append(out, r.tiers(part.Sub(key, v), m, of.meter, of.per)...)
	}
	return out
}

// tiers reads a base and what the whole request costs above a number of tokens.
func (r *reader) tiers(part read.Part, m *fact.Model, meter string, per int) (out []catalog.Price) {
	for key, v := range part.Fields {
		switch key {
		case "base":
			if p, ok := part.Price(m, key, v, meter, per); ok {
				out = append(out, p)
			}
		case "tiers":
			for i := range v.Kids {
				t := part.Sub("tiers[]", &v.Kids[i])
				start, ok1 := t.Value.Get("start")
				cost, ok2 := t.Value.Get("price")
				if !ok1 || !ok2 {
					m.Unread = append(m.Unread, fact.Unread{Field: t.Path, Value: t.Value.Brief(), Why: "a tier without start or price"})
					continue
				}
				above, err := amount.Count(start.Text)
				if err != nil {
					m.Unread = append(m.Unread, fact.Unread{Field: t.Path, Value: t.Value.Brief(), Why: "its start " + err.Error()})
					continue
				}
				if p, ok := t.Price(m, "price", cost, meter, per); ok {
					p.AboveInputTokens = catalog.Known(above)
					out = append(out, p)
				}
				for key, v := range t.Fields {
					if key != "start" && key != "price" {
						t.Unknown(key, v, []string{"start", "price"})
					}
				}
			}
		default:
			part.Unknown(key, v, []string{"base", "tiers"})
		}
	}
	return out
}

// dated reads sets that hold from a day on, or at a time of day.
func (r *reader) dated(part read.Part, m *fact.Model) {
	type dated struct {
		from   catalog.Date
		window *catalog.PriceWindow
		prices []catalog.Price
	}
	var sets []dated
	for i := range part.Value.Kids {
		item := part.Sub("[]", &part.Value.Kids[i])
		var s dated
		bad := ""
		for key, v := range item.Fields {
			switch key {
			case "prices":
				s.prices = r.set(item.Sub(key, v), m)
			case "constraint":
				s.from, s.window, bad = r.constraint(item.Sub(key, v))
			default:
				item.Unknown(key, v, []string{"prices", "constraint"})
			}
		}
		if bad != "" {
			for _, p := range s.prices {
				m.Unread = append(m.Unread, fact.Unread{Field: part.Path + "." + p.Meter, Value: read.Said(&p), Why: bad})
			}
			continue
		}
		sets = append(sets, s)
	}
	for i, s := range sets {
		until := catalog.Date("")
		for _, later := range sets[i+1:] { // a later set that holds counts, so this one ends when it begins
			if later.window == nil && (until == "" || later.from < until) {
				until = later.from
			}
		}
		if i+1 < len(sets) && until == "" && slices.ContainsFunc(sets[i+1:], func(d dated) bool { return d.window == nil && d.from == "" }) {
			continue // one without a condition follows, so this one never counts
		}
		for _, p := range s.prices {
			p.ValidFrom, p.ValidUntil, p.Window = s.from, until, s.window
			m.Row.Price = append(m.Row.Price, p)
		}
	}
}

func (r *reader) constraint(part read.Part) (from catalog.Date, window *catalog.PriceWindow, bad string) {
	var start, end string
	for key, v := range part.Fields {
		switch key {
		case "start_date":
			d, ok := part.Date(key, v)
			if !ok {
				bad = "it holds from a day that is no date"
			}
			from = d
		case "start_time", "end_time":
			clock, ok := utc(v.Text)
			if !ok {
				bad = "it holds at a time that is not said in UTC, to the minute"
			}
			if key == "start_time" {
				start = clock
			} else {
				end = clock
			}
		case "type":
		default:
			part.Unknown(key, v, []string{"start_date", "start_time", "end_time"})
			bad = "it holds under a condition that is not known"
		}
	}
	switch {
	case bad != "":
	case start != "" && end != "":
		window = &catalog.PriceWindow{Days: price.Days, Start: start, End: end, UTCOffset: "+00:00"}
	case start != "" || end != "":
		bad = "it holds from a time of day on, and nothing says until when"
	case from == "":
		bad = "its condition says nothing"
	}
	return from, window, bad
}

// utc reads 16:30:00Z as "16:30".
func utc(s string) (string, bool) {
	clock, ok := strings.CutSuffix(s, ":00Z")
	return clock, ok && len(clock) == 5
}
