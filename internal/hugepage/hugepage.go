// Package hugepage makes large slices on large pages of memory.
//
// A program that runs for a tenth of a second pays for memory when it first touches
// it: one fault for each 4 KiB. Where the system grants large pages to those who ask
// (Linux, its usual setting), 2 MiB cost one fault, and the processor finds them
// faster ever after. It is a hint alone: refused or not known, the slice is an
// ordinary one.
package hugepage

import "unsafe"

// Make is make([]T, n) for slices of 100 KiB and more, which are filled from the
// start soon after.
func Make[T any](n int) []T {
	s := make([]T, n)
	advise(uintptr(unsafe.Pointer(unsafe.SliceData(s))), uintptr(n)*unsafe.Sizeof(*new(T)))
	return s
}
