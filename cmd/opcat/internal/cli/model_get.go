package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/cmd/opcat/internal/schema"
	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/shape"
)

// The parts of a compiled catalog, as its document declares them.
func rowShape() *shape.Type      { return form.Document().Must("models").Type.Elem }
func providerShape() *shape.Type { return form.Document().Must("providers").Type.Elem }

// modelData is one row: what the catalog says of it, where it stands, and on demand
// where each field came from.
type modelData struct {
	State      string           `json:"state"`
	StateOn    string           `json:"state_on"`
	Model      json.RawMessage  `json:"model"`
	Provenance []catalog.Origin `json:"provenance,omitempty"`
}

func originSchema() schema.Schema {
	return schema.Object(
		schema.Prop("field", schema.String()),
		schema.Opt("layer", schema.Enum(form.Layers...)),
		schema.Opt("file", schema.String()),
		schema.Opt("line", schema.Int()))
}

func modelGet() Command {
	var c CatalogFlags
	var provenance bool
	return Command{
		Path: "model get", Tier: 1, Family: CRUD,
		Short:  "one row with its contracts, and where each field came from",
		Result: "opcat.model@1",
		Schema: func() schema.Schema {
			return schema.Object(
				schema.Prop("state", schema.Enum(states...)),
				schema.Prop("state_on", schema.String()),
				schema.Prop("model", shapeSchema(rowShape())),
				schema.Opt("provenance", schema.Array(originSchema())))
		},
		Flags:   append([]Flag{BoolFlag(&provenance, "provenance", "add the layer, file and line of every field")}, c.Flags()...),
		Args:    []Arg{{Name: "id", Usage: "the row's id, provider/wire_model"}},
		Errors:  compileErrors(NotFound),
		Example: []string{"model", "get", "typesafe/jev-1.14.0", "--provenance"},
		Run: func(_ context.Context, inv *Invocation) (Result, error) {
			b, err := c.book(inv)
			if err != nil {
				return Result{}, err
			}
			ref, ok := b.Find(inv.Args[0])
			if !ok {
				return Result{}, b.noRow(inv.Args[0])
			}
			data := modelData{State: ref.State(b.at).String(), StateOn: b.date(), Model: json.RawMessage(ref.JSON())}
			if provenance {
				record, err := b.provenance()
				if err != nil {
					return Result{}, err
				}
				if data.Provenance, err = record.Row(ref); err != nil {
					return Result{}, err
				}
			}
			return Result{Data: data, Text: data.text()}, nil
		},
	}
}

// noRow is the error for a row that is not there. One that a layer took away says so.
func (b *book) noRow(id string) error {
	for _, gone := range b.Removed() {
		if gone.Row == id {
			return Fail(NotFound, "the model '%s' was removed: %s", clip(id, maxGot), gone.Reason).given(id).Where(At{Item: clip(id, maxGot)})
		}
	}
	var ids []string
	for r := range b.Refs() {
		ids = append(ids, r.ID())
	}
	return Missing("model", id, ids, "opcat model list")
}

// text writes a row as a person reads one: with provenance each field beside its
// place, otherwise the general outline.
func (d *modelData) text() func(io.Writer) {
	if d.Provenance == nil {
		return nil
	}
	return func(w io.Writer) {
		fmt.Fprintf(w, "%s on %s\n\n", d.State, d.StateOn)
		writeOrigins(w, d.Model, d.Provenance)
	}
}
