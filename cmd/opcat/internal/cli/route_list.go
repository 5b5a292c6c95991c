package cli

import (
	"context"
	"iter"
	"slices"
	"time"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/cmd/opcat/internal/schema"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
)

// routeItem is one route as the list prints it.
type routeItem struct {
	ID         string   `json:"id"`
	Operation  string   `json:"operation"`
	Model      string   `json:"model"`
	Provider   string   `json:"provider"`
	State      string   `json:"state"`
	Support    string   `json:"support,omitempty"`
	InputKinds []string `json:"input_kinds"`
	Protocols  []string `json:"protocols"` // in the order in which they serve
}

func routeProps() []schema.Property {
	return []schema.Property{
		schema.Prop("id", schema.String()),
		schema.Prop("operation", schema.Enum(operations.Names()...)),
		schema.Prop("model", schema.String()),
		schema.Prop("provider", schema.String()),
		schema.Prop("state", schema.Enum(states...)),
		schema.Opt("support", schema.Enum(op.Supports...)),
		schema.Prop("input_kinds", schema.Array(schema.String())),
		schema.Prop("protocols", schema.Array(schema.String())),
	}
}

// routeID names a route: the operation, and the row that performs it.
func routeID(operation, row string) string { return operation + ":" + row }

func newRouteItem(r catalog.Ref, operation string, at time.Time) routeItem {
	item := routeItem{ID: routeID(operation, r.ID()), Operation: operation, Model: r.ID(), Provider: r.Provider(), State: r.State(at).String(),
		Support: r.Support(operation), InputKinds: r.InputKinds(operation), Protocols: []string{}}
	contract, _ := r.Contract(operation)
	for _, p := range contract.Protocol {
		if !slices.Contains(item.Protocols, p.Name) {
			item.Protocols = append(item.Protocols, p.Name)
		}
	}
	return item
}

// A listedRoute is a route of a list before its contract is looked at.
type listedRoute struct {
	ref       catalog.Ref
	operation string
}

// routes are those that pass, operation by operation, and by row within each.
func (f *rowFilter) routes(b *book, support string) (iter.Seq[listedRoute], error) {
	if err := f.known(b); err != nil {
		return nil, err
	}
	return func(yield func(listedRoute) bool) {
		for _, name := range operations.Names() {
			if f.operation != "" && f.operation != name {
				continue
			}
			one := *f
			one.operation = name
			for r := range one.passing(b) {
				if (support == "" || r.Support(name) == support) && !yield(listedRoute{r, name}) {
					return
				}
			}
		}
	}, nil
}

func routeList() Command {
	var c CatalogFlags
	var f rowFilter
	var support string
	flags := append(f.flags(), EnumFlag(&support, "support", op.Supports, "only what is evidenced like this"))
	return Command{
		Path: "route list", Tier: 1, Family: CRUD,
		Short:   "the routes, by operation in the registry's order and then by row",
		Long:    "A route is a row and an operation that it has a contract for: the unit of selection, price and admission.",
		Result:  "opcat.route_list@1",
		Schema:  func() schema.Schema { return schema.List(schema.Object(routeProps()...)) },
		Flags:   append(flags, c.Flags()...),
		Errors:  compileErrors(NotFound),
		Example: []string{"route", "list", "--operation", "decision_evaluation", "--input-kind", "json"},
		Bounded: &Bounded{},
		Run: func(_ context.Context, inv *Invocation) (Result, error) {
			b, err := c.book(inv)
			if err != nil {
				return Result{}, err
			}
			list, err := f.routes(b, support)
			if err != nil {
				return Result{}, err
			}
			page, err := Paginate(inv, list, func(l listedRoute) string { return routeID(l.operation, l.ref.ID()) }, digest(b.Digest()),
				func(l listedRoute) routeItem { return newRouteItem(l.ref, l.operation, b.at) })
			return Result{Data: Items(page)}, err
		},
	}
}
