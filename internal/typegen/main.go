// Command typegen writes the typed form of a catalog: a Go struct for each table
// of the document's shape, and the code that reads and writes its JSON.
//
// The shapes are the only place where a key is declared. What a caller reads as
// row.Limits.ContextTokens, and the strict reading and exact writing of it,
// follow from there; a key that is new in a shape is typed after `make gen`.
package main

import (
	"fmt"
	"os"
)

func main() {
	for _, f := range files() {
		if err := os.WriteFile(f.path, f.data, 0o644); err != nil {
			fmt.Fprintln(os.Stderr, "typegen:", err)
			os.Exit(1)
		}
	}
}

// A file is one output, its path relative to package catalog.
type file struct {
	path string
	data []byte
}

func files() []file {
	m := newModel()
	return []file{{"types_gen.go", m.types()}, {"codec_gen.go", m.codec()}, {"flat/views_gen.go", flat()}}
}
