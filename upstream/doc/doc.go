// Package doc is a document as somebody else wrote it, whatever it is written in:
// JSON, YAML or TOML become one kind of tree, so that a reader is written once.
//
// Numbers keep the digits of the source. A key that is written twice stays twice,
// since which of the two is meant is for nobody here to say. What is too deep or
// too large is a value of its own, and the rest is read.
package doc

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/internal/hugepage"
)

// The bounds of what is read. They are far above what any catalog has.
const (
	MaxFile  = 64 << 20 // bytes of a file
	MaxDepth = 64       // tables and lists inside one another
	MaxText  = 1 << 20  // bytes of a text
)

// A Kind is what a value is.
type Kind uint8

// The kinds of values.
const (
	Null Kind = iota
	Bool
	Number
	Text
	List
	Map
	TooMuch // nested too deep, or a text too long
)

// String names the kind in messages.
func (k Kind) String() string {
	return [...]string{"null", "yes or no", "a number", "a text", "a list", "a table", "too much"}[k]
}

// A Value is one value of a document.
type Value struct {
	Kind  Kind
	Twice bool    // some key of the map stands more than once in it
	Name  string  // its key, in a map
	Text  string  // of a text, a number in the source's digits, "true" or "false"
	Kids  []Value // of a map or a list, in the document's order
}

// Get finds a member of a map; false if there is none, or v is no map. Of a key
// that stands twice it gives the first.
func (v *Value) Get(key string) (*Value, bool) {
	if v.Kind == Map {
		for i := range v.Kids {
			if v.Kids[i].Name == key {
				return &v.Kids[i], true
			}
		}
	}
	return nil, false
}

// Brief is the value as a finding quotes it.
func (v *Value) Brief() string {
	const most = 60
	switch v.Kind {
	case Null:
		return "null"
	case List:
		var parts []string
		for i := range v.Kids {
			if i == 4 {
				parts = append(parts, "...")
				break
			}
			parts = append(parts, v.Kids[i].Brief())
		}
		return cut("["+strings.Join(parts, ", ")+"]", most)
	case Map:
		var parts []string
		for i := range v.Kids {
			if i == 4 {
				parts = append(parts, "...")
				break
			}
			parts = append(parts, cut(v.Kids[i].Name, 30)+": "+v.Kids[i].Brief())
		}
		return cut("{"+strings.Join(parts, ", ")+"}", most)
	case TooMuch:
		return "(too much to quote)"
	}
	return cut(v.Text, most)
}

func cut(s string, most int) string {
	if len(s) > most {
		s = s[:most]
		for len(s) > 0 && s[len(s)-1]&0xc0 == 0x80 { // not in the middle of a rune
			s = s[:len(s)-1]
		}
		if n := len(s); n > 0 && s[n-1] >= 0xc0 {
			s = s[:n-1]
		}
		s += "..."
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || Invisible(r) {
			return 0xfffd
		}
		return r
	}, s)
}

// Invisible tells runes that change how a text looks and not what it seems to say:
// marks of direction, joiners, a byte-order mark.
func Invisible(r rune) bool {
	switch {
	case r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r == 0xfeff, r == 0x061c, r == 0x00ad, r >= 0xe0000 && r <= 0xe007f:
		return true
	}
	return false
}

// ErrTooLarge is a file above MaxFile.
var ErrTooLarge = errors.New("the file is larger than 64 MiB, which no catalog is; it was not read")

// A File is one that Walk came to, or a folder that can't be listed.
type File struct {
	Name   string
	Src    []byte // if its name ends as was asked
	Folder bool
	Err    error
}

// small is the size up to which a file is read without asking how large it is.
const small = 1 << 20

// Walk visits every file below a folder and reads those whose names end in ext. On a
// disk that takes fewer calls of the system than to walk and to open each. What was
// read is not written again. The error is that of the folder itself.
func Walk(fsys fs.FS, root, ext string, visit func(File)) error {
	wanted := func(name string) bool { return path.Ext(name) == ext }
	if d, ok := fsys.(*fragment.Disk); ok {
		return d.Each(root, small, wanted, func(found *fragment.Found) {
			f := File{Name: found.Name, Src: found.Src, Folder: found.Folder, Err: found.Err}
			if f.Err == nil && wanted(f.Name) && (!found.Type.IsRegular() || len(f.Src) >= small) {
				f.Src, f.Err = ReadFile(fsys, f.Name, nil)
			}
			visit(f)
		})
	}
	return fs.WalkDir(fsys, root, func(name string, e fs.DirEntry, err error) error {
		f := File{Name: name, Folder: err != nil, Err: err}
		switch {
		case err != nil && name == root:
			return err
		case err == nil && e.IsDir():
			return nil
		case err == nil && wanted(name):
			f.Src, f.Err = ReadFile(fsys, name, nil)
		}
		visit(f)
		return nil
	})
}

// ReadFile reads a file that is not too large. It asks for its kind and its size
// first, so that nobody waits for a pipe, and a file of gigabytes costs nothing.
func ReadFile(fsys fs.FS, name string, buf []byte) ([]byte, error) {
	st, err := fs.Stat(fsys, name)
	switch {
	case err != nil:
		return nil, err
	case st.IsDir():
		return nil, fmt.Errorf("%s is a folder", name)
	case !st.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no ordinary file", name)
	case st.Size() > MaxFile:
		return nil, ErrTooLarge
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if int64(cap(buf)) <= st.Size() {
		if st.Size() < 100<<10 {
			buf = make([]byte, 0, st.Size()+512)
		} else {
			buf = hugepage.Make[byte](int(st.Size()) + 512)
		}
	}
	buf = buf[:0]
	for {
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
		n, err := f.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		switch {
		case len(buf) > MaxFile:
			return nil, ErrTooLarge // it grew
		case err == io.EOF:
			return buf, nil
		case err != nil:
			return nil, err
		}
	}
}

// Equal reports whether two values say the same, whatever the order of keys.
func Equal(a, b *Value) bool {
	if a.Kind != b.Kind || a.Text != b.Text || len(a.Kids) != len(b.Kids) {
		return false
	}
	for i := range a.Kids {
		other := &b.Kids[i]
		if a.Kind == Map {
			found, ok := b.Get(a.Kids[i].Name)
			if !ok {
				return false
			}
			other = found
		}
		if !Equal(&a.Kids[i], other) {
			return false
		}
	}
	return true
}

// names keeps each key once, as they repeat from entry to entry.
type names map[string]*name

// A name is a key, and the last map that had it.
type name struct {
	text string
	in   int
}

func (n names) of(text string) *name {
	if known, ok := n[text]; ok {
		return known
	}
	k := &name{text: text}
	n[text] = k
	return k
}
