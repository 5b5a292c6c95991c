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
	res, _, found := fields(in, keep, false)
	return res, found
}

// Count is Fields without the report, and how many moves that would have: thousands
// are made into words only where somebody reads them.
func Count(in []fragment.Fragment, keep Keep) (Result, int, diag.List) {
	return fields(in, keep, true)
}

func fields(in []fragment.Fragment, keep Keep, quiet bool) (Result, int, diag.List) {
	isLegacy := func(f fragment.Fragment) bool { return f.Legacy }
	if !slices.ContainsFunc(in, isLegacy) {
		return Result{Fragments: in}, 0, nil
	}
	res := Result{Fragments: make([]fragment.Fragment, 0, len(in)+8)}
	var found []diag.List
	var low underneath
	moves := 0
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
		m := newMigration(old, rank, keep, quiet)
		m.below, m.books = newGround(res.Fragments, first, low), low.books
		m.run()
		m.unread(old)
		res.Fragments = append(res.Fragments, m.out.fragments()...)
		moves += m.rewrites
		if res.Moves == nil {
			res.Moves = m.moves
		} else {
			res.Moves = append(res.Moves, m.moves...)
		}
		res.Audits = append(res.Audits, m.audits...)
		found = append(found, m.diags)
		low = underneath{m.providersByID(low.providers), m.rowsByID(low.rows), m.books}
	}
	byPlace(res.Moves)
	return res, moves, diag.Join(found...)
}

// breakRows marks the rows about which something was found: what they lack after
// that says nothing.
func (m *migration) breakRows() {
	for _, d := range m.diags {
		if d.Warning || d.Row == "" {
			continue
		}
		if m.keep != nil {
			if _, ok := m.keep(d); ok {
				continue
			}
		}
		if r := m.own(d.Row); r != nil {
			r.Broken = true
		}
	}
}

// byPlace orders moves by where they are. There are thousands of them and each is
// wide, so their numbers are sorted instead, by a key that holds most of a place.
func byPlace(moves []Move) {
	files := map[string]uint64{}
	for i := range moves {
		files[moves[i].At.File] = 0
	}
	for n, name := range sortedKeys(files) {
		files[name] = uint64(n)
	}
	type place struct {
		key uint64 // file, line and column
		i   int32
	}
	places := make([]place, len(moves))
	for i := range moves {
		at := &moves[i].At
		places[i] = place{files[at.File]<<48 | uint64(at.Line)<<16 | uint64(min(at.Col, 1<<16-1)), int32(i)}
	}
	slices.SortFunc(places, func(p, q place) int {
		if p.key != q.key {
			return cmp.Compare(p.key, q.key)
		}
		a, b := &moves[p.i], &moves[q.i]
		return cmp.Or(a.At.Compare(b.At), strings.Compare(a.Rule, b.Rule), strings.Compare(a.Row, b.Row), strings.Compare(a.From, b.From), cmp.Compare(p.i, q.i))
	})
	order := make([]int32, len(places))
	for k, p := range places {
		order[k] = p.i
	}
	for i := range order { // each ring of places changes round by itself
		first, to := moves[i], int32(i)
		for from := order[to]; from != int32(i); from = order[to] {
			moves[to], order[to] = moves[from], to
			to = from
		}
		moves[to], order[to] = first, to
	}
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

func newMigration(old []fragment.Fragment, rank int, keep Keep, quiet bool) *migration {
	m := &migration{arena: &tree.Arena{}, keep: keep, rank: rank, layer: old[0].File.Layer, quiet: quiet}
	if !quiet {
		rows := 0
		for _, f := range old {
			rows += f.Table.Get("models").Len()
		}
		m.moves = make([]Move, 0, 32+15*rows) // about as many as a row gives rise to
	}
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
	m.breakRows()

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
