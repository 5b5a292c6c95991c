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
	Root      *tree.Node // aliases, defaults, ladders, presentation ...
	Removed   []layer.Removal
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
	Table     *tree.Node  // merged, with what a selector or an inheritance took over
	Contracts []*Contract // in the registry's order
	Broken    bool
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
