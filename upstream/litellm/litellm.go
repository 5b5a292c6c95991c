// Package litellm reads LiteLLM's model_prices_and_context_window.json.
//
// It is one table of entries, by the names that LiteLLM's router takes. A name begins
// with the router's word for the provider, and may hold a region, a size or a quality
// of what is served: then the entry is no model of its own but prices of one.
package litellm

import (
	"cmp"
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
	if v.Kind != doc.Map {
		return fact.Catalog{}, fmt.Errorf("%s holds %s; LiteLLM's price file is a table of models", name, v.Kind)
	}
	r := &reader{Sink: read.New(from), file: path.Base(name), keys: map[string]*rate{}, entries: make([]entry, 0, len(v.Kids))}
	for key, v := range (read.Part{Sink: r.Sink, At: r.file, Value: &v}).Fields {
		r.entry(key, v)
	}
	r.join()
	return r.Done(), nil
}

type reader struct {
	*read.Sink
	file    string
	keys    map[string]*rate // what the keys of prices mean
	entries []entry
	prices  []catalog.Price // room for those of an entry, until all of them are known
}

// An entry is one entry of the file, with what its name says beside the model's id.
type entry struct {
	model *fact.Model
	name  name
}

func (r *reader) entry(key string, v *doc.Value) {
	at := read.Place(r.file+"#/", key)
	if v.Kind != doc.Map {
		r.Lose("", key, at, "the entry is %s, not a table", v.Kind)
		return
	}
	part := read.Part{Sink: r.Sink, At: at, Value: v}
	pv, ok := v.Get("litellm_provider")
	if !ok {
		r.Lose("", key, at, "the entry names no litellm_provider, so nobody knows who serves it")
		return
	}
	provider, ok := part.Text("litellm_provider", pv)
	if !ok {
		r.Lose("", key, at, "the entry names no litellm_provider, so nobody knows who serves it")
		return
	}
	n, why := parseName(provider, key)
	if why != "" {
		r.Fault(at, "%s", why)
		return
	}
	if !part.WireID(n.wire) {
		return
	}
	m := r.Room.Model.New()
	m.At, m.Row.Provider, m.Row.WireModel, m.Row.Price = at, provider, n.wire, r.prices[:0]
	r.fields(part, m)
	r.prices = m.Row.Price
	m.Row.Price = r.Room.Price.Clone(m.Row.Price)
	r.entries = append(r.entries, entry{m, n})
}

// join makes one model of the entries of one: the plain entry says what it is, the
// others add prices for their region, size or quality.
func (r *reader) join() {
	slices.SortFunc(r.entries, func(a, b entry) int {
		return cmp.Or(strings.Compare(a.model.Row.Provider, b.model.Row.Provider), strings.Compare(a.name.wire, b.name.wire), strings.Compare(a.model.At, b.model.At))
	})
	for rest := r.entries; len(rest) > 0; {
		first, n := rest[0], 1
		for n < len(rest) && rest[n].model.Row.Provider == first.model.Row.Provider && rest[n].name.wire == first.name.wire {
			n++
		}
		list := rest[:n]
		rest = rest[n:]
		r.provider(first.model.Row.Provider)
		if n == 1 && first.name.plain() {
			r.Catalog.Models = append(r.Catalog.Models, first.model)
			continue
		}
		var plain, special []entry
		for _, e := range list {
			if e.name.plain() {
				plain = append(plain, e)
			} else {
				special = append(special, e)
			}
		}
		if len(plain) == 0 { // the first special one says what it is, but prices nothing on its own
			first := *special[0].model
			first.Row.Price, first.Unread = nil, nil
			plain = append(plain, entry{model: &first})
		}
		for _, e := range plain {
			m := e.model
			if len(plain) == 1 {
				for _, s := range special {
					s.addTo(m)
				}
			}
			r.Catalog.Models = append(r.Catalog.Models, m)
		}
		if len(plain) > 1 && len(special) > 0 {
			r.Fault(r.file+"#/"+first.name.wire, "%d entries for regions or sizes belong to a model that is listed more than once", len(special))
		}
	}
}

func (e *entry) addTo(m *fact.Model) {
	for _, p := range e.model.Row.Price {
		p.Region, p.Variant = e.name.region, strings.Trim(e.name.variant+" "+p.Variant, " ")
		m.Row.Price = append(m.Row.Price, p)
	}
	what := e.name.region + e.name.variant
	if e.name.commitment != "" {
		what = strings.TrimSpace(what + " " + e.name.commitment)
		m.Row.Price = m.Row.Price[:len(m.Row.Price)-len(e.model.Row.Price)]
		for _, p := range e.model.Row.Price {
			m.Unread = append(m.Unread, fact.Unread{Field: p.Meter + " (" + what + ")", Value: amountOf(p), Why: "a price for throughput that is bought ahead"})
		}
	}
	for _, u := range e.model.Unread {
		u.Field += " (" + what + ")"
		m.Unread = append(m.Unread, u)
	}
}

func amountOf(p catalog.Price) string {
	if p.USDPerMillion.IsKnown() {
		return string(p.USDPerMillion) + " USD per million"
	}
	return string(p.USDPerUnit) + " USD"
}

func (r *reader) provider(id string) {
	if n := len(r.Catalog.Providers); n > 0 && r.Catalog.Providers[n-1].ID == id { // entries are in order
		return
	}
	r.Catalog.Providers = append(r.Catalog.Providers, fact.Provider{ID: id, At: r.file})
}
