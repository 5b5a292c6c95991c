package cli

import (
	"context"
	"encoding/json"
	"io"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/cmd/opcat/internal/schema"
)

// providerData is one provider: what the catalog says of it, and what it serves.
type providerData struct {
	ID         string           `json:"id"`
	Models     int              `json:"models"`
	Operations []string         `json:"operations"`
	Provider   json.RawMessage  `json:"provider"`
	Provenance []catalog.Origin `json:"provenance,omitempty"`
}

func providerGet() Command {
	var c CatalogFlags
	var provenance bool
	return Command{
		Path: "provider get", Tier: 1, Family: CRUD,
		Short:  "one provider: endpoints, credential, data policy",
		Result: "opcat.provider@1",
		Schema: func() schema.Schema {
			return schema.Object(
				schema.Prop("id", schema.String()),
				schema.Prop("models", schema.Int()),
				schema.Prop("operations", schema.Array(schema.String())),
				schema.Prop("provider", shapeSchema(providerShape())),
				schema.Opt("provenance", schema.Array(originSchema())))
		},
		Flags:   append([]Flag{BoolFlag(&provenance, "provenance", "add the layer, file and line of every field")}, c.Flags()...),
		Args:    []Arg{{Name: "id", Usage: "the provider's id"}},
		Errors:  compileErrors(NotFound),
		Example: []string{"provider", "get", "typesafe"},
		Run: func(_ context.Context, inv *Invocation) (Result, error) {
			b, err := c.book(inv)
			if err != nil {
				return Result{}, err
			}
			p, ok := b.Provider(inv.Args[0])
			if !ok {
				return Result{}, Missing("provider", inv.Args[0], b.ProviderIDs(), "opcat provider list")
			}
			item := newProviderItem(b, p)
			data := providerData{ID: p.ID, Models: item.Models, Operations: item.Operations, Provider: json.RawMessage(b.ProviderJSON(p.ID))}
			if !provenance {
				return Result{Data: data}, nil
			}
			record, err := b.provenance()
			if err != nil {
				return Result{}, err
			}
			data.Provenance, err = record.Provider(b.Catalog, p.ID)
			return Result{Data: data, Text: func(w io.Writer) { writeOrigins(w, data.Provider, data.Provenance) }}, err
		},
	}
}
