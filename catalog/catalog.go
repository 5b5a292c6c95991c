package catalog

import (
	"fmt"
	"iter"
	"sync/atomic"
	"time"
)

// A Catalog is a compiled catalog. It never changes, and it is safe to read from
// many goroutines: each accessor decodes what it is asked for from the one text,
// so what a caller does to a result touches nobody else's. What Derived keeps is
// the exception.
type Catalog struct {
	text   string
	ix     *index
	digest string
	asOf   time.Time
	holds  Holds

	derived atomic.Pointer[[]atomic.Pointer[any]] // by route
	whole   atomic.Pointer[any]                   // what is derived of all of it
	table   string                                // the selection table that came with it; "" if none did
}

// Digest names the content: "sha256:" and the sum of the canonical text, and so
// of every field, the schema's version and the date it was compiled for.
func (c *Catalog) Digest() string { return c.digest }

// String is the digest: fmt would look inside and print all of the text.
func (c *Catalog) String() string { return c.digest }

// GoString is String.
func (c *Catalog) GoString() string { return c.digest }

// AsOf is the date that the catalog was compiled for.
func (c *Catalog) AsOf() time.Time { return c.asOf }

// Holds is the time for which what follows from that date stays true.
func (c *Catalog) Holds() Holds { return c.holds }

// JSON is the canonical text: one row a line.
func (c *Catalog) JSON() string { return c.text }

// Index is the text's index, for OpenIndexed.
func (c *Catalog) Index() string { return c.ix.s }

// Pretty is the text with one member a line, for reading. Open takes it too, and
// its digest is the same.
func (c *Catalog) Pretty() []byte {
	b, err := layout([]byte(c.text), true)
	if err != nil { // a canonical text has no blanks to stumble over
		panic(err)
	}
	return b
}

// Len is the number of rows.
func (c *Catalog) Len() int { return c.ix.rows }

// Row decodes a row by its id.
func (c *Catalog) Row(id string) (Row, bool) {
	r, ok := c.Find(id)
	if !ok {
		return Row{}, false
	}
	return r.Row(), true
}

// Rows decodes each row in the order of ids.
func (c *Catalog) Rows() iter.Seq[Row] {
	return func(yield func(Row) bool) {
		for i := range c.ix.rows {
			if !yield((Ref{c, i}).Row()) {
				return
			}
		}
	}
}

// Provider decodes a provider by its id.
func (c *Catalog) Provider(id string) (Provider, bool) {
	i, ok := c.ix.findProvider(id)
	if !ok {
		return Provider{}, false
	}
	return c.provider(i), true
}

// Providers decodes each provider in the order of ids.
func (c *Catalog) Providers() iter.Seq[Provider] {
	return func(yield func(Provider) bool) {
		for i := range c.ix.providers {
			if !yield(c.provider(i)) {
				return
			}
		}
	}
}

// ProviderIDs lists the ids of all providers in order.
func (c *Catalog) ProviderIDs() []string {
	ids := make([]string, c.ix.providers)
	for i := range ids {
		ids[i] = c.ix.providerID(i)
	}
	return ids
}

// ProviderJSON is a provider's own text; "" if there is none.
func (c *Catalog) ProviderJSON(id string) string {
	i, ok := c.ix.findProvider(id)
	if !ok {
		return ""
	}
	return c.providerText(i)
}

func (c *Catalog) providerText(i int) string {
	at := c.ix.providerAt + i*providerSize
	off := c.ix.u32(at + 4)
	return c.text[off : off+c.ix.u32(at+8)]
}

func (c *Catalog) provider(i int) Provider {
	p := must(c.providerText(i), (*decoder).provider)
	p.ID = c.ix.providerID(i)
	return p
}

// must decodes what was checked when it was compiled or opened.
func must[T any](s string, read func(*decoder) T) T {
	v, err := whole(s, read)
	if err != nil {
		panic(fmt.Sprintf("catalog: an index vouches for a text that cannot be read; open it with Open: %v", err))
	}
	return v
}

// section is the text of a member of the document; "" if it is absent.
func (c *Catalog) section(name string) string {
	for i, s := range sectionNames {
		if s == name {
			off, length := c.ix.section(i)
			return joined(c.text[off : off+length])
		}
	}
	return ""
}

// SectionJSON is the text of a member of the document, such as "presentation",
// without line breaks; "" if it is absent. Rows and providers have texts of
// their own.
func (c *Catalog) SectionJSON(name string) string { return c.section(name) }

// optional decodes a member of the document that may be absent.
func optional[T any](c *Catalog, name string, read func(*decoder) T) (v T) {
	if s := c.section(name); s != "" {
		return must(s, read)
	}
	return v
}

// Aliases are all aliases by name.
func (c *Catalog) Aliases() map[string]Alias { return optional(c, "aliases", readAliases) }

// Alias finds the row that a name stands for in an operation.
func (c *Catalog) Alias(name, operation string) (AliasTarget, bool) {
	t, ok := c.Aliases()[name].ByOperation[operation]
	return t, ok
}

// Defaults are the rows that serve who names none.
func (c *Catalog) Defaults() Defaults { return optional(c, "defaults", (*decoder).defaults) }

// Ladders are all ladders by name.
func (c *Catalog) Ladders() map[string]Ladder { return optional(c, "ladders", readLadders) }

// GenerationDefaults are free-form settings by name.
func (c *Catalog) GenerationDefaults() map[string]map[string]JSON {
	return optional(c, "generation_defaults", readFree)
}

// Roles are free-form tables by name.
func (c *Catalog) Roles() map[string]map[string]JSON { return optional(c, "roles", readFree) }

// Suggest says, for messages only, which provider a pattern of ids makes think of.
func (c *Catalog) Suggest() map[string]string { return optional(c, "suggest", readTexts) }

// DataControlsPolicy is what is asked of providers when a caller asks nothing.
func (c *Catalog) DataControlsPolicy() DataControlsPolicy {
	return optional(c, "data_controls_policy", (*decoder).dataControlsPolicy)
}

// Presentation is what pickers show. Admission never reads it.
func (c *Catalog) Presentation() Presentation {
	return optional(c, "presentation", (*decoder).presentation)
}

// Removed are the rows that a layer took away.
func (c *Catalog) Removed() []Removal { return optional(c, "removed", readRemovals) }

// Verify reads the whole text again and compares its index and digest with the
// ones that the catalog was opened with.
func (c *Catalog) Verify() error {
	again, err := Open([]byte(c.text))
	if err != nil {
		return err
	}
	if again.ix.s != c.ix.s {
		return fmt.Errorf("catalog: the index is not that of the text; compile the catalog again")
	}
	return nil
}
