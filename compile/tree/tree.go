// Package tree holds the values of fragments between the stages of a compile:
// each value typed by its shape, each key and value with its place.
//
// A stage reads trees and makes new ones; it never changes a tree that it was
// given. Nodes come from an Arena and live as long as the compile.
package tree

import (
	"iter"
	"strconv"
	"unsafe"

	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
)

// A File is one source file.
type File struct {
	Path   string // slash-separated, relative to its layer's root
	Layer  string // bundled, host, user, project, run
	Rank   int    // 0 for bundled, rising with the layer
	Legacy bool   // written in format 0, whatever its tree has become since
	Broken bool   // some of it could not be read: what is absent may have been there
	Speaks bool   // some table has a key that speaks to the layers: add, unset, change_operations
}

// A Node is one value of a fragment: a scalar, a list or a table. The zero Node
// is no value; a nil *Node reads as an absent one.
//
// A tree of 5,000 rows has hundreds of thousands of nodes, so their size is time:
// a scalar's text and a container's children share their room.
type Node struct {
	Key  *shape.Key // what it is a value of; items of a list carry the list's item key
	File *File

	next *Node
	data unsafe.Pointer // a scalar's bytes, or the last child: children form a ring; or what the node repeats
	size uint32         // of a scalar's bytes

	line        uint32
	keyCol, col uint16
	Form        shape.Form
	Mark        uint8 // free for the stage that builds the node
	end         bool  // the last of its siblings
	below       lineage
}

// A lineage says what data is.
type lineage uint8

const (
	childless lineage = iota // a scalar's text, or nothing
	parent                   // the last child
	oneLine                  // the same, and all of it stands on the node's line
	repeating                // the node that has the children, all of which stand on one line too
)

// SetText gives a scalar its text in canonical spelling.
func (n *Node) SetText(s string) {
	n.data, n.size = unsafe.Pointer(unsafe.StringData(s)), uint32(len(s))
}

func (n *Node) holds() bool { return n.Form == shape.FormTable || n.Form == shape.FormList }

// setKids gives a table or list its children; the next of the last one is the first.
func (n *Node) setKids(last *Node) {
	n.data, n.below = unsafe.Pointer(last), parent
	if last == nil {
		n.below = childless
	}
}

// A Place is where a key and its value stand in a file, on one line as TOML
// wants it: lines and columns count from 1, columns in bytes.
type Place struct {
	Line, KeyCol, Col int
}

// MaxColumn is the last column that a node tells from those behind it.
const MaxColumn = 1<<16 - 1

// SetPlace records where the key and the value stand.
func (n *Node) SetPlace(p Place) {
	n.line, n.keyCol, n.col = uint32(p.Line), uint16(min(p.KeyCol, MaxColumn)), uint16(min(p.Col, MaxColumn))
}

// Place gives back what SetPlace recorded.
func (n *Node) Place() Place { return Place{int(n.line), int(n.keyCol), int(n.col)} }

// SetOnOneLine records that all of a table or list stands on one line, after its last
// child was added.
func (n *Node) SetOnOneLine() {
	if n.below == parent {
		n.below = oneLine
	}
}

// OnOneLine reports whether a table or list has children that are known to stand on its
// line, with all that is below them.
func (n *Node) OnOneLine() bool { return n.below >= oneLine }

// KeyAt is the place of the key: where an unknown or misplaced key is reported.
func (n *Node) KeyAt() diag.Pos {
	if n == nil {
		return diag.Pos{}
	}
	return n.pos(n.keyCol)
}

// At is the place of the value: where a wrong value is reported.
func (n *Node) At() diag.Pos {
	if n == nil {
		return diag.Pos{}
	}
	return n.pos(n.col)
}

func (n *Node) pos(col uint16) diag.Pos {
	if n.File == nil {
		return diag.Pos{}
	}
	return diag.Pos{Layer: n.File.Layer, File: n.File.Path, Line: int(n.line), Col: int(col)}
}

