package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// The typed form in package catalog is that of the shapes.
func TestGeneratedCodeIsCurrent(t *testing.T) {
	for _, f := range files() {
		got, err := os.ReadFile(filepath.Join("../../catalog", f.path))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, f.data) {
			t.Errorf("catalog/%s is stale: run `go generate ./catalog`", f.path)
		}
	}
}
