package cli

import (
	"context"
	"slices"
	"time"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/cmd/opcat/internal/schema"
	"github.com/opcat/opcat/compile/form"
	snapshot "github.com/opcat/opcat/gen/json"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/plan/accepted"
)

// snapshotItem is one compiled catalog.
type snapshotItem struct {
	Name      string         `json:"name"`
	Version   int64          `json:"version,omitempty"` // a newer one has a higher; a candidate's is in its note
	InUse     bool           `json:"in_use"`            // queries without --sources read it
	Expires   string         `json:"expires,omitempty"`
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
		schema.Prop("name", schema.Enum(embedded, adopted, candidate)),
		schema.Opt("version", schema.Int()),
		schema.Prop("in_use", schema.Bool()),
		schema.Opt("expires", schema.String()),
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

// snapshots are those that this machine has: the program's own, and the adopted one.
func snapshots(inv *Invocation) ([]snapshotItem, error) {
	own, err := snapshot.Catalog()
	if err != nil {
		return nil, err
	}
	list := []snapshotItem{newSnapshotItem(inv, embedded, own)}
	list[0].Version = accepted.VersionOf(own)
	c, record := adoptedSnapshot(inv)
	if record == nil {
		list[0].InUse = true
		return list, nil
	}
	it := newSnapshotItem(inv, adopted, c)
	it.Version, it.Expires = record.Version, record.Expires.Format(time.RFC3339)
	it.InUse = it.Version > list[0].Version
	list[0].InUse = !it.InUse
	return append(list, it), nil
}

func snapshotList() Command {
	return Command{
		Path: "snapshot list", Tier: 1, Family: CRUD,
		Short:   "the compiled catalogs that there are",
		Result:  "opcat.snapshot_list@1",
		Schema:  func() schema.Schema { return schema.List(snapshotSchema()) },
		Example: []string{"snapshot", "list"},
		Bounded: &Bounded{},
		Run: func(_ context.Context, inv *Invocation) (Result, error) {
			list, err := snapshots(inv)
			if err != nil {
				return Result{}, err
			}
			page, err := Paginate(inv, slices.Values(list), func(s snapshotItem) string { return s.Name }, digest(list[0].Digest, list[len(list)-1].Digest), itself)
			return Result{Data: Items(page)}, err
		},
	}
}
