// Package slab makes many small values in few pieces of memory.
//
// A program that ends soon pays for memory by the piece and by the page. What is made
// by the thousand and lives as long as the rest is cut off one large piece after the
// other, each on large pages. What one slab gave is kept as long as any of it is.
package slab

import (
	"unsafe"

	"github.com/opcat/opcat/internal/hugepage"
)

// An Of makes values of a type; its zero value is ready. It is for one goroutine.
type Of[T any] struct {
	free []T
	last int // how many the last piece held
}

// The pieces grow, since a small job should not pay for a large one.
const (
	first   = 2 << 10
	largest = 256 << 10
)

// room has space for n more.
func (s *Of[T]) room(n int) {
	if n <= len(s.free) {
		return
	}
	size := int(unsafe.Sizeof(*new(T)))
	s.last = max(n, first/size, min(4*s.last, largest/size), 1)
	if s.last*size < 64<<10 {
		s.free = make([]T, s.last)
		return
	}
	s.free = hugepage.Make[T](s.last)
}

// New is a zero value.
func (s *Of[T]) New() *T {
	s.room(1)
	v := &s.free[0]
	s.free = s.free[1:]
	return v
}

// Make is a slice of n zero values; what is appended to it goes elsewhere.
func (s *Of[T]) Make(n int) []T {
	s.room(n)
	v := s.free[:n:n]
	s.free = s.free[n:]
	return v
}

// Put is a copy of a value.
func (s *Of[T]) Put(v T) *T {
	p := s.New()
	*p = v
	return p
}

// Clone is a copy of a slice; nil for an empty one.
func (s *Of[T]) Clone(list []T) []T {
	if len(list) == 0 {
		return nil
	}
	out := s.Make(len(list))
	copy(out, list)
	return out
}
