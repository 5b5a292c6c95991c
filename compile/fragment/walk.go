package fragment

import (
	"io/fs"
	"path"
)

// A Found is a file that Disk.Each came to, or a folder that can't be listed.
type Found struct {
	Name   string      // its path below the Disk
	Type   fs.FileMode // of a file
	Src    []byte      // what a regular file says, if it was wanted: up to some most bytes
	Folder bool
	Err    error
}

// Each visits every file below a folder, in name order folder by folder, and reads the
// regular ones that are wanted, up to most bytes or a few more. It follows no link. What
// it read is not written again. It costs fewer calls than a walk and a read do: each
// name is looked up in its open folder, and not from the root again.
// A Found holds until visit returns.
func (d *Disk) Each(root string, most int, wanted func(name string) bool, visit func(*Found)) error {
	w := walker{d: d, most: most, wanted: wanted, visit: visit}
	return w.walk(root)
}

type walker struct {
	d      *Disk
	most   int
	wanted func(string) bool
	visit  func(*Found)
	pool   pool
	folder
}

// walkAnywhere is Each where a folder can't be opened for looking up.
func (w *walker) walkAnywhere(root string) error {
	return fs.WalkDir(w.d, root, func(name string, e fs.DirEntry, err error) error {
		f := Found{Name: name, Err: err, Folder: err != nil}
		switch {
		case err != nil && name == root:
			return err
		case err != nil:
		case e.IsDir():
			return nil
		default:
			if f.Type = e.Type(); f.Type.IsRegular() && w.wanted(path.Base(name)) {
				f.Src, f.Err = w.read(name)
			}
		}
		w.visit(&f)
		return nil
	})
}

func (w *walker) read(name string) ([]byte, error) {
	used, err := w.d.fill(name, w.most, &w.pool)
	if err != nil {
		return nil, err
	}
	return w.pool.take(used), nil
}
