package emit

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/opcat/opcat/internal/folders"
)

// Write puts files into the tree at dir, which it makes if need be, and lists the
// paths of those that changed. What an earlier run generated in the folders of these
// files and nothing generates now is removed; a file without the Mark is left alone. A reader never sees half a file: each is written
// beside its place, made durable, and renamed there; nothing is renamed before
// all are written. If Write fails or is killed before that, the old files stand.
// A path that leads out of the tree, by a link too, is an error.
func Write(dir string, files []File) (changed []string, err error) {
	if err := checkPaths(files); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	top, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	defer top.Close()

	w := writing{root: root, top: top, files: files}
	defer w.discard()
	if err := w.prepareAll(); err != nil {
		return nil, fmt.Errorf("emit: %w", err)
	}
	if err := w.syncFiles(); err != nil {
		return nil, fmt.Errorf("emit: %w", err)
	}
	changed, err = w.renameAll()
	if err != nil {
		return changed, fmt.Errorf("emit: %w", err)
	}
	gone, err := w.retire(files)
	return append(changed, gone...), errors.Join(err, w.syncFolders(changed), w.sweep(files))
}

// named says of an error which file was to be written, and not what it was called
// before it was whole.
func named(p string, err error) error {
	var at *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &at):
		err = at.Err
	case errors.As(err, &link):
		err = link.Err
	}
	return &fs.PathError{Op: "write", Path: p, Err: err}
}

type writing struct {
	root  *os.Root
	top   *os.File // the root's own folder
	files []File
	temps []string // by file: what it is called until it is renamed; "" if there is nothing to rename

	mu   sync.Mutex
	made map[string]bool // folders that were not there
}

// The names of files that are being written. One that is left over tells of a
// killed run, and of which file.
const (
	tempPrefix = ".opcat-"
	tempSuffix = ".tmp"
)

func tempName(name string) string {
	return fmt.Sprintf("%s%016x-%s%s", tempPrefix, rand.Uint64(), name, tempSuffix)
}

// leftOf names the file that a temporary file was to become; "" if it is none.
func leftOf(p string) string {
	name, ok := strings.CutPrefix(path.Base(p), tempPrefix)
	if !ok || !strings.HasSuffix(name, tempSuffix) || len(name) < 17+len(tempSuffix) || name[16] != '-' {
		return ""
	}
	return path.Join(path.Dir(p), strings.TrimSuffix(name[17:], tempSuffix))
}

// folders are the numbers of the files of each folder, in the order of first files.
func (w *writing) folders() (names []string, files map[string][]int) {
	files = map[string][]int{}
	for i, f := range w.files {
		folder := path.Dir(f.Path)
		if files[folder] == nil {
			names = append(names, folder)
		}
		files[folder] = append(files[folder], i)
	}
	return names, files
}

// prepareAll writes the files that differ from what is there, each beside its place,
// some folders at once. Of several errors the one of the first file is given.
func (w *writing) prepareAll() error {
	names, files := w.folders()
	w.temps = make([]string, len(w.files))
	failed := make([]error, len(w.files))
	var next atomic.Int64
	var broken atomic.Bool
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(names)) {
		wg.Go(func() {
			at := folders.In(w.root)
			defer at.Close()
			for n := int(next.Add(1)) - 1; n < len(names); n = int(next.Add(1)) - 1 {
				folder, err := at.Make(names[n], w.note)
				for _, i := range files[names[n]] {
					if broken.Load() {
						break
					}
					if err == nil {
						w.temps[i], failed[i] = prepare(folder, w.files[i], w.isNew(names[n]))
					} else {
						failed[i] = err
					}
					if failed[i] != nil {
						failed[i] = named(w.files[i].Path, failed[i])
						broken.Store(true)
					}
				}
			}
		})
	}
	wg.Wait()
	for _, err := range failed {
		if err != nil {
			return err
		}
	}
	return nil
}

// note remembers a folder that was made: nothing was in it before.
func (w *writing) note(folder string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.made == nil {
		w.made = map[string]bool{}
	}
	w.made[folder] = true
}

func (w *writing) isNew(folder string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.made[folder]
}

// prepare writes a file beside its place in its folder, unless it is there already. What
// it gives is to be renamed or removed, even with an error.
func prepare(folder *os.Root, f File, isNew bool) (temp string, err error) {
	name := path.Base(f.Path)
	if !isNew {
		info, err := folder.Lstat(name)
		switch {
		case err == nil && info.IsDir():
			return "", errors.New("a folder stands where the file belongs")
		case err == nil && info.Mode().IsRegular() && info.Size() == int64(f.Size()):
			if old, err := folder.ReadFile(name); err == nil && f.holds(old) {
				return "", nil
			}
		}
	}
	temp = tempName(name)
	file, err := folder.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return "", err
	}
	_, err = f.WriteTo(file)
	return temp, errors.Join(err, file.Close())
}

