package accept

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/opcat/opcat/diag"
)

// Keep says for a finding which field's value stands ("" where there is only one),
// and whether the file accepts it at all. It is what package migrate asks. Whether
// a count fits is only known when all findings are there: see Apply.
func (f *File) Keep(d diag.Diagnostic) (field string, ok bool) {
	if e := f.match(d); e != nil {
		return e.keep, true
	}
	return "", false
}

// match finds the entry that is about a finding: one that names its place, row or
// provider before one that counts; nil if there is none.
func (f *File) match(d diag.Diagnostic) *entry {
	if f == nil {
		return nil
	}
	var counts *entry
	for i := range f.entries {
		e := &f.entries[i]
		switch {
		case e.code != d.Code:
		case e.count > 0:
			counts = e
		case e.meets(d):
			return e
		}
	}
	return counts
}

// meets reports whether an entry names the row, the provider or the place of a
// finding.
func (e *entry) meets(d diag.Diagnostic) bool {
	switch {
	case e.row != "":
		return e.row == d.Row
	case e.provider != "":
		return e.provider == d.Provider
	case e.at != "":
		return e.at == place(d.At)
	}
	return false
}

// place is a finding's file and line, with its layer where that is not the
// bundled one.
func place(p diag.Pos) string {
	s := p.File + ":" + strconv.Itoa(p.Line)
	if p.Layer != "" && p.Layer != "bundled" {
		s = p.Layer + ":" + s
	}
	return s
}

// Apply marks the findings that the file accepts, which then stop no compile, and
// adds a finding for each entry that fits nothing any more. The list is given back
// in canonical order; found itself is not changed.
func (f *File) Apply(found diag.List) diag.List {
	if f == nil || len(f.entries) == 0 {
		return found
	}
	out := slices.Clone(found)
	met := make(map[*entry][]int, len(f.entries))
	total := map[diag.Code]int{}
	for i, d := range out {
		total[d.Code]++
		if e := f.match(d); e != nil {
			met[e] = append(met[e], i)
		}
	}
	var stale diag.List
	for i := range f.entries {
		e := &f.entries[i]
		if d, ok := e.unfit(out, met[e], total[e.code]); !ok {
			stale = append(stale, d)
			continue
		}
		for _, j := range met[e] {
			out[j].Accepted = e.why
		}
	}
	return diag.Join(out, stale)
}

// unfit says why an entry does not fit what was found; it is true if it fits.
func (e *entry) unfit(found diag.List, met []int, total int) (diag.Diagnostic, bool) {
	d := diag.Diagnostic{Code: diag.AcceptStale, At: e.pos}
	switch {
	case e.count > 0 && total != e.count:
		d.Message = fmt.Sprintf("%s is accepted %s and found %s", e.code, times(e.count), times(total))
		d.Got, d.Allowed = strconv.Itoa(e.count), []string{strconv.Itoa(total)}
		d.Help = "look at what is new or gone, then write the exact count"
		if total == 0 {
			d.Allowed, d.Help = nil, "remove the entry"
		}
		return d, false
	case e.count == 0 && len(met) == 0:
		d.Message = fmt.Sprintf("%s is no longer found at %s", e.code, e.about())
		d.Got, d.Help = e.about(), "remove the entry"
		return d, false
	}
	for _, i := range met {
		if e.keep == "" || len(found[i].Fields) == 0 || slices.Contains(found[i].Fields, e.keep) {
			continue
		}
		d.Message = fmt.Sprintf("%s has nothing to keep called %q", e.code, e.keep)
		d.Got, d.Allowed, d.Help = e.keep, found[i].Fields, "keep one of the fields that quarrel"
		d.Notes = []diag.Note{{At: found[i].At, Message: "the finding: " + found[i].Message}}
		return d, false
	}
	return d, true
}

func times(n int) string {
	switch n {
	case 0:
		return "nowhere"
	case 1:
		return "once"
	}
	return strconv.Itoa(n) + " times"
}

func (e *entry) about() string {
	for _, s := range []string{e.row, e.provider, e.at} {
		if s != "" {
			return s
		}
	}
	return strings.TrimSpace(string(e.code))
}
