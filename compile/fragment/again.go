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
	written []byte // key, equals sign and value
	line    []byte // the same with the newline, if nothing else stood on the line
	depth   int
	node    *tree.Node
	then    *said // what the line behind it said
}

// again is value for what may have been written before.
func (d *decoder) again(key *shape.Key, in *table, e, part *unstable.Node, depth int) *tree.Node {
	written := d.src[e.Raw.Offset : e.Raw.Offset+e.Raw.Length]
	line, col := d.lineAt(part.Raw.Offset)
	last := d.said[key]
	if last == nil {
		last = new(said)
		d.said[key] = last
	}
	if !in.inline {
		if d.latest != nil {
			d.latest.then = last
		}
		d.latest = last
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

// repeat gives a node that says what a said did, in another place.
func (d *decoder) repeat(s *said, line, col int) *tree.Node {
	if s.node.File == d.file && !d.file.Legacy {
		return d.arena.Repeat(s.node, line, col)
	}
	s.node = d.arena.Moved(s.node, d.file, line, col)
	return s.node
}

// follow reads the lines behind the last expression for as long as each of them is the
// one that came there the last time, and sets the parser going behind them.
func (d *decoder) follow(t *table, depth int) {
	if d.latest == nil || d.after < 0 {
		return
	}
	at, line := d.after, 0
	for s := d.latest.then; s.fits(t, depth+1) && bytes.HasPrefix(d.src[at:], s.line); s = s.then {
		if line++; line == 1 {
			line, _ = d.lineAt(uint32(at))
		}
		t.seen |= bit(s.node.Key)
		t.next = s.node.Key.Index + 1
		t.node.Append(d.repeat(s, line, 1))
		at += len(s.line)
		d.latest = s
	}
	if line > 0 {
		d.base, d.src, d.after = d.base+at, d.src[at:], 0
		d.parser.Reset(d.src)
	}
}

// fits reports whether a line can be repeated in a table that does not have its key yet.
func (s *said) fits(t *table, depth int) bool {
	return s != nil && s.node != nil && s.line != nil && s.depth == depth && s.node.Key.Within == t.typ.Table && t.seen&bit(s.node.Key) == 0
}

// headed remembers what stands behind a header.
func (d *decoder) headed(t *table, e *unstable.Node) {
	d.latest, d.after = nil, -1
	if t.typ.Kind != shape.Record {
		return
	}
	end := uint32(0)
	for part := e.Child(); part != nil; part = part.Next() {
		end = part.Raw.Offset + part.Raw.Length
	}
	for int(end) < len(d.src) && d.src[end] == ']' {
		end++
	}
	d.after = d.behind(end)
	if d.latest = d.heads[t.typ]; d.latest == nil {
		d.latest = new(said)
		d.heads[t.typ] = d.latest
	}
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
