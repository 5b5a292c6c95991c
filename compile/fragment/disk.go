package fragment

import (
	"io/fs"
	"os"
	"path/filepath"

	"github.com/opcat/opcat/internal/hugepage"
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

// Stat tells what a name is, or leads to, without opening it.
func (d *Disk) Stat(name string) (fs.FileInfo, error) { return d.root.Stat(name) }

// Lstat tells what a name is, and of a link that it is one.
func (d *Disk) Lstat(name string) (fs.FileInfo, error) { return d.root.Lstat(name) }

// ReadLink tells where a link leads.
func (d *Disk) ReadLink(name string) (string, error) { return d.root.Readlink(name) }

// A pool is room that files are read into one after the other: many small files
// share one piece of memory, and no byte is copied twice.
type pool struct {
	free []byte
	size int // of the piece that free is the rest of
}

const (
	firstPool = 64 << 10
	largePool = 256 << 10
)

// room gives memory with used bytes read so far and space for more behind them.
func (p *pool) room(used int) []byte {
	if used < len(p.free) {
		return p.free
	}
	p.size = max(firstPool, min(2*p.size, largePool), 2*used)
	bigger := hugepage.Make[byte](p.size)
	copy(bigger, p.free[:used])
	p.free = bigger
	return p.free
}

// take cuts off what was read.
func (p *pool) take(used int) []byte {
	src := p.free[:used:used]
	p.free = p.free[used:]
	if len(p.free) < 1<<10 { // less than most files: a read would only be done twice
		p.free = nil
	}
	return src
}

// readPlain reads a regular file that a walk of the tree found. The bytes lie in the
// room of p and are not written again.
func (d *Disk) readPlain(name string, p *pool) ([]byte, error) {
	used, err := d.fill(name, MaxBytes+1, p)
	if err != nil {
		return nil, err
	}
	return p.take(used), nil
}
