package layer

import (
	"github.com/opcat/opcat/compile/tree"
)

// Layered is what the layers say together: each fact once, from the layer that
// had the last word on it. Its slices are in ID order.
type Layered struct {
	Providers []*Provider
	Rows      []*Row
	Rules     []*Rule    // in the order provider, rank, file, line
	Root      *tree.Node // everything else of the catalog root: alias, default, ladder, presentation ... merged
	Removed   []Removal
}

// A Provider is one merged `[provider.<id>]`.
type Provider struct {
	ID     string
	Table  *tree.Node
	Broken bool // a fragment that states some of it could not be read whole
}

// A Row is one merged `[[model]]`.
type Row struct {
	ID      string // provider/wire_model
	Table   *tree.Node
	Changes []*tree.Node // its change_operations tables, weakest layer first
	Broken  bool
}

// A Rule is one `[[provider.<id>]]` as its layer wrote it; rules meet rows in resolve.
type Rule struct {
	Provider string
	Table    *tree.Node
	Broken   bool
}

// A Removal is a row that a layer took away and no layer brought back.
type Removal struct {
	Row   string
	Table *tree.Node // the tombstone: row, reason
}
