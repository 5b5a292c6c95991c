package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/projections"
	"github.com/opcat/opcat/projections/emit"
	jsonfiles "github.com/opcat/opcat/projections/json"
)

// project makes the generated files of a catalog, each emitter's in its folder: of
// all emitters, or of those that only names.
func project(c *catalog.Catalog, record []byte, only []string) ([]emit.File, error) {
	var all []emit.File
	for _, e := range projections.All() {
		if only != nil && !slices.Contains(only, e.Name) {
			continue
		}
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

// filesOf are the files of all projections, or of those that only names.
func filesOf(files []emit.File, only []string) []emit.File {
	if only == nil {
		return files
	}
	var some []emit.File
	for _, f := range files {
		if name, _, _ := strings.Cut(f.Path, "/"); slices.Contains(only, name) {
			some = append(some, f)
		}
	}
	return some
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
