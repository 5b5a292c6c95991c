package rewrite

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/edit"
)

// A comment is what a person wrote on one line, or on several below each other.
type comment struct {
	lines  []string
	at     int  // its first line
	anchor int  // the line of the file that it speaks of: its own, or the next one that says something; 0 at the end
	tail   bool // it stands behind something
	apart  bool // a blank line follows it
}

// comments finds the comments of a file.
func comments(src []byte) (out []comment) {
	marks := edit.Comments(src)
	lines := bytes.Split(src, []byte("\n"))
	own := map[int]string{}
	for _, m := range marks {
		text := strings.TrimRight(m.Text, " \t\r")
		if before := bytes.TrimSpace(lines[m.Line-1][:m.Column-1]); len(before) > 0 {
			out = append(out, comment{lines: []string{text}, at: m.Line, anchor: m.Line, tail: true})
			continue
		}
		own[m.Line] = text
	}
	for n := 1; n <= len(lines); n++ {
		if own[n] == "" {
			continue
		}
		c := comment{at: n}
		for ; own[n] != ""; n++ {
			c.lines = append(c.lines, own[n])
		}
		c.apart = n <= len(lines) && len(bytes.TrimSpace(lines[n-1])) == 0
		for at := n; at <= len(lines); at++ {
			if own[at] == "" && len(bytes.TrimSpace(lines[at-1])) > 0 {
				c.anchor = at
				break
			}
		}
		out = append(out, c)
	}
	slices.SortStableFunc(out, func(a, b comment) int { return a.at - b.at })
	return out
}

// commenting puts the comments of the legacy files where their facts stand now.
type commenting struct {
	sheets []*sheet
	legacy map[string]*fragment.Fragment
	lines  map[spot]*line
}

// place puts every comment somewhere.
func (c *commenting) place() error {
	c.lines = map[spot]*line{}
	for _, own := range []bool{true, false} { // a fact's own file before the other ones
		for _, s := range c.sheets {
			for _, l := range s.lines {
				for _, at := range l.at {
					if (at.file == s.path) == own && at.line > 0 && c.lines[at] == nil {
						c.lines[at] = l
					}
				}
			}
		}
	}
	for _, s := range c.sheets {
		f := c.legacy[s.from]
		if s.path != s.from || f == nil {
			continue
		}
		doc, err := edit.Parse(f.Src)
		if err != nil {
			return fmt.Errorf("%s: %w", s.from, err)
		}
		c.file(s, f.Src, doc.Headers())
	}
	return nil
}

func (c *commenting) file(s *sheet, src []byte, headers []int) {
	for i, com := range comments(src) {
		switch l := c.find(s.from, com.anchor, headers); {
		case i == 0 && !com.tail && com.apart && bytes.HasPrefix(bytes.TrimSpace(src), []byte("#")):
			s.head = com.lines
		case l == nil:
			if len(s.foot) > 0 {
				s.foot = append(s.foot, "")
			}
			s.foot = append(s.foot, com.lines...)
		case com.tail && l.tail == "" && c.exact(s.from, com.anchor) == l:
			l.tail = com.lines[0]
		default:
			l.above = append(l.above, com.lines...)
			if com.apart {
				l.above = append(l.above, "")
			}
		}
	}
}

func (c *commenting) exact(file string, line int) *line { return c.lines[spot{file, line}] }

// find gives the line that a comment is to stand at: what its own line has become; else
// the next or the last thing of the same table; else the next of the file.
func (c *commenting) find(file string, anchor int, headers []int) *line {
	if anchor == 0 {
		return nil
	}
	if l := c.exact(file, anchor); l != nil {
		return l
	}
	i, found := slices.BinarySearch(headers, anchor)
	if found {
		i++
	}
	first, last := 1, 1<<30
	if i > 0 {
		first = headers[i-1]
	}
	if i < len(headers) {
		last = headers[i]
	}
	var next, before, later *line
	nextAt, beforeAt, laterAt := 1<<30, 0, 1<<30
	for at, l := range c.lines {
		switch {
		case at.file != file:
		case at.line > anchor && at.line < last && at.line < nextAt:
			next, nextAt = l, at.line
		case at.line >= first && at.line < anchor && at.line > beforeAt:
			before, beforeAt = l, at.line
		case at.line > anchor && at.line < laterAt:
			later, laterAt = l, at.line
		}
	}
	switch {
	case next != nil:
		return next
	case before != nil:
		return before
	}
	return later
}
