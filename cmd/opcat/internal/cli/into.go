package cli

import (
	"os"
	"path/filepath"

	"github.com/opcat/opcat/compile/form"
)

// apart refuses a folder for generated files that holds sources or lies in them: what
// is written there would stand beside what it was made from, and --check would call
// the sources files that nothing generates.
func (c *CatalogFlags) apart(inv *Invocation, into string) error {
	if holdsFragments(into) {
		return c.among(into, filepath.Join(into, defaultTree), "holds the sources")
	}
	folders, err := c.folders(inv, true, true)
	if err != nil {
		return err
	}
	for _, f := range folders {
		if f.path == "" {
			continue
		}
		for _, root := range []string{form.Catalog.Name, form.Capabilities.Name} {
			sources := filepath.Join(f.path, root)
			switch {
			case within(into, sources):
				beside := defaultTree
				if f.layer == "bundled" {
					beside = filepath.Join(f.path, defaultTree)
				}
				return c.among(into, beside, "lies in "+root)
			case isDir(sources) && within(sources, into):
				return c.among(into, filepath.Join(into, defaultTree), "holds the sources")
			}
		}
	}
	return nil
}

// among is the error of a folder that is no place for generated files; beside is one
// that is.
func (c *CatalogFlags) among(into, beside, how string) error {
	return Fail(InvalidValue, "--into '%s' %s: generated files want a folder of their own", clip(into, maxGot), how).
		atFlag("--into", into).Saying(c.mend(beside))
}

// within reports whether a path is a folder or lies below it, by whichever links it
// leads there. What of the path does not exist yet will be made below what does.
func within(path, folder string) bool {
	want, err := os.Stat(folder)
	if err != nil {
		return false
	}
	path, err = filepath.Abs(path)
	if err != nil {
		return false
	}
	at, err := filepath.EvalSymlinks(path)
	for err != nil && path != filepath.Dir(path) {
		path = filepath.Dir(path)
		at, err = filepath.EvalSymlinks(path)
	}
	for {
		if have, err := os.Stat(at); err == nil && os.SameFile(have, want) {
			return true
		}
		up := filepath.Dir(at)
		if up == at {
			return false
		}
		at = up
	}
}
