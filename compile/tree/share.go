package tree

import (
	"strings"

	"github.com/opcat/opcat/shape"
)

// Share makes a node that stands for src in another table. It has src's own
// children, so neither may be changed afterwards: Open gives a table that may.
func (a *Arena) Share(src *Node) *Node {
	n := a.New(src.Key, src.Form, src.Str())
	*n = *src
	n.next, n.end, n.Mark = nil, false, 0
	return n
}

// Open copies a table or list whose children may then be set and dropped: the
// children are shared, what is below them may not be changed.
func (a *Arena) Open(src *Node) *Node {
	n := a.Shallow(src)
	for c := src.First(); c != nil; c = c.Next() {
		n.Append(a.Share(c))
	}
	return n
}

// Find follows a dotted path down tables. A key of a free table may hold dots
// itself, so every cut is tried, the shortest first. It gives the keys on the
// way and the value, nil if there is none.
func Find(n *Node, path string) ([]string, *Node) {
	if n == nil || n.Form != shape.FormTable {
		return nil, nil
	}
	if c := n.Get(path); c != nil {
		return []string{path}, c
	}
	for i := strings.IndexByte(path, '.'); i >= 0; {
		if c := n.Get(path[:i]); c != nil {
			if names, found := Find(c, path[i+1:]); found != nil {
				return append([]string{path[:i]}, names...), found
			}
		}
		next := strings.IndexByte(path[i+1:], '.')
		if next < 0 {
			break
		}
		i += next + 1
	}
	return nil, nil
}

// Without copies a table without the value that the keys lead to. A closed table
// that has nothing left goes with it.
func (a *Arena) Without(n *Node, names []string) *Node {
	out := a.Shallow(n)
	for c := n.First(); c != nil; c = c.Next() {
		if c.Key.Name != names[0] {
			out.Append(a.Share(c))
			continue
		}
		if len(names) == 1 || c.Form != shape.FormTable {
			continue
		}
		if rest := a.Without(c, names[1:]); rest.First() != nil {
			out.Append(rest)
		}
	}
	return out
}
