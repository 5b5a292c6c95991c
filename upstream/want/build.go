package want

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/shape"
	"github.com/opcat/opcat/upstream/fact"
	"github.com/opcat/opcat/upstream/read"
	"github.com/opcat/opcat/upstream/sense"
)

// Build puts all upstreams together. have is the catalog that the sources compile to
// now: it says which providers are stated already, and which variables hold whose
// keys. brought is the rows that were brought in, by the name of the upstream that listed
// each. The order of the catalogs means nothing.
func Build(catalogs []fact.Catalog, have *catalog.Catalog, brought map[string][]string) *Set {
	b := &building{set: &Set{}, have: map[string]catalog.Provider{}, register: sense.Register{}, groups: map[string]*group{},
		rows: map[string]bool{}, lost: map[string]bool{}, regional: map[string]string{}, group: map[string]string{}}
	if have != nil {
		b.read(have, catalogs, brought)
	}
	catalogs = slices.Clone(catalogs)
	slices.SortFunc(catalogs, func(a, c fact.Catalog) int {
		return cmp.Or(strings.Compare(a.Name, c.Name), strings.Compare(a.URL, c.URL))
	})
	for i := range catalogs {
		b.take(&catalogs[i])
	}
	for _, id := range slices.Sorted(maps.Keys(b.groups)) {
		b.provider(b.groups[id])
	}
	slices.SortFunc(b.set.Held, func(x, y Held) int {
		return cmp.Or(strings.Compare(x.Provider, y.Provider), strings.Compare(x.Row, y.Row), strings.Compare(x.Field, y.Field), strings.Compare(x.Why, y.Why))
	})
	b.set.Held = slices.Compact(b.set.Held)
	return b.set
}

// building is one Set being made.
type building struct {
	set      *Set
	have     map[string]catalog.Provider
	register sense.Register
	groups   map[string]*group
	rows     map[string]bool   // ids of rows that the sources have
	regional map[string]string // provider/wire id -> the row that dials it in a region
	lost     map[string]bool   // rows that an upstream lists and nobody can read
	group    map[string]string // a failover class -> what its rows serve
	room     room
	taken    map[string]string // a variable -> the provider whose key it holds
	origins  map[string][]string
}

// read remembers what the sources state of providers, and which rows reach further
// than their own id.
func (b *building) read(have *catalog.Catalog, catalogs []fact.Catalog, brought map[string][]string) {
	lost := make([]map[string]string, len(catalogs))
	for i := range catalogs {
		lost[i] = lostIn(&catalogs[i])
	}
	for p := range have.Providers() {
		b.have[p.ID] = p
	}
	for r := range have.Rows() {
		b.rows[r.ID] = true
		for i := range catalogs {
			if len(lost[i]) > 0 {
				b.lose(&r, &catalogs[i], lost[i], brought)
			}
		}
		for _, at := range r.Region {
			if at.WireModel != "" && at.WireModel != r.WireModel {
				b.regional[r.Provider+"/"+at.WireModel] = r.ID
			}
		}
		if r.EquivalenceGroup != "" {
			b.group[r.EquivalenceGroup] = operationsOf(&r)
		}
	}
}

// lose keeps back a row of the sources whose entry in one of its upstreams could not be
// read: it is not gone, and what that one said of it is not known to have changed.
func (b *building) lose(r *catalog.Row, c *fact.Catalog, lost map[string]string, brought map[string][]string) {
	for _, key := range []string{r.ID, r.Provider + "/", "/" + r.WireModel} {
		at, ok := lost[key]
		if !ok || !from(r, c, brought) {
			continue
		}
		b.lost[r.ID] = true
		b.set.Held = append(b.set.Held, Held{Provider: r.Provider, Row: r.ID, Why: c.Name + " lists it in an entry that cannot be read (" + at + "), so it stays as it is"})
	}
}

// from reports whether a row came from an upstream, which may have moved to another URL
// since.
func from(r *catalog.Row, c *fact.Catalog, brought map[string][]string) bool {
	return slices.ContainsFunc(r.Source, func(s catalog.Source) bool { return fact.Unversioned(s.URL) == fact.Unversioned(c.URL) }) ||
		slices.Contains(brought[c.Name], r.ID)
}

