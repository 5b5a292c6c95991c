package cli

import (
	"context"
	"slices"

	"github.com/opcat/opcat/cmd/opcat/internal/schema"
	"github.com/opcat/opcat/parity"
)

// parityItem is one question as the list prints it.
type parityItem struct {
	ID      string `json:"id"`
	Kind    string `json:"kind"`
	Catalog string `json:"catalog"`
}

// asking are the flags that choose questions.
type asking struct{ kind, catalog string }

func (a *asking) flags() []Flag {
	return []Flag{
		EnumFlag(&a.kind, "kind", parity.Kinds, "only questions of this kind"),
		EnumFlag(&a.catalog, "catalog", parity.Catalogs, "only questions about this catalog: the made-up one, or that of the binary"),
	}
}

func (a *asking) questions() ([]parity.Question, error) {
	all, err := parity.Questions()
	return slices.DeleteFunc(slices.Clone(all), func(q parity.Question) bool {
		return a.kind != "" && q.Kind != a.kind || a.catalog != "" && q.Catalog != a.catalog
	}), err
}

func parityList() Command {
	var a asking
	return Command{
		Path: "parity list", Tier: 1, Family: CRUD,
		Short:  "the questions that every form of the catalog must answer alike",
		Result: "opcat.parity_list@1",
		Schema: func() schema.Schema {
			return schema.List(schema.Object(
				schema.Prop("id", schema.String()),
				schema.Prop("kind", schema.Enum(parity.Kinds...)),
				schema.Prop("catalog", schema.Enum(parity.Catalogs...))))
		},
		Flags:   a.flags(),
		Example: []string{"parity", "list", "--kind", "cost"},
		Bounded: &Bounded{},
		Run: func(_ context.Context, inv *Invocation) (Result, error) {
			found, err := a.questions()
			if err != nil {
				return Result{}, err
			}
			var items []parityItem
			for _, q := range found {
				items = append(items, parityItem{q.ID, q.Kind, q.Catalog})
			}
			page, err := Paginate(inv, slices.Values(items), func(p parityItem) string { return p.ID }, digest(questionIDs(found)...), itself)
			return Result{Data: Items(page)}, err
		},
	}
}

func questionIDs(questions []parity.Question) []string {
	var ids []string
	for _, q := range questions {
		ids = append(ids, q.ID)
	}
	return ids
}
