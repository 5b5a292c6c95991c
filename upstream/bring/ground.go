package bring

import (
	"fmt"
	"path"

	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/migrate"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/edit"
	"github.com/opcat/opcat/plan/files"
)

// A ground is the sources as they are: who is in them, where each row and contract
// stands, and what was written by plans before.
type ground struct {
	tree      *files.Snapshot
	providers map[string][]*place // by id: each table that states some of it
	rows      map[string]*place   // by row id
	contracts map[string][]*place // by row id and operation
	rules     map[string][]*place // by file, in its order: one for each rule that names its rows
	records   map[string]record   // by provider
	docs      map[string]*edit.Doc
}

// A place is where a table of a fragment stands: the n-th item of a list of its file.
type place struct {
	file   string
	n      int
	legacy bool // of a file that no plan of ours edits
	node   *tree.Node
	rule   *tree.Node // of a contract: the rule that it stands in
	shared bool       // of a contract: its rule says more than this
}

// key is the name of a contract's place.
func key(row, operation string) string { return row + "\x00" + operation }

// survey reads the sources.
func survey(t *files.Snapshot) (*ground, diag.List, error) {
	g := &ground{tree: t, providers: map[string][]*place{}, rows: map[string]*place{}, contracts: map[string][]*place{}, rules: map[string][]*place{},
		records: map[string]record{}, docs: map[string]*edit.Doc{}}
	fragments, found := fragment.Dir(fragment.Tree{FS: t, Layer: "bundled"})
	if found.HasErrors() {
		return nil, found, nil
	}
	legacy := map[string]bool{}
	for i := range fragments {
		legacy[fragments[i].File.Path] = fragments[i].Legacy || fragments[i].Linked()
	}
	migrated, found := migrate.Fields(fragments, nil)
	if found.HasErrors() {
		return nil, found, nil
	}
	for i := range migrated.Fragments {
		f := &migrated.Fragments[i]
		if f.Table == nil {
			continue
		}
		g.catalog(f, legacy[f.File.Path])
		g.capabilities(f, legacy[f.File.Path])
	}
	for _, name := range t.Names() {
		if path.Base(name) != files.RecordName {
			continue
		}
		src, _ := t.File(name)
		r, err := readRecord(name, src)
		if err != nil {
			return nil, nil, err
		}
		g.records[path.Base(path.Dir(name))] = r
	}
	return g, nil, nil
}

func (g *ground) catalog(f *fragment.Fragment, legacy bool) {
	for p := range f.Table.Get("provider").Each() {
		if f.Root.Name == files.Roots[0] {
			g.providers[p.Name()] = append(g.providers[p.Name()], &place{file: f.File.Path, legacy: legacy, node: p})
		}
	}
	n := 0
	for m := range f.Table.Get("model").Each() {
		id := m.Get("provider").Str() + "/" + m.Get("wire_model").Str()
		g.rows[id] = &place{file: f.File.Path, n: n, legacy: legacy, node: m}
		n++
	}
}

func (g *ground) capabilities(f *fragment.Fragment, legacy bool) {
	if f.Root.Name != files.Roots[1] {
		return
	}
	for p := range f.Table.Get("provider").Each() {
		n := 0
		for rule := range p.Each() {
			at := place{file: f.File.Path, n: n, legacy: legacy, rule: rule,
				shared: rule.Get("operations").Len() > 1 || rule.Get("model_version") != nil}
			if first := rule.Get("operations").First(); first != nil && rule.Get("models") != nil {
				one := at
				one.node = first
				g.rules[at.file] = append(g.rules[at.file], &one)
			}
			for _, wire := range rule.Get("models").Strings() {
				for c := range rule.Get("operations").Each() {
					k := key(p.Name()+"/"+wire, c.Name())
					one := at
					one.node = c
					g.contracts[k] = append(g.contracts[k], &one)
				}
			}
			n++
		}
	}
}

// doc is a file to be edited.
func (g *ground) doc(file string) (*edit.Doc, error) {
	if d := g.docs[file]; d != nil {
		return d, nil
	}
	src, there := g.tree.File(file)
	if !there {
		src = []byte{}
	}
	d, err := edit.Parse(src)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	g.docs[file] = d
	return d, nil
}
