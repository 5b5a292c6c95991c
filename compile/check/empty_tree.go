package check

import (
	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/diag"
)

// EmptyTree is the finding that there is nothing to compile. What lost its rows is no
// small catalog: in place of a good one it would refuse every model.
func EmptyTree() diag.Diagnostic {
	return diag.Diagnostic{Code: diag.EmptyTree, At: diag.Pos{File: form.Catalog.Name}, Message: "there is no row to compile",
		Help: "name a folder whose catalog_sources and capability_sources hold providers, their rows and rules"}
}

// empty finds trees without a row. Rows that a layer removed are gone on purpose, and
// a provider of today's form without rows is a finding already.
func (c *checker) empty() {
	d := c.draft
	if len(d.Rows) > 0 || len(d.Removed) > 0 || d.CatalogBroken {
		return
	}
	for _, p := range d.Providers {
		if p.Table != nil && !legacy(p.Table) {
			return
		}
	}
	c.found = append(c.found, EmptyTree())
}
