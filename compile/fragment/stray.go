package fragment

import (
	"slices"
	"strings"

	"github.com/opcat/opcat/diag"
)

// moveIt is the remedy for a table under the wrong root.
const moveIt = "move it there"

// astray keeps a finding of a table that belongs under the other root until the file
// is read: what is wrong with twenty tables of a file may be where the file lies.
// A table within one that was named before is no stray of its own.
func (d *decoder) astray(f diag.Diagnostic, part part) {
	d.bad = true
	within := !part.last
	if within && slices.ContainsFunc(d.stray, func(e diag.Diagnostic) bool { return e.Message == f.Message }) {
		return
	}
	d.stray = append(d.stray, f)
}

// strays reports the tables of a file that belong under the other root as the one
// mistake that they are, and says whether there are any.
func (d *decoder) strays(f Fragment) bool {
	if len(d.stray) == 0 {
		return false
	}
	first := d.stray[0]
	alone := true
	for n := range f.Table.Each() {
		alone = alone && (n.Key.Name == "schema" || n.First() == nil)
	}
	for _, again := range d.stray[1:] {
		first.Notes = append(first.Notes, diag.Note{At: again.At, Message: "so does this"})
	}
	if alone {
		first.Help = strings.Replace(first.Help, moveIt, "move the file there", 1)
		if len(first.Notes) > 0 {
			first.Message += ", and so does all else in the file"
			first.Notes = nil
		}
	}
	d.report(nil, first)
	return true
}
