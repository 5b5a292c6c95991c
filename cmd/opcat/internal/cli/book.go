package cli

import (
	"time"

	"github.com/opcat/opcat/catalog"
)

// A book is the catalog that a query reads.
type book struct {
	*catalog.Catalog
	at         time.Time // the date that lifecycles and prices are judged at
	provenance func() (*catalog.Provenance, error)
}

// book opens the catalog that the flags name: the newest snapshot that there is, or what
// the sources and layers give. The snapshot serves only where no layer says anything
// else, since a layer may change any fact.
func (c *CatalogFlags) book(inv *Invocation) (*book, error) {
	b := &book{at: c.AsOf}
	if b.at.IsZero() {
		b.at = inv.Now().Truncate(24 * time.Hour)
	}
	plain, err := c.plain(inv)
	if err != nil {
		return nil, err
	}
	if plain {
		snapshot, record, err := newest(inv)
		b.Catalog, b.provenance = snapshot, provenanceOf(record)
		return b, err
	}
	sources, err := c.open(inv, false, false)
	if err != nil {
		return nil, err
	}
	defer sources.Close()
	r, err := runCompile(inv, sources)
	if err != nil {
		return nil, err
	}
	b.Catalog = r.catalog
	b.provenance = func() (*catalog.Provenance, error) { return catalog.OpenProvenance(string(r.record())) }
	return b, nil
}

// plain reports whether the bundled sources that the binary carries are all there is.
func (c *CatalogFlags) plain(inv *Invocation) (bool, error) {
	if name, _ := c.overlay(inv, false); name != "" || c.Accept != "" {
		return false, nil
	}
	folders, err := c.folders(inv, false, false)
	return len(folders) == 1 && folders[0] == folder{layer: "bundled"}, err
}

// date is the day of the book's judgement, as a query prints it.
func (b *book) date() string { return string(catalog.DateOf(b.at)) }
