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
	"github.com/opcat/opcat/projections/docs"
	"github.com/opcat/opcat/projections/emit"
	jsonfiles "github.com/opcat/opcat/projections/json"
)

// project makes the generated files of a catalog, each emitter's in its folder: of
// all emitters, or of those that only names.
func project(c *catalog.Catalog, record []byte, only []string) ([]emit.File, error) {
	made, err := projections.Emit(c, only)
	if err != nil {
		return nil, err
	}
	var all []emit.File
	for _, m := range made {
		if m.Name == jsonfiles.Emitter.Name {
			m.Files = jsonfiles.WithProvenance(m.Files, record)
		}
		all = append(all, emit.Under(m.Name, m.Files)...)
	}
	return all, nil
}

// A generated is what a tree of generated files held before: its catalog and its
// record of changes, each nil if there is none that can be read.
type generated struct {
	catalog *catalog.Catalog
	changes *docs.Changes
}

// readTree reads what lies in a tree; now is the catalog that is known already, which
// is not read again.
func readTree(tree string, now *catalog.Catalog) (old generated) {
	if tree == "" {
		return old
	}
	path := filepath.Join(tree, jsonfiles.Emitter.Name, "catalog.json")
	if info, err := os.Stat(path); err == nil && info.Size() <= catalog.MaxSize {
		if text, err := os.ReadFile(path); err == nil {
			if "sha256:"+hexSHA256(text) == now.Digest() {
				old.catalog = now
			} else if c, err := catalog.Open(text); err == nil {
				old.catalog = c
			}
		}
	}
	if text, err := os.ReadFile(filepath.Join(tree, docs.Emitter.Name, docs.ChangesFile)); err == nil {
		old.changes, _ = docs.ReadChanges(text) // a damaged one is none
	}
	return old
}

// withChanges puts the pages of what changed among generated files.
func withChanges(files []emit.File, c *catalog.Catalog, changes *docs.Changes) []emit.File {
	if changes == nil {
		return files
	}
	var rest, pages []emit.File
	for _, f := range files {
		if within, ok := strings.CutPrefix(f.Path, docs.Emitter.Name+"/"); ok {
			f.Path = within
			pages = append(pages, f)
		} else {
			rest = append(rest, f)
		}
	}
	if pages == nil {
		return files
	}
	return append(rest, emit.Under(docs.Emitter.Name, docs.WithChanges(pages, c, changes))...)
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
