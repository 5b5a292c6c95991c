// Package modelsdev reads models.dev: the tree of TOML files that people edit, or the
// api.json that is made of it.
//
// models.dev calls every model by one shape, whatever it does: an embedding stands
// there with text as its output. So its modalities are signs and no operation.
package modelsdev

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/internal/hugepage"
	"github.com/opcat/opcat/upstream/doc"
	"github.com/opcat/opcat/upstream/fact"
	"github.com/opcat/opcat/upstream/read"
)

// Read reads the file name, which is an api.json, or the tree below the folder name.
func Read(fsys fs.FS, name string, from fact.Source) (fact.Catalog, error) {
	st, err := fs.Stat(fsys, name)
	if err != nil {
		return fact.Catalog{}, err
	}
	r := &reader{Sink: read.New(from)}
	if st.IsDir() {
		err = r.tree(fsys, name)
	} else {
		err = r.api(fsys, name)
	}
	return r.Done(), err
}

type reader struct {
	*read.Sink
	prices []catalog.Price // room for those of a model, until all of them are known
}

func (r *reader) api(fsys fs.FS, name string) error {
	src, err := doc.ReadFile(fsys, name, nil)
	if err != nil {
		return err
	}
	v, err := doc.JSON(src)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if v.Kind != doc.Map {
		return fmt.Errorf("%s holds %s; models.dev's api.json is a table of providers", name, v.Kind)
	}
	file := path.Base(name)
	for id, p := range (read.Part{Sink: r.Sink, At: file, Value: &v}).Fields {
		at := file + "#/" + id
		if p.Kind != doc.Map {
			r.Lose(id, "", at, "the provider is %s, not a table", p.Kind)
			continue
		}
		r.provider(id, at, p)
		models, ok := p.Get("models")
		if !ok || models.Kind != doc.Map {
			r.Lose(id, "", at, "the provider has no table of models")
			continue
		}
		for wire, m := range (read.Part{Sink: r.Sink, At: at, Path: "models", Value: models}).Fields {
			r.model(id, wire, read.Place(at+"/models/", wire), m)
		}
	}
	return nil
}

// tree reads providers/<id>/provider.toml and providers/<id>/models/**.toml.
func (r *reader) tree(fsys fs.FS, root string) error {
	if _, err := fs.Stat(fsys, path.Join(root, "providers")); err == nil {
		root = path.Join(root, "providers")
	}
	t := &tree{reader: r, fsys: fsys, root: root, base: path.Base(root), kept: doc.TOML{Keep: true}}
	if err := doc.Walk(fsys, root, ".toml", t.file); err != nil {
		return err
	}
	if len(t.files) == 0 {
		return fmt.Errorf("%s holds no TOML file; models.dev's tree has providers/<id>/provider.toml", root)
	}
	if len(t.later) > 0 {
		t.docs, t.found = map[string]*doc.Value{}, make(map[string]*doc.File, len(t.files))
		for _, f := range t.files {
			t.found[f.Name] = f
		}
	}
	for _, name := range t.later {
		v, err := t.resolve(name, 0)
		if err != nil {
			t.lose(name, err)
			continue
		}
		t.document(name, v)
	}
	return nil
}

// A tree is all files of a checkout, by their names below the root.
type tree struct {
	*reader
	fsys   fs.FS
	root   string
	base   string // the root's own name
	parser doc.TOML
	room   hugepage.Slab[doc.File]
	files  []*doc.File           // every TOML file
	later  []string              // files that other files say a part of
	found  map[string]*doc.File  // where there are such, every file by name
	kept   doc.TOML              // for files that say a part of others
	docs   map[string]*doc.Value // which those are, by name
}

// file takes what a file says that says all by itself, and notes the others.
func (t *tree) file(f doc.File) {
	f.Name = strings.TrimPrefix(strings.TrimPrefix(f.Name, t.root), "/")
	switch {
	case f.Folder:
		t.Fault(f.Name, "%s", plain(f.Err))
		return
	case path.Ext(f.Name) != ".toml":
		t.Leave(path.Ext(f.Name), "a file that is no TOML")
		return
	}
	src := f.Src
	if len(src) > doc.Long {
		f.Src = nil // to be read again if another file asks for it
	}
	t.files = append(t.files, t.room.Put(f))
	if f.Err != nil {
		t.lose(f.Name, plain(f.Err))
		return
	}
	if _, ok := linkText(src); ok {
		t.later = append(t.later, f.Name)
		return
	}
	v, err := t.parser.Read(src)
	if err != nil {
		t.lose(f.Name, err)
		return
	}
	if _, ok := v.Get("extends"); ok {
		t.later = append(t.later, f.Name)
		return
	}
	t.document(f.Name, &v)
}

