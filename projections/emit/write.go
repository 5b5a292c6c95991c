package emit

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strings"
)

// Write puts files into the tree at dir, which it makes if need be, and lists the
// paths of those that changed. A reader never sees half a file: each is written
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

	w := writing{root: root}
	defer w.discard()
	for _, f := range files {
		if old, err := root.ReadFile(f.Path); err == nil && f.holds(old) {
			continue
		}
		if err := w.prepare(f); err != nil {
			return nil, fmt.Errorf("emit: %s: %w", f.Path, err)
		}
	}
	for len(w.pending) > 0 {
		p := w.pending[0]
		if err := root.Rename(p.temp, p.path); err != nil {
			return changed, fmt.Errorf("emit: %s: %w", p.path, err)
		}
		w.pending = w.pending[1:]
		changed = append(changed, p.path)
	}
	return changed, errors.Join(w.syncFolders(changed), w.sweep(files))
}

// A pending file is written and waits to be renamed.
type pending struct{ temp, path string }

type writing struct {
	root    *os.Root
	pending []pending
}

// The names of files that are being written. One that is left over tells of a
// killed run, and of which file.
const (
	tempPrefix = ".opcat-"
	tempSuffix = ".tmp"
)

func tempName(p string) string {
	return path.Join(path.Dir(p), fmt.Sprintf("%s%016x-%s%s", tempPrefix, rand.Uint64(), path.Base(p), tempSuffix))
}

// leftOf names the file that a temporary file was to become; "" if it is none.
func leftOf(p string) string {
	name, ok := strings.CutPrefix(path.Base(p), tempPrefix)
	if !ok || !strings.HasSuffix(name, tempSuffix) || len(name) < 17+len(tempSuffix) || name[16] != '-' {
		return ""
	}
	return path.Join(path.Dir(p), strings.TrimSuffix(name[17:], tempSuffix))
}

func (w *writing) prepare(f File) error {
	if folder := path.Dir(f.Path); folder != "." {
		if err := w.root.MkdirAll(folder, 0o755); err != nil {
			return err
		}
	}
	if info, err := w.root.Lstat(f.Path); err == nil && info.IsDir() {
		return errors.New("a folder stands where the file belongs")
	}
	temp := tempName(f.Path)
	file, err := w.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	w.pending = append(w.pending, pending{temp, f.Path})
	_, err = f.WriteTo(file)
	return errors.Join(err, file.Sync(), file.Close())
}

// discard removes what was written and not renamed.
func (w *writing) discard() {
	for _, p := range w.pending {
		w.root.Remove(p.temp)
	}
}

// syncFolders makes the renames durable.
func (w *writing) syncFolders(changed []string) error {
	var folders []string
	for _, p := range changed {
		folders = append(folders, path.Dir(p))
	}
	slices.Sort(folders)
	for _, folder := range slices.Compact(folders) {
		d, err := w.root.Open(folder)
		if err != nil {
			return err
		}
		err = d.Sync()
		if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, os.ErrInvalid) {
			err = nil // not every system syncs folders
		}
		if err := errors.Join(err, d.Close()); err != nil {
			return err
		}
	}
	return nil
}

// sweep removes what killed runs left of these files.
func (w *writing) sweep(files []File) error {
	ours := make(map[string]bool, len(files))
	folders := make([]string, 0, len(files))
	for _, f := range files {
		ours[f.Path] = true
		folders = append(folders, path.Dir(f.Path))
	}
	slices.Sort(folders)
	for _, folder := range slices.Compact(folders) {
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
