package emit

import (
	"sync"

	"github.com/opcat/opcat/catalog"
)

// A Work is a catalog that is being emitted. It has what several emitters need once,
// and what the work before it made of the providers that are still the same.
type Work struct {
	*catalog.Catalog
	before *Work // until this one is done; nil for none
	same   []int // by provider: its number in the catalog before, or -1

	mu    sync.Mutex
	parts map[string]*part
}

// A part is what was made under one name.
type part struct {
	once sync.Once
	made any
	with []string // by provider: what it was made with besides; nil if with nothing
}

// NewWork starts on a catalog with nothing before it.
func NewWork(c *catalog.Catalog) *Work { return (*Work)(nil).Next(c) }

// Next starts on the catalog that comes after this one. What it makes is what NewWork
// would make. This one must be done.
func (w *Work) Next(c *catalog.Catalog) *Work {
	next := &Work{Catalog: c, parts: map[string]*part{}}
	if w != nil {
		w.before, next.before, next.same = nil, w, unchanged(w.Catalog, c)
	}
	return next
}

// Done lets go of what was before.
func (w *Work) Done() { w.before = nil }

// unchanged finds the providers that are what they were, to the letter and with all of
// their rows, in a catalog for the same date.
func unchanged(before, c *catalog.Catalog) []int {
	same := make([]int, len(c.ProviderIDs()))
	for p, id := range c.ProviderIDs() {
		old, was := before.ProviderNumber(id)
		if !was || !before.AsOf().Equal(c.AsOf()) || before.ProviderJSON(id) != c.ProviderJSON(id) || rowsOf(before, id) != rowsOf(c, id) {
			old = -1
		}
		same[p] = old
	}
	return same
}

// rowsOf is the text of a provider's rows.
func rowsOf(c *catalog.Catalog, provider string) string {
	var first, last catalog.Ref
	n := 0
	for r := range c.RefsOf(provider) {
		if n == 0 {
			first = r
		}
		last, n = r, n+1
	}
	if n == 0 {
		return ""
	}
	return first.JSONThrough(last)
}

// ByRows lists the providers that have rows, by number, in the order of their rows. It is
// not that of their ids: a/x comes behind a-b/x.
func (w *Work) ByRows() []int {
	return Once(w, "", func() []int {
		var order []int
		for n := 0; n < w.Len(); {
			p := w.RefAt(n).ProviderNumber()
			order = append(order, p)
			for n < w.Len() && w.RefAt(n).ProviderNumber() == p {
				n++
			}
		}
		return order
	})
}

// part finds what is or will be made under a name.
func (w *Work) part(name string) *part {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := w.parts[name]
	if p == nil {
		p = &part{}
		w.parts[name] = p
	}
	return p
}

// Once gives what make makes. It is made once, whoever of the emitters asks.
func Once[T any](w *Work, name string, make func() T) T {
	p := w.part(name)
	p.once.Do(func() { p.made = make() })
	return p.made.(T)
}

// OfProviders gives what make makes of each provider, by number. What was made before
// is taken over where the provider and its rows are the same, so make must use nothing else
// of the catalog but its date: neither a row's number, nor anything of another
// provider. What it does use, with says of each provider in words; nil for nothing.
// The values are shared, and nobody may change them.
func OfProviders[T any](w *Work, name string, with func(provider int) string, make func(provider int) T) []T {
	p := w.part(name)
	p.once.Do(func() { p.made, p.with = ofProviders(w, name, with, make) })
	return p.made.([]T)
}

func ofProviders[T any](w *Work, name string, with func(provider int) string, made func(provider int) T) ([]T, []string) {
	n := len(w.ProviderIDs())
	all, words := make([]T, n), make([]string, n)
	var old []T
	var before *part
	if w.before != nil {
		before = w.before.part(name)
		old, _ = before.made.([]T)
	}
	for i := range all {
		if with != nil {
			words[i] = with(i)
		}
		if old != nil && w.same[i] >= 0 && before.with[w.same[i]] == words[i] {
			all[i] = old[w.same[i]]
		} else {
			all[i] = made(i)
		}
	}
	return all, words
}
