package compile

import (
	"maps"
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/build"
	"github.com/opcat/opcat/compile/check"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/layer"
	"github.com/opcat/opcat/compile/migrate"
	"github.com/opcat/opcat/compile/resolve"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// What files say of a provider, its rows and their rules compiles by itself, with
// the providers that it inherits from. So after an edit the stages run over the
// files that speak of the touched providers, and what they give takes the place of
// what was there. What leads anywhere, such as aliases and the checks of providers
// among each other, is done again for all: it goes by the reference, not by the row.

// parts compiles again what files say of the touched providers. It only goes from
// a compile without findings to another: it reports false where anything is found,
// since a finding may name what was most likely meant, among all that there is.
// Of the legacy format nothing compiles by itself.
func (s *Session) parts(touched map[string]bool) (Result, bool) {
	last := &s.last
	if last.Catalog == nil || len(last.Diags) > 0 || slices.ContainsFunc(s.fragments, func(f fragment.Fragment) bool { return f.Legacy || f.Broken }) {
		return Result{}, false
	}
	part := s.speakingOf(touched)
	providers := slices.Sorted(maps.Keys(touched))
	var found [6]diag.List

	var served layer.Layered
	var root *tree.Node
	served, found[0] = layer.Served(part)
	root, found[1] = layer.Rest(s.fragments)
	r := Result{Fragments: s.fragments, Migrated: migrate.Result{Fragments: s.fragments}, Layered: last.Layered}
	l := &r.Layered
	l.Root = root
	l.Providers = replaced(l.Providers, served.Providers, providers, func(p *layer.Provider, id string) int { return strings.Compare(p.ID, id) })
	l.Rows = replaced(l.Rows, served.Rows, providers, func(r *layer.Row, id string) int { return ofProvider(r.ID, id) })
	l.Rules = replaced(l.Rules, served.Rules, providers, func(r *layer.Rule, id string) int { return strings.Compare(r.Provider, id) })
	l.Removed = replaced(l.Removed, served.Removed, providers, func(r layer.Removal, id string) int { return ofProvider(r.Row, id) })

	var met *resolve.Draft
	var speaking []*resolve.Row
	met, found[2] = resolve.Meet(served, s.in.AsOf)
	speaking, found[3] = check.Alone(met)
	row := func(r *resolve.Row, id string) int { return ofProvider(r.ID, id) }
	r.speaking = replaced(last.speaking, speaking, providers, row)
	r.Draft = &resolve.Draft{AsOf: s.in.AsOf, Root: root, Removed: l.Removed, Rows: replaced(last.Draft.Rows, met.Rows, providers, row),
		Providers: replaced(last.Draft.Providers, met.Providers, providers, func(p *resolve.Provider, id string) int { return strings.Compare(p.ID, id) })}
	found[4] = resolve.Refer(r.Draft)
	found[5] = check.Among(r.Draft, r.speaking)
	if len(slices.Concat(found[:]...)) > 0 {
		return Result{}, false
	}
	r.edition, r.Err = build.Write(r.Draft, &last.edition, func(provider string) bool { return !touched[provider] })
	r.Catalog = r.edition.Catalog
	return r, r.Err == nil
}

// speakingOf gives the files that speak of the touched providers. Others that such
// a file speaks of are touched too.
func (s *Session) speakingOf(touched map[string]bool) (part []fragment.Fragment) {
	known := map[*tree.File]bool{}
	for more := true; more; {
		more = false
		for _, f := range s.fragments {
			about := s.about[f.File]
			if known[f.File] || !slices.ContainsFunc(about, func(id string) bool { return touched[id] }) {
				continue
			}
			known[f.File] = true
			part = append(part, f)
			for _, id := range about {
				more = more || !touched[id]
				touched[id] = true
			}
		}
	}
	return part
}

// replaced gives a list with what is in it of some providers replaced by what is in
// another one. In both, what is of a provider stands together; order tells whether
// an item stands before it, belongs to it, or stands after it.
func replaced[T any](old, new []T, providers []string, order func(item T, provider string) int) []T {
	out := slices.Clone(old)
	for _, id := range providers {
		lo, hi := block(out, id, order)
		from, to := block(new, id, order)
		out = slices.Replace(out, lo, hi, new[from:to]...)
	}
	return out
}

// block finds what of a sorted list is of a provider.
func block[T any](list []T, provider string, order func(item T, provider string) int) (lo, hi int) {
	lo, _ = slices.BinarySearchFunc(list, provider, order)
	hi, _ = slices.BinarySearchFunc(list[lo:], provider, func(item T, id string) int {
		if order(item, id) <= 0 {
			return -1
		}
		return 1
	})
	return lo, lo + hi
}

// ofProvider compares the id of a row with those of a provider's.
func ofProvider(row, provider string) int {
	head := provider + "/"
	return strings.Compare(row[:min(len(row), len(head))], head)
}
