package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/cmd/opcat/internal/schema"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/shape"
)

// selectionData is the answer to a query: a page of its routes, the best first, or of
// the refusals of all others.
type selectionData struct {
	Operation string        `json:"operation"`
	StateOn   string        `json:"state_on"`
	Routes    int           `json:"routes"`   // that the operation has
	Selected  int           `json:"selected"` // that serve the query
	Emptied   string        `json:"emptied_by,omitempty"`
	Steps     []selectStep  `json:"steps"`
	Items     []any         `json:"items"`
	page      []*chosen     // of what Items holds, where it holds routes
	refused   []refusedItem // and where it holds refusals
}

type selectStep struct {
	Constraint string `json:"constraint"`
	Asked      string `json:"asked"`
	Left       int    `json:"left"`
}

// A chosen is one route of a selection, read when it is looked at.
type chosen struct {
	c    *catalog.Catalog
	ref  catalog.Ref
	q    *operations.Query
	at   time.Time
	item *chosenItem
}

type chosenItem struct {
	ID            string `json:"id"`
	Model         string `json:"model"`
	Provider      string `json:"provider"`
	CostUSD       string `json:"cost_usd,omitempty"` // of the usage
	ContextTokens *int64 `json:"context_tokens,omitempty"`
	OutputTokens  *int64 `json:"output_tokens,omitempty"`
	Support       string `json:"support,omitempty"`
	State         string `json:"state"`
}

func (c *chosen) get() *chosenItem {
	if c.item == nil {
		context, output := operations.Window(c.ref)
		c.item = &chosenItem{ID: routeID(c.q.Operation, c.ref.ID()), Model: c.ref.ID(), Provider: c.ref.Provider(),
			CostUSD: string(operations.Cost(c.c, c.ref, *c.q)), ContextTokens: known(context), OutputTokens: known(output),
			Support: c.ref.Support(c.q.Operation), State: c.ref.State(c.at).String()}
	}
	return c.item
}

// MarshalJSON prints the route.
func (c *chosen) MarshalJSON() ([]byte, error) { return marshal(c.get()) }

// refusedItem is why one route is not in a selection.
type refusedItem struct {
	ID      string   `json:"id"`
	Code    string   `json:"code"`
	Message string   `json:"message"`
	Field   string   `json:"field,omitempty"`
	Got     string   `json:"got,omitempty"`
	Allowed []string `json:"allowed,omitempty"`
	Help    string   `json:"help,omitempty"`
}

func selectionSchema() schema.Schema {
	var codes []string
	for _, c := range operations.Codes() {
		codes = append(codes, string(c))
	}
	return schema.Object(
		schema.Prop("operation", schema.Enum(operations.Names()...)),
		schema.Prop("state_on", schema.String()),
		schema.Prop("routes", schema.Int()),
		schema.Prop("selected", schema.Int()),
		schema.Opt("emptied_by", schema.Doc("the first constraint that leaves no route", schema.String())),
		schema.Prop("steps", schema.Array(schema.Object(
			schema.Prop("constraint", schema.String()),
			schema.Prop("asked", schema.String()),
			schema.Prop("left", schema.Int())))),
		schema.Prop("items", schema.Array(schema.AnyOf(
			schema.Object(
				schema.Prop("id", schema.String()),
				schema.Prop("model", schema.String()),
				schema.Prop("provider", schema.String()),
				schema.Opt("cost_usd", schema.Doc("of the usage, else of a usual call; absent where it is unknown", schema.Cost())),
				schema.Opt("context_tokens", schema.Int()),
				schema.Opt("output_tokens", schema.Int()),
				schema.Opt("support", schema.Enum(op.Supports...)),
				schema.Prop("state", schema.Enum(states...))),
			schema.Object(
				schema.Prop("id", schema.String()),
				schema.Prop("code", schema.Enum(codes...)),
				schema.Prop("message", schema.String()),
				schema.Opt("field", schema.String()),
				schema.Opt("got", schema.String()),
				schema.Opt("allowed", schema.Array(schema.String())),
				schema.Opt("help", schema.String()))))))
}

