package tree

import (
	"testing"
	"unsafe"
)

// The size of a node is time: see Node.
func TestNodeIsSmall(t *testing.T) {
	if n := unsafe.Sizeof(Node{}); n > 48 {
		t.Errorf("a node takes %d bytes, more than 48", n)
	}
}
