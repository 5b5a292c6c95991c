package fragment

import (
	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/diag"
)

// noSchema remembers the first sign that a file which names no format is written in
// today's.
func (d *decoder) noSchema(f diag.Diagnostic) {
	d.bad = true
	if d.unsaid == nil {
		f.Code = diag.SchemaMissing
		f.Help = `add schema = "` + form.Version + `" as the first line`
		d.unsaid = &f
	}
}

// sayFormat reports a file that is written in today's format and does not say so.
// Nothing else in it is then read as format 0: that would be a mistake for each table.
// A file which holds tables of format 0 too is left in it.
func (d *decoder) sayFormat(f *Fragment) {
	unsaid := d.unsaid
	if unsaid == nil {
		return
	}
	if f.Root.Name == form.Catalog.Name && f.Table.First() != nil {
		d.report(nil, *unsaid)
		return
	}
	d.begin(f.File, f.Src)
	d.report(nil, *unsaid)
	f.Legacy, f.File.Legacy, f.Root = false, false, rootOf(f.File.Path, false)
	f.Table = d.tree(d.rootKey(f.Root))
}
