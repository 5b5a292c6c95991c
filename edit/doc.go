// Package edit changes TOML files and leaves alone what it does not change: comments,
// order, blank lines, spelling.
//
// A Doc is a file with the place of everything in it. Edits are noted as splices of
// its bytes and are applied together; each touches the smallest text that says the
// fact. What is not spliced is, byte for byte, what it was.
//
// Package edit does not know what a key means, and does not check what it is given
// as the text of a value: who edits decodes the result.
package edit

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// A Kind is how a value is held.
type Kind uint8

// The kinds of nodes.
const (
	Scalar Kind = iota
	List
	Table
)

// A Node is one value of a file.
type Node struct {
	Name string // its key; "" for an item of a list
	Kind Kind

	parent   *Node
	children []*Node
	val      span   // of the value, where it is written as one: not for a table with a header
	entry    *entry // the key-value that it is the value of; nil for an item and for a header's table
	block    *block // of a table: where its own keys are written; nil for an inline one
	dotted   bool   // made by dotted keys, in the block of the table around it
	str      string // of a scalar that is a string: what it says
	gone     bool   // of an item, or of a key of an inline table: it is to be taken out
	added    []added
}

// added is what is to stand in a list or an inline table besides.
type added struct {
	after *Node // nil for the first place
	text  string
}

type span struct{ start, end int }

// An entry is one `key = value` on a line of its own, or in an inline table.
type entry struct {
	start, end int // from the first byte of the key to the last of the value
	inline     bool
}

// A block is a header with what follows it up to the next header. The first block of
// a file has no header.
type block struct {
	start, body, end int // the header's line, the line behind it, and the next block's
	last             int // the end of the last line that holds a key; body where there is none
	table            *Node
}

// A Doc is one file.
type Doc struct {
	src     []byte
	root    *Node
	blocks  []*block
	splices []Splice
	touched []*Node // lists and inline tables that are to lose or get something
}

// A Splice puts New in the place of Old, which stands at byte At of the file.
type Splice struct {
	At  int    `json:"at"`
	Old string `json:"old"`
	New string `json:"new"`
}

