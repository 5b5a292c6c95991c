package main

import (
	"bytes"
	"os"
	"testing"
)

// TestSchemasAreFresh: the committed schemas are what the types say.
func TestSchemasAreFresh(t *testing.T) {
	made, err := files("../../operations")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range made {
		got, err := os.ReadFile(f.path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, f.data) {
			t.Errorf("%s is stale: run make gen", f.path)
		}
	}
}
