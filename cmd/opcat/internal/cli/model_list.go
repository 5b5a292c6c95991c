package cli

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/cmd/opcat/internal/schema"
	"github.com/opcat/opcat/operations"
)

// modelItem is one row as the list prints it.
type modelItem struct {
	ID            string   `json:"id"`
	Provider      string   `json:"provider"`
	Name          string   `json:"name,omitempty"`
	Operations    []string `json:"operations"`
	ListedAs      []string `json:"listed_as,omitempty"`
	State         string   `json:"state"`
	Released      string   `json:"released,omitempty"`
	Tier          string   `json:"tier,omitempty"`
	ContextTokens *int64   `json:"context_tokens,omitempty"`
	OutputTokens  *int64   `json:"output_tokens,omitempty"`
	InputUSD      string   `json:"input_usd_per_million,omitempty"`
	OutputUSD     string   `json:"output_usd_per_million,omitempty"`
}

func modelItemSchema() schema.Schema {
	return schema.Object(
		schema.Prop("id", schema.String()),
		schema.Prop("provider", schema.String()),
		schema.Opt("name", schema.String()),
		schema.Prop("operations", schema.Array(schema.Enum(operations.Names()...))),
		schema.Opt("listed_as", schema.Array(schema.Enum(jobs()...))),
		schema.Prop("state", schema.Enum(states...)),
		schema.Opt("released", schema.String()),
		schema.Opt("tier", schema.String()),
		schema.Opt("context_tokens", schema.Int()),
		schema.Opt("output_tokens", schema.Int()),
		schema.Opt("input_usd_per_million", schema.Doc("of text tokens at the standard tier, where one price has no condition", schema.Decimal())),
		schema.Opt("output_usd_per_million", schema.Decimal()))
}

func newModelItem(r catalog.Ref, row catalog.Row, at time.Time) modelItem {
	item := modelItem{ID: r.ID(), Provider: r.Provider(), Name: row.Name, Operations: r.Operations(), ListedAs: row.ListedAs,
		State: r.State(at).String(), Released: string(row.Released),
		InputUSD: string(listPrice(&row, "input_token", at)), OutputUSD: string(listPrice(&row, "output_token", at))}
	if row.Presentation != nil {
		item.Tier = row.Presentation.Tier
	}
	if row.Limits != nil {
		item.ContextTokens, item.OutputTokens = known(row.Limits.ContextTokens), known(row.Limits.OutputTokens)
	}
	return item
}

func known(n catalog.Opt[int64]) *int64 {
	if v, ok := n.Get(); ok {
		return &v
	}
	return nil
}

// listPrice is a row's price of a meter where one entry holds at the date without
// any other condition; unknown otherwise. What a call costs is for admission to say.
func listPrice(row *catalog.Row, meter string, at time.Time) (price catalog.Decimal) {
	for i := range row.Price {
		p := &row.Price[i]
		if p.Meter != meter || !p.USDPerMillion.IsKnown() || p.Untrusted || !unconditional(p) || !holdsAt(p, at) {
			continue
		}
		if price.IsKnown() {
			return ""
		}
		price = p.USDPerMillion
	}
	return price
}

func unconditional(p *catalog.Price) bool {
	return (p.ServiceTier == "" || p.ServiceTier == "standard") && p.Operation == "" && p.CacheLifetime == "" && p.Region == "" &&
		p.Variant == "" && p.Tool == "" && p.Window == nil && !p.AboveInputTokens.IsKnown()
}

func holdsAt(p *catalog.Price, at time.Time) bool {
	from, since := p.ValidFrom.Time()
	until, ends := p.ValidUntil.Time()
	return (!since || !at.Before(from)) && (!ends || at.Before(until))
}

// modelOrders are the orders of a list of rows. What is unknown comes last, and ids
// part what is equal.
var modelOrders = []string{"id", "price", "context", "released", "tier"}

// sortModels puts the rows into an order other than that of their ids, for which
// each is decoded.
func sortModels(rows iter.Seq[catalog.Ref], order string, at time.Time) iter.Seq[catalog.Ref] {
	tiers := []string{"frontier", "reasoning", "mid", "small"}
	compare := map[string]func(a, b *modelItem) int{
		"price":    func(a, b *modelItem) int { return comparePrices(a.InputUSD, b.InputUSD) },
		"context":  func(a, b *modelItem) int { return -cmp.Compare(orZero(a.ContextTokens), orZero(b.ContextTokens)) },
		"released": func(a, b *modelItem) int { return -strings.Compare(a.Released, b.Released) },
		"tier": func(a, b *modelItem) int {
			return cmp.Compare(uint(slices.Index(tiers, a.Tier)), uint(slices.Index(tiers, b.Tier))) // -1 is the largest
		},
	}[order]
	if compare == nil {
		return rows
	}
	type row struct {
		ref  catalog.Ref
		item modelItem
	}
	var list []row
	for r := range rows {
		list = append(list, row{r, newModelItem(r, r.Row(), at)})
	}
	slices.SortStableFunc(list, func(a, b row) int { return compare(&a.item, &b.item) })
	return func(yield func(catalog.Ref) bool) {
		for _, r := range list {
			if !yield(r.ref) {
				return
			}
		}
	}
}

// comparePrices puts an unknown price last: it is not the lowest.
func comparePrices(a, b string) int {
	if (a == "") != (b == "") {
		return cmp.Compare(len(b), len(a))
	}
	return catalog.Decimal(a).Compare(catalog.Decimal(b))
}

// orZero is below every count, which is at least 1.
func orZero(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}

func modelList() Command {
	var c CatalogFlags
	var f rowFilter
	var order string
	flags := append(f.flags(),
		EnumFlag(&f.listedAs, "listed-as", jobs(), "only what an upstream lists as this job"),
		EnumFlag(&order, "sort", modelOrders, "order of the list, after the filters; else id"))
	return Command{
		Path: "model list", Tier: 1, Family: CRUD,
		Short: "the served rows, by id",
		Long: "Filters apply before the order does. The lowest price, the largest context, the latest release and the\n" +
			"highest tier come first; what is unknown comes last, and ids part what is equal.",
		Result:  "opcat.model_list@1",
		Schema:  func() schema.Schema { return schema.List(modelItemSchema()) },
		Flags:   append(flags, c.Flags()...),
		Errors:  compileErrors(NotFound),
		Example: []string{"model", "list", "--operation", "embedding"},
		Bounded: &Bounded{},
		Run: func(_ context.Context, inv *Invocation) (Result, error) {
			b, err := c.book(inv)
			if err != nil {
				return Result{}, err
			}
			rows, err := f.rows(b)
			if err != nil {
				return Result{}, err
			}
			page, err := Paginate(inv, sortModels(rows, order, b.at), catalog.Ref.ID, digest(b.Digest()),
				func(r catalog.Ref) modelItem { return newModelItem(r, r.Row(), b.at) })
			return Result{Data: Items(page)}, err
		},
	}
}
