// Package diag says what is wrong in a source and where.
//
// A Diagnostic is for the author of the sources: it has a registered code, the
// place of the smallest wrong text, what was got, what is allowed and how to
// mend it. What a caller did wrong at run time is a refusal and not this
// package's business; what no author can mend in TOML is a plain error.
package diag

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Code names one kind of mistake for good: registered in a table of this
// package, never reused.
type Code string

// A Pos is a place in a source. Line and Col count from 1; Col counts bytes.
// Line 0 means the file as a whole.
type Pos struct {
	Layer string `json:"layer,omitempty"` // bundled, host, user, project, run
	File  string `json:"file"`            // slash-separated, relative to the layer's root
	Line  int    `json:"line,omitempty"`
	Col   int    `json:"column,omitempty"`
}

// String gives file:line:column, with the layer where it is not the bundled one.
func (p Pos) String() string {
	s := p.File
	if p.Line > 0 {
		s = fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
	}
	if p.Layer != "" && p.Layer != "bundled" {
		s = p.Layer + ":" + s
	}
	return s
}

// Compare orders places by file, line and column, then layer.
func (p Pos) Compare(q Pos) int {
	return cmp.Or(strings.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line),
		cmp.Compare(p.Col, q.Col), strings.Compare(p.Layer, q.Layer))
}

// A Note points at another place that has to do with a mistake.
type Note struct {
	At      Pos    `json:"at"`
	Message string `json:"message"`
}

// A Diagnostic is one mistake in the sources.
type Diagnostic struct {
	Code    Code     `json:"code"`
	Warning bool     `json:"warning,omitempty"` // the zero value is an error, the safer reading
	At      Pos      `json:"at"`                // the smallest wrong text: the key, not its table
	Message string   `json:"message"`           // one line, lower case, no final period
	Got     string   `json:"got,omitempty"`     // what the source says
	Allowed []string `json:"allowed,omitempty"` // what it may say, when that can be listed
	Notes   []Note   `json:"notes,omitempty"`   // a conflict points at both sides
	Help    string   `json:"help,omitempty"`    // how to mend it; empty when it would be a guess

	Row      string   `json:"row,omitempty"`      // the row it is about, where it is about one
	Provider string   `json:"provider,omitempty"` // the provider it is about
	Fields   []string `json:"fields,omitempty"`   // the fields that quarrel, in today's or the source's spelling
	Accepted string   `json:"accepted,omitempty"` // why an accept file lets it pass; then it is no error
}

// IsError reports whether the finding stops a compile.
func (d Diagnostic) IsError() bool { return !d.Warning && d.Accepted == "" }

// maxAllowed bounds a printed list of allowed values; the rest is counted.
const maxAllowed = 20

// String renders the finding as opcat prints it: one line, then what is
// allowed, the other places and the remedy, each indented by a tab.
func (d Diagnostic) String() string {
	var b strings.Builder
	sev := "error"
	if d.Warning {
		sev = "warning"
	}
	if d.Accepted != "" {
		sev = "accepted"
	}
	if d.At.File != "" {
		fmt.Fprintf(&b, "%s: ", d.At)
	}
	fmt.Fprintf(&b, "%s %s: %s", sev, d.Code, d.Message)
	if d.Got != "" {
		fmt.Fprintf(&b, "\n\tgot: %s", d.Got)
	}
	if n := len(d.Allowed); n > 0 {
		fmt.Fprintf(&b, "\n\tallowed: %s", strings.Join(d.Allowed[:min(n, maxAllowed)], ", "))
		if n > maxAllowed {
			fmt.Fprintf(&b, " and %d more", n-maxAllowed)
		}
	}
	for _, n := range d.Notes {
		fmt.Fprintf(&b, "\n\t%s: %s", n.At, n.Message)
	}
	if d.Help != "" {
		fmt.Fprintf(&b, "\n\thelp: %s", d.Help)
	}
	if d.Accepted != "" {
		fmt.Fprintf(&b, "\n\twhy: %s", d.Accepted)
	}
	return b.String()
}

func (d Diagnostic) compare(e Diagnostic) int {
	return cmp.Or(d.At.Compare(e.At), strings.Compare(string(d.Code), string(e.Code)),
		strings.Compare(d.Message, e.Message), strings.Compare(d.Got, e.Got), strings.Compare(d.Row, e.Row))
}

// A List is findings. Join gives it its canonical order.
type List []Diagnostic

// HasErrors reports whether any finding stops a compile.
func (l List) HasErrors() bool { return slices.ContainsFunc(l, Diagnostic.IsError) }

// Join merges lists into the canonical order: file, line, column, code. The
// same finding reported by two paths stays once.
func Join(lists ...List) List {
	all := slices.Concat(lists...)
	slices.SortStableFunc(all, Diagnostic.compare)
	return slices.CompactFunc(all, func(a, b Diagnostic) bool { return a.compare(b) == 0 })
}

// String renders every finding, one after the other.
func (l List) String() string {
	var b strings.Builder
	for _, d := range l {
		b.WriteString(d.String())
		b.WriteByte('\n')
	}
	return b.String()
}
