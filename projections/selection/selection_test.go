package selection

import (
	"testing"

	committed "github.com/opcat/opcat/gen/selection"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/projections/emit"
)

// The committed table is the one that its catalog gives today, and is read in place.
func TestCommittedTable(t *testing.T) {
	c, err := committed.Catalog()
	if err != nil {
		t.Fatal(err)
	}
	files, err := Emitter.Emit(c)
	if err != nil {
		t.Fatal(err)
	}
	diffs, err := emit.Check("../../gen/selection", files)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range diffs {
		t.Errorf("%s\nto mend it: %s", d, emit.Mend("gen"))
	}
	if !operations.HasTable(c) {
		t.Error("the table is not read: it is made again when it is first asked for")
	}
}