// querying are the flags of a query.
type querying struct {
	q                                 operations.Query
	settings, usage, prefer           []string
	element, maxUSD                   string
	dimensions, minContext, minOutput int
	explain                           bool
}

var preferences = []string{"price", "context", "tier", "provider"}

func (s *querying) flags() []Flag {
	const most = 1 << 40
	return []Flag{
		EnumFlag(&s.q.Operation, "operation", operations.Names(), "what the route must do").Needed(),
		ListFlag(&s.q.Inputs, "input-kind", inputKinds(), "kinds of input that requests send"),
		ListFlag(&s.q.Outputs, "output-kind", outputKinds(), "kinds of output that they ask for"),
		ListFlag(&s.q.Questions, "question-kind", nil, "kinds of questions that they hold"),
		ListFlag(&s.settings, "setting", nil, "options to be honoured: name, or name=value"),
		BoolFlag(&s.q.Tools, "tools", "requests offer tools"),
		BoolFlag(&s.q.Structured, "structured", "answers must fit a schema"),
		IntFlag(&s.dimensions, "dimensions", 0, 0, most, "width of the vectors; 0 asks for none"),
		StringFlag(&s.element, "element-type", "what the numbers of the vectors are"),
		IntFlag(&s.minContext, "min-context", 0, 0, most, "tokens of the window, at least"),
		IntFlag(&s.minOutput, "min-output", 0, 0, most, "tokens of an answer, at least"),
		ListFlag(&s.q.Providers, "provider", nil, "only what these providers serve"),
		StringFlag(&s.q.Region, "region", "dialled in this region"),
		EnumFlag(&s.q.Support, "support", op.Supports, "evidenced at least so well"),
		EnumFlag(&s.q.Lifecycle, "lifecycle", states[:len(states)-1], "in this state at worst; else anything that has not ended"),
		BoolFlag(&s.q.NoTraining, "no-training", "the provider says that it trains no model on what is sent"),
		EnumFlag(&s.q.Retention, "retention", []string{"not_retained", "abuse_monitoring_only"}, "what is sent is kept no longer"),
		ListFlag(&s.usage, "usage", nil, "what a call is metered at: meter=count; else a usual call of the operation"),
		DecimalFlag(&s.maxUSD, "max-usd", "the usage may cost no more"),
		ListFlag(&s.prefer, "prefer", preferences, "what makes a route better, the first first; else the price"),
		ListFlag(&s.q.ProviderOrder, "provider-order", nil, "the order that --prefer provider means"),
		BoolFlag(&s.explain, "explain", "list the routes that are not selected, each with the reason"),
	}
}

func outputKinds() []string {
	var kinds []string
	for _, o := range operations.All() {
		for _, k := range o.Outputs {
			if !slices.Contains(kinds, k) {
				kinds = append(kinds, k)
			}
		}
	}
	return kinds
}

