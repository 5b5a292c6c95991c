package fragment

import (
	"bytes"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/shape"
	"github.com/pelletier/go-toml/v2/unstable"
)

// Rows repeat much of what the row before them says: a source, evidence, settings. An
// array or inline table that is written byte for byte as the last one of its key is
// not decoded once more: its node repeats the last one's or, in the next file, is a copy
// of it.

// A said is how the last array or inline table of a key was written, and what came
// of it. The node is nil if it can't be repeated: its file has a finding or speaks to
// the layers, or it has several lines.
type said struct {
	written []byte // key, equals sign and value
	depth   int
	node    *tree.Node
}

// again is value for an array or inline table of a closed table's key.
func (d *decoder) again(key *shape.Key, in *tree.Node, e, part *unstable.Node, depth int) *tree.Node {
	written := d.src[e.Raw.Offset : e.Raw.Offset+e.Raw.Length]
	line, col := d.lines.at(d.src, int(part.Raw.Offset))
	last := d.said[key]
	switch {
	case last == nil:
		last = new(said)
		d.said[key] = last
	case last.node != nil && last.depth == depth && bytes.Equal(last.written, written) && col+len(written) < tree.MaxColumn:
		d.placed = part.Raw.Offset
		if last.node.File == d.file && !d.file.Legacy {
			return d.arena.Repeat(last.node, line, col)
		}
		last.node = d.arena.Moved(last.node, d.file, line, col)
		return last.node
	}
	needy := len(d.needy)
	n := d.value(key, in, e.Value(), part, depth)
	*last = said{written, depth, n}
	if d.bad || d.file.Speaks || len(d.needy) > needy || col+len(written) >= tree.MaxColumn || bytes.IndexByte(written, '\n') >= 0 {
		last.node = nil
	}
	return n
}
