package migrate

import (
	"slices"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// contracts turns the layer's rules into the contracts of its rows: it sets
// Contracts and Discount of every row and Governor of every provider. It also
// judges the rules, and what rows and rules say about each other.
func (m *migration) contracts() {
	w := newRulework(m)
	if !m.quiet {
		m.moves = slices.Grow(m.moves, 12*len(w.book.all))
	}
	for _, r := range w.book.all {
		w.judgeRule(r)
	}
	for _, row := range m.rows {
		w.row(row)
	}
	w.overlaid()
	m.books = w.resolver.books
	for _, r := range w.book.all {
		w.judgeUnmet(r)
	}
}

// A rulework is the work on the rules of one layer.
type rulework struct {
	*migration
	book     *rulebook
	resolver resolver
	row_     *legacyRow // the row that is being resolved

	seen  map[quarrelKey]string // quarrels between rules, and the fact that yields
	told  nodeSet               // facts whose move is recorded
	ids   map[string][]string   // by provider, what its rules can meet
	alone answer                // scratch: a single rule seen as an answer
}

func newRulework(m *migration) *rulework {
	w := &rulework{migration: m, seen: map[quarrelKey]string{}}
	w.book = w.collect()
	w.resolver = resolver{books: append([]*rulebook{w.book}, m.books...), clash: w.ambiguous}
	w.families()
	w.pin()
	return w
}

// row resolves one row, holds its facts to the laws of operations, judges them,
// and writes its contracts.
func (w *rulework) row(row *legacyRow) {
	w.row_ = row
	p := w.providerOf(row.Provider)
	a := w.resolver.resolve(row.Provider, identity(row, p))
	for _, g := range a.facts {
		if g.rule != nil {
			g.rule.gave = true
		}
	}
	for _, r := range a.rules {
		r.gave = r.gave || r.contracts != nil
	}
	w.withoutText(row, a)
	a.blank(row.Provider, servesResponses(row.Provider, p), func(g given) { w.blanked(row, g) })
	w.decisionLaw(row, a)
	v := &view{rulework: w, row: row, answer: a, provider: p}
	w.setOf(v)
	v.contradictions()
	v.omissions()
	w.write(v)
	w.labelsAgainst(v)
}

// providerOf is what format 0 says of a provider, in this layer or below.
func (w *rulework) providerOf(id string) *legacyProvider {
	if p := w.provider(id); p != nil {
		return p
	}
	return w.below.providers[id]
}

// identity is what rules are matched against: upstream's id of the row, or its
// wire id where the provider says so.
func identity(row *legacyRow, p *legacyProvider) string {
	if p.feature("wire_model_capabilities") {
		return row.Wire
	}
	return row.ID
}

// servesResponses reports whether facts about the responses protocol count.
func servesResponses(id string, p *legacyProvider) bool {
	return id == "openai" || p.feature("responses_api")
}

// judgeRule judges what a rule says, by itself.
func (w *rulework) judgeRule(r *rule) {
	if w.unknownProvider(r) {
		return
	}
	w.unmatched(r)
	v := &view{rulework: w, rule: r, answer: w.aloneAnswer(r), provider: w.providerOf(r.provider)}
	v.contradictions()
	w.judgeContracts(r)
}

// judgeUnmet judges by itself what a rule leaves out, if no row takes a fact from
// it: what other rules add to a row can't be known then.
func (w *rulework) judgeUnmet(r *rule) {
	if r.gave || r.dropped {
		return
	}
	a := w.aloneAnswer(r)
	for _, f := range w.book.defaults[r.provider] {
		if a.facts[f.index].node == nil && a.groupUnset(f.index, 0) {
			a.facts[f.index] = given{node: f.node}
		}
	}
	v := &view{rulework: w, rule: r, answer: a, provider: w.providerOf(r.provider)}
	v.omissions()
	w.unused(r)
}

func (w *rulework) aloneAnswer(r *rule) *answer {
	w.alone.blanked()
	for _, f := range r.facts {
		w.alone.facts[f.index] = given{node: f.node, rule: r}
	}
	return &w.alone
}

// ambiguous reports two rules of equal specificity that give a fact two values.
func (w *rulework) ambiguous(have given, other *tree.Node, by meeting) {
	first, second := have.node, other
	if second.KeyAt().Compare(first.KeyAt()) < 0 {
		first, second = second, first
	}
	key := quarrelKey{diag.RuleAmbiguous, first, second}
	if _, ok := w.seen[key]; ok {
		return
	}
	w.seen[key] = ""
	w.report(diag.Diagnostic{
		Code: diag.RuleAmbiguous, At: second.KeyAt(), Row: w.row_.RowID(), Provider: by.rule.provider, Fields: []string{second.Name()},
		Message: "two rules match " + w.row_.ID + " equally closely and give " + second.Name() + " two values",
		Got:     show(second) + ", " + show(first), Allowed: []string{"one more specific pattern"},
		Notes: []diag.Note{{At: first.KeyAt(), Message: "the other rule says " + show(first)}},
		Help:  "let one pattern be the more specific one",
	})
}