// Parse reads a file. It must be valid TOML; src may not be changed afterwards.
func Parse(src []byte) (*Doc, error) {
	d := &Doc{src: src, root: &Node{Kind: Table}}
	d.root.block = &block{table: d.root}
	d.blocks = []*block{d.root.block}
	at := d.root
	var p unstable.Parser
	p.Reset(src)
	for p.NextExpression() {
		e := p.Expression()
		var err error
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			at, err = d.header(e)
		case unstable.KeyValue:
			err = d.keyValue(at, e)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := p.Error(); err != nil {
		return nil, fmt.Errorf("edit: %w", err)
	}
	d.finish()
	return d, nil
}

var errShape = errors.New("edit: a key is written twice, or as two kinds")

// header opens the table of a header.
func (d *Doc) header(e *unstable.Node) (*Node, error) {
	at := d.root
	first := e.Child()
	for part := first; part != nil; part = part.Next() {
		name := string(part.Data)
		next := at.Get(name)
		final := part.Next() == nil
		switch {
		case next == nil && final && e.Kind == unstable.ArrayTable:
			next = at.add(&Node{Name: name, Kind: List})
		case next == nil:
			next = at.add(&Node{Name: name, Kind: Table})
		}
		switch {
		case final && e.Kind == unstable.ArrayTable:
			if next.Kind != List || next.val.end > 0 {
				return nil, errShape
			}
			next = next.add(&Node{Kind: Table})
		case next.Kind == List:
			if next = next.last(); next == nil {
				return nil, errShape
			}
		}
		if next.Kind != Table || next.val.end > 0 {
			return nil, errShape
		}
		at = next
	}
	start := lineStart(d.src, int(first.Raw.Offset))
	b := &block{start: start, body: lineEnd(d.src, int(first.Raw.Offset)), table: at}
	at.block = b
	d.blocks = append(d.blocks, b)
	return at, nil
}

// keyValue adds a key of a table that has lines of its own.
func (d *Doc) keyValue(at *Node, e *unstable.Node) error {
	in := d.blocks[len(d.blocks)-1]
	v := e.Value()
	part := v.Next()
	first := part
	for ; part.Next() != nil; part = part.Next() {
		name := string(part.Data)
		next := at.Get(name)
		if next == nil {
			next = at.add(&Node{Name: name, Kind: Table, dotted: true, block: in})
		}
		if next.Kind != Table || next.val.end > 0 {
			return errShape
		}
		at = next
	}
	start := valueStart(d.src, int(part.Raw.Offset)+int(part.Raw.Length))
	n, err := d.value(v, start)
	if err != nil {
		return err
	}
	n.Name = string(part.Data)
	n.entry = &entry{start: int(first.Raw.Offset), end: n.val.end}
	if at.Get(n.Name) != nil {
		return errShape
	}
	at.add(n)
	return nil
}

// value reads one value that starts at a byte.
func (d *Doc) value(v *unstable.Node, start int) (*Node, error) {
	n := &Node{val: span{start, valueEnd(d.src, start)}}
	if n.val.end < 0 {
		return nil, fmt.Errorf("edit: the value at byte %d has no end", start)
	}
	switch v.Kind {
	case unstable.String:
		n.str = string(v.Data)
	case unstable.Array:
		n.Kind = List
		at := start + 1
		for c := v.Child(); c != nil; c = c.Next() {
			if c.Kind == unstable.Comment {
				continue
			}
			at = skipTo(d.src, at)
			item, err := d.value(c, at)
			if err != nil {
				return nil, err
			}
			n.add(item)
			at = item.val.end
		}
	case unstable.InlineTable:
		n.Kind = Table
		for c := v.Child(); c != nil; c = c.Next() {
			if c.Kind != unstable.KeyValue {
				continue
			}
			if err := d.inlineKey(n, c); err != nil {
				return nil, err
			}
		}
	}
	return n, nil
}

func (d *Doc) inlineKey(at *Node, e *unstable.Node) error {
	v := e.Value()
	part := v.Next()
	first := part
	for ; part.Next() != nil; part = part.Next() {
		name := string(part.Data)
		next := at.Get(name)
		if next == nil {
			next = at.add(&Node{Name: name, Kind: Table, dotted: true})
		}
		at = next
	}
	start := valueStart(d.src, int(part.Raw.Offset)+int(part.Raw.Length))
	n, err := d.value(v, start)
	if err != nil {
		return err
	}
	n.Name = string(part.Data)
	n.entry = &entry{start: int(first.Raw.Offset), end: n.val.end, inline: true}
	at.add(n)
	return nil
}

// finish tells each block where it ends.
func (d *Doc) finish() {
	for i, b := range d.blocks {
		b.end = len(d.src)
		if i+1 < len(d.blocks) {
			b.end = d.blocks[i+1].start
		}
		b.last = b.body
	}
	var walk func(n *Node)
	walk = func(n *Node) {
		if n.entry != nil && !n.entry.inline {
			i, found := slices.BinarySearchFunc(d.blocks, n.entry.start, func(b *block, at int) int { return cmp.Compare(b.start, at) })
			if !found {
				i--
			}
			b := d.blocks[i]
			b.last = max(b.last, lineEnd(d.src, n.entry.end))
			return
		}
		for _, c := range n.children {
			walk(c)
		}
	}
	walk(d.root)
}

func (n *Node) add(c *Node) *Node {
	c.parent = n
	n.children = append(n.children, c)
	return c
}

func (n *Node) last() *Node {
	if n == nil || len(n.children) == 0 {
		return nil
	}
	return n.children[len(n.children)-1]
}

// Get finds a key of a table; nil if it has none, or is none.
func (n *Node) Get(name string) *Node {
	if n == nil || n.Kind != Table {
		return nil
	}
	for _, c := range n.children {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Path follows keys down tables.
func (n *Node) Path(names ...string) *Node {
	for _, name := range names {
		n = n.Get(name)
	}
	return n
}

// Items are the items of a list, or the values of a table.
func (n *Node) Items() []*Node {
	if n == nil {
		return nil
	}
	return n.children
}

// Headed reports whether the node is a table with a header, or a list of such.
func (n *Node) Headed() bool { return n.val.end == 0 && !n.dotted }

// Root is the table of the whole file.
func (d *Doc) Root() *Node { return d.root }

// Text is how a value is written; "" for one that has a header.
func (d *Doc) Text(n *Node) string {
	if n == nil {
		return ""
	}
	return string(d.src[n.val.start:n.val.end])
}

// Line is the line, from 1, of a value, or of its header.
func (d *Doc) Line(n *Node) int {
	at := n.val.start
	if n.val.end == 0 && n.block != nil {
		at = n.block.start
	}
	return 1 + bytes.Count(d.src[:at], []byte("\n"))
}

// Splices are the edits so far, in the order of the file. Of two at one place the one
// that takes nothing away comes first.
func (d *Doc) Splices() []Splice {
	all := &Doc{src: d.src, splices: slices.Clone(d.splices)}
	for _, n := range d.touched {
		all.settle(n)
	}
	slices.SortStableFunc(all.splices, func(a, b Splice) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(min(len(a.Old), 1), min(len(b.Old), 1)))
	})
	return slices.CompactFunc(all.splices, func(a, b Splice) bool { return a == b && a.Old != "" })
}

// Str is what a string says; "" for anything else.
func (n *Node) Str() string {
	if n == nil {
		return ""
	}
	return n.str
}

// Bytes is the file with its edits.
func (d *Doc) Bytes() ([]byte, error) { return Apply(d.src, d.Splices()) }

// Apply puts splices, in their order, into a text. A splice whose old text does not
// stand there, or that meets the one before, is an error.
func Apply(src []byte, splices []Splice) ([]byte, error) {
	grown := len(src)
	for _, s := range splices {
		grown += len(s.New)
	}
	out := make([]byte, 0, grown)
	at := 0
	for _, s := range splices {
		if s.At < at || s.At > len(src) || !strings.HasPrefix(view(src[s.At:]), s.Old) {
			return nil, fmt.Errorf("edit: the text to be replaced does not stand at byte %d", s.At)
		}
		out = append(append(out, src[at:s.At]...), s.New...)
		at = s.At + len(s.Old)
	}
	return append(out, src[at:]...), nil
}

func (d *Doc) splice(start, end int, text string) {
	d.splices = append(d.splices, Splice{start, string(d.src[start:end]), text})
}

// Inverse are the splices that take others back.
func Inverse(splices []Splice) []Splice {
	out := make([]Splice, len(splices))
	shift := 0
	for i, s := range splices {
		out[i] = Splice{s.At + shift, s.New, s.Old}
		shift += len(s.New) - len(s.Old)
	}
	return out
}
