// Package own reads catalogs in opcat's own formats: the JSON that it compiles to, and
// source trees of today's format or of the legacy dialect, which is how Harn's
// fragments come in. What they state is taken over as it stands.
package own

import (
	"fmt"
	"io/fs"
	"slices"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/accept"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/upstream/doc"
	"github.com/opcat/opcat/upstream/fact"
)

// Tree compiles the source tree in the folder name. A foreign tree may hold
// contradictions that are known: accepted names them.
func Tree(fsys fs.FS, name string, from fact.Source, asOf string, accepted *accept.File) (fact.Catalog, error) {
	root, err := fs.Sub(fsys, name)
	if err != nil {
		return fact.Catalog{}, err
	}
	r := compile.Run(compile.Input{Trees: []fragment.Tree{{FS: root, Layer: compile.Layers[0]}}, AsOf: asOf, Accept: accepted})
	switch {
	case r.Err != nil:
		return fact.Catalog{}, r.Err
	case r.Catalog == nil:
		i := slices.IndexFunc(r.Diags, diag.Diagnostic.IsError)
		if i < 0 {
			return fact.Catalog{}, fmt.Errorf("%s does not compile", name)
		}
		return fact.Catalog{}, fmt.Errorf("%s does not compile; the first error of opcat catalog check is: %s", name, r.Diags[i])
	}
	return Catalog(r.Catalog, from), nil
}

// JSON reads the catalog that opcat compiled to the file name.
func JSON(fsys fs.FS, name string, from fact.Source) (out fact.Catalog, err error) {
	defer func() { // a catalog that was not made by opcat is found out where it is decoded
		if p := recover(); p != nil {
			out, err = fact.Catalog{}, fmt.Errorf("%s: %v", name, p)
		}
	}()
	src, err := doc.ReadFile(fsys, name, nil)
	if err != nil {
		return fact.Catalog{}, err
	}
	c, err := catalog.Open(src)
	if err != nil {
		return fact.Catalog{}, fmt.Errorf("%s: %w", name, err)
	}
	if err := c.Verify(); err != nil {
		return fact.Catalog{}, fmt.Errorf("%s: %w", name, err)
	}
	return Catalog(c, from), nil
}

// Catalog is a compiled catalog as an upstream.
func Catalog(c *catalog.Catalog, from fact.Source) fact.Catalog {
	out := fact.Catalog{Source: from}
	for p := range c.Providers() {
		stated := p
		out.Providers = append(out.Providers, fact.Provider{ID: p.ID, Name: p.Name, Docs: p.Docs, Stated: &stated, At: "providers." + p.ID})
	}
	for r := range c.Rows() {
		out.Models = append(out.Models, &fact.Model{At: "models." + r.ID, Row: r})
	}
	for _, name := range beside {
		if c.SectionJSON(name) != "" {
			out.Left = append(out.Left, fact.Left{Field: name, Why: "it is about a catalog as a whole, which is whoever keeps it to say", Count: 1})
		}
	}
	return out
}

// beside are the parts of a catalog that are no providers and no rows.
var beside = []string{"aliases", "data_controls_policy", "defaults", "generation_defaults", "ladders", "presentation", "removed", "roles", "suggest"}
