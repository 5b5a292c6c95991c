package docs

import (
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/projections/emit"
)

// ChangesFile is where a tree keeps its record of changes.
const ChangesFile = "changes.json"

// WithChanges puts the pages of a record, and the record, in the place of those that
// say that there is none. The files are Emitter's of the same catalog.
func WithChanges(files []emit.File, c *catalog.Catalog, changes *Changes) []emit.File {
	if changes == nil {
		return files
	}
	var out []emit.File
	for _, f := range files {
		if !strings.HasPrefix(strings.TrimPrefix(f.Path, "site/"), "changes.") {
			out = append(out, f)
		}
	}
	out = append(out, emit.File{Path: ChangesFile, Data: changes.text()})
	return append(out, newSite(emit.NewWork(c)).changes(changes)...)
}

// changes is the pages of what changed; nil if nothing is recorded.
func (s *site) changes(d *Changes) []emit.File {
	l := newListing("changes", "Changes")
	if d == nil {
		l.page.para("No earlier edition is recorded here: the next one that is compiled into this tree will say what changed.")
		return l.files()
	}
	l.page.para("From the edition of " + d.From.AsOf + " (" + size(d.From) + ") to that of " + d.To.AsOf + " (" + size(d.To) + "). What was compiled for one date is one edition.")
	if len(d.Removed)+len(d.Added)+len(d.Changed)+len(d.Sourced) == 0 {
		l.page.para("Nothing changed.")
		return l.files()
	}
	lost := 0
	for _, r := range d.Changed {
		for _, f := range r.Facts {
			if f.Before == granted {
				lost++
			}
		}
	}
	if len(d.Removed)+lost > 0 {
		l.page.para("")
		l.page.strong("Breaking for who uses them:")
		l.page.text(" " + count(len(d.Removed), "row or provider is gone", "rows and providers are gone") + ", and " + count(lost, "operation was", "operations were") + " taken from rows that stay.")
	}
	if n := len(d.Sourced); n > 0 {
		l.page.para("Of " + count(n, "more row or provider", "more rows and providers") + " only where or when its facts were read is different.")
	}
	l.section("Removed", len(d.Removed), "Nothing was removed.", "Model or provider")
	for _, id := range d.Removed {
		l.row().code(id)
	}
	l.section("Changed", len(d.Changed), "Nothing changed.", "Model or provider", "Fact", "Before", "After")
	for _, r := range d.Changed {
		if len(r.Facts) == 0 {
			p := l.row()
			s.sayRow(p, r.ID)
			p.cell()
			p.text("several")
			p.cell()
			p.cell()
		}
		for _, f := range r.Facts {
			p := l.row()
			s.sayRow(p, r.ID)
			p.cell()
			p.text(f.Fact)
			p.cell()
			p.text(or(f.Before, "not stated"))
			p.cell()
			p.text(or(f.After, "not stated"))
		}
	}
	l.section("Added", len(d.Added), "Nothing was added.", "Model or provider")
	for _, id := range d.Added {
		s.sayRow(l.row(), id)
	}
	return l.files()
}

func size(e Edition) string {
	return count(e.Models, "row", "rows") + " of " + count(e.Providers, "provider", "providers")
}