// lostIn is where the entries stand that could not be read: under the row's id, the
// provider with a slash for all of its rows, or a slash and the model where the provider
// is not known.
func lostIn(c *fact.Catalog) map[string]string {
	out := map[string]string{}
	for _, l := range c.Lost {
		if l.Provider != "" {
			out[OurID(c.Name, l.Provider)+"/"+l.Wire] = l.At
			continue
		}
		for rest, more := l.Wire, true; more; _, rest, more = strings.Cut(rest, "/") {
			out["/"+rest] = l.At
		}
	}
	return out
}

// A group is everything that upstreams say of one provider of ours.
type group struct {
	id        string
	providers []statement
	rows      []saying
}

// A statement is what one upstream says of the provider.
type statement struct {
	from fact.Source
	p    *fact.Provider
}

// A saying is what one upstream says of one row.
type saying struct {
	from *fact.Source
	m    *fact.Model
}

// take sorts one catalog's models to our providers.
func (b *building) take(c *fact.Catalog) {
	for i := range c.Providers {
		p := &c.Providers[i]
		if g := b.groupOf(c, p.ID); g != nil {
			g.providers = append(g.providers, statement{c.Source, p})
		}
	}
	var g *group
	for i, m := range c.Models {
		b.register.Note(c.Name, m)
		if i == 0 || c.Models[i-1].Row.Provider != m.Row.Provider {
			g = b.groupOf(c, m.Row.Provider)
		}
		if g == nil {
			continue
		}
		if why := read.BadWireID(m.Row.WireModel); why != "" { // an upstream in our own format holds it to the same law
			b.set.Held = append(b.set.Held, Held{Provider: g.id, Row: m.Row.WireModel, Why: "its id " + why})
			continue
		}
		g.rows = append(g.rows, saying{&c.Source, m})
	}
}

// groupOf finds ours for an upstream's provider; nil if it is kept out.
func (b *building) groupOf(c *fact.Catalog, theirs string) *group {
	id := OurID(c.Name, theirs)
	if id == "" {
		b.set.Held = append(b.set.Held, Held{Provider: theirs, Why: c.Name + " has a provider of this name, which is none of ours: it is left out with its rows"})
		return nil
	}
	if why := fragment.BadText(shape.ID, id); why != "" {
		b.set.Held = append(b.set.Held, Held{Provider: id, Why: c.Name + " calls a provider so, which " + why})
		return nil
	}
	g := b.groups[id]
	if g == nil {
		g = &group{id: id}
		b.groups[id] = g
	}
	return g
}

// provider makes the provider and its rows.
func (b *building) provider(g *group) {
	if !listsRows(g.rows) {
		for _, s := range g.providers {
			if s.p.Stated != nil {
				b.set.Held = append(b.set.Held, Held{Provider: g.id, Why: s.from.Name + " lists no row of it, and a provider without rows serves nobody"})
			}
		}
		return
	}
	asked, why := b.statement(g)
	p := Provider{ID: g.id, Provider: asked, Why: why}
	stated, there := b.have[g.id] // rows are dialled as the sources say
	if !there {
		stated = asked
		b.take1(&stated)
	}
	slices.SortStableFunc(g.rows, func(a, c saying) int { return strings.Compare(a.m.Row.WireModel, c.m.Row.WireModel) })
	p.Rows = b.room.rows.Make(len(g.rows))[:0]
	m := making{building: b, p: &stated}
	for rest := g.rows; len(rest) > 0; {
		wire, n := rest[0].m.Row.WireModel, 1
		for n < len(rest) && rest[n].m.Row.WireModel == wire {
			n++
		}
		said := rest[:n:n]
		rest = rest[n:]
		if !listsRows(said) || len(b.lost) > 0 && b.lost[g.id+"/"+wire] {
			continue
		}
		if len(b.regional) > 0 {
			if by := b.regional[g.id+"/"+wire]; by != "" && !b.rows[g.id+"/"+wire] {
				b.set.Held = append(b.set.Held, Held{Provider: g.id, Row: g.id + "/" + wire, Why: by + " dials it in a region, so it is no row of its own"})
				continue
			}
		}
		p.Rows = append(p.Rows, Row{})
		m.row(&p.Rows[len(p.Rows)-1], wire, said)
	}
	b.set.Providers = append(b.set.Providers, p)
}

// listsRows reports whether some upstream lists the row. A catalog of prices names ids
// by the way, and one of what a program offers says nothing of a row's job: neither
// makes a row on its own.
func listsRows(said []saying) bool {
	return slices.ContainsFunc(said, func(s saying) bool { return s.from.Name != "genai-prices" && s.from.Name != "catwalk" })
}
