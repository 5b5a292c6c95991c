package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/opcat/opcat/internal/testcat"
)

// tree writes a generated source tree once and gives its folder.
func (w *world) tree(rows, perFile int, size testcat.Size) (string, error) {
	name := fmt.Sprintf("rows-%d-%d-%d", rows, perFile, size)
	dir := filepath.Join(w.dir, name)
	if w.trees[name] != "" {
		return dir, nil
	}
	for path, file := range testcat.Rows(rows, perFile, size) {
		full := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(full, file.Data, 0o644); err != nil {
			return "", err
		}
	}
	if w.trees == nil {
		w.trees = map[string]string{}
	}
	w.trees[name] = dir
	return dir, nil
}

// withSnapshot builds opcat with the catalog of another tree embedded.
func (w *world) withSnapshot(sources string) (string, error) {
	out := filepath.Join(w.dir, "opcat-large")
	if _, err := os.Stat(out); err == nil {
		return out, nil
	}
	if _, err := w.compileCold(sources); err != nil {
		return "", err
	}
	replace := map[string]string{}
	err := filepath.WalkDir(filepath.Join(w.dir, "gen", "json"), func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(w.dir, p)
		if err != nil {
			return err
		}
		committed, err := filepath.Abs(rel)
		replace[committed] = p
		return err
	})
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(w.dir, "overlay.json")
	if err := os.WriteFile(overlay, text, 0o644); err != nil {
		return "", err
	}
	return build(out, "./cmd/opcat", "-overlay", overlay)
}
