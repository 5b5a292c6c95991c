// Package emit says what an Emitter is, and puts its files into a tree or
// compares them with one.
//
// An Emitter is a value with a pure function: a catalog in, files out. It touches
// no disk, so that writing, checking and comparing are one code path. Write puts
// files into a tree, each whole or not at all; Check says how a tree differs from
// what Write would leave. Neither removes a file that Write did not make.
package emit

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"

	"github.com/opcat/opcat/catalog"
)

// An Emitter turns a catalog into files. Emit is pure: the same catalog gives the
// same bytes, whatever the clock, the map order or the machine.
type Emitter struct {
	Name string // also its folder under gen
	Doc  string // one line for `opcat projection list`
	Emit func(*catalog.Catalog) ([]File, error)
}

// A File is one output. Path is slash-separated and lies within the tree that it
// is written to. Nobody changes Data: it may be the catalog's own text.
type File struct {
	Path string
	Data []byte
	Sum  string // the sha256 of Data in hex, where an emitter knows it; see SHA256
}

// SHA256 is the digest of the file's bytes, in hex.
func (f File) SHA256() string {
	if f.Sum != "" {
		return f.Sum
	}
	sum := sha256.Sum256(f.Data)
	return hex.EncodeToString(sum[:])
}

// Under puts files into a folder.
func Under(folder string, files []File) []File {
	out := make([]File, len(files))
	for i, f := range files {
		out[i] = File{path.Join(folder, f.Path), f.Data, f.Sum}
	}
	return out
}

// Mend is the command that brings a generated tree up to date.
func Mend(into string) string { return "opcat catalog compile --into " + into }

// checkPaths refuses paths that leave the tree and files that would overwrite one
// another.
func checkPaths(files []File) error {
	seen := make(map[string]bool, len(files))
	for _, f := range files {
		if !fs.ValidPath(f.Path) || f.Path == "." {
			return fmt.Errorf("emit: %q is no path within the tree", f.Path)
		}
		if seen[f.Path] {
			return fmt.Errorf("emit: two files are named %q", f.Path)
		}
		seen[f.Path] = true
	}
	return nil
}
