//go:build unix

package fragment

import (
	"io/fs"
	"path/filepath"
	"syscall"
)

// readPlain reads a regular file that a walk of the tree found, up to one byte
// more than MaxBytes. It follows no link. scratch is the caller's buffer and comes
// back, perhaps larger; the bytes given are a copy of their own.
func (d *Disk) readPlain(name string, scratch []byte) (src, buf []byte, err error) {
	fd, err := retry(func() (int, error) {
		return syscall.Open(filepath.Join(d.dir, filepath.FromSlash(name)), syscall.O_RDONLY|syscall.O_CLOEXEC|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	})
	if err != nil {
		return nil, scratch, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	defer syscall.Close(fd)
	if scratch == nil {
		scratch = make([]byte, 64<<10)
	}
	used := 0
	for used <= MaxBytes {
		if used == len(scratch) {
			scratch = append(scratch, make([]byte, len(scratch))...)
		}
		n, err := retry(func() (int, error) { return syscall.Read(fd, scratch[used:]) })
		if err != nil {
			return nil, scratch, &fs.PathError{Op: "read", Path: name, Err: err}
		}
		if n == 0 {
			break
		}
		used += n
	}
	return append([]byte(nil), scratch[:used]...), scratch, nil
}

func retry(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if err != syscall.EINTR {
			return n, err
		}
	}
}
