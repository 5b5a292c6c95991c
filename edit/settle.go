package edit

import (
	"bytes"
	"strings"
)

// What lists and inline tables lose and get is settled together, so that commas come
// out right.

// A part is one item of a list, or one key-value of an inline table.
type part struct {
	span
	gone bool
	node *Node
}

// parts lists what stands between the commas.
func parts(n *Node) (out []part) {
	for _, c := range n.children {
		switch {
		case c.entry != nil:
			out = append(out, part{span{c.entry.start, c.entry.end}, c.gone, c})
		case c.val.end > 0:
			out = append(out, part{c.val, c.gone, c})
		default: // dotted keys
			out = append(out, parts(c)...)
		}
	}
	return out
}

// settle makes the splices of one list or inline table.
func (d *Doc) settle(n *Node) {
	all := parts(n)
	left := 0
	for _, p := range all {
		if !p.gone {
			left++
		}
	}
	body := d.src[n.val.start:n.val.end]
	lines := bytes.IndexByte(body, '\n') >= 0
	switch {
	case left == 0 && !(lines && bytes.IndexByte(body, '#') >= 0):
		d.rewrite(n, lines && len(all) > 0)
		return
	case lines && n.Kind == List:
		for _, p := range all {
			if p.gone {
				d.dropLine(n, p)
			}
		}
	default:
		d.dropRuns(all)
	}
	if lines && n.Kind == List {
		d.addLines(n, all)
		return
	}
	for _, a := range n.added {
		d.insert(n, all, a)
	}
}

// rewrite writes a list or table of which nothing stays.
func (d *Doc) rewrite(n *Node, lines bool) {
	var texts []string
	for _, a := range n.added {
		texts = append(texts, a.text)
	}
	open, end := "", ""
	between := ", "
	switch {
	case len(texts) == 0:
	case lines && n.Kind == List:
		nl := d.newline()
		open, between, end = nl+"  ", ","+nl+"  ", ","+nl
	case n.Kind == Table:
		open, end = " ", " "
	}
	d.splice(n.val.start+1, n.val.end-1, open+strings.Join(texts, between)+end)
}

// dropRuns takes parts on one line out, each run of them with one comma for each.
func (d *Doc) dropRuns(all []part) {
	for i := 0; i < len(all); i++ {
		if !all[i].gone {
			continue
		}
		first := i
		for i+1 < len(all) && all[i+1].gone {
			i++
		}
		start, end := all[first].start, 0
		if i+1 < len(all) {
			end = all[i+1].start
		} else {
			start, end = all[first-1].end, all[i].end
		}
		if kept := d.commentsIn(start, end); kept != "" { // of a list within
			begin := lineStart(d.src, all[0].start)
			d.splice(begin, begin, kept)
		}
		d.splice(start, end, "")
	}
}

// dropLine takes a part out of a list that has several lines. One with a line of its
// own goes with its comma and its line; a comment stays.
func (d *Doc) dropLine(n *Node, p part) {
	start, end := p.start, p.end
	comma := trailingComma(d.src[end : n.val.end-1])
	if comma >= 0 {
		end += comma + 1
	}
	begin := lineStart(d.src, start)
	if begin > n.val.start && len(bytes.TrimSpace(d.src[begin:start])) == 0 && onlyComment(d.src[end:lineEnd(d.src, end)]) {
		d.removeLine(start, end)
		return
	}
	for comma >= 0 && d.src[end] == ' ' {
		end++
	}
	d.splice(start, end, "")
}

// insert puts something new behind a part that is there, or in the first place.
func (d *Doc) insert(n *Node, all []part, a added) {
	if a.after == nil {
		d.splice(all[0].start, all[0].start, a.text+", ")
		return
	}
	end := endOf(a.after)
	if trailing := trailingComma(d.src[end : n.val.end-1]); n.Kind == List && trailing >= 0 {
		d.splice(end+trailing+1, end+trailing+1, " "+a.text+",")
		return
	}
	d.splice(end, end, ", "+a.text)
}

// addLines adds items to a list that has several lines: before its closing bracket,
// each on a line of its own, as its others are.
func (d *Doc) addLines(n *Node, all []part) {
	if len(n.added) == 0 {
		return
	}
	indent, nl := "  ", d.newline()
	if begin := lineStart(d.src, all[0].start); len(bytes.TrimSpace(d.src[begin:all[0].start])) == 0 {
		indent = string(d.src[begin:all[0].start])
	}
	if last := all[len(all)-1]; !last.gone && trailingComma(d.src[last.end:n.val.end-1]) < 0 {
		d.splice(last.end, last.end, ",")
	}
	var b strings.Builder
	bracket := n.val.end - 1
	at := lineStart(d.src, bracket)
	alone := len(bytes.TrimSpace(d.src[at:bracket])) == 0
	if !alone {
		at = bracket
		b.WriteString(nl)
	}
	for _, a := range n.added {
		b.WriteString(indent + a.text + "," + nl)
	}
	d.splice(at, at, b.String())
}