// Name is the key's name; "" for an item of a list.
func (n *Node) Name() string { return n.Key.Name }

// Type is the member of the key's type that the value is written as.
func (n *Node) Type() *shape.Type { return n.Key.Type.Member(n.Form) }

// Get finds a child of a table by name; nil if it is absent.
func (n *Node) Get(name string) *Node {
	for c := n.First(); c != nil; c = c.Next() {
		if c.Key.Name == name {
			return c
		}
	}
	return nil
}

// Path follows names down tables; nil if any is absent.
func (n *Node) Path(names ...string) *Node {
	for _, name := range names {
		n = n.Get(name)
	}
	return n
}

// Each iterates over the children of a table or the items of a list.
func (n *Node) Each() iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		for c := n.First(); c != nil; {
			next := c.Next() // the caller may move c to another tree
			if !yield(c) {
				return
			}
			c = next
		}
	}
}

// First is the first child, nil if there is none or n is absent.
func (n *Node) First() *Node {
	if n == nil || n.below == childless {
		return nil
	}
	if n.below == repeating {
		n.unfold()
	}
	return (*Node)(n.data).next
}

// Last is the last child; nil if there is none.
func (n *Node) Last() *Node {
	if n.First() == nil {
		return nil
	}
	return (*Node)(n.data)
}

// Next is the sibling after n; nil if n is the last.
func (n *Node) Next() *Node {
	if n.end {
		return nil
	}
	return n.next
}

// Len counts the children of a table or the items of a list.
func (n *Node) Len() int {
	k := 0
	for range n.Each() {
		k++
	}
	return k
}

// Str is the text of a scalar; "" if n is absent, a table or a list.
func (n *Node) Str() string {
	if n == nil || n.size == 0 {
		return ""
	}
	return unsafe.String((*byte)(n.data), n.size)
}

// Int is the value of a count; 0 if n is absent.
func (n *Node) Int() int64 {
	s, i := n.Str(), int64(0)
	for j := 0; j < len(s); j++ {
		if c := s[j]; c < '0' || c > '9' || j == 18 { // a sign, or it may not fit
			i, _ = strconv.ParseInt(s, 10, 64)
			break
		}
		i = 10*i + int64(s[j]-'0')
	}
	return i
}

// IsTrue reports whether n is there and true.
func (n *Node) IsTrue() bool { return n != nil && n.Str() == "true" }

// IsFalse reports whether n is there and false.
func (n *Node) IsFalse() bool { return n != nil && n.Str() == "false" }

// Strings lists the texts of a list's items; nil if n is absent, empty but not
// nil if the list is.
func (n *Node) Strings() []string {
	if n == nil {
		return nil
	}
	out := []string{}
	for c := n.First(); c != nil; c = c.Next() {
		out = append(out, c.Str())
	}
	return out
}

// Has reports whether a list holds the text.
func (n *Node) Has(text string) bool {
	if n == nil {
		return false
	}
	for c := n.First(); c != nil; c = c.Next() {
		if c.Str() == text {
			return true
		}
	}
	return false
}

// Equal reports whether two values are the same fact: same form, same texts,
// tables in any order, sets in any order. Places do not count.
func Equal(a, b *Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.Form != b.Form || a.Str() != b.Str() {
		return false
	}
	switch a.Form {
	case shape.FormTable:
		n := 0
		for c := a.First(); c != nil; c = c.Next() {
			if !Equal(c, b.Get(c.Key.Name)) {
				return false
			}
			n++
		}
		return n == b.Len()
	case shape.FormList:
		if a.Len() != b.Len() {
			return false
		}
		if t := a.Type(); t != nil && t.Set {
			for c := a.First(); c != nil; c = c.Next() {
				if !b.Has(c.Str()) {
					return false
				}
			}
			return true
		}
		for c, d := a.First(), b.First(); c != nil; c, d = c.Next(), d.Next() {
			if !Equal(c, d) {
				return false
			}
		}
	}
	return true
}
