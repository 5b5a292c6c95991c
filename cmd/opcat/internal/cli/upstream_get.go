package cli

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/cmd/opcat/internal/schema"
	"github.com/opcat/opcat/upstream"
	"github.com/opcat/opcat/upstream/fact"
)

// upstreamData is one upstream: what it is, what is in it, and what of that no row has.
type upstreamData struct {
	Name      string       `json:"name"`
	Kind      string       `json:"kind"`
	Reads     string       `json:"reads"`
	Version   string       `json:"version"`
	Date      catalog.Date `json:"date,omitempty"`
	CheckedOn catalog.Date `json:"checked_on"`
	License   string       `json:"license,omitempty"`
	URL       string       `json:"url"`
	Providers int          `json:"providers"`
	Models    int          `json:"models"`
	Prices    int          `json:"prices"`
	Lacks     []lack       `json:"lacks"`
	News      []fact.News  `json:"unknown_fields"`
	Left      []fact.Left  `json:"left_out"`
	Unread    []fact.Left  `json:"unread"`
	Faults    []fact.Fault `json:"faults"`
}

// A lack is a fact that some models have nothing of.
type lack struct {
	Fact   string `json:"fact"`
	Models int    `json:"models"`
}

func upstreamGet() Command {
	var manifest string
	counted := schema.Array(schema.Object(schema.Prop("field", schema.String()), schema.Prop("why", schema.String()), schema.Prop("count", schema.Int())))
	return Command{
		Path: "upstream get", Tier: 1, Family: CRUD,
		Short:  "one public catalog: its version and license, what is in it, and what of it cannot be taken over",
		Result: "opcat.upstream@1",
		Schema: func() schema.Schema {
			return schema.Object(
				schema.Prop("name", schema.String()), schema.Prop("kind", schema.String()), schema.Prop("reads", schema.String()),
				schema.Prop("version", schema.String()), schema.Opt("date", schema.String()), schema.Prop("checked_on", schema.String()),
				schema.Opt("license", schema.String()), schema.Prop("url", schema.String()),
				schema.Prop("providers", schema.Int()), schema.Prop("models", schema.Int()), schema.Prop("prices", schema.Int()),
				schema.Prop("lacks", schema.Doc("facts of which some models have nothing", schema.Array(schema.Object(
					schema.Prop("fact", schema.String()), schema.Prop("models", schema.Int()))))),
				schema.Prop("unknown_fields", schema.Doc("fields that the reader does not know", schema.Array(schema.Object(
					schema.Prop("path", schema.String()), schema.Prop("count", schema.Int()), schema.Opt("like", schema.Doc("a known field that is probably meant", schema.String())),
					schema.Prop("at", schema.String()), schema.Opt("value", schema.String()))))),
				schema.Prop("left_out", schema.Doc("fields that are known and that a row has no place for", counted)),
				schema.Prop("unread", schema.Doc("values that cannot be said in the catalog's words", counted)),
				schema.Prop("faults", schema.Doc("entries, or parts of one, that could not be read", schema.Array(schema.Object(
					schema.Prop("at", schema.String()), schema.Prop("why", schema.String()))))))
		},
		Flags:   []Flag{PathFlag(&manifest, "upstreams", "file that names the upstreams to read; else upstreams.toml")},
		Args:    []Arg{{Name: "name", Usage: "the upstream's name, as upstream list prints it"}},
		Errors:  []Code{NotFound, ArtifactMissing, DecodeFailed},
		Example: []string{"upstream", "get", "models.dev"},
		Run: func(_ context.Context, inv *Invocation) (Result, error) {
			name := inv.Args[0]
			found, err := loadUpstreams(manifest, name)
			if err != nil {
				return Result{}, err
			}
			if len(found) == 0 {
				m, err := upstream.ReadManifest(cmp.Or(manifest, manifestName))
				if err != nil {
					return Result{}, err
				}
				var known []string
				for _, e := range m.Upstream {
					known = append(known, e.Reader)
				}
				return Result{}, Missing("upstream", name, known, "opcat upstream list")
			}
			return Result{Data: newUpstreamData(&found[0])}, nil
		},
	}
}

func newUpstreamData(c *fact.Catalog) upstreamData {
	r, _ := upstream.Find(c.Name)
	d := upstreamData{Name: c.Name, Kind: string(c.Kind), Reads: r.Doc, Version: c.Version, Date: c.Date, CheckedOn: c.Checked, License: c.License, URL: c.URL,
		Providers: len(c.Providers), Models: len(c.Models), News: notNil(c.News), Left: notNil(c.Left), Faults: notNil(c.Faults),
		Lacks: []lack{{Fact: "a name"}, {Fact: "a limit"}, {Fact: "a price"}, {Fact: "what goes in and comes out"}}}
	unread := map[[2]string]int{}
	for _, m := range c.Models {
		d.Prices += len(m.Row.Price)
		for i, lacks := range []bool{m.Row.Name == "", m.Row.Limits == nil, len(m.Row.Price) == 0,
			len(m.Says.Inputs)+len(m.Says.Outputs) == 0 && m.Says.Mode == "" && len(m.Row.Contracts) == 0} {
			if lacks {
				d.Lacks[i].Models++
			}
		}
		for _, u := range m.Unread {
			unread[[2]string{u.Field, u.Why}]++
		}
	}
	d.Lacks = slices.DeleteFunc(d.Lacks, func(l lack) bool { return l.Models == 0 })
	d.Unread = []fact.Left{}
	for k, n := range unread {
		d.Unread = append(d.Unread, fact.Left{Field: k[0], Why: k[1], Count: n})
	}
	slices.SortFunc(d.Unread, func(a, b fact.Left) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Field, b.Field), strings.Compare(a.Why, b.Why))
	})
	return d
}
