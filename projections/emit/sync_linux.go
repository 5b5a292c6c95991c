package emit

import (
	"errors"

	"golang.org/x/sys/unix"
)

// syncAll makes everything durable that was written to the tree's file system; done is
// false if it has no such call.
func (w *writing) syncAll() (done bool, err error) {
	d, err := w.root.Open(".")
	if err != nil {
		return false, err
	}
	defer d.Close()
	err = unix.Syncfs(int(d.Fd()))
	if errors.Is(err, unix.ENOSYS) {
		return false, nil
	}
	return true, err
}
