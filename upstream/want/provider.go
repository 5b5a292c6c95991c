package want

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/shape"
	"github.com/opcat/opcat/upstream/fact"
	"github.com/opcat/opcat/upstream/rank"
)

// A wire is how a provider is spoken to, by the upstream's word for it.
type wire struct {
	protocol string
	path     string // below the base of the provider's URLs
	scheme   string
	header   string
	version  string // of the API, where its header wants one
}

// wires are the words that upstreams have for protocols: the packages of one SDK, and
// the types of catwalk. A word that is not here says nothing.
var wires = map[string]wire{
	"@ai-sdk/openai-compatible": chat,
	"openai-compat":             chat,
	"@ai-sdk/openai":            {protocol: "openai_responses", path: "/responses", scheme: "bearer"},
	"openai":                    {protocol: "openai_responses", path: "/responses", scheme: "bearer"},
	"@ai-sdk/anthropic":         {protocol: "anthropic_messages", path: "/messages", scheme: "header", header: "x-api-key", version: "2023-06-01"},
}

var chat = wire{protocol: "openai_chat_completions", path: "/chat/completions", scheme: "bearer"}

// statement says how the upstreams state the provider: one in our own format says it
// whole; else the word for its wire, its base and its key make a credential and an
// endpoint.
func (b *building) statement(g *group) (catalog.Provider, []Why) {
	order := rank.Of("provider")
	slices.SortStableFunc(g.providers, func(a, c statement) int {
		return cmp.Or(cmp.Compare(order.Place(a.from), order.Place(c.from)), strings.Compare(a.p.ID, c.p.ID))
	})
	p := catalog.Provider{ID: g.id, Name: g.id}
	for _, s := range g.providers {
		if s.p.Stated != nil && b.usable(g.id, s.p.Stated) {
			p = *s.p.Stated
			p.ID = g.id
			b.fit(&p)
			return p, []Why{{Field: "provider", Source: s.from.URL, Reason: "it states the provider in our own format"}}
		}
	}
	var why []Why
	named := false
	for _, s := range g.providers {
		if !named && s.p.Name != "" {
			p.Name, named = s.p.Name, true
		}
		if p.Docs == "" && fragment.BadText(shape.Source, s.p.Docs) == "" {
			p.Docs = s.p.Docs
		}
	}
	for _, s := range g.providers {
		if b.speak(&p, g.id, s.p) {
			why = append(why, Why{Field: "endpoint", Source: s.from.URL, Reason: "its word for the wire is " + s.p.Wire + ", its base " + s.p.API})
			break
		}
	}
	if p.Endpoint == nil {
		p.Credential = &catalog.Credential{Scheme: "none"}
		why = append(why, Why{Field: "endpoint", Reason: "no upstream says how it is spoken to, so its rows are listed and none can be called"})
	}
	return p, why
}

// fit leaves out of a provider that an upstream states what today's format does not let
// pass, and says so: variables that no URL has a place for, and a health check that would
// send the key elsewhere.
func (b *building) fit(p *catalog.Provider) {
	leave := func(field, why string) {
		b.set.Held = append(b.set.Held, Held{Provider: p.ID, Field: field, Why: why})
	}
	if h := p.Healthcheck; h != nil && h.URL != "" && p.Credential != nil && !slices.Contains(p.Credential.Origins, origin(h.URL)) {
		leave("healthcheck", "it sends the key to "+origin(h.URL)+", which is no origin of the credential")
		p.Healthcheck = nil
	}
	out := map[string]catalog.Endpoint{}
	for name, e := range p.Endpoint {
		vars := map[string]catalog.EndpointVariable{}
		for v, def := range e.Variable {
			if strings.Contains(e.URL, "{"+v+"}") {
				vars[v] = def
			} else {
				leave("endpoint."+name+".variable."+v, "the URL has no place for it")
			}
		}
		e.Variable = vars
		if len(vars) == 0 {
			e.Variable = nil
		}
		out[name] = e
	}
	p.Endpoint = out
}

// origin is where a URL leads; "" for none.
func origin(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// speak states credential and endpoint where the upstream says how the provider is
// spoken to and where.
func (b *building) speak(p *catalog.Provider, id string, from *fact.Provider) bool {
	w, ok := wires[from.Wire]
	base := strings.TrimRight(from.API, "/")
	if !ok || base == "" {
		return false
	}
	base = strings.TrimSuffix(base, w.path) // some write the whole of it
	u, err := url.Parse(base)
	if err != nil || fragment.BadText(shape.URL, base+w.path) != "" || strings.ContainsAny(base, "${}") {
		return false
	}
	origin := u.Scheme + "://" + u.Host
	if fragment.BadText(shape.Origin, origin) != "" {
		return false
	}
	endpoint := catalog.Endpoint{URL: base + w.path, APIVersion: w.version}
	p.Endpoint = map[string]catalog.Endpoint{w.protocol: endpoint}
	p.Credential = &catalog.Credential{Scheme: w.scheme, Header: w.header, Env: []string{b.variable(id, from.Env, origin)}, Origins: []string{origin}}
	if u.Scheme == "http" {
		p.Kind = "local"
	}
	return true
}

// variable is the environment variable for a provider's key: the upstream's word for
// it, unless another provider's key is there, which would be sent to this one too.
func (b *building) variable(id string, names []string, origin string) string {
	b.readTaken()
	for _, n := range names {
		if fragment.BadText(shape.EnvName, n) != "" || !isKey(n) {
			continue
		}
		if owner, ok := b.taken[n]; !ok || owner == id || slices.Equal(b.origins[owner], []string{origin}) {
			return n
		}
	}
	own := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= '0' && r <= '9':
			return r
		}
		return '_'
	}, id) + "_API_KEY"
	if owner, ok := b.taken[own]; fragment.BadText(shape.EnvName, own) != "" || ok && owner != id {
		own = "OPCAT_" + own
	}
	return own
}

// isKey tells variables that hold a key from those that hold an address or a name.
func isKey(name string) bool {
	for _, word := range []string{"KEY", "TOKEN", "PAT", "SECRET"} {
		if strings.HasSuffix(name, "_"+word) {
			return true
		}
	}
	return false
}

// readTaken collects whose key each variable holds.
func (b *building) readTaken() {
	if b.taken != nil {
		return
	}
	b.taken, b.origins = map[string]string{}, map[string][]string{}
	for _, id := range slices.Sorted(maps.Keys(b.have)) {
		p := b.have[id]
		b.take1(&p)
	}
}

// take1 remembers the variables of one provider.
func (b *building) take1(p *catalog.Provider) {
	b.readTaken()
	if p.Credential == nil {
		return
	}
	b.origins[p.ID] = p.Credential.Origins
	for _, n := range p.Credential.Env {
		if _, ok := b.taken[n]; !ok {
			b.taken[n] = p.ID
		}
	}
}

// usable reports whether a provider that is stated whole shares no key with another
// provider that would get it at another origin.
func (b *building) usable(id string, p *catalog.Provider) bool {
	b.readTaken()
	if p.Credential == nil || p.Kind == "agent" {
		return false
	}
	for _, n := range p.Credential.Env {
		if owner, ok := b.taken[n]; ok && owner != id && !slices.Equal(b.origins[owner], p.Credential.Origins) {
			return false
		}
	}
	return true
}
