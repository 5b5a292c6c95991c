package migrate

import (
	"unsafe"

	"github.com/opcat/opcat/compile/tree"
)

// A nodeSet is a set of nodes: a table of places, at least a quarter of them free. A
// fact is looked for here once for each row that takes it, which a map makes several
// times as long.
type nodeSet struct {
	places []*tree.Node
	taken  int
}

// at is the place of a node, or the free one where it would stand.
func (s *nodeSet) at(n *tree.Node) int {
	last := len(s.places) - 1
	i := int(uint64(uintptr(unsafe.Pointer(n)))>>4*0x9e3779b97f4a7c15>>32) & last
	for s.places[i] != nil && s.places[i] != n {
		i = (i + 1) & last
	}
	return i
}

func (s *nodeSet) has(n *tree.Node) bool { return len(s.places) > 0 && s.places[s.at(n)] != nil }

// add reports whether the node was not there.
func (s *nodeSet) add(n *tree.Node) bool {
	if s.taken >= len(s.places)*3/4 {
		old := s.places
		s.places = make([]*tree.Node, max(1024, 2*len(old)))
		for _, there := range old {
			if there != nil {
				s.places[s.at(there)] = there
			}
		}
	}
	i := s.at(n)
	if s.places[i] != nil {
		return false
	}
	s.places[i] = n
	s.taken++
	return true
}
