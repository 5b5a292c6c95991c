package folders

import (
	"errors"
	"os"
)

// alone is how many files or folders are made durable one by one. Of more, most of the
// time would go into asking: then the file system is asked once, where that can be.
const alone = 16

// Sync makes files and folders of a tree durable. top is the tree's own folder, opened
// before anything was written: what could not be kept since then is an error.
func Sync(top *os.File, root *os.Root, paths []string) error {
	if len(paths) > alone {
		left, err := syncTogether(top, root, paths)
		if err != nil {
			return err
		}
		paths = left
	}
	for _, p := range paths {
		f, err := root.Open(p)
		if err != nil {
			return err
		}
		err = f.Sync()
		if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, os.ErrInvalid) {
			err = nil // not every system syncs folders
		}
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}
