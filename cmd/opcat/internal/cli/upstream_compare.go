package cli

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/opcat/opcat/cmd/opcat/internal/schema"
	snapshot "github.com/opcat/opcat/gen/json"
	"github.com/opcat/opcat/upstream"
	"github.com/opcat/opcat/upstream/compare"
	"github.com/opcat/opcat/upstream/fact"
)

// loadUpstreams reads upstreams of a manifest: all, or the named; "" is the manifest of
// this folder.
func loadUpstreams(manifest string, only ...string) ([]fact.Catalog, error) {
	if manifest == "" {
		manifest = manifestName
	}
	catalogs, err := upstream.Load(manifest, only...)
	if err != nil {
		return nil, unreadUpstreams(manifest, err, Fail(DecodeFailed, "%s", manifestText(err)).Where(At{File: manifest}))
	}
	return catalogs, nil
}

// unreadUpstreams is why upstreams were not read: something is not there, or else.
func unreadUpstreams(manifest string, err error, or *Error) *Error {
	if errors.Is(err, fs.ErrNotExist) {
		return Fail(ArtifactMissing, "%s", manifestText(err)).atFlag("--upstreams", manifest)
	}
	return or
}

// manifestText is a list of mistakes in one line.
func manifestText(err error) string {
	return oneLine(strings.ReplaceAll(asError(err).Message, "\n", "; "), maxMessage)
}

func upstreamCompare() Command {
	var manifest, provider, row string
	var all, report bool
	return Command{
		Path: "upstream compare", Tier: 2, Family: Stage,
		Short: "facts that several upstreams state, the furthest apart first",
		Long: "Limits and the prices of a call without conditions are compared. The first source of a fact is the one whose word counts\n" +
			"for that kind of fact; the order is data (upstream/rank/rank.toml). What is used is what the catalog in the binary has.\n" +
			"--report leaves compare.md, compare.html and compare.svg in the run dir: who agrees with whom, by provider, and the worst facts.",
		Result: "opcat.comparison@1",
		Schema: func() schema.Schema {
			return schema.List(schema.Object(
				schema.Prop("row", schema.String()),
				schema.Prop("field", schema.String()),
				schema.Prop("said", schema.Array(schema.Object(schema.Prop("source", schema.String()), schema.Prop("value", schema.String())))),
				schema.Prop("used", schema.Object(
					schema.Prop("source", schema.Doc("an upstream, or 'catalog' for what people state otherwise", schema.String())),
					schema.Prop("value", schema.String()))),
				schema.Prop("percent", schema.Doc("by how much the largest is above the smallest; empty where one says zero", schema.String())),
				schema.Prop("why", schema.Doc("why that is used", schema.String()))))
		},
		Flags: []Flag{
			PathFlag(&manifest, "upstreams", "file that names the upstreams to read; else upstreams.toml"),
			StringFlag(&provider, "provider", "only rows of this provider"),
			StringFlag(&row, "row", "only this row"),
			BoolFlag(&all, "all", "facts that all agree on too"),
			BoolFlag(&report, "report", "leave a report in the run dir, as Markdown and as a page for a browser"),
		},
		Errors:  []Code{ArtifactMissing, DecodeFailed},
		Example: []string{"upstream", "compare", "--provider", "openai"},
		Bounded: &Bounded{},
		Run: func(_ context.Context, inv *Invocation) (Result, error) {
			catalogs, err := loadUpstreams(manifest)
			if err != nil {
				return Result{}, err
			}
			have, err := snapshot.Catalog()
			if err != nil {
				return Result{}, err
			}
			facts := slices.DeleteFunc(compare.Of(catalogs, have), func(f compare.Fact) bool {
				return provider != "" && f.Provider() != provider || row != "" && f.Row != row
			})
			if report {
				if err := leaveReport(inv, facts, catalogs); err != nil {
					return Result{}, err
				}
			}
			facts = slices.DeleteFunc(facts, func(f compare.Fact) bool { return !all && !f.Differs() })
			var versions []string
			for _, c := range catalogs {
				versions = append(versions, c.URL)
			}
			page, err := Paginate(inv, slices.Values(facts), func(f compare.Fact) string { return f.Row + " " + f.Field }, digest(versions...), func(f compare.Fact) compare.Fact { return f })
			return Result{Data: Items(page)}, err
		},
	}
}

// maxWorst is how many facts a report lists.
const maxWorst = 200

// leaveReport writes the report of a comparison to the run dir.
func leaveReport(inv *Invocation, facts []compare.Fact, catalogs []fact.Catalog) error {
	dir, err := inv.RunDir()
	if err != nil {
		return err
	}
	r := compare.Make(facts, catalogs, maxWorst)
	for name, text := range map[string]string{"compare.html": r.HTML(), "compare.md": r.Markdown("compare.svg"), "compare.svg": compare.SVG(r.Shares, 30)} {
		if err := dir.WriteFile(name, []byte(text)); err != nil {
			return err
		}
	}
	return nil
}

// upstreamItem is one upstream as the list prints it.
type upstreamItem struct {
	Name      string `json:"name"`
	Kind      string `json:"kind"`
	Version   string `json:"version"`
	URL       string `json:"url"`
	Providers int    `json:"providers"`
	Models    int    `json:"models"`
	News      int    `json:"unknown_fields"`
	Faults    int    `json:"faults"`
}

func upstreamList() Command {
	var manifest string
	return Command{
		Path: "upstream list", Tier: 1, Family: CRUD,
		Short:  "the public catalogs that rows are taken from, and what is in them",
		Result: "opcat.upstream_list@1",
		Schema: func() schema.Schema {
			return schema.List(schema.Object(
				schema.Prop("name", schema.String()), schema.Prop("kind", schema.String()), schema.Prop("version", schema.String()), schema.Prop("url", schema.String()),
				schema.Prop("providers", schema.Int()), schema.Prop("models", schema.Int()),
				schema.Prop("unknown_fields", schema.Doc("fields that the reader does not know", schema.Int())),
				schema.Prop("faults", schema.Doc("entries, or parts of one, that could not be read", schema.Int()))))
		},
		Flags:   []Flag{PathFlag(&manifest, "upstreams", "file that names the upstreams to read; else upstreams.toml")},
		Errors:  []Code{ArtifactMissing, DecodeFailed},
		Example: []string{"upstream", "list"},
		Bounded: &Bounded{},
		Run: func(_ context.Context, inv *Invocation) (Result, error) {
			catalogs, err := loadUpstreams(manifest)
			if err != nil {
				return Result{}, err
			}
			var list []upstreamItem
			var versions []string
			for _, c := range catalogs {
				versions = append(versions, c.URL)
				list = append(list, upstreamItem{c.Name, string(c.Kind), c.Version, c.URL, len(c.Providers), len(c.Models), len(c.News), len(c.Faults)})
			}
			slices.SortFunc(list, func(a, b upstreamItem) int { return strings.Compare(a.Name, b.Name) })
			page, err := Paginate(inv, slices.Values(list), func(u upstreamItem) string { return u.Name }, digest(versions...), func(u upstreamItem) upstreamItem { return u })
			return Result{Data: Items(page)}, err
		},
	}
}
