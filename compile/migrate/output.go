package migrate

import (
	"slices"
	"strings"
	"sync"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/legacy"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/shape"
)

// output is what a migration writes: for each legacy file the catalog facts and
// the rules that come of it, in today's shapes. What rests on a file or row that
// could not be read whole is kept apart, so that later stages can tell.
type output struct {
	sheets []*sheet
}

type sheet struct {
	file         *tree.File
	broken       bool
	catalog, cap *tree.Node
}

var (
	catalogKey = rootKey(form.Catalog)
	rulesKey   = rootKey(form.Capabilities)
)

func rootKey(r *form.Root) func() *shape.Key {
	return sync.OnceValue(func() *shape.Key { return &shape.Key{Type: shape.Rec(r.Table()), Index: -1} })
}

func (o *output) sheet(file *tree.File, broken bool) *sheet {
	for i := len(o.sheets) - 1; i >= 0; i-- {
		if s := o.sheets[i]; s.file == file && s.broken == broken {
			return s
		}
	}
	s := &sheet{file: file, broken: broken}
	o.sheets = append(o.sheets, s)
	return s
}

// into gives the table or list of a catalog root's key that facts of a legacy
// file go to.
func (m *migration) into(file *tree.File, broken bool, name string) *tree.Node {
	s := m.out.sheet(file, broken)
	if s.catalog == nil {
		s.catalog = m.top(file, catalogKey())
	}
	return m.section(s.catalog, name)
}

// unread gives a file that could not be read whole a place in what comes out, also
// if nothing of it does: what is absent may have been there.
func (m *migration) unread(old []fragment.Fragment) {
	for _, f := range old {
		if !f.Broken {
			continue
		}
		s := m.out.sheet(f.File, true)
		switch {
		case f.Root == legacy.Catalog && s.catalog == nil:
			s.catalog = m.top(f.File, catalogKey())
		case f.Root == legacy.Capabilities && s.cap == nil:
			s.cap = m.top(f.File, rulesKey())
		}
	}
}

// section gives the child table or list of the name, made if it is not there.
func (m *migration) section(in *tree.Node, name string) *tree.Node {
	if n := in.Get(name); n != nil {
		return n
	}
	n := m.make(in, name, in)
	in.Append(n)
	return n
}

// rulesOf gives the list of a provider's rules that a legacy file gives rise to.
func (m *migration) rulesOf(file *tree.File, broken bool, provider string) *tree.Node {
	s := m.out.sheet(file, broken)
	if s.cap == nil {
		s.cap = m.top(file, rulesKey())
	}
	return m.section(m.section(s.cap, "provider"), provider)
}

func (m *migration) top(file *tree.File, key *shape.Key) *tree.Node {
	n := m.arena.New(key, shape.FormTable, "")
	n.File = file
	n.SetPlace(tree.Place{Line: 1, KeyCol: 1, Col: 1})
	return n
}

// fragments lists what was written, by path.
func (o *output) fragments() []fragment.Fragment {
	slices.SortStableFunc(o.sheets, func(a, b *sheet) int { return strings.Compare(a.file.Path, b.file.Path) })
	var out []fragment.Fragment
	for _, s := range o.sheets {
		if s.catalog != nil {
			out = append(out, fragment.Fragment{File: s.file, Root: form.Catalog, Table: s.catalog, Broken: s.broken})
		}
		if s.cap != nil {
			out = append(out, fragment.Fragment{File: s.file, Root: form.Capabilities, Table: s.cap, Broken: s.broken})
		}
	}
	return out
}
