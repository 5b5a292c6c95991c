// Package docs emits the catalog for people: Markdown that a repository shows, and
// the same pages as a static site in the folder site.
//
// There are a matrix of providers by operation, a page for each operation and each
// provider with its rows and prices, a calendar of ends, the reference of
// diagnostics, and what changed since the edition before. All of it is said of the
// catalog and the registry; nothing is kept twice. A long list goes on on further
// pages.
//
// What is unknown says so: no page fills a gap, and free is a stated zero.
package docs

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/internal/hugepage"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/projections/emit"
	"github.com/opcat/opcat/projections/selection"
)

// Emitter is the projection.
var Emitter = emit.Emitter{
	Name: "docs",
	Doc:  "pages for people, as Markdown and as a static site: providers, operations, prices, ends, diagnostics, changes",
	Make: func(w *emit.Work) ([]emit.File, error) {
		selection.Ready(w)
		s := newSite(w)
		files := []emit.File{{Path: "site/style.css", Data: []byte(style)}}
		files = append(files, s.home().files()...)
		files = append(files, s.matrix().files()...)
		files = append(files, s.operations().files()...)
		for _, o := range operations.All() {
			files = append(files, s.operation(o).files()...)
		}
		for _, pages := range emit.OfProviders(w, "docs", s.leads, s.provider) {
			files = append(files, pages...)
		}
		files = append(files, s.calendar()...)
		files = append(files, diagnostics()...)
		return append(files, s.changes(nil)...), nil
	},
}

//go:embed style.css
var style string

// A site is a catalog with the pages that its rows stand on.
type site struct {
	c         *catalog.Catalog
	ops       []*op.Operation
	page      []int                        // by the number of a row: of its provider's pages, from 1
	contracts map[string]*catalog.Contract // by their text: rows share most
	room      hugepage.Slab[byte]          // that pages are written in
}

// perPage is how many rows of a list stand on one page.
const perPage = 200

func newSite(w *emit.Work) *site {
	s := &site{c: w.Catalog, ops: operations.All(), page: make([]int, 0, w.Len()), contracts: map[string]*catalog.Contract{}}
	pages := emit.OfProviders(w, "docs places", nil, s.pages)
	for _, provider := range w.ByRows() {
		s.page = append(s.page, pages[provider]...)
	}
	return s
}

// pages says of each row of a provider on which of its pages it stands first.
func (s *site) pages(provider int) []int {
	var pages []int
	first, n := -1, 0
	for r := range s.c.RefsOf(s.c.ProviderIDAt(provider)) {
		if first < 0 {
			first = r.Number()
		}
		pages = append(pages, 0)
	}
	for _, part := range s.parts(s.c.ProviderIDAt(provider)) {
		for _, r := range part.rows {
			if at := &pages[r.Number()-first]; *at == 0 {
				*at = 1 + n/perPage
			}
			n++
		}
	}
	return pages
}

// contract decodes a row's contract for an operation. Nobody changes it.
func (s *site) contract(r catalog.Ref, o *op.Operation) *catalog.Contract {
	text := r.ContractJSON(o.Name)
	c := s.contracts[text]
	if c == nil {
		decoded, _ := r.Contract(o.Name)
		c = &decoded
		s.contracts[text] = c
	}
	return c
}

// A part is a section of a provider's pages: the rows that serve an operation, or
// those that serve none.
type part struct {
	op   *op.Operation // nil: none
	rows []catalog.Ref
}

func (s *site) parts(provider string) []part {
	parts := make([]part, len(s.ops)+1)
	for i, o := range s.ops {
		parts[i].op = o
	}
	for r := range s.c.RefsOf(provider) {
		granted := r.Operations()
		if len(granted) == 0 {
			parts[len(s.ops)].rows = append(parts[len(s.ops)].rows, r)
		}
		for i, o := range s.ops {
			for _, name := range granted {
				if name == o.Name {
					parts[i].rows = append(parts[i].rows, r)
				}
			}
		}
	}
	return parts
}

func operationPage(name string) target { return target{path: "operations/" + name} }

func providerPage(id string) target { return target{path: "providers/" + id + "/"} }

// rowPlace is where a row stands.
func (s *site) rowPlace(r catalog.Ref) target {
	return target{pageOf("providers/"+r.Provider()+"/", s.page[r.Number()]), anchorOf(wireOf(r))}
}

// placeOf is where a row, or a provider, stands by its id; false if there is none.
func (s *site) placeOf(id string) (target, bool) {
	if _, is := s.c.ProviderNumber(id); is {
		return providerPage(id), true
	}
	r, ok := s.c.Find(id)
	if !ok {
		return target{}, false
	}
	return s.rowPlace(r), true
}

// leads says where the links of a provider's pages lead that are to other providers' rows.
func (s *site) leads(provider int) string {
	var b strings.Builder
	for r := range s.c.RefsOf(s.c.ProviderIDAt(provider)) {
		if r.State(s.c.AsOf()) == catalog.Active {
			continue
		}
		if id := r.Lifecycle().Successor; id != "" {
			place, ok := s.placeOf(id)
			fmt.Fprintln(&b, id, ok, place.path, place.anchor)
		}
	}
	return b.String()
}

func wireOf(r catalog.Ref) string { return r.ID()[len(r.Provider())+1:] }

// pageOf names the nth page of a folder or of a page, from 1.
func pageOf(first string, n int) string {
	switch {
	case n <= 1:
		return first
	case first[len(first)-1] == '/':
		return first + strconv.Itoa(n)
	}
	return first + "-" + strconv.Itoa(n)
}

// turner links to the pages before and after the nth of so many.
func (p *page) turner(first string, n, of int) {
	if of < 2 {
		return
	}
	p.para("Page " + strconv.Itoa(n) + " of " + strconv.Itoa(of) + ".")
	for i := 1; i <= of; i++ {
		p.text(" ")
		if i == n {
			p.strong(strconv.Itoa(i))
		} else {
			p.link(target{path: pageOf(first, i)}, strconv.Itoa(i))
		}
	}
}

// count spells a number of things.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return number(int64(n)) + " " + many
}

// number spells a count with commas between thousands.
func number(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// known spells a count that may be unknown.
func known(n catalog.Opt[int64]) string {
	if v, ok := n.Get(); ok {
		return number(v)
	}
	return unknown
}

const unknown = "unknown"

// or is a text, or what stands for one that nobody stated.
func or(s, absent string) string {
	if s == "" {
		return absent
	}
	return s
}

// sentence makes a sentence of a line that begins small and ends without a period.
func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] + "." }
