package resolve

import (
	"github.com/opcat/opcat/compile/layer"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/operations/op"
)

// A Draft is the catalog resolved but unchecked: rules have met rows, selectors
// have taken over what they leave unsaid. Its slices are in ID order. It has no
// place for a legacy field.
type Draft struct {
	AsOf      string // the date that it is compiled for, "2026-11-30"
	Providers []*Provider
	Rows      []*Row
	Aliases   []*Alias
	Root      *tree.Node // aliases, defaults, ladders, presentation ... as written
	Removed   []layer.Removal
	Astray    []*tree.Node // rules of providers that are not declared

	// Some fragment of the root could not be read whole: what is not here may have
	// been there, so nobody reports that it is absent.
	CatalogBroken, RulesBroken bool
}

// A Provider is one provider with its rows.
type Provider struct {
	ID     string
	Table  *tree.Node
	Rows   []*Row
	Broken bool
}

// A Row is one served row with its contracts.
type Row struct {
	ID        string
	Provider  *Provider // nil if its provider is not declared
	Wire      string
	Table     *tree.Node   // merged, with what a selector or an inheritance took over
	Contracts []*Contract  // in the registry's order
	Changes   []*tree.Node // change_operations that layers spoke, weakest layer first
	Broken    bool

	index  int
	merged *layer.Row
	says   uint8 // which of the keys that lead elsewhere its merged table has
}

// A Contract is what a row promises for one operation.
type Contract struct {
	Op    *op.Operation
	Table *tree.Node // the contract table, merged over the rules that met the row
	Grant *tree.Node // the rule that names the row and so grants it
}

// Contract finds a row's contract for an operation; nil if it has none.
func (r *Row) Contract(operation string) *Contract {
	for _, c := range r.Contracts {
		if c.Op.Name == operation {
			return c
		}
	}
	return nil
}

// An Alias is one name, followed for each operation that it is written for. Where
// it leads nowhere there is a finding and no target.
type Alias struct {
	Name    string
	Table   *tree.Node
	Targets []Target // in the registry's order
}

// A Target is the row that an alias means for one operation.
type Target struct {
	Op   *op.Operation
	Said *tree.Node // the value as written: a row id, or another alias
	Row  *Row
}
