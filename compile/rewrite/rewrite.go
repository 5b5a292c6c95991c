// Package rewrite says legacy fragments in today's form, file by file, and keeps what
// people wrote between the facts: each comment stands again where what it speaks of
// stands now.
//
// It takes the facts from the migrator's trees, whose values know the line that they
// come from, so it knows no legacy field. Package rewrite writes no file.
package rewrite

import (
	"path"
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/edit"
	"github.com/opcat/opcat/shape"
)

// A File is one file as it is to be.
type File struct {
	Path string
	Text []byte
	From string // the legacy file whose facts it holds
}

// Legacy rewrites the legacy ones of some fragments. moved is what the migrator made of
// all of them. A file whose facts belong under both roots becomes two; taken says which
// names are not free for the second.
func Legacy(old, moved []fragment.Fragment, taken func(string) bool) ([]File, error) {
	used := map[string]bool{}
	var sheets []*sheet
	legacy := map[string]*fragment.Fragment{}
	for i := range old {
		if f := &old[i]; f.Legacy && !f.Cache {
			legacy[f.File.Path] = f
			sheets = append(sheets, &sheet{path: f.File.Path, from: f.File.Path})
			used[f.File.Path] = true
		}
	}
	for i := range moved {
		f := &moved[i]
		if f.Table == nil || legacy[f.File.Path] == nil {
			continue
		}
		s := sheets[slices.IndexFunc(sheets, func(s *sheet) bool { return s.from == f.File.Path })]
		if !strings.HasPrefix(f.File.Path, f.Root.Name+"/") {
			p := beside(f.File.Path, f.Root.Name, func(p string) bool { return used[p] || taken(p) })
			used[p] = true
			s = &sheet{path: p, from: f.File.Path}
			sheets = append(sheets, s)
		}
		s.tables = append(s.tables, f.Table)
	}
	for _, s := range sheets {
		s.write()
	}
	if err := (&commenting{sheets: sheets, legacy: legacy}).place(); err != nil {
		return nil, err
	}
	out := make([]File, 0, len(sheets))
	for _, s := range sheets {
		out = append(out, File{s.path, s.text(), s.from})
	}
	slices.SortFunc(out, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// beside is a free name under another root.
func beside(file, root string, taken func(string) bool) string {
	_, rest, _ := strings.Cut(file, "/")
	suffix := "-rules"
	if root == form.Catalog.Name {
		suffix = "-rows"
	}
	p := path.Join(root, rest)
	for taken(p) {
		p = strings.TrimSuffix(p, ".toml") + suffix + ".toml"
	}
	return p
}

// A sheet is one file that is being written.
type sheet struct {
	path, from string
	tables     []*tree.Node
	head       []string // comments above everything
	lines      []*line
	foot       []string // comments below everything
}

// A line is one line of a sheet with the comments around it.
type line struct {
	text  string
	blank bool     // a blank line stands before it
	above []string // comments; "" is a blank line
	tail  string
	at    []spot // where what it says comes from
}

// A spot is a line of a legacy file.
type spot struct {
	file string
	line int
}

func (s *sheet) text() []byte {
	var b strings.Builder
	for _, c := range s.head {
		b.WriteString(c + "\n")
	}
	if len(s.head) > 0 {
		b.WriteString("\n")
	}
	b.WriteString("schema = " + edit.String(form.Version) + "\n")
	for _, l := range s.lines {
		if l.blank {
			b.WriteString("\n")
		}
		indent := l.text[:len(l.text)-len(strings.TrimLeft(l.text, " "))]
		for _, c := range l.above {
			if c != "" {
				c = indent + c
			}
			b.WriteString(c + "\n")
		}
		b.WriteString(l.text)
		if l.tail != "" {
			b.WriteString(" " + l.tail)
		}
		b.WriteString("\n")
	}
	if len(s.foot) > 0 {
		b.WriteString("\n" + strings.Join(s.foot, "\n") + "\n")
	}
	return []byte(b.String())
}

// width is how long a line may get before a table or list is written on several.
const width = 120

func (s *sheet) write() {
	for _, t := range s.tables {
		for _, c := range s.ordered(t) {
			s.table(c, []string{c.Name()})
		}
	}
}

// ordered are the values of a table in the order in which their facts stood. What was
// said by a table's header alone comes first if it names the table, else last.
func (s *sheet) ordered(t *tree.Node) []*tree.Node {
	var out []*tree.Node
	for c := range t.Each() {
		out = append(out, c)
	}
	header := t.Place().Line
	rank := func(c *tree.Node) int {
		l := c.Place().Line
		switch {
		case c.File == nil || c.File.Path != s.from:
			return 1 << 30
		case l != header:
			return l
		case c.Name() == "provider" || c.Name() == "wire_model" || c.Name() == "models" || c.Name() == "model_match":
			return 0
		}
		return 1 << 29
	}
	slices.SortStableFunc(out, func(a, b *tree.Node) int { return rank(a) - rank(b) })
	return out
}

// table writes a table or a list of tables that has headers.
func (s *sheet) table(n *tree.Node, at []string) {
	switch {
	case n.Form == shape.FormList && allTables(n):
		var items []*tree.Node
		for c := range n.Each() {
			items = append(items, c)
		}
		slices.SortStableFunc(items, func(a, b *tree.Node) int {
			if a.File != b.File {
				return 0
			}
			return a.Place().Line - b.Place().Line
		})
		for _, c := range items {
			s.keys(c, at, "[["+dotted(at)+"]]")
		}
	case n.Form == shape.FormTable:
		s.keys(n, at, "["+dotted(at)+"]")
	default:
		s.line(n.Name(), n)
	}
}

func allTables(n *tree.Node) bool {
	for c := range n.Each() {
		if c.Form != shape.FormTable {
			return false
		}
	}
	return n.First() != nil
}

// keys writes a header, the keys of its table, and then the tables in it.
func (s *sheet) keys(n *tree.Node, at []string, header string) {
	var own, below []*tree.Node
	for _, c := range s.ordered(n) {
		if s.headed(c, at) {
			below = append(below, c)
		} else {
			own = append(own, c)
		}
	}
	if len(own) > 0 || len(below) == 0 || strings.HasPrefix(header, "[[") {
		compact := strings.HasPrefix(header, "[provider.") && strings.Contains(header, ".operations.") // stands right below its rule
		s.lines = append(s.lines, &line{text: header, blank: !compact, at: []spot{spotOf(n)}})
	}
	for _, c := range own {
		s.line(c.Name(), c)
	}
	for _, c := range below {
		s.table(c, append(slices.Clone(at), c.Name()))
	}
}

// headed reports whether a value of a table gets a header of its own.
func (s *sheet) headed(n *tree.Node, at []string) bool {
	name := n.Name()
	switch n.Form {
	case shape.FormTable:
		switch {
		case name == "settings" || name == "operations" || name == "endpoint" || name == "credential" || len(at) == 1 && at[0] != "model":
			return true
		case len(at) > 0 && at[len(at)-1] == "operations", len(at) > 0 && at[len(at)-1] == "endpoint":
			return true
		}
		return len(edit.Key(name))+3+len(inline(n)) > width
	case shape.FormList:
		if !allTables(n) {
			return false
		}
		if len(at) == 1 && at[0] == "provider" || name == "disagreement" {
			return true
		}
		for c := range n.Each() {
			if len(inline(c)) > 2*width {
				return true
			}
		}
	}
	return false
}

// line writes one key. A list of tables, or a long list, has a line for each item.
func (s *sheet) line(name string, n *tree.Node) {
	head := edit.Key(name) + " = "
	one := inline(n)
	several := n.Form == shape.FormList && n.First() != nil && (len(head)+len(one) > width || allTables(n) && n.Len() > 1)
	if !several {
		s.lines = append(s.lines, &line{text: head + one, at: spots(n, nil)})
		return
	}
	s.lines = append(s.lines, &line{text: head + "[", at: []spot{spotOf(n)}})
	for c := range n.Each() {
		s.lines = append(s.lines, &line{text: "  " + inline(c) + ",", at: spots(c, nil)})
	}
	s.lines = append(s.lines, &line{text: "]"})
}

func spotOf(n *tree.Node) spot {
	if n.File == nil {
		return spot{}
	}
	return spot{n.File.Path, n.Place().Line}
}

// spots are the places of a value and of all in it.
func spots(n *tree.Node, out []spot) []spot {
	out = append(out, spotOf(n))
	for c := range n.Each() {
		out = spots(c, out)
	}
	return out
}

func dotted(at []string) string {
	parts := make([]string, len(at))
	for i, p := range at {
		parts[i] = edit.Key(p)
	}
	return strings.Join(parts, ".")
}

// inline writes a value on one line.
func inline(n *tree.Node) string {
	switch n.Form {
	case shape.FormTable:
		var parts []string
		for c := range n.Each() {
			parts = append(parts, edit.Key(c.Name())+" = "+inline(c))
		}
		if len(parts) == 0 {
			return "{}"
		}
		return "{ " + strings.Join(parts, ", ") + " }"
	case shape.FormList:
		var parts []string
		for c := range n.Each() {
			parts = append(parts, inline(c))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case shape.FormString:
		return edit.String(n.Str())
	}
	return n.Str()
}