// renameAll puts what was written in its place, and lists it in the order of files.
func (w *writing) renameAll() (changed []string, err error) {
	names, files := w.folders()
	done := make([]bool, len(w.files))
	at := folders.In(w.root)
	defer at.Close()
	for _, name := range names {
		if err = w.rename(at, name, files[name], done); err != nil {
			break
		}
	}
	for i, f := range w.files {
		if done[i] {
			changed = append(changed, f.Path)
		}
	}
	return changed, err
}

// rename puts the files of a folder in their places.
func (w *writing) rename(at *folders.Path, name string, files []int, done []bool) error {
	if !slices.ContainsFunc(files, func(i int) bool { return w.temps[i] != "" }) {
		return nil
	}
	folder, err := at.To(name)
	if err != nil {
		return err
	}
	for _, i := range files {
		if w.temps[i] == "" {
			continue
		}
		if err := folder.Rename(w.temps[i], path.Base(w.files[i].Path)); err != nil {
			return named(w.files[i].Path, err)
		}
		w.temps[i], done[i] = "", true
	}
	return nil
}

// Mark is what a generated file says of itself within its first lines.
const Mark = `Code generated by "opcat catalog compile"; DO NOT EDIT.`

// retire removes files that carry the Mark and that nothing makes any more, with the
// folders that they leave empty.
func (w *writing) retire(files []File) (gone []string, err error) {
	ours, tops := make(map[string]bool, len(files)), map[string]bool{}
	for _, f := range files {
		ours[f.Path] = true
		if top, _, below := strings.Cut(f.Path, "/"); below {
			tops[top] = true
		}
	}
	for _, top := range slices.Sorted(maps.Keys(tops)) {
		err = errors.Join(err, fs.WalkDir(w.root.FS(), top, func(p string, e fs.DirEntry, err error) error {
			if e != nil && e.IsDir() && w.isNew(p) {
				return fs.SkipDir
			}
			if err != nil || !e.Type().IsRegular() || ours[p] || !w.marked(p) {
				return err
			}
			gone = append(gone, p)
			return nil
		}))
	}
	for _, p := range gone {
		if err := w.root.Remove(p); err != nil {
			return nil, fmt.Errorf("emit: %s: %w", p, err)
		}
		for d := path.Dir(p); d != "." && w.root.Remove(d) == nil; d = path.Dir(d) { // a folder that holds anything stays
		}
	}
	return gone, err
}

func (w *writing) marked(p string) bool {
	f, err := w.root.Open(p)
	if err != nil {
		return false
	}
	defer f.Close()
	start := make([]byte, 256)
	n, _ := io.ReadFull(f, start) // a shorter file is read to its end
	return strings.Contains(string(start[:n]), Mark)
}

// discard removes what was written and not renamed.
func (w *writing) discard() {
	for i, temp := range w.temps {
		if temp != "" {
			w.root.Remove(path.Join(path.Dir(w.files[i].Path), temp))
		}
	}
}

// syncFiles makes what was written durable.
func (w *writing) syncFiles() error {
	var paths []string
	for i, temp := range w.temps {
		if temp != "" {
			paths = append(paths, path.Join(path.Dir(w.files[i].Path), temp))
		}
	}
	return folders.Sync(w.top, w.root, paths)
}

// syncFolders makes the renames durable.
func (w *writing) syncFolders(changed []string) error {
	var names []string
	for _, p := range changed {
		names = append(names, path.Dir(p))
	}
	slices.Sort(names)
	return folders.Sync(w.top, w.root, slices.Compact(names))
}

// sweep removes what killed runs left of these files.
func (w *writing) sweep(files []File) error {
	ours := make(map[string]bool, len(files))
	names := make([]string, 0, len(files))
	for _, f := range files {
		ours[f.Path] = true
		if folder := path.Dir(f.Path); !w.isNew(folder) {
			names = append(names, folder)
		}
	}
	slices.Sort(names)
	for _, folder := range slices.Compact(names) {
		entries, err := fs.ReadDir(w.root.FS(), folder)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if p := path.Join(folder, e.Name()); ours[leftOf(p)] {
				if err := w.root.Remove(p); err != nil && !errors.Is(err, fs.ErrNotExist) {
					return err
				}
			}
		}
	}
	return nil
}
