//go:build unix

package fragment

import (
	"io/fs"
	"path/filepath"
	"syscall"
)

// fill reads a regular file that a walk of the tree found, up to some most bytes or a few
// more, into the room of p. It follows no link.
func (d *Disk) fill(name string, most int, p *pool) (used int, err error) {
	fd, err := retry(func() (int, error) {
		return syscall.Open(filepath.Join(d.dir, filepath.FromSlash(name)), syscall.O_RDONLY|syscall.O_CLOEXEC|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	})
	if err != nil {
		return 0, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return fillFrom(fd, name, most, p)
}

// fillFrom reads an open file into the room of p, and closes it.
func fillFrom(fd int, name string, most int, p *pool) (used int, err error) {
	defer syscall.Close(fd)
	for used < most {
		room := p.room(used)
		n, err := retry(func() (int, error) { return syscall.Read(fd, room[used:]) })
		if err != nil {
			return 0, &fs.PathError{Op: "read", Path: name, Err: err}
		}
		if n == 0 {
			break
		}
		used += n
	}
	return used, nil
}

func retry(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if err != syscall.EINTR {
			return n, err
		}
	}
}
