//go:build !unix

package fragment

// readPlain reads a file that a walk of the tree found.
func (d *Disk) readPlain(name string, scratch []byte) (src, buf []byte, err error) {
	src, err = readUpTo(d.FS, name)
	return src, scratch, err
}
