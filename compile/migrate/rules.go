package migrate

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/opcat/opcat/compile/legacy"
	"github.com/opcat/opcat/compile/tree"
)

// A rule is one `[[provider.<id>]]` of format 0, or the exact rule that a
// registration stands for.
type rule struct {
	provider     string
	table        *tree.Node // where it stands
	match        *tree.Node // its model_match; nil for a registration
	patterns     []pattern
	begins, long rests // of the ids that a pattern can fit: first byte, length
	major, minor int
	bounded      bool // version_min was written
	never        bool // its bound can't be read, so that it matches nothing
	partial      bool // extends: it fills what is unset and lets the search go on
	facts        []fact
	contracts    *tree.Node // its `operations` table; nil if it has none

	dropped bool // its provider is not declared
	gave    bool // some row takes a fact from it
}

// rests is a small set of numbers: each stands for all that leave the same rest by 64.
type rests uint64

const anyRest = ^rests(0)

func (b rests) has(n int) bool { return b&(1<<(n&63)) != 0 }

// fits adds a pattern.
func (r *rule) fits(p pattern) {
	r.patterns = append(r.patterns, p)
	begins, long := p.ids()
	r.begins, r.long = r.begins|begins, r.long|long
}

// mayFit tells most ids apart that no pattern fits: a row meets a few of the hundreds of
// rules that its provider has.
func (r *rule) mayFit(id string) bool {
	return id == "" || r.begins.has(int(id[0])) && r.long.has(len(id))
}

// A fact is one field of a rule.
type fact struct {
	index int // of its key in legacy.Rule()
	node  *tree.Node
}

// A rulebook is what the rule files of one layer say.
type rulebook struct {
	rules    map[string][]*rule // by provider, in the order of their places
	all      []*rule            // likewise, providers in order
	defaults map[string][]fact
	family   map[string]*tree.Node // child to the node that names its parent
	children map[string][]string   // parent to children
}

// numFacts is how many fields a rule has, the fields that say what it matches
// included.
func numFacts() int { return len(legacy.Rule().Keys) }

// factIndex finds a fact by name. It panics on one that no rule has, a mistake of
// this program.
func factIndex(name string) int { return legacy.Rule().Must(name).Index }

// indexesOf finds facts by name when they are first asked for: what is read for every
// row is not looked for every time.
func indexesOf(names ...string) func() []int {
	return sync.OnceValue(func() []int {
		out := make([]int, len(names))
		for i, name := range names {
			out[i] = factIndex(name)
		}
		return out
	})
}

var notFacts = map[string]bool{"model_match": true, "version_min": true, "extends": true, "operations": true}

// factsOf lists the facts of a rule, of a provider's defaults or of a registration.
func factsOf(table *tree.Node) []fact {
	facts, of := make([]fact, 0, table.Len()), legacy.Rule()
	for n := range table.Each() {
		if key := of.Key(n.Name()); key != nil && !notFacts[key.Name] {
			facts = append(facts, fact{key.Index, n})
		}
	}
	return facts
}

// get finds a fact of the rule by name; nil if it does not state it.
func (r *rule) get(name string) *tree.Node {
	for _, f := range r.facts {
		if f.node.Name() == name {
			return f.node
		}
	}
	return nil
}

// drop takes a fact out of the rule, as an accepted finding says.
func (r *rule) drop(name string) {
	r.facts = slices.DeleteFunc(r.facts, func(f fact) bool { return f.node.Name() == name })
}

// names reports whether the rule names the id itself, not by a pattern.
func (r *rule) names(id string) bool {
	for i := range r.patterns {
		if r.patterns[i].exact && r.patterns[i].text == id {
			return true
		}
	}
	return false
}

// collect reads the rule files of the layer, and the rules of registrations.
func (w *rulework) collect() *rulebook {
	b := &rulebook{rules: map[string][]*rule{}, defaults: map[string][]fact{}, family: map[string]*tree.Node{}, children: map[string][]string{}}
	for _, f := range w.rules {
		for p := range f.Table.Get("provider").Each() {
			for table := range p.Each() {
				b.add(w.newRule(p.Name(), table))
			}
		}
		for p := range f.Table.Get("provider_defaults").Each() {
			b.defaults[p.Name()] = w.mergeFacts(b.defaults[p.Name()], factsOf(p))
		}
		for p := range f.Table.Get("provider_limits").Each() {
			w.governor(p)
		}
		for p := range f.Table.Get("provider_family").Each() {
			if first := b.family[p.Name()]; first != nil {
				w.statedTwice(first, p)
				continue
			}
			b.family[p.Name()] = p
		}
	}
	for _, row := range w.rows {
		if row.Requests != nil {
			b.add(registered(row))
		}
	}
	for _, rules := range b.rules {
		slices.SortStableFunc(rules, func(a, b *rule) int { return a.table.KeyAt().Compare(b.table.KeyAt()) })
		b.all = append(b.all, rules...)
	}
	slices.SortStableFunc(b.all, func(a, c *rule) int {
		return cmp.Or(strings.Compare(a.provider, c.provider), a.table.KeyAt().Compare(c.table.KeyAt()))
	})
	for child, parent := range b.family {
		b.children[parent.Str()] = append(b.children[parent.Str()], child)
	}
	for _, list := range b.children {
		slices.Sort(list)
	}
	return b
}

func (b *rulebook) add(r *rule) { b.rules[r.provider] = append(b.rules[r.provider], r) }

func (w *rulework) newRule(provider string, table *tree.Node) *rule {
	r := &rule{provider: provider, table: table, match: table.Get("model_match"), partial: table.Get("extends").IsTrue(),
		facts: factsOf(table), contracts: table.Get("operations")}
	switch {
	case r.match == nil: // the decoder has said so
		r.never = true
	case r.match.First() != nil:
		for item := range r.match.Each() {
			w.addPattern(r, item)
		}
	default:
		w.addPattern(r, r.match)
	}
	w.bound(r)
	return r
}

func (w *rulework) addPattern(r *rule, node *tree.Node) {
	p := newPattern(node.Str())
	for i := range r.patterns {
		if r.patterns[i].text == p.text {
			w.patternTwice(r, node)
			return
		}
	}
	r.fits(p)
}

// registered is the rule of a registration: exact for the row's id and its wire
// id, and never the last word.
func registered(row *legacyRow) *rule {
	r := &rule{provider: row.Provider, table: row.Requests, partial: true, facts: factsOf(row.Requests)}
	for _, id := range []string{row.ID, row.Wire} {
		p := newPattern(id)
		if len(r.patterns) == 0 || r.patterns[0].text != p.text {
			r.fits(p)
		}
	}
	return r
}

// mergeFacts joins what two files state about one provider; a field that both
// state in two ways is a finding.
func (w *rulework) mergeFacts(have, more []fact) []fact {
	for _, f := range more {
		i := slices.IndexFunc(have, func(g fact) bool { return g.index == f.index })
		switch {
		case i < 0:
			have = append(have, f)
		case !tree.Equal(have[i].node, f.node):
			w.statedTwice(have[i].node, f.node)
		}
	}
	return have
}
