// Package emit says what an Emitter is, and puts its files into a tree or
// compares them with one.
//
// An Emitter is a value with a pure function: a catalog in, files out. It touches
// no disk, so that writing, checking and comparing are one code path. Write puts
// files into a tree, each whole or not at all; Check says how a tree differs from
// what Write would leave. Neither touches a file that Write did not make.
package emit

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"path"
	"unsafe"

	"github.com/opcat/opcat/catalog"
)

// An Emitter turns a catalog into files. Make is pure: the same catalog gives the
// same bytes, whatever the clock, the map order or the machine, and whatever was made
// before it.
type Emitter struct {
	Name string // also its folder under gen
	Doc  string // one line for `opcat projection list`
	Make func(*Work) ([]File, error)
}

// Emit makes the files of a catalog with nothing before it.
func (e Emitter) Emit(c *catalog.Catalog) ([]File, error) { return e.Make(NewWork(c)) }

// A File is one output. Path is slash-separated and lies within the tree that it
// is written to. Its bytes are Data and then More, piece by piece: a file that
// repeats most of the catalog needs no room of its own. Nobody changes either, since
// they may be the catalog's own text.
type File struct {
	Path string
	Data []byte
	More []string
	Sum  string // the sha256 of the bytes in hex, where an emitter knows it; see SHA256
}

// Size is the number of the file's bytes.
func (f File) Size() int {
	n := len(f.Data)
	for _, s := range f.More {
		n += len(s)
	}
	return n
}

// Bytes are the file's bytes in one piece.
func (f File) Bytes() []byte {
	if len(f.More) == 0 {
		return f.Data
	}
	b := append(make([]byte, 0, f.Size()), f.Data...)
	for _, s := range f.More {
		b = append(b, s...)
	}
	return b
}

// WriteTo writes the file's bytes.
func (f File) WriteTo(w io.Writer) (int64, error) {
	n, err := w.Write(f.Data)
	if len(f.More) == 0 || err != nil {
		return int64(n), err
	}
	pieces := bufio.NewWriterSize(w, min(f.Size(), 64<<10))
	written := int64(n)
	for _, s := range f.More {
		n, err := pieces.WriteString(s)
		if written += int64(n); err != nil {
			return written, err
		}
	}
	return written, pieces.Flush()
}

// holds reports whether b are the file's bytes.
func (f File) holds(b []byte) bool {
	rest, ok := bytes.CutPrefix(b, f.Data)
	for _, s := range f.More {
		if !ok || len(rest) < len(s) || string(rest[:len(s)]) != s {
			return false
		}
		rest = rest[len(s):]
	}
	return ok && len(rest) == 0
}

// SHA256 is the digest of the file's bytes, in hex.
func (f File) SHA256() string {
	if f.Sum != "" {
		return f.Sum
	}
	sum := sha256.New()
	sum.Write(f.Data)
	for _, s := range f.More {
		sum.Write(unsafe.Slice(unsafe.StringData(s), len(s))) // which it only reads
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Under puts files into a folder.
func Under(folder string, files []File) []File {
	out := make([]File, len(files))
	for i, f := range files {
		out[i] = f
		out[i].Path = path.Join(folder, f.Path)
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
