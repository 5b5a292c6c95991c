package fragment

import (
	"io/fs"
	"os"
	"path/filepath"
)

// A Disk is a folder of the machine as the file system of a Tree. A link that
// leaves the folder can't be followed. Plain files are read with as few calls as
// the system allows: a tree of thousands of small files costs by the file, not by
// the byte.
type Disk struct {
	fs.FS
	root *os.Root
	dir  string
}

// Open makes a Disk of a folder. Close it when the compile has ended.
func Open(dir string) (*Disk, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &Disk{FS: root.FS(), root: root, dir: dir}, nil
}

// Close releases the folder.
func (d *Disk) Close() error { return d.root.Close() }

// ReadDir lists a folder of the tree in name order.
func (d *Disk) ReadDir(name string) ([]fs.DirEntry, error) {
	return os.ReadDir(filepath.Join(d.dir, filepath.FromSlash(name)))
}
