package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// A RunDir is where the stages of one run leave their artifacts. It is scratch:
// nothing in it is the only copy of anything.
type RunDir struct {
	path string
	app  *App
	now  func() time.Time
}

// Path is the directory, as --run-dir gave it.
func (d RunDir) Path() string { return d.path }

// WriteFile writes a file of the run dir whole or not at all, also when another
// run writes the same one. name may have slashes; its directories are made.
func (d RunDir) WriteFile(name string, data []byte) error {
	path := filepath.Join(d.path, filepath.FromSlash(name))
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return Fail(Internal, "%s lies outside the run dir", name)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return replaceFile(path, data)
}

// replaceFile writes a file beside its final place, makes it durable and only then
// gives it its name.
func replaceFile(path string, data []byte) (err error) {
	dir, base := filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	f, err := os.CreateTemp(dir, "."+base+".*")
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		pe.Path = path // as it was asked for, not the name it has on the way
	}
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
		}
	}()
	if _, err = f.Write(data); err != nil {
		return err
	}
	if err = f.Chmod(0o644); err != nil {
		return err
	}
	if err = f.Sync(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	if err = os.Rename(f.Name(), path); err != nil {
		return err
	}
	syncDir(dir)
	return nil
}

// syncDir makes a rename durable. Not every system can sync a directory; the file
// is whole either way, so that is not an error.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}

// makeDir makes the directory of --run-dir.
func makeDir(path string) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.IsDir():
		return Fail(InvalidValue, "--run-dir '%s' is not a directory", clip(path, maxGot)).atFlag("--run-dir", path)
	case errors.Is(err, fs.ErrNotExist):
		return os.MkdirAll(path, 0o755)
	}
	return err
}
