package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/typed"
)

// files makes the schemas of all members; root is the folder of package operations.
func files(root string) ([]file, error) {
	var out []file
	docs := docs{root: root, packages: map[string]map[string]string{}}
	for _, o := range operations.All() {
		request, result := operations.Types(o)
		for _, part := range []struct {
			name string
			t    *typed.Type
		}{{"request", request}, {"result", result}} {
			data, err := part.t.Schema("urn:opcat:"+o.Name+":"+part.name+":"+o.Version, docs.says)
			if err == nil {
				err = docs.err
			}
			if err != nil {
				return nil, err
			}
			out = append(out, file{filepath.Join(root, path.Base(part.t.Go().PkgPath()), part.name+".schema.json"), append(data, '\n')})
		}
	}
	return out, nil
}

// docs are the comments of the packages that declare types.
type docs struct {
	root     string
	packages map[string]map[string]string // by folder, then by "Type" or "Type.Field"
	err      error
}

// says is the comment of a type, or of a field of it, as one line.
func (d *docs) says(t reflect.Type, field string) string {
	folder := path.Base(t.PkgPath())
	comments, ok := d.packages[folder]
	if !ok {
		var err error
		if comments, err = read(filepath.Join(d.root, folder)); err != nil && d.err == nil {
			d.err = err
		}
		d.packages[folder] = comments
	}
	if field == "" {
		return comments[t.Name()]
	}
	return comments[t.Name()+"."+field]
}

func read(folder string) (map[string]string, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	comments := map[string]string{}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		for _, decl := range f.Decls {
			if g, ok := decl.(*ast.GenDecl); ok && g.Tok == token.TYPE {
				for _, spec := range g.Specs {
					note(comments, g.Doc, spec.(*ast.TypeSpec))
				}
			}
		}
	}
	return comments, nil
}

func note(comments map[string]string, doc *ast.CommentGroup, spec *ast.TypeSpec) {
	name := spec.Name.Name
	comments[name] = line(doc)
	s, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range s.Fields.List {
		text := line(f.Doc)
		if text == "" {
			text = line(f.Comment)
		}
		for _, n := range f.Names {
			comments[name+"."+n.Name] = text
		}
	}
}

func line(c *ast.CommentGroup) string { return strings.Join(strings.Fields(c.Text()), " ") }
