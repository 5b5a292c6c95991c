package cli

import (
	"context"
	"slices"

	"github.com/opcat/opcat/cmd/opcat/internal/schema"
	"github.com/opcat/opcat/projections"
)

// projectionItem is one projection as the list prints it.
type projectionItem struct {
	Name    string `json:"name"`
	Summary string `json:"summary"`
	Folder  string `json:"folder"`
}

func projectionProps() []schema.Property {
	return []schema.Property{schema.Prop("name", schema.String()), schema.Prop("summary", schema.String()), schema.Prop("folder", schema.String())}
}

func projectionItems() []projectionItem {
	var out []projectionItem
	for _, e := range projections.All() {
		out = append(out, projectionItem{e.Name, e.Doc, defaultTree + "/" + e.Name})
	}
	return out
}

func projectionList() Command {
	return Command{
		Path: "projection list", Tier: 1, Family: CRUD,
		Short:   "what is generated from a catalog",
		Result:  "opcat.projection_list@1",
		Schema:  func() schema.Schema { return schema.List(schema.Object(projectionProps()...)) },
		Example: []string{"projection", "list"},
		Bounded: &Bounded{},
		Run: func(_ context.Context, inv *Invocation) (Result, error) {
			var names []string
			for _, p := range projectionItems() {
				names = append(names, p.Name)
			}
			page, err := Paginate(inv, slices.Values(projectionItems()), func(p projectionItem) string { return p.Name }, digest(names...), itself)
			return Result{Data: Items(page)}, err
		},
	}
}
