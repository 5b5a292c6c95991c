package bring

import (
	"net/url"
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/spell"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/plan"
	"github.com/opcat/opcat/plan/files"
	"github.com/opcat/opcat/upstream/want"
)

// providerLine is the line of a record that is about the provider itself: no row has
// an empty wire id.
const providerLine = ""

// people is why a plan leaves a fact alone that bears on where a key is sent. An
// upstream that was taken over could else lead the keys of everybody to a place of its own.
const people = "it says who gets the provider's key, which people alone change"

// addProvider states a provider that the sources do not have.
func (b *bringing) addProvider(p *want.Provider) error {
	text, err := spell.Provider(&p.Provider)
	if err != nil {
		return err
	}
	file := "catalog_sources/" + p.ID + "/provider.toml"
	if _, there := b.tree.File(file); there {
		file = "catalog_sources/" + p.ID + "/upstream-provider.toml"
	}
	b.text(file).WriteString("\n" + text)
	reason, source := "a provider that the sources do not have", ""
	if len(p.Why) > 0 {
		reason, source = cmpOr(p.Why[0].Reason, reason), p.Why[0].Source
	}
	b.change(file, files.Change{Resource: p.ID, To: p.Provider.Name, Reason: reason, Source: source})
	stated, why := readProvider(p.ID, text)
	if why != "" {
		return nil // the compile says so, and the provider is kept out
	}
	e := &entry{catalogs: listing(p), marks: map[string]string{}}
	for _, f := range providerFacts(stated) {
		e.note(f)
	}
	b.record[providerLine] = e
	return nil
}

// listing names the upstreams that list rows of a provider.
func listing(p *want.Provider) (out []string) {
	for i := range p.Rows {
		out = append(out, names(&p.Rows[i])...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// readProvider reads a provider as a fragment has it.
func readProvider(id, text string) (*tree.Node, string) {
	f, found := fragment.File(&tree.File{Path: files.Roots[0] + "/" + id + "/provider.toml", Layer: "bundled"}, []byte(spell.Head+"\n"+text))
	if why := firstError(found); why != "" {
		return nil, why
	}
	return f.Table.Path("provider", id), ""
}

// providerFacts lists the facts of a provider's table: its keys, and the keys of each
// endpoint.
func providerFacts(p *tree.Node) (out []*fact) {
	add := func(n *tree.Node, path ...string) {
		out = append(out, &fact{key: strings.Join(path, "."), path: path, item: -1, full: spelt(n, false), value: spelt(n, true), short: brief(n), node: n})
	}
	for c := range p.Each() {
		if c.Name() != "endpoint" {
			add(c, c.Name())
			continue
		}
		for e := range c.Each() {
			for k := range e.Each() {
				add(k, "endpoint", e.Name(), k.Name())
			}
		}
	}
	return out
}

// followProvider lets a provider that a plan of ours stated follow the upstreams. Of one
// that people stated it lists the differences.
func (b *bringing) followProvider(p *want.Provider) error {
	text, err := spell.Provider(&p.Provider)
	if err != nil {
		return err
	}
	stated, why := readProvider(p.ID, text)
	if why != "" {
		b.keep(plan.Kept{Resource: p.ID, Reason: why})
		return nil
	}
	e := b.record[providerLine]
	if slices.Contains(b.in.Adopt, p.ID) {
		e = &entry{marks: map[string]string{}}
		b.record[providerLine] = e
		for _, at := range b.g.providers[p.ID] {
			for _, f := range providerFacts(at.node) {
				e.note(f)
			}
		}
	}
	if e != nil {
		e.catalogs = listing(p)
	}
	for _, f := range providerFacts(stated) {
		if err := b.providerFact(p, e, f); err != nil {
			return err
		}
	}
	return nil
}

// providerFact settles one fact of a provider that the sources have.
func (b *bringing) providerFact(p *want.Provider, e *entry, f *fact) error {
	at, own := b.g.providers[p.ID][0], (*fact)(nil)
	for _, place := range b.g.providers[p.ID] {
		for _, have := range providerFacts(place.node) {
			if have.key == f.key {
				at, own = place, have
			}
		}
	}
	kept := plan.Kept{Resource: p.ID, Field: f.key, Theirs: f.short}
	if own != nil {
		kept.Ours = own.short
	}
	switch {
	case own != nil && own.value == f.value, unsaid(p, f):
		return nil
	case e == nil && own == nil:
		return nil // people say of a provider what they want to say
	case e == nil:
		kept.Reason = "a person wrote the provider"
	case own == nil && e.wrote(f.key):
		kept.Reason = removed
	case own != nil && !e.ours(own):
		kept.Reason = pinned
	case at.legacy:
		kept.Reason = "it stands in a legacy fragment or behind a link, which is not edited"
	case leads(own, f):
		kept.Reason = people
	default:
		return b.setProvider(p, e, at, own, f)
	}
	b.keep(kept)
	return nil
}

// unsaid reports whether a fact only stands for one that no upstream states.
func unsaid(p *want.Provider, f *fact) bool {
	return f.key == "name" && p.Provider.Name == p.ID || f.key == "credential" && len(p.Provider.Endpoint) == 0
}

// leads reports whether a fact could lead a key elsewhere: all that is about keys and
// endpoints, but for an address that stays with its host.
func leads(own, f *fact) bool {
	switch f.path[0] {
	case "credential", "kind", "inherits":
		return true
	case "endpoint":
		return own == nil || f.path[2] != "url" || host(own.node.Str()) != host(f.node.Str())
	}
	return false
}

// host is what a URL's path is on: all that decides who is spoken to.
func host(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.User != nil {
		return s
	}
	return u.Scheme + "://" + u.Host
}

// setProvider writes a fact of a provider.
func (b *bringing) setProvider(p *want.Provider, e *entry, at *place, own, f *fact) error {
	doc, err := b.g.doc(at.file)
	if err != nil {
		return err
	}
	all, err := spell.Of(&p.Provider)
	if err != nil {
		return err
	}
	v := all
	for _, key := range f.path {
		v, _ = v.Get(key)
	}
	from := ""
	stated := doc.Root().Path("provider", p.ID)
	switch n := stated.Path(f.path...); {
	case own == nil:
		doc.Put(stated, f.path[0], v.Lines(f.path[0]), all.Keys)
	case n.Headed():
		from = own.short
		table(doc, n, &v)
	default:
		from = own.short
		doc.Replace(n, v.Inline())
	}
	e.note(f)
	b.change(at.file, files.Change{Resource: p.ID, Field: f.key, From: from, To: f.short, Reason: "as " + strings.Join(e.catalogs, ", ") + " has it now"})
	return nil
}
