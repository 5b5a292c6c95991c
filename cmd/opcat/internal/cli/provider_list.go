package cli

import (
	"context"
	"maps"
	"slices"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/cmd/opcat/internal/schema"
	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/operations"
)

// providerItem is one provider as the list prints it.
type providerItem struct {
	ID         string   `json:"id"`
	Name       string   `json:"name"`
	Kind       string   `json:"kind"`
	Models     int      `json:"models"`
	Operations []string `json:"operations"` // of its rows
	Protocols  []string `json:"protocols"`  // that it has endpoints for
}

func newProviderItem(b *book, p catalog.Provider) providerItem {
	item := providerItem{ID: p.ID, Name: p.Name, Kind: p.Kind, Operations: []string{}, Protocols: slices.Sorted(maps.Keys(p.Endpoint))}
	if item.Kind == "" {
		item.Kind = form.Provider().Must("kind").Meant
	}
	item.Protocols = notNil(item.Protocols)
	served := map[string]bool{}
	for r := range b.RefsOf(p.ID) {
		item.Models++
		for _, o := range r.Operations() {
			served[o] = true
		}
	}
	for _, name := range operations.Names() {
		if served[name] {
			item.Operations = append(item.Operations, name)
		}
	}
	return item
}

func providerList() Command {
	var c CatalogFlags
	var operation string
	return Command{
		Path: "provider list", Tier: 1, Family: CRUD,
		Short:  "who serves rows, by id",
		Result: "opcat.provider_list@1",
		Schema: func() schema.Schema {
			return schema.List(schema.Object(
				schema.Prop("id", schema.String()),
				schema.Prop("name", schema.String()),
				schema.Prop("kind", schema.Enum(form.Provider().Must("kind").Type.Values...)),
				schema.Prop("models", schema.Int()),
				schema.Prop("operations", schema.Array(schema.Enum(operations.Names()...))),
				schema.Prop("protocols", schema.Array(schema.String()))))
		},
		Flags:   append([]Flag{EnumFlag(&operation, "operation", operations.Names(), "only who serves this")}, c.Flags()...),
		Errors:  compileErrors(),
		Example: []string{"provider", "list"},
		Bounded: &Bounded{},
		Run: func(_ context.Context, inv *Invocation) (Result, error) {
			b, err := c.book(inv)
			if err != nil {
				return Result{}, err
			}
			var list []providerItem
			for p := range b.Providers() {
				if item := newProviderItem(b, p); operation == "" || slices.Contains(item.Operations, operation) {
					list = append(list, item)
				}
			}
			page, err := Paginate(inv, slices.Values(list), func(p providerItem) string { return p.ID }, digest(b.Digest()), itself)
			return Result{Data: Items(page)}, err
		},
	}
}
