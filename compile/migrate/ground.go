package migrate

import (
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/operations"
)

// ground is what lies beside and below the format 0 files of a layer, in today's
// form: what they may name, and what an overlay changes.
type ground struct {
	list      []*groundRow
	byID      map[string]*groundRow
	stated    map[string][]*tree.Node    // `[provider.<id>]` tables of lower layers
	providers map[string]*legacyProvider // what format 0 said of providers in lower layers
	legacy    map[string]*legacyRow      // rows that format 0 wrote in lower layers, by today's id
	aliases   map[string]*tree.Node      // `[alias.<name>]` tables
	shown     map[string]bool            // "variant/..." and "family/..." of the presentation
	broken    bool                       // some of it could not be read whole
}

// An underneath is what format 0 said in the layers below, in its own shapes: what an
// overlay changes some of must be migrated together with the rest.
type underneath struct {
	providers map[string]*legacyProvider
	rows      map[string]*legacyRow
	books     []*rulebook
}

// A groundRow is a row that the format 0 files of a layer did not write.
type groundRow struct {
	ID, Provider, Wire string
	Upstream           string   // its id in the tree that it came from, if that is another one
	Lower              bool     // it is of a lower layer, so that an overlay may change it
	Operations         []string // what exact rules grant it, in the registry's order
	At, Grant          *tree.Node
	Contracts          []*tree.Node // what exact rules say of it, weakest layer first
}

// newGround reads the fragments that are in today's form already. Those from first
// on are of the layer itself.
func newGround(have []fragment.Fragment, first int, low underneath) *ground {
	g := &ground{byID: map[string]*groundRow{}, stated: map[string][]*tree.Node{}, providers: low.providers, legacy: low.rows, aliases: map[string]*tree.Node{}, shown: map[string]bool{}}
	for i, f := range have {
		if f.Root != form.Catalog {
			continue
		}
		g.broken = g.broken || f.Broken
		for p := range f.Table.Get("provider").Each() {
			if i >= first {
				break
			}
			g.stated[p.Key.Name] = append(g.stated[p.Key.Name], p)
		}
		for a := range f.Table.Get("alias").Each() {
			g.aliases[a.Key.Name] = a
		}
		for _, kind := range []string{"variant", "family"} {
			for n := range f.Table.Path("presentation", kind).Each() {
				g.shown[kind+"/"+n.Key.Name] = true
			}
		}
		for n := range f.Table.Get("model").Each() {
			r := &groundRow{Provider: n.Get("provider").Str(), Wire: n.Get("wire_model").Str(), Lower: i < first, At: n}
			r.ID = r.Provider + "/" + r.Wire
			if there := g.byID[r.ID]; there != nil {
				if up := n.Get("upstream_id").Str(); up != "" {
					there.Upstream = up
				}
				continue
			}
			r.Upstream = n.Get("upstream_id").Str()
			g.byID[r.ID] = r
			g.list = append(g.list, r)
		}
	}
	for _, f := range have {
		if f.Root == form.Capabilities {
			g.broken = g.broken || f.Broken
			g.grants(f.Table.Get("provider"))
		}
	}
	slices.SortFunc(g.list, func(a, b *groundRow) int { return strings.Compare(a.ID, b.ID) })
	return g
}

// grants notes which operations exact rules grant to rows.
func (g *ground) grants(rules *tree.Node) {
	for provider := range rules.Each() {
		for rule := range provider.Each() {
			names := rule.Get("models").Strings()
			if match := rule.Get("model_match").Str(); match != "" && !strings.ContainsAny(match, "*?") {
				names = append(names, match)
			}
			for _, wire := range names {
				r := g.byID[provider.Key.Name+"/"+wire]
				if r == nil {
					continue
				}
				for o := range rule.Get("operations").Each() {
					r.Contracts = append(r.Contracts, o)
					if !slices.Contains(r.Operations, o.Key.Name) {
						r.Operations = append(r.Operations, o.Key.Name)
						r.Grant = o
					}
				}
				sortOperations(r.Operations)
			}
		}
	}
}

func sortOperations(names []string) {
	order := operations.Names()
	slices.SortFunc(names, func(a, b string) int { return slices.Index(order, a) - slices.Index(order, b) })
}

// row finds a row of a lower layer by today's id; nil if there is none.
func (g *ground) row(id string) *groundRow {
	if r := g.byID[id]; r != nil && r.Lower {
		return r
	}
	return nil
}

// upstream finds a row of a lower layer by the id that format 0 knows it by. A
// provider narrows the search; "" does not.
func (g *ground) upstream(id, provider string) *groundRow {
	for _, r := range g.list {
		if r.Lower && r.goesBy(id) && (provider == "" || provider == r.Provider) {
			return r
		}
	}
	return nil
}

// goesBy reports whether format 0 would call the row by the id.
func (r *groundRow) goesBy(id string) bool {
	if r.Upstream != "" {
		return r.Upstream == id
	}
	return r.ID == id || r.Wire == id
}

// has reports whether a lower layer states a provider.
func (g *ground) has(provider string) bool { return len(g.stated[provider]) > 0 }

// endpoints lists the endpoints of a provider in lower layers, the strongest
// statement of each protocol, by protocol.
func (g *ground) endpoints(provider string) []*tree.Node {
	byProtocol := map[string]*tree.Node{}
	for _, p := range g.stated[provider] {
		for e := range p.Get("endpoint").Each() {
			byProtocol[e.Key.Name] = e
		}
	}
	var out []*tree.Node
	for _, name := range sortedKeys(byProtocol) {
		out = append(out, byProtocol[name])
	}
	return out
}

// scheme is how a provider's credential rides, as lower layers say.
func (g *ground) scheme(provider string) string {
	scheme := ""
	for _, p := range g.stated[provider] {
		if n := p.Path("credential", "scheme"); n != nil {
			scheme = n.Str()
		}
	}
	return scheme
}

// find gives the row that a reference of format 0 names: one of the layer's own
// rows by its upstream id, else one that lies beside or below. A provider narrows
// the search; "" does not. The second result lists rows of that id that other
// providers serve.
func (m *migration) find(id, provider string) (rowID string, others []string) {
	for _, r := range m.byID.upstream[id] {
		switch {
		case provider == "" || r.Provider == provider:
			return r.RowID(), nil
		default:
			others = append(others, r.Provider)
		}
	}
	for _, r := range m.below.list {
		switch {
		case !r.goesBy(id):
		case provider == "" || r.Provider == provider:
			return r.ID, nil
		default:
			others = append(others, r.Provider)
		}
	}
	slices.Sort(others)
	return "", slices.Compact(others)
}

// ids lists the ids by which format 0 may name a row, for suggestions.
func (m *migration) ids() []string {
	var out []string
	for _, r := range m.rows {
		out = append(out, r.ID)
	}
	for _, r := range m.below.list {
		if r.Upstream != "" {
			out = append(out, r.Upstream)
		} else {
			out = append(out, r.ID, r.Wire)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// nearRow suggests the row id that a misspelt one most likely means.
func (m *migration) nearRow(id string) string {
	if near, ok := diag.Nearest(id, m.ids()); ok {
		return "did you mean " + quote(near) + "?"
	}
	return ""
}

// presents reports whether something else than the layer's format 0 files states a
// picker variant or family.
func (g *ground) presents(kind, name string) bool { return g.shown[kind+"/"+name] }
