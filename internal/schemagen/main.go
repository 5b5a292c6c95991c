// Command schemagen writes the JSON Schemas of the registry: for each operation
// request.schema.json and result.schema.json in its folder.
//
// A schema is made from the Go types that requests and results are decoded into, so
// the two are equal by construction; what the types say in comments becomes the
// schema's descriptions. Tests hold that the files are fresh and that both accept
// the same JSON.
package main

import (
	"fmt"
	"os"
)

func main() {
	files, err := files(".")
	if err == nil {
		for _, f := range files {
			if err = os.WriteFile(f.path, f.data, 0o644); err != nil {
				break
			}
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "schemagen:", err)
		os.Exit(1)
	}
}

// A file is one output, its path relative to package operations.
type file struct {
	path string
	data []byte
}
