package migrate

import (
	"slices"
	"strings"
	"sync"

	"github.com/opcat/opcat/compile/legacy"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/shape"
)

// An answer is what the rules say about one route.
type answer struct {
	of        *shape.Table // legacy.Rule(): facts are asked for by name all the time
	facts     []given      // by the index of the fact in it
	rules     []*rule      // that met the route, in the order in which they filled it
	ownRules  int          // how many of them stand in the route's own provider
	providers []string
	ended     bool // a rule that does not extend had the last word
}

// blanked is the answer without a fact.
func (a *answer) blanked() {
	if a.of == nil {
		a.of = legacy.Rule()
		a.facts = make([]given, numFacts())
	}
	clear(a.facts)
}

// A given is a fact of a route and where it comes from.
type given struct {
	node  *tree.Node // nil: nobody says it
	rule  *rule      // nil: a default of a whole provider
	layer int        // 0 for the route's own provider, 1 for its family parent, and so on
}

// A meeting is a rule whose pattern fits a route.
type meeting struct {
	rule    *rule
	exact   bool
	literal int
}

// compare orders meetings by specificity, the more specific first: an exact
// pattern, more literal characters, a version bound, the higher bound.
func (a meeting) compare(b meeting) int {
	switch {
	case a.exact != b.exact:
		return sign(a.exact)
	case a.literal != b.literal:
		return b.literal - a.literal
	case a.rule.bounded != b.rule.bounded:
		return sign(a.rule.bounded)
	case a.rule.major != b.rule.major:
		return b.rule.major - a.rule.major
	}
	return b.rule.minor - a.rule.minor
}

func sign(first bool) int {
	if first {
		return -1
	}
	return 1
}

// meet finds how closely the rule fits an id, in lower case with its version.
func (r *rule) meet(id string, v version) (meeting, bool) {
	best := meeting{rule: r}
	found := false
	if r.never || !r.mayFit(id) || r.bounded && !v.atLeast(r.major, r.minor) {
		return best, false
	}
	for i := range r.patterns {
		p := &r.patterns[i]
		n, ok := p.match(id)
		if ok && (!found || p.exact && !best.exact || p.exact == best.exact && n > best.literal) {
			best.exact, best.literal, found = p.exact, n, true
		}
	}
	return best, found
}

// A version is what an id says about itself.
type version struct {
	major, minor int
	known        bool
}

func versionOf(id string) version {
	major, minor, ok := idVersion(id)
	return version{major, minor, ok}
}

func (v version) atLeast(major, minor int) bool {
	return v.known && (v.major > major || v.major == major && v.minor >= minor)
}

// A resolver answers for routes, one after the other. Its answer is good until the
// next one.
type resolver struct {
	books    []*rulebook // of this layer, then of those below: a closer book has the first word
	answer   answer
	partials []meeting
	bases    []meeting
	clash    func(have given, other *tree.Node, by meeting) // two rules of equal specificity, two values
}

// resolve answers for one route: in each layer, own provider first, every rule
// that extends fills what is unset, the most specific first; then the most
// specific of the others fills the rest and ends the search. Without one the
// search goes on to the family parent. What is still unset comes from the defaults
// of the providers that the search went through, the nearest first.
//
// Unlike the search that it stands for, it does not depend on the order of rules.
func (s *resolver) resolve(provider, id string) *answer {
	a := &s.answer
	a.blanked()
	*a = answer{of: a.of, facts: a.facts, rules: a.rules[:0], providers: a.providers[:0]}
	id = strings.ToLower(id)
	v := versionOf(id)
	for layer := 0; !a.ended && !slices.Contains(a.providers, provider); layer++ {
		a.providers = append(a.providers, provider)
		s.layer(layer, provider, id, v)
		parent := s.parent(provider)
		if parent == nil {
			break
		}
		provider = parent.Str()
	}
	for layer, p := range a.providers {
		for _, book := range s.books {
			for _, f := range book.defaults[p] {
				if a.facts[f.index].node == nil && a.groupUnset(f.index, layer) {
					a.facts[f.index] = given{node: f.node, layer: layer}
				}
			}
		}
	}
	return a
}

func (s *resolver) parent(provider string) *tree.Node {
	for _, book := range s.books {
		if edge := book.family[provider]; edge != nil {
			return edge
		}
	}
	return nil
}

func (s *resolver) layer(layer int, provider, id string, v version) {
	for _, book := range s.books {
		if !s.answer.ended {
			s.read(book, layer, provider, id, v)
		}
	}
}

