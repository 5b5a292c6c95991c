// Package folders goes through the folders of a tree, and makes what is in them durable, many at
// the price of few.
package folders

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
)

// A Path is the folders of a tree that are open, each in the one before it. Folders that
// are asked for in order cost a call or two each, however deep they lie.
type Path struct {
	root  *os.Root
	names []string
	open  []*os.Root
}

// In starts at the root, which stays the caller's.
func In(root *os.Root) *Path { return &Path{root: root} }

// To opens a folder by its slash path, "." for the root itself. It is open until another
// one is asked for that does not lie in it. A link is followed if it stays in the tree.
func (p *Path) To(folder string) (*os.Root, error) { return p.to(folder, nil) }

// Make is To, and makes what is not there: made is told of each folder that was made.
func (p *Path) Make(folder string, made func(folder string)) (*os.Root, error) {
	return p.to(folder, made)
}

// Close closes what is open.
func (p *Path) Close() { p.leave(0) }

func (p *Path) to(folder string, made func(string)) (*os.Root, error) {
	var names []string
	if folder != "." {
		names = strings.Split(folder, "/")
	}
	shared := 0
	for shared < min(len(names), len(p.names)) && names[shared] == p.names[shared] {
		shared++
	}
	p.leave(shared)
	at := p.root
	if shared > 0 {
		at = p.open[shared-1]
	}
	for i := shared; i < len(names); i++ {
		below := path.Join(names[:i+1]...)
		if made != nil {
			err := at.Mkdir(names[i], 0o755)
			if err == nil {
				made(below)
			} else if !errors.Is(err, fs.ErrExist) {
				return nil, err
			}
		}
		next, err := at.OpenRoot(names[i])
		if err != nil {
			if next, err = p.root.OpenRoot(below); err != nil { // a link may lead elsewhere in the tree
				return nil, err
			}
		}
		p.names, p.open, at = append(p.names, names[i]), append(p.open, next), next
	}
	return at, nil
}

func (p *Path) leave(keep int) {
	for _, r := range p.open[keep:] {
		r.Close()
	}
	p.names, p.open = p.names[:keep], p.open[:keep]
}
