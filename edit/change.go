package edit

import (
	"bytes"
	"slices"
	"strings"
)

// Replace writes another text for a value that is written as one. Comments inside of
// the old one move above it.
func (d *Doc) Replace(n *Node, text string) {
	if kept := d.commentsIn(n.val.start, n.val.end); kept != "" {
		begin := lineStart(d.src, n.val.start)
		d.splice(begin, begin, kept)
	}
	d.splice(n.val.start, n.val.end, text)
}

// commentsIn are the comments within a part of the file, each on a line of its own.
func (d *Doc) commentsIn(start, end int) string {
	var b strings.Builder
	for at := start; at < end; at++ {
		switch d.src[at] {
		case '"', '\'':
			at = stringEnd(d.src, at) - 1
		case '#':
			next := lineEnd(d.src, at)
			b.WriteString(strings.TrimRight(string(d.src[at:next]), "\r\n") + d.newline())
			at = next - 1
		}
	}
	return b.String()
}

// Put adds a key to a table that lacks it. Of the keys that the table has, it stands
// behind the last one that order names before it; a key that order does not name
// stands last.
func (d *Doc) Put(table *Node, name, text string, order []string) {
	line := Key(name) + " = " + text
	after := predecessor(table, name, order)
	switch {
	case table.val.end > 0:
		d.touch(table)
		table.added = append(table.added, added{after, line})
	case table.dotted: // its other keys are dotted: so is this one
		prefix := ""
		for t := table; t.dotted; t = t.parent {
			prefix = Key(t.Name) + "." + prefix
		}
		d.putLine(table.block, after, prefix+line)
	case table.block == nil: // only its sub-tables have headers
		d.putHeader(table, line)
	default:
		d.putLine(table.block, after, line)
	}
}

// predecessor is the key of the table that another one should follow; nil if it
// should be the first.
func predecessor(table *Node, name string, order []string) (after *Node) {
	mine := slices.Index(order, name)
	for _, c := range table.children {
		if c.entry == nil && !c.dotted {
			continue // its header comes after the keys
		}
		if theirs := slices.Index(order, c.Name); mine < 0 || theirs >= 0 && theirs < mine {
			after = c
		}
	}
	return after
}

// endOf is where the last key-value of a node ends.
func endOf(n *Node) int {
	switch {
	case n.entry != nil:
		return n.entry.end
	case n.val.end > 0:
		return n.val.end
	}
	end := 0
	for _, c := range n.children {
		end = max(end, endOf(c))
	}
	return end
}

func (d *Doc) putLine(b *block, after *Node, line string) {
	at, indent := b.body, ""
	if after != nil && endOf(after) > 0 {
		end := endOf(after)
		at = lineEnd(d.src, end)
		if e := after.entry; e != nil {
			begin := lineStart(d.src, e.start)
			indent = string(d.src[begin:e.start])
		}
	}
	d.insertLine(at, indent+line)
}

// insertLine puts a line before the one that starts at a byte, or at the end.
func (d *Doc) insertLine(at int, line string) {
	if at > 0 && d.src[at-1] != '\n' { // the file ends without a line break
		d.splice(at, at, d.newline()+line)
		return
	}
	d.splice(at, at, line+d.newline())
}

