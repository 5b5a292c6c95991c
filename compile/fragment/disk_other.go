//go:build !unix

package fragment

// readPlain reads a file that a walk of the tree found.
func (d *Disk) readPlain(name string, _ *pool) ([]byte, error) { return readUpTo(d.FS, name) }
