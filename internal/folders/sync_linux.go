package folders

import (
	"errors"
	"os"
	"path"
	"syscall"

	"golang.org/x/sys/unix"
)

// syncTogether makes all durable that was written to the tree's file system, and gives
// what lies on another one, or everything where there is no such call.
func syncTogether(top *os.File, root *os.Root, paths []string) (left []string, err error) {
	info, err := top.Stat()
	if err != nil {
		return nil, err
	}
	way := In(root)
	defer way.Close()
	for _, p := range paths {
		folder, err := way.To(path.Dir(p))
		if err != nil {
			return nil, err
		}
		at, err := folder.Lstat(path.Base(p))
		if err != nil {
			return nil, err
		}
		if device(at) != device(info) {
			left = append(left, p)
		}
	}
	err = unix.Syncfs(int(top.Fd()))
	if errors.Is(err, unix.ENOSYS) {
		return paths, nil
	}
	return left, err
}

func device(info os.FileInfo) uint64 {
	st, _ := info.Sys().(*syscall.Stat_t)
	return uint64(st.Dev)
}
