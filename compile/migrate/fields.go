package migrate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/legacy"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// Fields turns the fragments of format 0 into today's and lets the others pass.
// The fragments of one layer are turned together, weakest layer first, since a
// row of format 0 means what all files of its tree say about it.
//
// keep says what an accept file lets pass; nil lets nothing pass.
func Fields(in []fragment.Fragment, keep Keep) (Result, diag.List) {
	isLegacy := func(f fragment.Fragment) bool { return f.Legacy }
	if !slices.ContainsFunc(in, isLegacy) {
		return Result{Fragments: in}, nil
	}
	res := Result{Fragments: make([]fragment.Fragment, 0, len(in)+8)}
	var found []diag.List
	var low underneath
	for _, rank := range ranks(in) {
		first := len(res.Fragments)
		var old []fragment.Fragment
		for _, f := range in {
			switch {
			case f.File.Rank != rank:
			case f.Legacy:
				old = append(old, f)
			default:
				res.Fragments = append(res.Fragments, f)
			}
		}
		if len(old) == 0 {
			continue
		}
		m := newMigration(old, rank, keep)
		m.below, m.books = newGround(res.Fragments, first, low), low.books
		m.run()
		res.Fragments = append(res.Fragments, m.out.fragments()...)
		res.Moves = append(res.Moves, m.moves...)
		res.Audits = append(res.Audits, m.audits...)
		found = append(found, m.diags)
		low = underneath{m.providersByID(low.providers), m.rowsByID(low.rows), m.books}
	}
	slices.SortStableFunc(res.Moves, func(a, b Move) int {
		return cmp.Or(a.At.Compare(b.At), strings.Compare(a.Rule, b.Rule), strings.Compare(a.Row, b.Row), strings.Compare(a.From, b.From))
	})
	return res, diag.Join(found...)
}

// ranks lists the ranks of the layers, weakest first.
func ranks(in []fragment.Fragment) []int {
	var out []int
	for _, f := range in {
		if !slices.Contains(out, f.File.Rank) {
			out = append(out, f.File.Rank)
		}
	}
	slices.Sort(out)
	return out
}

func newMigration(old []fragment.Fragment, rank int, keep Keep) *migration {
	m := &migration{arena: &tree.Arena{}, keep: keep, rank: rank, layer: old[0].File.Layer}
	old = slices.Clone(old)
	slices.SortStableFunc(old, func(a, b fragment.Fragment) int { return strings.Compare(a.File.Path, b.File.Path) })
	for _, f := range old {
		m.broken = m.broken || f.Broken
		switch {
		case f.Table == nil:
			m.cache = append(m.cache, f)
		case f.Root == legacy.Catalog:
			m.catalog = append(m.catalog, f)
		default:
			m.rules = append(m.rules, f)
		}
	}
	return m
}

// run is the table of contents of a migration. What the parts write is ordered by
// later stages, so only the order of what they need counts here.
func (m *migration) run() {
	m.readProviders()
	m.readRows()
	for _, r := range m.rows {
		m.operations(r)
		m.apiDialect(r)
	}
	for _, r := range m.restated {
		m.restatedOperations(r)
	}
	m.contracts()

	m.readAliases()
	m.rowLabels()
	m.writeProviders()
	m.writeRows()
	m.writePatches()
	m.writeGrants()
	m.writeAliases()
	m.writeDefaults()
	m.writeGenerationDefaults()
	m.writeLadders()
	m.writeSuggestions()
	m.writePresentation()
	m.writeSuppressed()
	m.retired()
	m.routes()
	m.readAudits()
}
