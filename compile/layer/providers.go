package layer

import (
	"net/url"
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// mergeProviders makes one table of each provider.
func (m *merger) mergeProviders() {
	for rest := m.providers; len(rest) > 0; {
		var same []piece
		same, rest = group(rest)
		m.out.Providers = append(m.out.Providers, m.mergeProvider(same))
	}
}

func (m *merger) mergeProvider(pieces []piece) *Provider {
	p := &Provider{ID: pieces[0].id, Broken: anyBroken(pieces)}
	for rest := pieces; len(rest) > 0; {
		var same []piece
		same, rest = layerOf(rest)
		above, rank := m.join(same), same[0].rank
		before := len(m.diags)
		if rank > 0 {
			m.providerRights(p.Table, above)
			p.Broken = p.Broken || len(m.diags) > before // what was refused may be what it lacks
		}
		switch {
		case p.Table != nil:
			below := p.Table
			p.Table = m.lay(below, above, false)
			m.redirects(p, below, above, rank)
		case rank > 0 && saysAdd(above) == nil:
			p.Broken = true
			m.danglesAmong(above.KeyAt(), p.ID, "a provider", func() []string { return idsBelow(m.providers, rank) })
			p.Table = m.settle(above, true)
		default:
			p.Table = m.settle(above, true)
		}
		for i := before; i < len(m.diags); i++ {
			m.diags[i].Provider = p.ID
		}
	}
	return p
}

// idsBelow lists what layers below a rank state.
func idsBelow(pieces []piece, rank int) []string {
	var ids []string
	for _, p := range pieces {
		if p.rank < rank && (len(ids) == 0 || ids[len(ids)-1] != p.id) {
			ids = append(ids, p.id)
		}
	}
	return ids
}

// redirects finds endpoints that a layer moved. Support that was seen at the old
// place no longer stands; at another origin neither does a data-control promise.
func (m *merger) redirects(p *Provider, below, above *tree.Node, rank int) {
	for e := range above.Get("endpoint").Each() {
		was, now := below.Path("endpoint", e.Key.Name), p.Table.Path("endpoint", e.Key.Name)
		from, to := movedURL(was, now)
		if from == nil {
			continue
		}
		p.Moved = append(p.Moved, now)
		if origin(from.Str()) == origin(to.Str()) {
			continue
		}
		if m.moved == nil {
			m.moved = map[string]int{}
		}
		m.moved[p.ID] = rank
		d := diag.Diagnostic{Code: diag.EndpointPromiseLost, Warning: true, At: to.At(), Got: origin(to.Str()),
			Message: "the endpoint moves to another origin: what was promised for the old one no longer stands",
			Notes:   []diag.Note{{At: from.At(), Message: "the old endpoint: " + origin(from.Str())}},
			Help:    "restate data_controls, regions and the evidence of contracts as far as they hold there"}
		if regions := now.Get("regions"); regions != nil && e.Get("regions") == nil {
			d.Notes = append(d.Notes, diag.Note{At: regions.KeyAt(), Message: "these regions still lead to the old places"})
		}
		if controls := p.Table.Get("data_controls"); controls != nil && above.Get("data_controls") == nil {
			d.Notes = append(d.Notes, diag.Note{At: controls.KeyAt(), Message: "this promise is unverified now and left out"})
			p.Table = m.arena.Without(p.Table, []string{"data_controls"})
		}
		if mayGo(p.Table.Path("credential", "origins"), to.Str()) {
			m.add(d) // else the credential may not go there, and that error is the one to mend
		}
	}
}

// mayGo reports whether a credential may be sent to a URL, or nobody says where it may.
func mayGo(origins *tree.Node, url string) bool {
	for o := range origins.Each() {
		if origin(o.Str()) == origin(url) {
			return true
		}
	}
	return origins == nil
}

// movedURL gives the first URL of an endpoint that differs and what it is now.
func movedURL(was, now *tree.Node) (from, to *tree.Node) {
	if a, b := was.Get("url"), now.Get("url"); a != nil && b != nil && a.Str() != b.Str() {
		return a, b
	}
	for a := range was.Get("regions").Each() {
		if b := now.Get("regions").Get(a.Key.Name); b != nil && a.Str() != b.Str() {
			return a, b
		}
	}
	return nil, nil
}

// origin is the scheme and host of an endpoint's URL, whose holes no URL parser
// has to understand.
func origin(s string) string {
	scheme, rest, ok := strings.Cut(s, "://")
	if !ok {
		return s
	}
	host := rest
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		host = rest[:i]
	}
	if u, err := url.Parse(scheme + "://" + host); err == nil && u.Host != "" {
		host = u.Host
	}
	return strings.ToLower(scheme + "://" + host)
}