// at is the place of a file.
func (t *tree) at(name string) string { return t.base + "/" + name }

// lose records a file that cannot be read.
func (t *tree) lose(name string, err error) {
	id, rest, _ := strings.Cut(name, "/")
	if wire, ok := strings.CutPrefix(rest, "models/"); ok {
		t.Lose(id, strings.TrimSuffix(wire, ".toml"), t.at(name), "%s", err)
		return
	}
	t.Fault(t.at(name), "%s", err)
}

// document takes what a file says; its place says of what.
func (t *tree) document(name string, v *doc.Value) {
	id, rest, _ := strings.Cut(name, "/")
	at := t.at(name)
	if rest == "provider.toml" {
		t.provider(id, at, v)
		return
	}
	wire, ok := strings.CutPrefix(rest, "models/")
	if !ok {
		t.Fault(at, "is neither a provider.toml nor below models")
		return
	}
	t.model(id, strings.TrimSuffix(wire, ".toml"), at, v)
}

// plain is an error without the name, which stands before it anyway.
func plain(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// linkText reports whether a file holds nothing but the way to another one.
func linkText(src []byte) (string, bool) {
	if len(src) > 512 {
		return "", false
	}
	s := bytes.TrimRight(src, "\n")
	if !bytes.HasSuffix(s, []byte(".toml")) || bytes.ContainsAny(s, "=\n\"'[") {
		return "", false
	}
	return string(s), true
}

// maxLinks bounds links to links, and what extends what.
const maxLinks = 8

// resolve gives a file's document with links followed and bases filled in.
func (t *tree) resolve(name string, depth int) (*doc.Value, error) {
	if depth > maxLinks {
		return nil, fmt.Errorf("more than %d files lead to one another", maxLinks)
	}
	if v := t.docs[name]; v != nil {
		return v, nil
	}
	v, err := t.load(name, depth)
	if err == nil {
		t.docs[name] = v
	}
	return v, err
}

func (t *tree) load(name string, depth int) (*doc.Value, error) {
	if strings.HasPrefix(name, "../") || name == ".." {
		return nil, errors.New("it leads out of the tree")
	}
	f := t.found[name]
	if f == nil {
		return nil, fmt.Errorf("it leads to %s, which is not there", name)
	}
	if f.Err != nil {
		return nil, plain(f.Err)
	}
	src := f.Src
	if src == nil {
		var err error
		if src, err = doc.ReadFile(t.fsys, path.Join(t.root, name), nil); err != nil {
			return nil, plain(err)
		}
	}
	if target, ok := linkText(src); ok {
		return t.resolve(path.Join(path.Dir(name), target), depth+1)
	}
	v, err := t.kept.Read(src)
	if err != nil {
		return nil, err
	}
	ext, ok := v.Get("extends")
	if !ok {
		return &v, nil
	}
	from, ok := ext.Get("from")
	if !ok || from.Kind != doc.Text {
		return nil, errors.New("extends says no from")
	}
	provider, wire, ok := strings.Cut(from.Text, "/")
	if !ok {
		return nil, fmt.Errorf("extends %q, which is no provider/model", from.Text)
	}
	base, err := t.resolve(path.Join(provider, "models", wire+".toml"), depth+1)
	if err != nil {
		return nil, fmt.Errorf("extends %q: %w", from.Text, err)
	}
	var omit []string
	if o, ok := ext.Get("omit"); ok {
		for i := range o.Kids {
			omit = append(omit, o.Kids[i].Text)
		}
	}
	slices.Sort(omit)
	left := without(base, "", omit)
	merged := merge(&left, &v)
	return &merged, nil
}

// without is a table without some of its paths.
func without(v *doc.Value, at string, omit []string) doc.Value {
	out := *v
	if len(omit) == 0 || v.Kind != doc.Map {
		return out
	}
	out.Kids = nil
	for i := range v.Kids {
		name := at + v.Kids[i].Name
		if slices.Contains(omit, name) {
			continue
		}
		kid := without(&v.Kids[i], name+".", omit)
		if kid.Kind == doc.Map && len(kid.Kids) == 0 && len(v.Kids[i].Kids) > 0 {
			continue
		}
		out.Kids = append(out.Kids, kid)
	}
	return out
}

// merge lays a table over another; a list replaces a list.
func merge(base, over *doc.Value) doc.Value {
	if base.Kind != doc.Map || over.Kind != doc.Map {
		return *over
	}
	out := *over
	out.Kids = slices.Clone(base.Kids)
	for i := range over.Kids {
		kid := &over.Kids[i]
		if kid.Name == "extends" {
			continue
		}
		if have, ok := out.Get(kid.Name); ok {
			*have = merge(have, kid)
			continue
		}
		out.Kids = append(out.Kids, *kid)
	}
	return out
}
