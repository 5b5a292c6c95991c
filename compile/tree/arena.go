package tree

import (
	"slices"
	"unsafe"

	"github.com/opcat/opcat/internal/hugepage"
	"github.com/opcat/opcat/shape"
)

// How many nodes an Arena takes from the heap at once: few for a small file, then
// twice as many each time, up to 256 KiB: what is left over of the last is lost.
const (
	firstSlab = 1024
	largeSlab = 256 << 10 / int(unsafe.Sizeof(Node{}))
)

// An Arena makes nodes. It serves one goroutine.
type Arena struct {
	free []Node
	slab int // how many nodes free was at first
}

// New makes a node without children.
func (a *Arena) New(key *shape.Key, form shape.Form, text string) *Node {
	if len(a.free) == 0 {
		a.grow()
	}
	n := &a.free[0]
	a.free = a.free[1:]
	n.Key, n.Form = key, form
	if text != "" {
		n.SetText(text)
	}
	return n
}

func (a *Arena) grow() {
	a.slab = min(max(firstSlab, 2*a.slab), largeSlab)
	a.free = hugepage.Make[Node](a.slab)
}

// From makes a node without children that stands where src stands.
func (a *Arena) From(src *Node, key *shape.Key, form shape.Form, text string) *Node {
	n := a.New(key, form, text)
	n.File, n.line, n.keyCol, n.col = src.File, src.line, src.keyCol, src.col
	return n
}

// Copy makes a deep copy of src under key (nil keeps src's own key).
func (a *Arena) Copy(src *Node, key *shape.Key) *Node {
	if key == nil {
		key = src.Key
	}
	n := a.From(src, key, src.Form, src.Str())
	for c := src.First(); c != nil; c = c.Next() {
		n.Append(a.Copy(c, nil))
	}
	return n
}

// Moved makes a deep copy of src, all of which stands on one line left of MaxColumn,
// as if it stood on another line and its key in another column.
func (a *Arena) Moved(src *Node, file *File, line, keyCol int) *Node {
	return a.moved(src, file, uint32(line), uint16(keyCol)-src.keyCol)
}

func (a *Arena) moved(src *Node, file *File, line uint32, shift uint16) *Node {
	n := a.New(src.Key, src.Form, "")
	n.File, n.Mark = file, src.Mark
	n.line, n.keyCol, n.col = line, src.keyCol+shift, src.col+shift
	if src.Key.Layers {
		file.Speaks = true
	}
	if !src.holds() {
		n.data, n.size = src.data, src.size
		return n
	}
	for c := src.First(); c != nil; c = c.Next() {
		n.Append(a.moved(c, file, line, shift))
	}
	if src.OnOneLine() {
		n.SetOnOneLine()
	}
	return n
}

// Shallow copies a table or list without its children.
func (a *Arena) Shallow(src *Node) *Node { return a.From(src, src.Key, src.Form, src.Str()) }

// Append adds a child. The child must not be in another tree.
func (n *Node) Append(child *Node) {
	child.end = true
	if first := n.First(); first == nil {
		child.next = child
	} else {
		last := (*Node)(n.data)
		child.next = first
		last.next, last.end = child, false
	}
	n.setKids(child)
}

// rebuild makes children the only ones, in their order.
func (n *Node) rebuild(children []*Node) {
	if !n.holds() {
		return // a scalar keeps its text
	}
	n.setKids(nil)
	for _, c := range children {
		n.Append(c)
	}
}

// children lists them; the slice is the caller's.
func (n *Node) children() []*Node {
	out := make([]*Node, 0, 16)
	for c := n.First(); c != nil; c = c.Next() {
		out = append(out, c)
	}
	return out
}

// Set puts a child into a table in place of the one with the same name.
func (n *Node) Set(child *Node) {
	kids := n.children()
	for i, c := range kids {
		if c.Key.Name == child.Key.Name {
			kids[i] = child
			n.rebuild(kids)
			return
		}
	}
	n.Append(child)
}

// Drop removes the child with the name; it reports whether there was one.
func (n *Node) Drop(name string) bool {
	found := false
	n.Filter(func(c *Node) bool {
		if c.Key.Name == name {
			found = true
			return false
		}
		return true
	})
	return found
}

// Filter keeps the children that keep wants.
func (n *Node) Filter(keep func(*Node) bool) {
	n.rebuild(slices.DeleteFunc(n.children(), func(c *Node) bool { return !keep(c) }))
}

// Sort reorders the children and keeps the order of equal ones.
func (n *Node) Sort(cmp func(a, b *Node) int) {
	sorted := true
	for c := n.First(); c != nil && !c.end; c = c.next {
		if cmp(c, c.next) > 0 {
			sorted = false
			break
		}
	}
	if sorted {
		return
	}
	kids := n.children()
	slices.SortStableFunc(kids, cmp)
	n.rebuild(kids)
}
