// Package guard holds what is about to be taken from upstreams against what the sources
// have of them. A catalog that was cut off reads well, and so does one whose unit
// slipped: only what was there before tells.
package guard

import (
	"math/big"
	"slices"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/plan"
	"github.com/opcat/opcat/plan/files"
	"github.com/opcat/opcat/upstream/fact"
	"github.com/opcat/opcat/upstream/want"
)

// An upstream may lose a part of the rows that the sources have of it, and a few,
// without anyone being asked.
const (
	Shrink       = 20 // percent
	alwaysShrink = 10 // rows
)

// A Loss is an upstream that no longer lists too many of the rows that the sources have
// of it.
type Loss struct {
	Upstream string
	Before   int
	Gone     []string // row ids, sorted
}

// Percent is the least that must be allowed for the loss to pass.
func (l *Loss) Percent() int { return (100*len(l.Gone) + l.Before - 1) / l.Before }

// Losses lists the upstreams that lost more than the allowed percent of their rows. What
// is deprecated in the sources is gone already and counts no more. One that lists
// nothing at all is always a loss, however few rows it had. have is nil for sources
// that hold nothing yet. recorded is the rows that were brought in, by the name of each
// upstream that listed them: a row is an upstream's by its source or by that, since an
// upstream that moved is named by another address, and is no less the one that rows of
// it are gone from.
func Losses(have *catalog.Catalog, recorded map[string][]string, read []fact.Catalog, allowed int) (out []Loss) {
	if have == nil {
		return nil
	}
	stands := map[string]bool{}  // rows
	had := map[string][]string{} // an upstream, whatever its version -> rows
	for r := range have.Rows() {
		if r.Lifecycle != nil && r.Lifecycle.Deprecated.Or(false) {
			continue
		}
		stands[r.ID] = true
		for _, s := range r.Source {
			if of := fact.Unversioned(s.URL); len(had[of]) == 0 || had[of][len(had[of])-1] != r.ID {
				had[of] = append(had[of], r.ID)
			}
		}
	}
	for i := range read {
		c := &read[i]
		lists := map[string]bool{}
		for _, m := range c.Models {
			lists[want.OurID(c.Name, m.Row.Provider)+"/"+m.Row.WireModel] = true
		}
		before := slices.Concat(had[fact.Unversioned(c.URL)], recorded[c.Name])
		slices.Sort(before)
		before = slices.DeleteFunc(slices.Compact(before), func(id string) bool { return !stands[id] })
		l := Loss{Upstream: c.Name, Before: len(before)}
		for _, id := range before {
			if !lists[id] {
				l.Gone = append(l.Gone, id)
			}
		}
		enough := len(l.Gone) >= alwaysShrink || len(l.Gone) > 0 && len(c.Models) == 0
		if enough && 100*len(l.Gone) > allowed*l.Before {
			out = append(out, l)
		}
	}
	return out
}

// A Cut is a price that a plan would bring to half of what it is, or less.
type Cut struct {
	Row, Field, From, To, Source string
}

// Cuts lists the prices that the items would halve, but for those of the meant rows: an
// id, or a provider's for all of its rows. What a person pinned is changed by no item,
// so it is never in the list.
func Cuts(items []plan.Item, meant []string) (out []Cut, err error) {
	for i := range items {
		p, err := files.Read(&items[i])
		if err != nil {
			return nil, err
		}
		for _, c := range p.Changes {
			provider, _, _ := strings.Cut(c.Resource, "/")
			if strings.HasPrefix(c.Field, "price.") && halves(c.From, c.To) && !slices.Contains(meant, c.Resource) && !slices.Contains(meant, provider) {
				out = append(out, Cut{c.Resource, c.Field, c.From, c.To, c.Source})
			}
		}
	}
	return out, nil
}

// halves compares two amounts, each with the currency that may stand behind it.
func halves(from, to string) bool {
	a, unit, _ := strings.Cut(from, " ")
	b, other, _ := strings.Cut(to, " ")
	old, err := catalog.ParseDecimal(a)
	now, err2 := catalog.ParseDecimal(b)
	if err != nil || err2 != nil || unit != other || old.IsZero() {
		return false
	}
	return new(big.Rat).Add(now.Rat(), now.Rat()).Cmp(old.Rat()) <= 0
}
