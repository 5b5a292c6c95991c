package docs

import (
	"strconv"

	"github.com/opcat/opcat/catalog"
)

// home is the first page: what was compiled, and where to go on.
func (s *site) home() *page {
	p := newPage("", "The catalog")
	p.para("Compiled for " + string(catalog.DateOf(s.c.AsOf())) + " from the fragments of catalog_sources and capability_sources: ")
	p.link(target{path: "providers/"}, count(len(s.c.ProviderIDs()), "provider", "providers"))
	p.text(" serve " + count(s.c.Len(), "row", "rows") + ".")
	for _, o := range s.ops {
		p.item("")
		p.link(operationPage(o.Name), o.Name)
		p.text(" (" + count(s.c.RouteCount(o.Name), "route", "routes") + "): " + o.Summary)
	}
	for _, l := range []struct{ path, name, what string }{
		{"deprecations", "Deprecations", "what ends when, and what comes after it"},
		{"changes", "Changes", "what is new, gone or different since the edition before"},
		{"diagnostics/", "Diagnostics", "every mistake that the compiler finds in fragments, and how to mend it"},
	} {
		p.item("")
		p.link(target{path: l.path}, l.name)
		p.text(": " + l.what)
	}
	p.para("A price or limit that nobody stated is " + unknown + " here: it is never taken for zero. Free is a stated zero. The content is named by ")
	p.code(s.c.Digest())
	p.text(".")
	return p
}

// matrix is how many routes each provider has of each operation.
func (s *site) matrix() *page {
	p := newPage("providers/", "Providers by operation")
	p.para("How many routes each provider serves. A row that can do several things counts for each of them.")
	columns := []string{"Provider", "Kind"}
	for _, o := range s.ops {
		columns = append(columns, "#"+o.Name)
	}
	p.table("Providers by operation", append(columns, "#listed only")...)
	for provider := range s.c.Providers() {
		p.row("")
		p.link(providerPage(provider.ID), name(&provider))
		p.cell()
		p.text(or(provider.Kind, "api"))
		counts := make([]int, len(s.ops)+1)
		for r := range s.c.RefsOf(provider.ID) {
			if len(r.Operations()) == 0 {
				counts[len(s.ops)]++
			}
			for i, o := range s.ops {
				if r.Has(o.Name) {
					counts[i]++
				}
			}
		}
		for _, n := range counts {
			p.cell()
			if n > 0 {
				p.text(strconv.Itoa(n))
			}
		}
	}
	return p
}

func name(p *catalog.Provider) string {
	if v := p.Presentation; v != nil && v.DisplayName != "" {
		return v.DisplayName
	}
	return or(p.Name, p.ID)
}
