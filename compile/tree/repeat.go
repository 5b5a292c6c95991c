package tree

import "unsafe"

// Rows repeat much of what the rows before them say. A node that repeats another one of
// its file has no children of its own until somebody asks for them: nearly always it is
// enough to know what they say, and that is said in one place, which is in the cache.

// Repeat makes a node that says what src says, all of which stands on one line left of
// MaxColumn, on another line of the same file and with its key in another column. What
// is below src may not be changed afterwards.
func (a *Arena) Repeat(src *Node, line, keyCol int) *Node {
	n := a.New(src.Key, src.Form, "")
	n.File, n.Mark = src.File, src.Mark
	n.line, n.keyCol, n.col = uint32(line), uint16(keyCol), uint16(keyCol)-src.keyCol+src.col
	if !src.holds() {
		n.data, n.size = src.data, src.size
	}
	n.repeat(src.Said())
	return n
}

func (n *Node) repeat(src *Node) {
	if src.below == parent || src.below == oneLine {
		n.data, n.below = unsafe.Pointer(src), repeating
	}
}

// Said is a node that says what n says: n, or the one that it repeats. The two differ
// in nothing but their places, and those of all that is below them: who may have to
// tell where something stands asks n itself.
func (n *Node) Said() *Node {
	if n != nil && n.below == repeating {
		return (*Node)(n.data)
	}
	return n
}

// unfold gives a node that repeats another one children of its own.
func (n *Node) unfold() {
	src := n.Said()
	n.setKids(nil)
	kids, i := make([]Node, src.Len()), 0
	for c := src.First(); c != nil; c = c.Next() {
		kid := &kids[i]
		i++
		*kid = *c
		kid.File, kid.line, kid.keyCol, kid.col = n.File, n.line, n.keyCol+c.keyCol-src.keyCol, n.keyCol+c.col-src.keyCol
		kid.repeat(c)
		n.Append(kid)
	}
	n.SetOnOneLine()
}
