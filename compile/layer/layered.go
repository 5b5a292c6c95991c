package layer

import (
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/shape"
)

// Layered is what the layers say together: each fact once, from the layer that
// had the last word on it. Its slices are in ID order.
type Layered struct {
	Providers []*Provider
	Rows      []*Row
	Rules     []*Rule    // in the order provider, rank, file, line
	Root      *tree.Node // everything else of the catalog root: alias, default, ladder, presentation ... merged
	Removed   []Removal

	// Some fragment of the root could not be read whole: what is not here may have
	// been there.
	CatalogBroken, RulesBroken bool
}

// A Provider is one merged `[provider.<id>]`.
type Provider struct {
	ID     string
	Table  *tree.Node
	Broken bool         // a fragment that states some of it could not be read whole
	Moved  []*tree.Node // endpoint tables, as merged, whose URL a layer changed: support seen at the old one no longer stands
}

// A Row is one merged `[[model]]`.
type Row struct {
	ID        string // provider/wire_model
	Table     *tree.Node
	Changes   []*tree.Node // its change_operations tables, weakest layer first
	Broken    bool
	Untrusted bool // a project or run layer brought it to a provider of a lower layer: no price of it is admitted
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

// Untrusted is a key that no source can write: it marks a price entry that a
// project or run layer stated lower than the layers below. Such a price is shown
// and never used for admission.
var Untrusted = &shape.Key{Name: "untrusted", Type: shape.Of(shape.Bool), Index: -1,
	Doc: "a project or run layer says so, and no layer below as low"}
