// Package fragment decodes source files: bytes in, typed trees out.
//
// Decoding is strict: an unknown key, a wrong type, a value out of range or out
// of its closed set, a duplicate and a file that is not plain TOML 1.0 are
// findings, each with its place. A file that has findings still gives what could
// be read, marked as broken, so that later stages can go on looking.
//
// Package fragment does not know what a fact means; it migrates nothing and
// merges nothing.
package fragment

import (
	"crypto/sha256"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/tree"
)

// A Fragment is one decoded source file.
type Fragment struct {
	File   *tree.File
	Root   *form.Root // which root it lies under, in the format it is written in
	Legacy bool       // format 0: the file names no schema
	Table  *tree.Node // its root table
	Broken bool       // some of it could not be read: what is absent may have been there
	Strays bool       // some of it belongs under the other root, which lacks it
	Src    []byte     // its bytes; the texts of Table point into them
	Cache  bool       // a legacy tree's pinned models-dev.json: Table is nil

	linked bool
}

// Linked reports whether the file was read through a link: then its bytes may change
// under another name.
func (f *Fragment) Linked() bool { return f.linked }

// Sum is the digest of the file's bytes.
func (f *Fragment) Sum() [sha256.Size]byte { return sha256.Sum256(f.Src) }
