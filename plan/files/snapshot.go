package files

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/opcat/opcat/plan"
)

// A Snapshot is the sources of a tree in memory: what a plan is made of, and what it
// would make. It is a file system, so that it can be compiled.
type Snapshot struct {
	files map[string][]byte
	links map[string]bool
	odd   map[string]odd // what is no file that can be read: a compile says why

	mu   sync.Mutex          // it is read by several at a time
	dirs map[string][]string // names in each folder, sorted; made when it is first read
}

// odd is what stands in the tree where a file should: a pipe, a link that leads nowhere,
// out of the tree or to a folder.
type odd struct {
	mode, target fs.FileMode
	err          error // why a link can't be followed
}

// Load reads every file under the roots of the tree in a folder that bears on a plan.
func Load(dir string) (*Snapshot, error) {
	s := &Snapshot{files: map[string][]byte{}, links: map[string]bool{}, odd: map[string]odd{}}
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	} else if err != nil {
		return nil, err
	}
	defer root.Close()
	for _, top := range Roots {
		err := fs.WalkDir(root.FS(), top, func(p string, e fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist) && p == top:
				return fs.SkipDir
			case err != nil:
				return err
			case e.IsDir() && strings.HasPrefix(e.Name(), "."):
				return fs.SkipDir
			case e.IsDir() || !source(p) && e.Type()&fs.ModeSymlink == 0:
				return nil
			}
			info, err := root.Stat(p)
			switch {
			case err != nil:
				s.odd[p] = odd{mode: e.Type(), err: err}
				return nil
			case !info.Mode().IsRegular():
				s.odd[p] = odd{mode: e.Type(), target: info.Mode().Type()}
				return nil
			case !source(p):
				return nil
			}
			if s.files[p], err = root.ReadFile(p); err != nil {
				return err
			}
			s.links[p] = e.Type()&fs.ModeSymlink != 0
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}

// File is the bytes of a file, which may not be changed.
func (s *Snapshot) File(name string) ([]byte, bool) {
	b, ok := s.files[name]
	return b, ok
}

// Linked reports whether a file is a link to another one: such a file is not edited.
func (s *Snapshot) Linked(name string) bool { return s.links[name] }

// Names lists the files.
func (s *Snapshot) Names() []string { return slices.Sorted(maps.Keys(s.files)) }

// Clone is a copy that can be changed.
func (s *Snapshot) Clone() *Snapshot {
	return &Snapshot{files: maps.Clone(s.files), links: maps.Clone(s.links), odd: s.odd}
}

// Put sets a file.
func (s *Snapshot) Put(name string, data []byte) { s.files[name], s.dirs = data, nil }

// Remove takes a file away.
func (s *Snapshot) Remove(name string) {
	delete(s.files, name)
	s.dirs = nil
}

// Digests is the digest of every file.
func (s *Snapshot) Digests() map[string]string {
	out := make(map[string]string, len(s.files))
	for name, data := range s.files {
		out[name] = plan.Digest(data)
	}
	return out
}

// folders lists what each folder holds.
func (s *Snapshot) folders() map[string][]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dirs != nil {
		return s.dirs
	}
	sets := map[string]map[string]bool{".": {}}
	add := func(name string) {
		for p := name; p != "."; p = path.Dir(p) {
			up := path.Dir(p)
			if sets[up] == nil {
				sets[up] = map[string]bool{}
			}
			sets[up][path.Base(p)] = true
		}
	}
	for name := range s.files {
		add(name)
	}
	for name := range s.odd {
		add(name)
	}
	s.dirs = map[string][]string{}
	for dir, names := range sets {
		s.dirs[dir] = slices.Sorted(maps.Keys(names))
	}
	return s.dirs
}

// Open implements fs.FS.
func (s *Snapshot) Open(name string) (fs.File, error) {
	if data, ok := s.files[name]; ok {
		return &file{info: info{path.Base(name), int64(len(data)), 0o444}, Reader: bytes.NewReader(data)}, nil
	}
	if o, ok := s.odd[name]; ok {
		if o.err != nil {
			return nil, o.err
		}
		return &file{info: info{path.Base(name), 0, o.target}, Reader: bytes.NewReader(nil)}, nil
	}
	if _, ok := s.folders()[name]; ok {
		return &file{info: info{path.Base(name), 0, fs.ModeDir | 0o555}, Reader: bytes.NewReader(nil)}, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// ReadDir implements fs.ReadDirFS.
func (s *Snapshot) ReadDir(name string) ([]fs.DirEntry, error) {
	names, ok := s.folders()[name]
	if !ok {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	}
	out := make([]fs.DirEntry, len(names))
	for i, n := range names {
		p := path.Join(name, n)
		at := info{n, 0, fs.ModeDir | 0o555}
		if data, ok := s.files[p]; ok {
			at = info{n, int64(len(data)), 0o444}
		} else if o, ok := s.odd[p]; ok {
			at = info{n, 0, o.mode}
		}
		out[i] = fs.FileInfoToDirEntry(at)
	}
	return out, nil
}

// ReadFile implements fs.ReadFileFS.
func (s *Snapshot) ReadFile(name string) ([]byte, error) {
	if data, ok := s.files[name]; ok {
		return data, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

type file struct {
	info
	*bytes.Reader
}

func (f *file) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *file) Close() error               { return nil }
func (f *file) Read(b []byte) (int, error) { return f.Reader.Read(b) }
func (f *file) Size() int64                { return f.info.size }

var _ io.Reader = (*file)(nil)

type info struct {
	name string
	size int64
	mode fs.FileMode
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) Mode() fs.FileMode  { return i.mode }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.mode.IsDir() }
func (i info) Sys() any           { return nil }

// source reports whether a file bears on what a plan says.
func source(p string) bool {
	base := path.Base(p)
	return base == RecordName || !strings.HasPrefix(base, ".") && (strings.HasSuffix(p, ".toml") || strings.HasSuffix(p, ".json"))
}
