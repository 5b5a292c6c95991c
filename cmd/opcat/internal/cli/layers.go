package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	capabilities "github.com/opcat/opcat/capability_sources"
	rows "github.com/opcat/opcat/catalog_sources"
	"github.com/opcat/opcat/compile"
	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/fragment"
)

// A folder is one layer that a compile reads.
type folder struct {
	layer string
	path  string // "" for the sources that the binary carries
}

// reads reports whether a layer is to be read. What nobody named is left out where
// the result is generated files: they are the same on every machine.
func (c *CatalogFlags) reads(layer string, generated bool) bool {
	if c.Layers != nil {
		return slices.Contains(c.Layers, layer)
	}
	return !generated || layer == "bundled"
}

// folders lists the layers that are there, weakest first. here says that the
// working directory may hold the bundled one.
func (c *CatalogFlags) folders(inv *Invocation, here, generated bool) ([]folder, error) {
	var out []folder
	if c.reads("bundled", generated) {
		path := c.Sources
		if path == "" && here && isDir(form.Catalog.Name) {
			path = "."
		}
		out = append(out, folder{"bundled", path})
	} else if c.Sources != "" {
		return nil, Fail(ConflictingFlags, "--sources names the bundled layer, which --layers leaves out").Where(At{Flag: "--sources"})
	}
	for _, l := range []struct {
		name string
		path func() (string, error)
	}{
		{"host", func() (string, error) { return inv.app.HostLayer, nil }},
		{"user", func() (string, error) { return userLayer(inv), nil }},
		{"project", projectLayer},
	} {
		if !c.reads(l.name, generated) {
			continue
		}
		path, err := l.path()
		if err != nil {
			return nil, err
		}
		if path != "" && holdsFragments(path) {
			out = append(out, folder{l.name, path})
		}
	}
	return out, nil
}

// userLayer is the folder of the user's own fragments; "" where there can be none.
func userLayer(inv *Invocation) string {
	if dir := inv.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "opcat")
	}
	if home := inv.Getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".config", "opcat")
	}
	return ""
}

// projectLayer is .opcat in the root of the work tree that the working directory
// lies in, or in the working directory where there is no work tree. A folder above
// the work tree is somebody else's.
func projectLayer() (string, error) {
	const name = ".opcat"
	cwd, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := cwd; ; {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return filepath.Join(dir, name), nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return filepath.Join(cwd, name), nil
		}
		dir = up
	}
}

// holdsFragments reports whether a folder is a layer. One that only holds other
// settings is none.
func holdsFragments(dir string) bool {
	for _, name := range []string{form.Catalog.Name, form.Capabilities.Name, "layer.toml"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// tree opens a layer's folder for reading.
func (f folder) tree() (fragment.Tree, error) {
	t := fragment.Tree{Layer: f.layer, Rank: slices.Index(compile.Layers, f.layer)}
	if f.path == "" {
		t.FS = carried{form.Catalog.Name: rows.FS, form.Capabilities.Name: capabilities.FS}
		return t, nil
	}
	if isFile(f.path) { // opening a pipe would keep us waiting
		return t, f.blame(Fail(ArtifactInvalid, "'%s' is not a folder", clip(f.path, maxGot)))
	}
	disk, err := fragment.Open(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return t, f.blame(Fail(ArtifactMissing, "there is no folder '%s'", clip(f.path, maxGot)))
	case err != nil:
		return t, f.blame(Fail(ArtifactInvalid, "the folder '%s' cannot be read: %s", clip(f.path, maxGot), asError(err).Message))
	}
	t.FS = disk
	return t, nil
}

// blame says which flag or layer names the folder.
func (f folder) blame(e *Error) *Error {
	if f.layer == "bundled" {
		return e.atFlag("--sources", f.path)
	}
	return e.Where(At{Item: "the " + f.layer + " layer"}).given(f.path)
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// carried is the source tree that the binary carries: a folder for each root.
type carried map[string]fs.ReadDirFS

// Open opens a file or folder below one of the roots.
func (c carried) Open(name string) (fs.File, error) {
	root, rest, err := c.find("open", name)
	if err != nil {
		return nil, err
	}
	return root.Open(rest)
}

// ReadDir lists a folder below one of the roots.
func (c carried) ReadDir(name string) ([]fs.DirEntry, error) {
	root, rest, err := c.find("readdir", name)
	if err != nil {
		return nil, err
	}
	return root.ReadDir(rest)
}

// Stat says what a name is. A root is called by its own name, not by that of the
// folder's top.
func (c carried) Stat(name string) (fs.FileInfo, error) {
	root, rest, err := c.find("stat", name)
	if err != nil {
		return nil, err
	}
	info, err := fs.Stat(root, rest)
	if err == nil && rest == "." {
		info = named{info, name}
	}
	return info, err
}

// named is a file under another name.
type named struct {
	fs.FileInfo
	name string
}

// Name is the other name.
func (n named) Name() string { return n.name }

func (c carried) find(op, name string) (fs.ReadDirFS, string, error) {
	first, rest, below := strings.Cut(name, "/")
	root, ok := c[first]
	if !ok || !fs.ValidPath(name) {
		return nil, "", &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	if !below {
		rest = "."
	}
	return root, rest, nil
}