// newline is how the file breaks its lines.
func (d *Doc) newline() string {
	if i := bytes.IndexByte(d.src, '\n'); i > 0 && d.src[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// putHeader gives a table that has none a header, before its first sub-table.
func (d *Doc) putHeader(table *Node, line string) {
	at := len(d.src)
	for _, b := range d.blocks {
		for t := b.table; t != nil; t = t.parent {
			if t == table {
				at = min(at, b.start)
			}
		}
	}
	d.splice(at, at, "["+path(table)+"]"+d.newline()+line+d.newline()+d.newline())
}

func path(n *Node) string {
	var parts []string
	for ; n.parent != nil; n = n.parent {
		if n.Name != "" {
			parts = append(parts, Key(n.Name))
		}
	}
	slices.Reverse(parts)
	return strings.Join(parts, ".")
}

// Add adds an item to the end of a list that is written as one value. Where each item
// has a line of its own, so has this one.
func (d *Doc) Add(list *Node, text string) {
	d.touch(list)
	list.added = append(list.added, added{list.last(), text})
}

func (d *Doc) touch(n *Node) {
	if !slices.Contains(d.touched, n) {
		d.touched = append(d.touched, n)
	}
}

// trailingComma is where the comma behind the last item stands; -1 if there is none.
func trailingComma(rest []byte) int {
	for i := 0; i < len(rest); i++ {
		switch rest[i] {
		case ',':
			return i
		case '#':
			i = lineEnd(rest, i) - 1
		case ' ', '\t', '\r', '\n':
		default:
			return -1
		}
	}
	return -1
}

func onlyComment(s []byte) bool {
	s = bytes.TrimSpace(s)
	return len(s) == 0 || s[0] == '#'
}

// Remove takes a value away with its key, or an item of a list, or a table with its
// header and all below it. Comments stay: one behind the value on its line gets a
// line of its own.
func (d *Doc) Remove(n *Node) {
	switch {
	case n.val.end == 0: // headers, or dotted keys
		d.removeBlocks(n)
	case n.entry != nil && !n.entry.inline:
		d.removeLine(n.entry.start, n.entry.end)
	default:
		n.gone = true
		d.touch(outer(n))
	}
}

// outer is the list or inline table that a value stands in.
func outer(n *Node) *Node {
	for n = n.parent; n.val.end == 0; n = n.parent {
	}
	return n
}

func (d *Doc) removeLine(start, end int) {
	begin, next := lineStart(d.src, start), lineEnd(d.src, end)
	if kept := d.commentsIn(start, end); kept != "" {
		d.splice(begin, begin, kept)
	}
	if rest := d.src[end:next]; bytes.IndexByte(rest, '#') >= 0 { // its comment stays
		end += bytes.IndexByte(rest, '#')
		d.splice(start, end, "")
		return
	}
	d.splice(begin, next, "")
}

// removeBlocks takes the headers of a table and of all below it away, and the lines
// of their keys.
func (d *Doc) removeBlocks(n *Node) {
	within := func(t *Node) bool {
		for ; t != nil; t = t.parent {
			if t == n {
				return true
			}
		}
		return false
	}
	var lines func(t *Node)
	lines = func(t *Node) {
		if t.entry != nil {
			if t.entry.inline {
				t.gone = true
				d.touch(outer(t))
			} else {
				d.removeLine(t.entry.start, t.entry.end)
			}
			return
		}
		for _, c := range t.children {
			lines(c)
		}
	}
	lines(n)
	for _, b := range d.blocks[1:] {
		if !within(b.table) {
			continue
		}
		header := d.src[b.start:b.body]
		if i := bytes.IndexByte(header, '#'); i > 0 && !bytes.ContainsAny(header[:i], `"'`) {
			d.splice(b.start, b.start+i, "")
			continue
		}
		end := b.body
		if b.last == b.body { // nothing stands below it: the blank line goes with it
			for end < b.end && (d.src[end] == '\n' || d.src[end] == '\r') {
				end++
			}
		}
		d.splice(b.start, end, "")
	}
}

// Append adds whole lines to the end of the file, behind a blank line.
func (d *Doc) Append(text string) {
	nl := d.newline()
	text = strings.ReplaceAll(strings.Trim(text, "\n"), "\n", nl) + nl
	before := ""
	switch trimmed := bytes.TrimRight(d.src, "\r\n"); {
	case len(trimmed) == 0:
	case len(trimmed) == len(d.src):
		before = nl + nl
	case bytes.Count(d.src[len(trimmed):], []byte("\n")) == 1:
		before = nl
	}
	d.splice(len(d.src), len(d.src), before+text)
}

// AddTable adds an item to the end of a list whose items have headers: the lines of
// its keys, which get a header like those of the others.
func (d *Doc) AddTable(list *Node, lines string) {
	last := list.last()
	at := 0
	for _, b := range d.blocks {
		for t := b.table; t != nil; t = t.parent {
			if t == last {
				at = max(at, b.last)
			}
		}
	}
	nl := d.newline()
	text := "[[" + path(list) + "]]" + nl + strings.ReplaceAll(strings.TrimRight(lines, "\n"), "\n", nl)
	d.insertLine(at, nl+text)
}
