//go:build !linux

package emit

// syncAll is for systems that make a file system durable in one call. This is none.
func (w *writing) syncAll() (done bool, err error) { return false, nil }
