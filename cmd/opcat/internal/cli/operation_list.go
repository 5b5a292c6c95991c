package cli

import (
	"context"
	"slices"

	"github.com/opcat/opcat/cmd/opcat/internal/schema"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
)

// operationItem is one member of the registry as the list prints it.
type operationItem struct {
	Name        string   `json:"name"`
	Version     string   `json:"version"`
	Summary     string   `json:"summary"`
	Models      int      `json:"models"` // that can do it
	Inputs      []string `json:"inputs"`
	Outputs     []string `json:"outputs"`
	Uncertainty string   `json:"uncertainty"`
}

func operationProps() []schema.Property {
	return []schema.Property{
		schema.Prop("name", schema.Enum(operations.Names()...)),
		schema.Prop("version", schema.String()),
		schema.Prop("summary", schema.String()),
		schema.Prop("models", schema.Int()),
		schema.Prop("inputs", schema.Array(schema.String())),
		schema.Prop("outputs", schema.Array(schema.String())),
		schema.Prop("uncertainty", schema.Enum(op.Uncertainties...)),
	}
}

func newOperationItem(b *book, o *op.Operation) operationItem {
	return operationItem{Name: o.Name, Version: o.Version, Summary: o.Summary, Models: b.RouteCount(o.Name),
		Inputs: o.Inputs, Outputs: o.Outputs, Uncertainty: o.Uncertainty}
}

func operationList() Command {
	var c CatalogFlags
	return Command{
		Path: "operation list", Tier: 1, Family: CRUD,
		Short:   "the registry of operations, in its order",
		Result:  "opcat.operation_list@1",
		Schema:  func() schema.Schema { return schema.List(schema.Object(operationProps()...)) },
		Flags:   c.Flags(),
		Errors:  compileErrors(),
		Example: []string{"operation", "list"},
		Bounded: &Bounded{},
		Run: func(_ context.Context, inv *Invocation) (Result, error) {
			b, err := c.book(inv)
			if err != nil {
				return Result{}, err
			}
			var list []operationItem
			for _, o := range operations.All() {
				list = append(list, newOperationItem(b, o))
			}
			page, err := Paginate(inv, slices.Values(list), func(o operationItem) string { return o.Name }, digest(b.Digest()), itself)
			return Result{Data: Items(page)}, err
		},
	}
}
