package hugepage

import "unsafe"

// A Slab makes many small values in few pieces of memory: what is made by the thousand
// and lives as long as the rest is cut off one large piece after the other. A piece is
// kept as long as anything in it is. The zero value is ready; it is for one goroutine.
type Slab[T any] struct {
	free []T
	last int // how many the last piece held
}

// The pieces grow, since a small job should not pay for a large one.
const (
	firstPiece   = 2 << 10
	largestPiece = 256 << 10
)

// room has space for n more.
func (s *Slab[T]) room(n int) {
	if n <= len(s.free) {
		return
	}
	size := int(unsafe.Sizeof(*new(T)))
	s.last = max(n, firstPiece/size, min(4*s.last, largestPiece/size), 1)
	if s.last*size < 64<<10 {
		s.free = make([]T, s.last)
		return
	}
	s.free = Make[T](s.last)
}

// New is a zero value.
func (s *Slab[T]) New() *T {
	s.room(1)
	v := &s.free[0]
	s.free = s.free[1:]
	return v
}

// Make is a slice of n zero values; what is appended to it goes elsewhere.
func (s *Slab[T]) Make(n int) []T {
	s.room(n)
	v := s.free[:n:n]
	s.free = s.free[n:]
	return v
}

// Put is a copy of a value.
func (s *Slab[T]) Put(v T) *T {
	p := s.New()
	*p = v
	return p
}

// Clone is a copy of a slice; nil for an empty one.
func (s *Slab[T]) Clone(list []T) []T {
	if len(list) == 0 {
		return nil
	}
	out := s.Make(len(list))
	copy(out, list)
	return out
}
