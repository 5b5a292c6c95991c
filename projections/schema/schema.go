// Package schema emits JSON Schemas, draft 2020-12: of the fragments that people
// write, of the JSON files that other projections make, and of each operation's
// request and result.
//
// Schemas of fragments and catalogs are printed from the shapes that the decoder
// walks, and those of operations are the registry's own, so nothing is declared
// twice. They keep to what draft-07 knows, and $defs: the engine of TOML editors
// skips unevaluatedProperties and misreads prefixItems.
//
// A schema says what a fragment may look like, not what it may mean: whether a row
// exists or two facts agree is the compiler's. Of the looks it cannot say what JSON
// has no words for: a bare TOML date looks like a string to it, and 1.0 like 1.
package schema

import (
	"fmt"
	"sync"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/projections/emit"
	"github.com/opcat/opcat/projections/picker"
	"github.com/opcat/opcat/shape"
)

// Emitter is the projection.
var Emitter = emit.Emitter{
	Name: "schema",
	Doc:  "JSON Schemas of fragments, of the catalog's files, and of each operation's request and result",
	Make: func(*emit.Work) ([]emit.File, error) { return files() },
}

// files are made once for each program: no fact of a catalog is in them. Nobody changes them.
var files = sync.OnceValues(makeFiles)

func makeFiles() ([]emit.File, error) {
	var out []emit.File
	add := func(path, id, title string, t *shape.Table, w writer) error {
		text, err := w.document(id, title, t)
		if err != nil {
			return fmt.Errorf("schema %s: %w", path, err)
		}
		f := emit.File{Path: path + ".schema.json", Data: text}
		f.Sum = f.SHA256()
		out = append(out, f)
		return nil
	}
	for _, d := range documents() {
		if err := add(d.path, d.id, d.title, d.table, writer{catalog: d.compiled, patterns: d.patterns}); err != nil {
			return nil, err
		}
	}
	out = append(out,
		emit.File{Path: "provenance.schema.json", Data: []byte(provenance)},
		emit.File{Path: "compat.schema.json", Data: []byte(compat)})
	for _, o := range operations.All() {
		out = append(out,
			emit.File{Path: "operations/" + o.Name + "/request.schema.json", Data: []byte(o.RequestSchema)},
			emit.File{Path: "operations/" + o.Name + "/result.schema.json", Data: []byte(o.ResultSchema)})
	}
	return out, nil
}

// A document is a kind of file that a shape describes.
type document struct {
	path, id, title string
	table           *shape.Table
	compiled        bool                  // as a catalog writes it, and not a fragment
	patterns        map[*shape.Key]string // texts of a form that has no kind
}

// digest is how files name the catalog that they are made from.
const digest = `^sha256:[0-9a-f]{64}$`

func documents() []document {
	version := map[*shape.Key]string{form.Catalog.Table().Must("schema"): form.VersionPattern, form.Capabilities.Table().Must("schema"): form.VersionPattern}
	docs := []document{
		{path: form.Catalog.Name, id: form.Catalog.Name + ":" + form.Version, table: form.Catalog.Table(), patterns: version,
			title: "an opcat fragment under catalog_sources: providers, rows, aliases, defaults and presentation"},
		{path: form.Capabilities.Name, id: form.Capabilities.Name + ":" + form.Version, table: form.Capabilities.Table(), patterns: version,
			title: "an opcat fragment under capability_sources: rules, and the contracts that they grant"},
		{path: "layer", id: "layer:" + form.Version, table: form.Manifest(), title: "layer.toml, the manifest of a layer"},
		{path: "catalog", id: "catalog:1", table: form.Document(), compiled: true, title: "the compiled catalog, catalog.json"},
	}
	contents, patterns := contentsTable()
	docs = append(docs, document{path: "contents", id: "catalog_contents:1", table: contents, compiled: true, patterns: patterns,
		title: "the table of contents of a generated catalog, index.json"})
	changes, patterns := changesTable()
	docs = append(docs, document{path: "changes", id: "catalog_changes:1", table: changes, compiled: true, patterns: patterns,
		title: "what changed since the edition before, changes.json"})
	for _, o := range operations.All() {
		table, patterns := operationTable(o)
		docs = append(docs, document{path: "operations/" + o.Name + "/catalog", id: "operation_catalog:1:" + o.Name, table: table, compiled: true, patterns: patterns,
			title: "the rows that serve " + o.Name + ", each with that contract alone"})
	}
	docs = append(docs, document{path: "picker", id: "picker:1", table: picker.Document(), compiled: true, patterns: map[*shape.Key]string{picker.Digest(): digest},
		title: "what a picker needs, operation first, picker.json"})
	return docs
}