// query reads what the flags hold as text.
func (s *querying) query(at time.Time) (operations.Query, error) {
	q := s.q
	q.At, q.Dimensions, q.MinContext, q.MinOutput = at, int64(s.dimensions), int64(s.minContext), int64(s.minOutput)
	q.MaxUSD = catalog.Decimal(s.maxUSD)
	o := operations.Lookup(q.Operation)
	named := s.settings
	if s.element != "" {
		named = append(slices.Clone(named), "element_type="+s.element)
	}
	for _, text := range named {
		name, value, given := strings.Cut(text, "=")
		v := op.SettingValue{Name: name}
		switch {
		case given && (value == "true" || value == "false") && isYesNo(o, name):
			v.Value = catalog.BoolValue(value == "true")
		case given:
			v.Value = catalog.TextValue(value)
		}
		q.Settings = append(q.Settings, v)
	}
	for _, text := range s.usage {
		meter, count, _ := strings.Cut(text, "=")
		n, err := strconv.ParseInt(count, 10, 64)
		if err != nil || n < 0 {
			return q, Fail(InvalidValue, "each of --usage is meter=count, such as input_token=3000 (got: '%s')", clip(text, maxGot)).atFlag("--usage", text)
		}
		q.Usage.Add(meter, n)
	}
	for _, p := range s.prefer {
		q.Prefer = append(q.Prefer, operations.PreferPrice+operations.Preference(slices.Index(preferences, p)))
	}
	if len(q.ProviderOrder) > 0 && !slices.Contains(q.Prefer, operations.PreferProviders) {
		return q, Fail(InvalidValue, "--provider-order: nothing asks for it; add --prefer provider").atFlag("--provider-order", s.q.ProviderOrder[0])
	}
	if q.MaxUSD.IsKnown() {
		d, err := catalog.ParseDecimal(s.maxUSD)
		if err != nil {
			return q, Fail(InvalidValue, "--max-usd: %v", err).atFlag("--max-usd", s.maxUSD)
		}
		q.MaxUSD = d
		if len(q.Usage.Lines) == 0 {
			q.Usage = o.Usual
		}
	}
	var wrong *operations.QueryError
	if err := q.Check(); errors.As(err, &wrong) {
		return q, queryFault(wrong)
	}
	return q, nil
}

// isYesNo reports whether a setting of an operation is a yes or a no.
func isYesNo(o *op.Operation, name string) bool {
	i := slices.IndexFunc(o.Settings, func(s op.Setting) bool { return s.Name == name })
	return i >= 0 && o.Settings[i].Kind == shape.Bool
}

// queryFlags are the flags that fill the fields of a query.
var queryFlags = map[string]string{
	"inputs": "--input-kind", "outputs": "--output-kind", "questions": "--question-kind", "settings": "--setting", "usage": "--usage",
	"max_usd": "--max-usd", "prefer": "--prefer", "provider_order": "--prefer", "dimensions": "--dimensions", "tools": "--tools", "structured": "--structured",
}

func queryFault(e *operations.QueryError) *Error {
	field, _, _ := strings.Cut(e.Field, ".")
	flag, ok := queryFlags[field]
	if !ok {
		flag = "--" + strings.ReplaceAll(field, "_", "-")
	}
	if len(e.Allowed) > 0 {
		return NotIn(InvalidEnum, flag, e.Got, e.Allowed).atFlag(flag, e.Got)
	}
	return Fail(InvalidValue, "%s: %s", flag, e.Message).atFlag(flag, e.Got)
}

func routeSelect() Command {
	var c CatalogFlags
	var s querying
	return Command{
		Path: "route select", Tier: 2, Family: Stage,
		Short: "the routes that can do what is asked, the best first, or why each of the others cannot",
		Long: "Only routes of the operation are looked at, whatever their price. What nobody stated meets no constraint, and an\n" +
			"unknown cost comes last and is within no bound. A selection without routes is an answer: it says which constraint\n" +
			"left none, and exits 0. With --explain each other route of the operation comes with the code that admission gives.",
		Result:  "opcat.selection@1",
		Schema:  selectionSchema,
		Flags:   append(s.flags(), c.Flags()...),
		Errors:  compileErrors(NotFound),
		Example: []string{"route", "select", "--operation", "text_generation", "--tools", "--min-context", "200000"},
		Bounded: &Bounded{},
		Run: func(_ context.Context, inv *Invocation) (Result, error) {
			b, err := c.book(inv)
			if err != nil {
				return Result{}, err
			}
			q, err := s.query(b.at)
			if err != nil {
				return Result{}, err
			}
			for _, id := range slices.Concat(q.Providers, q.ProviderOrder) {
				if _, ok := b.ProviderNumber(id); !ok {
					return Result{}, Missing("provider", id, b.ProviderIDs(), "opcat provider list")
				}
			}
			data, err := b.selection(inv, q, s.explain)
			return Result{Data: data, Text: func(w io.Writer) { data.write(w) }}, err
		},
	}
}

