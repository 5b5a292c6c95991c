//go:build !linux

package hugepage

func advise(start, size uintptr) {}
