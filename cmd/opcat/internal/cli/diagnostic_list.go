package cli

import (
	"context"
	"slices"

	"github.com/opcat/opcat/cmd/opcat/internal/schema"
	"github.com/opcat/opcat/diag"
)

// diagnosticStages are the stages that can find something.
var diagnosticStages = []string{"decode", "migrate", "layer", "resolve", "check"}

// diagnosticItem is one code as the list prints it.
type diagnosticItem struct {
	Code  diag.Code `json:"code"`
	Stage string    `json:"stage"`
	Title string    `json:"title"`
}

func diagnosticList() Command {
	var stage string
	return Command{
		Path: "diagnostic list", Tier: 1, Family: CRUD,
		Short:  "the codes that a compile can find, by name",
		Result: "opcat.diagnostic_list@1",
		Schema: func() schema.Schema {
			return schema.List(schema.Object(
				schema.Prop("code", schema.String()),
				schema.Prop("stage", schema.Enum(diagnosticStages...)),
				schema.Prop("title", schema.String())))
		},
		Flags:   []Flag{EnumFlag(&stage, "stage", diagnosticStages, "only what this stage finds")},
		Example: []string{"diagnostic", "list", "--stage", "decode"},
		Bounded: &Bounded{},
		Run: func(_ context.Context, inv *Invocation) (Result, error) {
			var found []diagnosticItem
			for _, e := range diag.Codes() {
				if stage == "" || e.Stage == stage {
					found = append(found, diagnosticItem{e.Code, e.Stage, e.Title})
				}
			}
			page, err := Paginate(inv, slices.Values(found),
				func(d diagnosticItem) string { return string(d.Code) }, digest(diagnosticCodes()...), itself)
			return Result{Data: Items(page)}, err
		},
	}
}

// diagnosticCodes names every code, sorted.
func diagnosticCodes() []string {
	var out []string
	for _, e := range diag.Codes() {
		out = append(out, string(e.Code))
	}
	return out
}
