package fragment

import (
	"bytes"
	"encoding/binary"
	"io/fs"
	"slices"
	"syscall"
	"unsafe"
)

// folder is room for the folders that are open, one inside the other.
type folder struct {
	raw     []byte   // what the system lists, for a moment
	names   []byte   // each with a zero behind it, as the system wants them back
	entries []dirent // of the open folders
	at      []byte   // the path of the innermost one, with a slash
	found   Found    // what is visited
}

type dirent struct {
	name, size int // in names
	kind       byte
}

const (
	openFolder = syscall.O_RDONLY | syscall.O_CLOEXEC | syscall.O_DIRECTORY | syscall.O_NOFOLLOW
	openPlain  = syscall.O_RDONLY | syscall.O_CLOEXEC | syscall.O_NOFOLLOW | syscall.O_NONBLOCK
)

func (w *walker) walk(root string) error {
	if info, err := w.d.root.Lstat(root); err != nil || !info.IsDir() {
		return w.walkAnywhere(root)
	}
	f, err := w.d.root.Open(root) // whatever lies on the way there
	if err != nil {
		return err
	}
	defer f.Close()
	w.raw = make([]byte, 32<<10)
	if root != "." {
		w.at = append(append(w.at, root...), '/')
	}
	return w.inside(int(f.Fd()))
}

// inside visits what lies in an open folder.
func (w *walker) inside(fd int) error {
	first, names, depth := len(w.entries), len(w.names), len(w.at)
	defer func() { w.entries, w.names, w.at = w.entries[:first], w.names[:names], w.at[:depth] }()
	err := w.list(fd)
	slices.SortFunc(w.entries[first:], func(a, b dirent) int { return bytes.Compare(w.name(a), w.name(b)) })
	for i := first; i < len(w.entries); i++ {
		w.entry(fd, w.entries[i])
	}
	return err
}

func (w *walker) name(e dirent) []byte { return w.names[e.name : e.name+e.size] }

// entry visits a file, or what lies in a folder.
func (w *walker) entry(fd int, e dirent) {
	depth := len(w.at)
	w.at = append(w.at, w.name(e)...)
	defer func() { w.at = w.at[:depth] }()
	if e.kind == syscall.DT_DIR {
		below, err := w.open(fd, e, openFolder)
		if err == nil {
			w.at = append(w.at, '/')
			err = w.inside(below)
			syscall.Close(below)
		}
		if err != nil {
			w.visit(&Found{Name: string(w.at[:depth+e.size]), Folder: true, Err: err})
		}
		return
	}
	f := &w.found
	*f = Found{Name: string(w.at), Type: typeOf(e.kind)}
	if e.kind == syscall.DT_REG && w.wanted(f.Name[depth:]) {
		var below int
		if below, f.Err = w.open(fd, e, openPlain); f.Err == nil {
			var used int
			if used, f.Err = fillFrom(below, f.Name, w.most, &w.pool); f.Err == nil {
				f.Src = w.pool.take(used)
			}
		}
	}
	w.visit(f)
}

var types = map[byte]fs.FileMode{syscall.DT_LNK: fs.ModeSymlink, syscall.DT_FIFO: fs.ModeNamedPipe, syscall.DT_SOCK: fs.ModeSocket,
	syscall.DT_CHR: fs.ModeDevice | fs.ModeCharDevice, syscall.DT_BLK: fs.ModeDevice}

func typeOf(kind byte) fs.FileMode {
	if t, ok := types[kind]; ok || kind == syscall.DT_REG {
		return t
	}
	return fs.ModeIrregular
}

// open opens a name in an open folder.
func (w *walker) open(fd int, e dirent, flags int) (int, error) {
	for {
		below, _, errno := syscall.Syscall6(syscall.SYS_OPENAT, uintptr(fd), uintptr(unsafe.Pointer(&w.names[e.name])), uintptr(flags), 0, 0, 0)
		switch errno {
		case 0:
			return int(below), nil
		case syscall.EINTR:
		default:
			return 0, &fs.PathError{Op: "open", Path: string(w.at), Err: errno}
		}
	}
}

// list reads the names in an open folder.
func (w *walker) list(fd int) error {
	for {
		n, err := retry(func() (int, error) { return syscall.ReadDirent(fd, w.raw) })
		if err != nil {
			return &fs.PathError{Op: "readdirent", Path: string(w.at), Err: err}
		}
		if n == 0 {
			return nil
		}
		for raw := w.raw[:n]; len(raw) > 0; {
			const size, kind, text = unsafe.Offsetof(syscall.Dirent{}.Reclen), unsafe.Offsetof(syscall.Dirent{}.Type), unsafe.Offsetof(syscall.Dirent{}.Name)
			one := raw[:binary.NativeEndian.Uint16(raw[size:])]
			raw = raw[len(one):]
			name := one[text:]
			name = name[:bytes.IndexByte(name, 0)+1]
			if s := string(name); s == ".\x00" || s == "..\x00" {
				continue
			}
			w.entries = append(w.entries, dirent{name: len(w.names), size: len(name) - 1, kind: w.kindOf(one[kind], name)})
			w.names = append(w.names, name...)
		}
	}
}

// kindOf asks what a name is where the file system lists names alone.
func (w *walker) kindOf(kind byte, name []byte) byte {
	if kind != syscall.DT_UNKNOWN {
		return kind
	}
	info, err := w.d.root.Lstat(string(w.at) + string(name[:len(name)-1]))
	if err != nil {
		return syscall.DT_REG // to be opened, which says why it can't be
	}
	if info.Mode().IsRegular() {
		return syscall.DT_REG
	}
	if info.IsDir() {
		return syscall.DT_DIR
	}
	for kind, t := range types {
		if info.Mode().Type() == t {
			return kind
		}
	}
	return syscall.DT_UNKNOWN
}
