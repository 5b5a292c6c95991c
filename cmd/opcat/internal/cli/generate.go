package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/projections"
	"github.com/opcat/opcat/projections/emit"
	jsonfiles "github.com/opcat/opcat/projections/json"
)

// project makes every generated file of a catalog, each emitter's in its folder.
func project(c *catalog.Catalog, record []byte) ([]emit.File, error) {
	var all []emit.File
	for _, e := range projections.All() {
		files, err := e.Emit(c)
		if err != nil {
			return nil, err
		}
		if e.Name == jsonfiles.Emitter.Name {
			files = jsonfiles.WithProvenance(files, record)
		}
		all = append(all, emit.Under(e.Name, files)...)
	}
	return all, nil
}

// recordedDate is the date that a generated tree was compiled for; zero where it
// does not say. What it says wrongly makes the tree differ.
func recordedDate(tree string) time.Time {
	text, err := os.ReadFile(filepath.Join(tree, jsonfiles.Emitter.Name, "index.json"))
	if err != nil {
		return time.Time{}
	}
	var contents struct {
		AsOf string `json:"as_of"`
	}
	if json.Unmarshal(text, &contents) != nil {
		return time.Time{}
	}
	t, err := catalog.ParseDate(contents.AsOf)
	if err != nil {
		return time.Time{}
	}
	return t
}
