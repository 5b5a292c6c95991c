package artifact

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/resolve"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/shape"
)

// Resolved is the result of stage resolve: the draft.
type Resolved struct {
	Run
	Draft *resolve.Draft
}

type draftBody struct {
	Run
	Files         []file            `json:"files"`
	Grants        []json.RawMessage `json:"grants"` // rules that grant, each once
	Providers     []providerBody    `json:"providers"`
	Rows          []draftRowBody    `json:"rows"`
	Aliases       []aliasBody       `json:"aliases"`
	Root          json.RawMessage   `json:"root"`
	Removed       []json.RawMessage `json:"removed"`
	Astray        []json.RawMessage `json:"astray,omitempty"`
	CatalogBroken bool              `json:"catalog_broken,omitempty"`
	RulesBroken   bool              `json:"rules_broken,omitempty"`
}

type draftRowBody struct {
	ID        string            `json:"id"`
	Broken    bool              `json:"broken,omitempty"`
	Changes   []json.RawMessage `json:"changes,omitempty"`
	Contracts []contractBody    `json:"contracts"`
	Table     json.RawMessage   `json:"table"`
}

type contractBody struct {
	Operation string          `json:"operation"`
	Grant     int             `json:"grant"` // its number in grants; -1 for none
	Table     json.RawMessage `json:"table"`
}

type aliasBody struct {
	Name    string            `json:"name"`
	Targets map[string]string `json:"targets,omitempty"` // row by operation
	Table   json.RawMessage   `json:"table"`
}

// Body is the JSON of the result.
func (v *Resolved) Body() ([]byte, error) {
	w := &writer{}
	d := v.Draft
	b := draftBody{Run: v.Run.written(), Grants: []json.RawMessage{}, Providers: []providerBody{}, Rows: []draftRowBody{}, Aliases: []aliasBody{},
		CatalogBroken: d.CatalogBroken, RulesBroken: d.RulesBroken}
	for _, p := range d.Providers {
		b.Providers = append(b.Providers, providerBody{ID: p.ID, Broken: p.Broken, Table: w.node(p.Table)})
	}
	grants := map[*tree.Node]int{}
	for _, r := range d.Rows {
		row := draftRowBody{ID: r.ID, Broken: r.Broken, Changes: w.list(r.Changes), Contracts: []contractBody{}, Table: w.node(r.Table)}
		for _, c := range r.Contracts {
			grant, known := grants[c.Grant]
			switch {
			case c.Grant == nil:
				grant = -1
			case !known:
				grant = len(b.Grants)
				grants[c.Grant] = grant
				b.Grants = append(b.Grants, w.node(c.Grant))
			}
			row.Contracts = append(row.Contracts, contractBody{c.Op.Name, grant, w.node(c.Table)})
		}
		b.Rows = append(b.Rows, row)
	}
	for _, a := range d.Aliases {
		alias := aliasBody{Name: a.Name, Table: w.node(a.Table), Targets: map[string]string{}}
		for _, t := range a.Targets {
			if t.Row != nil {
				alias.Targets[t.Op.Name] = t.Row.ID
			}
		}
		b.Aliases = append(b.Aliases, alias)
	}
	b.Root, b.Removed, b.Astray = w.node(d.Root), w.removed(d.Removed), w.list(d.Astray)
	b.Files = w.files()
	return encode(b)
}

// ReadResolved reads what Body wrote.
func ReadResolved(body []byte) (*Resolved, error) {
	var b draftBody
	if err := decode(body, &b); err != nil {
		return nil, err
	}
	r := newReader(b.Files)
	d := &resolve.Draft{AsOf: b.AsOf, CatalogBroken: b.CatalogBroken, RulesBroken: b.RulesBroken}
	v := &Resolved{Run: b.Run, Draft: d}
	providers := map[string]*resolve.Provider{}
	for _, p := range b.Providers {
		out := &resolve.Provider{ID: p.ID, Broken: p.Broken, Table: r.needed("provider "+p.ID, p.Table, providerKey(p.ID))}
		providers[p.ID] = out
		d.Providers = append(d.Providers, out)
	}
	grants := r.list("a rule that grants", b.Grants, standing().rule)
	rows := map[string]*resolve.Row{}
	for _, body := range b.Rows {
		provider, wire, _ := strings.Cut(body.ID, "/")
		row := &resolve.Row{ID: body.ID, Wire: wire, Provider: providers[provider], Broken: body.Broken,
			Changes: r.list("a change of "+body.ID, body.Changes, standing().change), Table: r.needed("row "+body.ID, body.Table, standing().row)}
		for _, c := range body.Contracts {
			row.Contracts = append(row.Contracts, r.contract(body.ID, c, grants))
		}
		if row.Provider != nil {
			row.Provider.Rows = append(row.Provider.Rows, row)
		}
		rows[body.ID] = row
		d.Rows = append(d.Rows, row)
	}
	for _, a := range b.Aliases {
		d.Aliases = append(d.Aliases, r.alias(a, rows))
	}
	d.Root, d.Removed = r.node("the rest", b.Root, standing().catalog), r.removed(b.Removed)
	d.Astray = r.list("a rule of no provider", b.Astray, standing().rule)
	if !slices.IsSortedFunc(d.Rows, func(a, b *resolve.Row) int { return compare(a.ID, b.ID) }) ||
		!slices.IsSortedFunc(d.Providers, func(a, b *resolve.Provider) int { return compare(a.ID, b.ID) }) {
		r.fail("providers and rows are not in the order of their ids")
	}
	return v, r.err
}

func (r *reader) contract(row string, b contractBody, grants []*tree.Node) *resolve.Contract {
	c := &resolve.Contract{}
	if c.Op = operations.Lookup(b.Operation); c.Op == nil {
		r.fail("row %s has a contract for %q, which is no operation", row, b.Operation)
		return c
	}
	c.Table = r.needed("a contract of "+row, b.Table, form.Operations().Must(b.Operation))
	switch {
	case b.Grant >= 0 && b.Grant < len(grants):
		c.Grant = grants[b.Grant]
	case b.Grant != -1:
		r.fail("row %s is granted by a rule that is not there", row)
	}
	return c
}

func (r *reader) alias(b aliasBody, rows map[string]*resolve.Row) *resolve.Alias {
	key := &shape.Key{Name: b.Name, Type: form.Catalog.Table().Must("alias").Type.Elem, Index: -1}
	a := &resolve.Alias{Name: b.Name, Table: r.needed("alias "+b.Name, b.Table, key)}
	if a.Table == nil {
		return a
	}
	for _, o := range operations.All() {
		said := a.Table.Get(o.Name)
		if said == nil {
			continue
		}
		t := resolve.Target{Op: o, Said: said, Row: rows[b.Targets[o.Name]]}
		if id, given := b.Targets[o.Name]; given && t.Row == nil {
			r.fail("alias %s leads to the row %q, which is not there", b.Name, id)
		}
		a.Targets = append(a.Targets, t)
	}
	return a
}
