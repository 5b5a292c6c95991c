package json

import (
	"testing"

	committed "github.com/opcat/opcat/gen/json"
	"github.com/opcat/opcat/projections/emit"
)

// The committed snapshot is whole, and its files are what its catalog emits.
func TestCommittedSnapshot(t *testing.T) {
	c, err := committed.Catalog()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Verify(); err != nil {
		t.Fatal(err)
	}
	record, err := committed.Provenance()
	if err != nil {
		t.Fatal(err)
	}
	if record.Digest() != c.Digest() {
		t.Errorf("provenance is about %s, the catalog is %s", record.Digest(), c.Digest())
	}
	for r := range c.Refs() {
		if _, err := record.Row(r); err != nil {
			t.Error(err)
		}
	}
	files, err := Emitter.Emit(c)
	if err != nil {
		t.Fatal(err)
	}
	diffs, err := emit.Check("../../gen/json", files)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range diffs {
		if d.Kind != emit.Extra { // provenance, which the sources give
			t.Errorf("%s\nto mend it: %s", d, emit.Mend("gen"))
		}
	}
}
