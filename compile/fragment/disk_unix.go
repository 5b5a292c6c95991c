//go:build unix

package fragment

import (
	"io/fs"
	"path/filepath"
	"syscall"
)

// readPlain reads a regular file that a walk of the tree found, up to one byte
// more than MaxBytes. It follows no link. The bytes lie in the room of p and are
// not written again.
func (d *Disk) readPlain(name string, p *pool) ([]byte, error) {
	fd, err := retry(func() (int, error) {
		return syscall.Open(filepath.Join(d.dir, filepath.FromSlash(name)), syscall.O_RDONLY|syscall.O_CLOEXEC|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	})
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	defer syscall.Close(fd)
	used := 0
	for used <= MaxBytes {
		room := p.room(used)
		n, err := retry(func() (int, error) { return syscall.Read(fd, room[used:]) })
		if err != nil {
			return nil, &fs.PathError{Op: "read", Path: name, Err: err}
		}
		if n == 0 {
			break
		}
		used += n
	}
	return p.take(used), nil
}

func retry(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if err != syscall.EINTR {
			return n, err
		}
	}
}