// selection answers a query with the page that is asked for.
func (b *book) selection(inv *Invocation, q operations.Query, explain bool) (*selectionData, error) {
	e, err := operations.Explain(b.Catalog, q)
	if err != nil {
		return nil, err
	}
	data := &selectionData{Operation: q.Operation, StateOn: b.date(), Routes: e.Routes, Selected: e.Steps[len(e.Steps)-1].Left, Items: []any{}}
	for _, s := range e.Steps {
		data.Steps = append(data.Steps, selectStep{s.Constraint, s.Asked, s.Left})
	}
	if e.Emptied >= 0 {
		data.Emptied = e.Steps[e.Emptied].Constraint
	}
	if explain {
		refused, err := operations.Rejections(b.Catalog, q)
		if err != nil {
			return nil, err
		}
		data.refused, err = Paginate(inv, refusals(q.Operation, refused), func(r refusedItem) string { return r.ID }, digest(b.Digest(), "explain"), itself)
		for _, r := range data.refused {
			data.Items = append(data.Items, r)
		}
		return data, err
	}
	q.Limit = operations.MaxLimit
	s := operations.Select(b.Catalog, q)
	if s.Err() != nil {
		return nil, s.Err()
	}
	list := func(yield func(*chosen) bool) {
		for ref := range s.Rows() {
			if !yield(&chosen{c: b.Catalog, ref: ref, q: &q, at: b.at}) {
				return
			}
		}
	}
	data.page, err = Paginate(inv, list, func(c *chosen) string { return c.ref.ID() }, digest(b.Digest()), itself)
	for _, c := range data.page {
		data.Items = append(data.Items, c)
	}
	return data, err
}

func refusals(operation string, all iter.Seq[*operations.Refusal]) iter.Seq[refusedItem] {
	return func(yield func(refusedItem) bool) {
		for f := range all {
			if !yield(refusedItem{routeID(operation, f.Route), string(f.Code), f.Message, f.Field, f.Got, f.Allowed, f.Help}) {
				return
			}
		}
	}
}

// write shows a person what can be chosen, or what stands in the way.
func (d *selectionData) write(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	switch {
	case d.refused != nil:
		fmt.Fprintln(t, "MODEL\tCODE\tWHY")
		for _, r := range d.refused {
			fmt.Fprintf(t, "%s\t%s\t%s\n", strings.TrimPrefix(r.ID, d.Operation+":"), r.Code, r.Message)
		}
	case len(d.page) > 0:
		fmt.Fprintln(t, "MODEL\tCOST USD\tCONTEXT\tOUTPUT\tSUPPORT\tSTATE")
		for _, c := range d.page {
			i := c.get()
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", i.Model, orUnknown(i.CostUSD), countText(i.ContextTokens), countText(i.OutputTokens), orUnknown(i.Support), i.State)
		}
	default:
		fmt.Fprintln(t, "CONSTRAINT\tASKED\tROUTES LEFT")
		fmt.Fprintf(t, "operation\t%s\t%d\n", d.Operation, d.Routes)
		for _, s := range d.Steps {
			fmt.Fprintf(t, "%s\t%s\t%d\n", s.Constraint, s.Asked, s.Left)
		}
	}
	_ = t.Flush() // the writer is a buffer
	fmt.Fprintf(w, "\n%d of %d routes serve the query", d.Selected, d.Routes)
	if d.Emptied != "" {
		fmt.Fprintf(w, ": %s leaves none; --explain says why of each", d.Emptied)
	}
	fmt.Fprintln(w)
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

func countText(n *int64) string {
	if n == nil {
		return "unknown"
	}
	return strconv.FormatInt(*n, 10)
}
