package cli

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/cmd/opcat/internal/schema"
	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/operations"
)

// routeData is one route: the contract, where it is dialled and what it costs.
type routeData struct {
	routeItem
	StateOn   string          `json:"state_on"`
	Contract  json.RawMessage `json:"contract"`
	Endpoints *object         `json:"endpoints"` // of the contract's protocols
	Price     []any           `json:"price"`     // entries that can bill the operation
}

func routeGet() Command {
	var c CatalogFlags
	return Command{
		Path: "route get", Tier: 1, Family: CRUD,
		Short:  "one route: its contract, where it is dialled and what can be billed",
		Result: "opcat.route@1",
		Schema: func() schema.Schema {
			var contracts []schema.Schema
			for _, o := range operations.All() {
				contracts = append(contracts, tableSchema(form.Contract(o)))
			}
			return schema.Object(append(routeProps(),
				schema.Prop("state_on", schema.String()),
				schema.Prop("contract", schema.AnyOf(contracts...)),
				schema.Prop("endpoints", shapeSchema(providerShape().Table.Must("endpoint").Type)),
				schema.Prop("price", schema.Array(shapeSchema(rowShape().Table.Must("price").Type.Elem))))...)
		},
		Flags:   c.Flags(),
		Args:    []Arg{{Name: "id", Usage: "the route's id, operation:provider/wire_model"}},
		Errors:  compileErrors(NotFound),
		Example: []string{"route", "get", "decision_evaluation:typesafe/jev-1.14.0"},
		Run: func(_ context.Context, inv *Invocation) (Result, error) {
			b, err := c.book(inv)
			if err != nil {
				return Result{}, err
			}
			operation, id, _ := strings.Cut(inv.Args[0], ":")
			ref, ok := b.Find(id)
			if !ok || !ref.Has(operation) {
				return Result{}, b.noRoute(inv.Args[0])
			}
			data, err := b.route(ref, operation)
			return Result{Data: data}, err
		},
	}
}

func (b *book) route(ref catalog.Ref, operation string) (routeData, error) {
	data := routeData{routeItem: newRouteItem(ref, operation, b.at), StateOn: b.date(), Contract: json.RawMessage(ref.ContractJSON(operation)),
		Endpoints: newObject(), Price: []any{}}
	provider, err := parse([]byte(b.ProviderJSON(ref.Provider())))
	if err != nil {
		return data, err
	}
	if all, ok := valueAt(provider, "endpoint").(*object); ok {
		for _, p := range data.Protocols {
			if e, ok := all.values[p]; ok {
				data.Endpoints.put(p, e)
			}
		}
	}
	row, err := parse([]byte(ref.JSON()))
	if err != nil {
		return data, err
	}
	entries, _ := valueAt(row, "price").([]any)
	for _, e := range entries {
		meter, _ := valueAt(e, "meter").(string)
		of, conditional := valueAt(e, "operation").(string)
		if operations.Lookup(operation).HasMeter(meter) && (!conditional || of == operation) {
			data.Price = append(data.Price, e)
		}
	}
	return data, nil
}

// noRoute is the error for a route that is not there: it says whether the row or
// the operation is what is missing.
func (b *book) noRoute(id string) error {
	operation, row, _ := strings.Cut(id, ":")
	ref, ok := b.Find(row)
	if !ok || operations.Lookup(operation) == nil {
		var ids []string
		for _, name := range operations.Names() {
			for r := range b.Routes(name) {
				ids = append(ids, routeID(name, r.ID()))
			}
		}
		return Missing("route", id, ids, "opcat route list")
	}
	e := Fail(NotFound, "the model '%s' has no contract for %s", clip(row, maxGot), operation).given(id).
		Where(At{Item: clip(id, maxGot)}).Saying("opcat model get " + row)
	for _, name := range ref.Operations() {
		e.Allowed = append(e.Allowed, routeID(name, row))
	}
	if slices.Sort(e.Allowed); len(e.Allowed) > 0 {
		e.Message += "; it has: " + strings.Join(e.Allowed, ", ")
	}
	return e
}
