package fragment

import (
	"bytes"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/shape"
	"github.com/pelletier/go-toml/v2/unstable"
)

// Rows repeat much of what the row before them says: a source, evidence, settings. What
// is written byte for byte as the last time under its key is not decoded once more:
// its node repeats the last one's or, in the next file, is a copy of it. Lines that
// come in the order in which they came last time are not even parsed.

// A said is how a key of a closed table and its value were written the last time, and
// what came of it. The node is nil if it can't be repeated: its file has a finding or
// speaks to the layers, or it has several lines.
type said struct {
	key     *shape.Key
	written []byte // key, equals sign and value
	line    []byte // the same with the newline, if nothing else stood on the line
	depth   int
	node    *tree.Node
	then    *said // what the line behind it said

	// of a header, the last one that led to a table of its type
	path  []part // with their offsets in the line
	array bool
}

// again is value for what may have been written before.
func (d *decoder) again(key *shape.Key, in *table, e, part *unstable.Node, depth int) *tree.Node {
	written := d.src[e.Raw.Offset : e.Raw.Offset+e.Raw.Length]
	line, col := d.lineAt(part.Raw.Offset)
	last := d.saidOf(key)
	if !in.inline {
		d.came(last)
	}
	if last.node != nil && last.depth == depth && bytes.Equal(last.written, written) && col+len(written) < tree.MaxColumn {
		d.placed = part.Raw.Offset
		return d.repeat(last, line, col)
	}
	needy := len(d.needy)
	n := d.value(key, in.node, e.Value(), part, depth)
	last.written, last.line, last.depth, last.node = written, nil, depth, n
	if d.bad || d.file.Speaks || len(d.needy) > needy || col+len(written) >= tree.MaxColumn || bytes.IndexByte(written, '\n') >= 0 {
		last.node = nil
	} else if end := d.behind(e.Raw.Offset + e.Raw.Length); !in.inline && end >= 0 {
		last.line = d.src[e.Raw.Offset:end]
	}
	return n
}

// saidOf is what was said of a key; mostly it comes where it came before.
func (d *decoder) saidOf(key *shape.Key) *said {
	if d.latest != nil && d.latest.then != nil && d.latest.then.key == key {
		return d.latest.then
	}
	s := d.said[key]
	if s == nil {
		s = &said{key: key}
		d.said[key] = s
	}
	return s
}

// came notes in which order lines come.
func (d *decoder) came(s *said) {
	if d.latest != nil {
		d.latest.then = s
	}
	d.latest = s
}

// repeat gives a node that says what a said did, in another place.
func (d *decoder) repeat(s *said, line, col int) *tree.Node {
	if s.node.File == d.file && !d.file.Legacy {
		return d.arena.Repeat(s.node, line, col)
	}
	s.node = d.arena.Moved(s.node, d.file, line, col)
	return s.node
}

// header turns to the table of a header, and remembers what the header was.
func (d *decoder) header(top *tree.Node, current *table, e *unstable.Node) int {
	d.path = d.path[:0]
	end := uint32(0)
	for n := e.Child(); n != nil; n = n.Next() {
		d.path = append(d.path, partOf(n))
		end = n.Raw.Offset + n.Raw.Length
	}
	array := e.Kind == unstable.ArrayTable
	depth := d.turn(top, current, d.path, array)

	open, shut := "[", "]"
	if array {
		open, shut = "[[", "]]"
	}
	start := d.path[0].off - uint32(len(open))
	d.after = -1
	if current.typ.Kind == shape.Record && bytes.HasPrefix(d.src[start:], []byte(open)) && bytes.HasPrefix(d.src[end:], []byte(shut)) {
		d.after = d.behind(end + uint32(len(shut)))
	}
	if d.after < 0 {
		d.latest = nil
		return depth
	}
	s := d.heads[current.typ]
	if s == nil {
		s = new(said)
		d.heads[current.typ] = s
	}
	d.came(s)
	s.line, s.array, s.path = d.src[start:d.after], array, append(s.path[:0], d.path...)
	for i := range s.path {
		s.path[i].off -= start
	}
	return depth
}

// follow reads the lines behind the last expression for as long as each of them is the
// one that came there the last time, and sets the parser going behind them. It gives
// the depth of the table that is current then.
func (d *decoder) follow(top *tree.Node, t *table, depth int) int {
	if d.latest == nil || d.after < 0 {
		return depth
	}
	at := d.after
	line, _ := d.lineAt(uint32(at))
	for s := d.latest.then; s != nil; s = s.then {
		for at < len(d.src) && d.src[at] == '\n' {
			at++
			line++
		}
		if s.line == nil || !bytes.HasPrefix(d.src[at:], s.line) {
			break
		}
		d.lines = lineCursor{line: line, start: d.base + at, end: d.base + at + len(s.line) - 1}
		if s.path != nil {
			d.path = append(d.path[:0], s.path...)
			for i := range d.path {
				d.path[i].off += uint32(at)
			}
			depth = d.turn(top, t, d.path, s.array)
		} else if s.fits(t, depth+1) {
			t.seen |= bit(s.node.Key)
			t.next = s.node.Key.Index + 1
			t.node.Append(d.repeat(s, line, 1))
		} else {
			break
		}
		at += len(s.line)
		line++
		d.latest = s
	}
	if at > d.after {
		d.base, d.src, d.after = d.base+at, d.src[at:], 0
		d.parser.Reset(d.src)
	}
	return depth
}

// fits reports whether a line can be repeated in a table that does not have its key yet.
func (s *said) fits(t *table, depth int) bool {
	return s.node != nil && s.depth == depth && s.node.Key.Within == t.typ.Table && t.seen&bit(s.node.Key) == 0
}

// behind is the offset of the line behind an expression that ends at off; -1 if there is
// more on its line, or no other line.
func (d *decoder) behind(off uint32) int {
	end := int(off)
	if end < len(d.src) && d.src[end] == '\r' {
		end++
	}
	if end < len(d.src) && d.src[end] == '\n' {
		return end + 1
	}
	return -1
}
