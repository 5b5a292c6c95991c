package tree

import (
	"slices"

	"github.com/opcat/opcat/shape"
)

// slab is how many nodes an Arena takes from the heap at once.
const slab = 512

// An Arena makes nodes. It serves one goroutine.
type Arena struct {
	free []Node
}

// New makes a node without children.
func (a *Arena) New(key *shape.Key, form shape.Form, text string) *Node {
	if len(a.free) == 0 {
		a.free = make([]Node, slab)
	}
	n := &a.free[0]
	a.free = a.free[1:]
	n.Key, n.Form, n.Text = key, form, text
	return n
}

// From makes a node without children that stands where src stands.
func (a *Arena) From(src *Node, key *shape.Key, form shape.Form, text string) *Node {
	n := a.New(key, form, text)
	n.File, n.keyLine, n.keyCol, n.line, n.col = src.File, src.keyLine, src.keyCol, src.line, src.col
	return n
}

// Copy makes a deep copy of src under key (nil keeps src's own key).
func (a *Arena) Copy(src *Node, key *shape.Key) *Node {
	if key == nil {
		key = src.Key
	}
	n := a.From(src, key, src.Form, src.Text)
	for c := src.first; c != nil; c = c.next {
		n.Append(a.Copy(c, nil))
	}
	return n
}

// Shallow copies a table or list without its children.
func (a *Arena) Shallow(src *Node) *Node { return a.From(src, src.Key, src.Form, src.Text) }

// Append adds a child. The child must not be in another tree.
func (n *Node) Append(child *Node) {
	child.next = nil
	if n.first == nil {
		n.first = child
	} else {
		n.last.next = child
	}
	n.last = child
}

// Set puts a child into a table in place of the one with the same name.
func (n *Node) Set(child *Node) {
	var before *Node
	for c := n.first; c != nil; before, c = c, c.next {
		if c.Key.Name == child.Key.Name {
			child.next = c.next
			if before == nil {
				n.first = child
			} else {
				before.next = child
			}
			if n.last == c {
				n.last = child
			}
			return
		}
	}
	n.Append(child)
}

// Drop removes the child with the name; it reports whether there was one.
func (n *Node) Drop(name string) bool {
	var before *Node
	for c := n.first; c != nil; before, c = c, c.next {
		if c.Key.Name != name {
			continue
		}
		if before == nil {
			n.first = c.next
		} else {
			before.next = c.next
		}
		if n.last == c {
			n.last = before
		}
		return true
	}
	return false
}

// Sort reorders the children: less compares two of them. It keeps the order of
// equal ones.
func (n *Node) Sort(cmp func(a, b *Node) int) {
	kids := make([]*Node, 0, 16)
	sorted := true
	for c := n.first; c != nil; c = c.next {
		if len(kids) > 0 && cmp(kids[len(kids)-1], c) > 0 {
			sorted = false
		}
		kids = append(kids, c)
	}
	if sorted {
		return
	}
	slices.SortStableFunc(kids, cmp)
	n.first, n.last = nil, nil
	for _, c := range kids {
		n.Append(c)
	}
}

// Filter keeps the children that keep wants.
func (n *Node) Filter(keep func(*Node) bool) {
	c := n.first
	n.first, n.last = nil, nil
	for c != nil {
		next := c.next
		if keep(c) {
			n.Append(c)
		}
		c = next
	}
}

// Last is the last child; nil if there is none.
func (n *Node) Last() *Node { return n.last }
