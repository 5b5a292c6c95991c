package check

import (
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// Entries of a list that have the same name are read as one, and which one wins
// depends on who reads.

// twice finds entries of a list of tables that share a name.
func twice(list *tree.Node, key, what string, add func(diag.Diagnostic)) {
	for later := list.First(); later != nil; later = later.Next() {
		n := later.Get(key)
		if n == nil {
			continue
		}
		for sooner := list.First(); sooner != later; sooner = sooner.Next() {
			if first := sooner.Get(key); first != nil && first.Str() == n.Str() {
				add(diag.Diagnostic{Code: diag.EntryTwice, At: n.At(), Message: what + " " + quote(n.Str()) + " is listed twice", Got: n.Str(),
					Notes: note(first, "first listed here"), Help: "keep one"})
				break
			}
		}
	}
}

func (p *provider) entriesTwice() {
	headers := p.Table.Get("headers")
	for later := headers.First(); later != nil; later = later.Next() {
		for sooner := headers.First(); sooner != later; sooner = sooner.Next() {
			if strings.EqualFold(sooner.Name(), later.Name()) {
				p.add(diag.Diagnostic{Code: diag.EntryTwice, At: later.KeyAt(), Message: "the header " + quote(later.Name()) + " is set twice: case does not tell headers apart", Got: later.Name(),
					Notes: []diag.Note{{At: sooner.KeyAt(), Message: "first set here"}}, Help: "keep one"})
			}
		}
	}
}

func (r *row) entriesTwice() {
	twice(r.model[kRegion], "name", "the region", r.add)
	twice(r.model[kTier], "id", "the tier", r.add)
	twice(r.model[kMode], "id", "the reasoning mode", r.add)
	for m := r.model[kMode].First(); m != nil; m = m.Next() {
		if n := m.Get("id"); n.Str() == "standard" {
			r.add(diag.Diagnostic{Code: diag.EntryTwice, At: n.At(), Message: `"standard" is how a row reasons when no mode is asked for, so no mode has that id`, Got: n.Str(),
				Help: "name the mode for what it does"})
		}
	}
}