// read lets the rules of one book for one provider fill the answer.
func (s *resolver) read(book *rulebook, layer int, provider, id string, v version) {
	s.partials, s.bases = s.partials[:0], s.bases[:0]
	for _, r := range book.rules[provider] {
		m, ok := r.meet(id, v)
		switch {
		case !ok:
		case r.partial:
			s.partials = append(s.partials, m)
		default:
			s.bases = append(s.bases, m)
		}
	}
	slices.SortStableFunc(s.partials, meeting.compare)
	slices.SortStableFunc(s.bases, meeting.compare)
	for rest := s.partials; len(rest) > 0; {
		n := equals(rest)
		s.fill(layer, rest[:n])
		rest = rest[n:]
	}
	if len(s.bases) > 0 {
		s.fill(layer, s.bases[:equals(s.bases)])
		s.answer.ended = true
	}
}

// equals counts the meetings at the head that are equally specific.
func equals(list []meeting) int {
	n := 1
	for n < len(list) && list[0].compare(list[n]) == 0 {
		n++
	}
	return n
}

// fill takes over what rules of equal specificity say and nothing closer did.
func (s *resolver) fill(layer int, rules []meeting) {
	a, groups := &s.answer, aliasGroupOf()
	var open [numAliasGroups]bool
	for g, group := range aliasGroups() {
		open[g] = true
		for _, i := range group {
			open[g] = open[g] && a.facts[i].node == nil
		}
	}
	for _, m := range rules {
		a.rules = append(a.rules, m.rule)
		if layer == 0 {
			a.ownRules++
		}
		for _, f := range m.rule.facts {
			have := &a.facts[f.index]
			switch {
			case have.node == nil:
				if g := groups[f.index]; g == 0 || open[g-1] {
					*have = given{f.node, m.rule, layer}
				}
			case len(rules) > 1 && have.layer == layer && have.rule != m.rule && tied(rules, have.rule) && !tree.Equal(have.node, f.node):
				if s.clash != nil {
					s.clash(*have, f.node, m)
				}
			}
		}
	}
}

func tied(rules []meeting, r *rule) bool {
	return slices.ContainsFunc(rules, func(m meeting) bool { return m.rule == r })
}

const numAliasGroups = 3

// aliasGroups are facts with two spellings: a rule fills both or none.
var aliasGroups = sync.OnceValue(func() [numAliasGroups][]int {
	return [...][]int{
		{factIndex("structured_output"), factIndex("json_schema")},
		{factIndex("thinking_modes"), factIndex("thinking")},
		{factIndex("vision"), factIndex("vision_supported")},
	}
})

// aliasGroupOf gives for each fact its alias group, counted from 1; 0 if it has none.
var aliasGroupOf = sync.OnceValue(func() []int {
	of := make([]int, len(legacy.Rule().Keys))
	for g, group := range aliasGroups() {
		for _, i := range group {
			of[i] = g + 1
		}
	}
	return of
})

// groupUnset reports whether a default of a layer may fill a fact that has two
// spellings: neither was said, or only by the same defaults.
func (a *answer) groupUnset(index, layer int) bool {
	g := aliasGroupOf()[index]
	if g == 0 {
		return true
	}
	for _, i := range aliasGroups()[g-1] {
		if h := a.facts[i]; h.node != nil && (h.rule != nil || h.layer != layer) {
			return false
		}
	}
	return true
}

// get finds a fact by name.
func (a *answer) get(name string) given { return a.facts[a.of.Must(name).Index] }

// node is the fact itself; nil if nobody says it.
func (a *answer) node(name string) *tree.Node { return a.facts[a.of.Must(name).Index].node }

// drop takes a fact out of the answer.
func (a *answer) drop(name string) { a.facts[a.of.Must(name).Index] = given{} }

// hosted are the facts that upstream reads for one provider alone.
var hosted = indexesOf("hosted_tools", "remote_mcp", "conversation_state", "compaction", "background_mode", "tool_approval_policy")

// responses are the facts that count only where a provider serves the responses
// protocol.
var responses = indexesOf("responses_api", "chat_completions_unsupported", "reasoning_tools_require_responses")

// blank takes out what does not count for the provider: hosted features for all
// but openai, the responses protocol for all but openai and those that say they
// serve it. It calls dropped for each. What is denied anyway stays.
func (a *answer) blank(provider string, servesResponses bool, dropped func(given)) {
	if provider == "openai" {
		return
	}
	drop := func(facts []int) {
		for _, i := range facts {
			if g := &a.facts[i]; g.node != nil && !g.node.IsFalse() {
				dropped(*g)
				*g = given{}
			}
		}
	}
	drop(hosted())
	if !servesResponses {
		drop(responses())
	}
}
