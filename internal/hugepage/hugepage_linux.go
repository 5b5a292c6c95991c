package hugepage

import "syscall"

// heapStep is how much address space the Go runtime adds to its heap at a time. The
// hint is given for whole steps: it must come before anything in them is touched.
const heapStep = 4 << 20

// advise gives the hint for the memory around a slice that was just made. The runtime
// is the owner of all of it, and nothing there is read or written.
func advise(start, size uintptr) {
	from := start &^ (heapStep - 1)
	to := (start + size + heapStep - 1) &^ (heapStep - 1)
	syscall.Syscall(syscall.SYS_MADVISE, from, to-from, syscall.MADV_HUGEPAGE)
}
