// Package golang emits the catalog for Go programs: a package that embeds one flat
// blob and reads it in place.
//
// The package is a few lines over package catalog/flat, which has the types and the code: it is
// compiled once, and a new catalog costs its user the copying of the blob. What the
// blob says is what gen/json says for people to read: a test writes the canonical JSON from the blob
// alone and compares it to the byte.
//
// There is no constant for each route: an id is data, checked by a look-up, and tens of thousands of
// constants would cost every build. See docs/performance.md for what they cost.
package golang

import (
	"sync"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/projections/emit"
)

// Emitter is the projection.
var Emitter = emit.Emitter{
	Name: "go",
	Doc:  "a package for Go: routes typed by operation, read in place from one embedded blob",
	Make: func(w *emit.Work) ([]emit.File, error) {
		b, err := blobOf(w)
		if err != nil {
			return nil, err
		}
		return []emit.File{
			{Path: "op/op.go", Data: markers()},
			{Path: "opcatalog/catalog.flat", Data: b},
			{Path: "opcatalog/opcatalog.go", Data: library()},
		}, nil
	},
}

// layoutOf is the layout of today's document.
var layoutOf = sync.OnceValue(func() uint32 { return Layout(form.Document()) })
