package artifact

import (
	"encoding/json"
	"slices"

	"github.com/opcat/opcat/compile/layer"
	"github.com/opcat/opcat/compile/tree"
)

// Layered is the result of stage layer: what the layers say together.
type Layered struct {
	Run
	Result layer.Layered
}

type layeredBody struct {
	Run
	Files         []file            `json:"files"`
	Providers     []providerBody    `json:"providers"`
	Rows          []layeredRowBody  `json:"rows"`
	Rules         []ruleBody        `json:"rules"`
	Root          json.RawMessage   `json:"root"`
	Removed       []json.RawMessage `json:"removed"`
	CatalogBroken bool              `json:"catalog_broken,omitempty"`
	RulesBroken   bool              `json:"rules_broken,omitempty"`
}

type providerBody struct {
	ID     string          `json:"id"`
	Broken bool            `json:"broken,omitempty"`
	Moved  []string        `json:"moved,omitempty"` // protocols of the endpoints whose URL a layer changed
	Table  json.RawMessage `json:"table"`
}

type layeredRowBody struct {
	ID        string            `json:"id"`
	Broken    bool              `json:"broken,omitempty"`
	Untrusted bool              `json:"untrusted,omitempty"`
	Changes   []json.RawMessage `json:"changes,omitempty"`
	Table     json.RawMessage   `json:"table"`
}

type ruleBody struct {
	Provider string          `json:"provider"`
	Broken   bool            `json:"broken,omitempty"`
	Table    json.RawMessage `json:"table"`
}

// Body is the JSON of the result.
func (v *Layered) Body() ([]byte, error) {
	w := &writer{}
	l := &v.Result
	b := layeredBody{Run: v.Run.written(), Providers: []providerBody{}, Rows: []layeredRowBody{}, Rules: []ruleBody{},
		CatalogBroken: l.CatalogBroken, RulesBroken: l.RulesBroken}
	for _, p := range l.Providers {
		body := providerBody{ID: p.ID, Broken: p.Broken, Table: w.node(p.Table)}
		for _, n := range p.Moved {
			body.Moved = append(body.Moved, n.Key.Name)
		}
		b.Providers = append(b.Providers, body)
	}
	for _, r := range l.Rows {
		b.Rows = append(b.Rows, layeredRowBody{r.ID, r.Broken, r.Untrusted, w.list(r.Changes), w.node(r.Table)})
	}
	for _, r := range l.Rules {
		b.Rules = append(b.Rules, ruleBody{r.Provider, r.Broken, w.node(r.Table)})
	}
	b.Root, b.Removed = w.node(l.Root), w.removed(l.Removed)
	b.Files = w.files()
	return encode(b)
}

// ReadLayered reads what Body wrote.
func ReadLayered(body []byte) (*Layered, error) {
	var b layeredBody
	if err := decode(body, &b); err != nil {
		return nil, err
	}
	r := newReader(b.Files)
	v := &Layered{Run: b.Run, Result: layer.Layered{CatalogBroken: b.CatalogBroken, RulesBroken: b.RulesBroken}}
	l := &v.Result
	for _, p := range b.Providers {
		out := &layer.Provider{ID: p.ID, Broken: p.Broken, Table: r.needed("provider "+p.ID, p.Table, providerKey(p.ID))}
		for _, protocol := range p.Moved {
			endpoint := out.Table.Path("endpoint", protocol)
			if endpoint == nil {
				r.fail("provider %s has no endpoint %q", p.ID, protocol)
			}
			out.Moved = append(out.Moved, endpoint)
		}
		l.Providers = append(l.Providers, out)
	}
	for _, row := range b.Rows {
		l.Rows = append(l.Rows, &layer.Row{ID: row.ID, Broken: row.Broken, Untrusted: row.Untrusted,
			Changes: r.list("a change of "+row.ID, row.Changes, standing().change), Table: r.needed("row "+row.ID, row.Table, standing().row)})
	}
	for _, rule := range b.Rules {
		l.Rules = append(l.Rules, &layer.Rule{Provider: rule.Provider, Broken: rule.Broken,
			Table: r.needed("a rule of "+rule.Provider, rule.Table, standing().rule)})
	}
	l.Root, l.Removed = r.node("the rest", b.Root, standing().catalog), r.removed(b.Removed)
	if !slices.IsSortedFunc(l.Rows, func(a, b *layer.Row) int { return compare(a.ID, b.ID) }) ||
		!slices.IsSortedFunc(l.Providers, func(a, b *layer.Provider) int { return compare(a.ID, b.ID) }) {
		r.fail("providers and rows are not in the order of their ids")
	}
	return v, r.err
}

// removed writes tombstones; the row that one takes away stands in it.
func (w *writer) removed(all []layer.Removal) []json.RawMessage {
	tables := make([]*tree.Node, len(all))
	for i, t := range all {
		tables[i] = t.Table
	}
	return w.list(tables)
}

func (r *reader) removed(texts []json.RawMessage) []layer.Removal {
	var out []layer.Removal
	for _, t := range r.list("a removal", texts, standing().removed) {
		out = append(out, layer.Removal{Row: t.Get("row").Str(), Table: t})
	}
	return out
}
