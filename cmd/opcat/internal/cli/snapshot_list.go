package cli

import (
	"context"
	"slices"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/cmd/opcat/internal/schema"
	"github.com/opcat/opcat/compile/form"
	snapshot "github.com/opcat/opcat/gen/json"
	"github.com/opcat/opcat/operations"
)

// snapshotItem is one compiled catalog.
type snapshotItem struct {
	Name      string         `json:"name"`
	Schema    string         `json:"schema"`
	Digest    string         `json:"digest"`
	AsOf      string         `json:"as_of"` // the date that it was compiled for
	Holds     holdsItem      `json:"holds"` // the time for which what follows from that date stays true
	HoldsNow  bool           `json:"holds_now"`
	Providers int            `json:"providers"`
	Models    int            `json:"models"`
	Routes    map[string]int `json:"routes"`
	Bytes     int            `json:"bytes"`
}

type holdsItem struct {
	From  string `json:"from,omitempty"`
	Until string `json:"until,omitempty"`
}

func snapshotSchema() schema.Schema {
	var routes []schema.Property
	for _, name := range operations.Names() {
		routes = append(routes, schema.Prop(name, schema.Int()))
	}
	return schema.Object(
		schema.Prop("name", schema.String()),
		schema.Prop("schema", schema.String()),
		schema.Prop("digest", catalogDigest()),
		schema.Prop("as_of", schema.String()),
		schema.Prop("holds", schema.Object(schema.Opt("from", schema.String()), schema.Opt("until", schema.String()))),
		schema.Prop("holds_now", schema.Bool()),
		schema.Prop("providers", schema.Int()),
		schema.Prop("models", schema.Int()),
		schema.Prop("routes", schema.Object(routes...)),
		schema.Prop("bytes", schema.Int()))
}

func newSnapshotItem(inv *Invocation, name string, c *catalog.Catalog) snapshotItem {
	s, h := summary(c), c.Holds()
	return snapshotItem{Name: name, Schema: form.SchemaName, Digest: s.Digest, AsOf: s.AsOf, Holds: holdsItem{string(h.From), string(h.Until)},
		HoldsNow: h.Holds(inv.Now()), Providers: s.Providers, Models: s.Models, Routes: s.Routes, Bytes: len(c.JSON())}
}

// embedded is the name of the snapshot in the binary.
const embedded = "embedded"

func snapshotList() Command {
	return Command{
		Path: "snapshot list", Tier: 1, Family: CRUD,
		Short:   "the compiled catalogs that there are",
		Result:  "opcat.snapshot_list@1",
		Schema:  func() schema.Schema { return schema.List(snapshotSchema()) },
		Example: []string{"snapshot", "list"},
		Bounded: &Bounded{},
		Run: func(_ context.Context, inv *Invocation) (Result, error) {
			c, err := snapshot.Catalog()
			if err != nil {
				return Result{}, err
			}
			list := []snapshotItem{newSnapshotItem(inv, embedded, c)}
			page, err := Paginate(inv, slices.Values(list), func(s snapshotItem) string { return s.Name }, digest(c.Digest()), itself)
			return Result{Data: Items(page)}, err
		},
	}
}
