package cli

import (
	"context"
	"slices"

	"github.com/opcat/opcat/cmd/opcat/internal/schema"
	"github.com/opcat/opcat/projections"
)

// projectionData is one projection: the files that it makes of a catalog.
type projectionData struct {
	projectionItem
	Catalog string     `json:"catalog"` // the digest of what it was made from
	Files   []fileItem `json:"files"`
}

type fileItem struct {
	Path   string `json:"path"`
	Bytes  int    `json:"bytes"`
	SHA256 string `json:"sha256"`
}

func projectionGet() Command {
	var c CatalogFlags
	return Command{
		Path: "projection get", Tier: 1, Family: CRUD,
		Short:  "one projection: its files, and the digest of the catalog that they come from",
		Result: "opcat.projection@1",
		Schema: func() schema.Schema {
			return schema.Object(append(projectionProps(),
				schema.Prop("catalog", catalogDigest()),
				schema.Prop("files", schema.Array(schema.Object(schema.Prop("path", schema.String()),
					schema.Prop("bytes", schema.Int()), schema.Prop("sha256", schema.Digest())))))...)
		},
		Flags:   c.Flags(),
		Args:    []Arg{{Name: "name", Usage: "the projection's name"}},
		Errors:  compileErrors(NotFound),
		Example: []string{"projection", "get", "json"},
		Run: func(_ context.Context, inv *Invocation) (Result, error) {
			emitter, ok := projections.Lookup(inv.Args[0])
			if !ok {
				var names []string
				for _, e := range projections.All() {
					names = append(names, e.Name)
				}
				return Result{}, Missing("projection", inv.Args[0], names, "opcat projection list")
			}
			b, err := c.book(inv)
			if err != nil {
				return Result{}, err
			}
			files, err := emitter.Emit(b.Catalog)
			if err != nil {
				return Result{}, err
			}
			items := projectionItems()
			data := projectionData{Catalog: b.Digest(), Files: []fileItem{},
				projectionItem: items[slices.IndexFunc(items, func(p projectionItem) bool { return p.Name == emitter.Name })]}
			for _, f := range files {
				data.Files = append(data.Files, fileItem{f.Path, f.Size(), f.SHA256()})
			}
			return Result{Data: data}, nil
		},
	}
}
