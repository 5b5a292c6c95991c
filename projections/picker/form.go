package picker

import (
	"slices"
	"sync"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/shape"
)

// SchemaName is the name and major version of picker.json. A change of meaning needs
// a new number.
const SchemaName = "opcat.picker@1"

// A layout is the shape of picker.json, and of its parts. What is written follows the
// shape: a member of a row that its table does not have is left out.
type layout struct {
	document      *shape.Table
	provider, row *shape.Table
	contracts     map[string]*shape.Table // by operation
	evidence      *shape.Table
	cut           map[*shape.Table]bool // tables that have less than the catalog's
}

// Document is the shape of picker.json.
func Document() *shape.Table { return theLayout().document }

// Digest is its key that names the catalog.
func Digest() *shape.Key { return Document().Must("catalog") }

var theLayout = sync.OnceValue(makeLayout)

func makeLayout() *layout {
	l := &layout{contracts: map[string]*shape.Table{}, cut: map[*shape.Table]bool{}}
	catalog := form.Document()
	full := catalog.Must("models").Type.Elem.Table

	l.provider = l.keep(catalog.Must("providers").Type.Elem.Table, "name", "kind", "docs", "data_controls", "platform_fee_percent", "presentation")
	l.narrow(l.provider, "data_controls", "training_default", "retention_default")

	l.row = l.keep(full, "id", "name", "logical_model", "served_variant", "released", "snapshot", "selects", "current", "limits", "lifecycle",
		"price", "region", "regional_only", "availability", "data_controls", "listed_as", "presentation", "metadata")
	l.narrow(l.row, "limits", "context_tokens", "input_tokens", "output_tokens", "runtime_context_tokens")
	l.narrow(l.row, "lifecycle", "deprecated", "note", "ends_on", "announced_end", "successor")
	l.narrow(l.row, "region", "name")
	l.narrow(l.row, "data_controls", "training_default", "retention_default")
	l.narrow(l.row, "metadata", "family", "open_weight")
	price := l.row.Must("price")
	prices := price.Type
	price.Type, price.Doc = index(), "the number of its price list in prices; left out, no price is known"

	var parts []*shape.Key
	for _, o := range operations.All() {
		contract := full.Must("operations").Type.Table.Must(o.Name).Type.Table
		l.contracts[o.Name] = l.leave(contract, "settings", "evidence", "implementation", "dialect", "api_version", "served_model", "overlaid_by",
			"batch", "files", "image", "routing", "quirks")
		if l.evidence == nil { // what is kept of it is the same for every operation
			l.evidence = l.keep(contract.Must("evidence").Type.Table, "support", "source", "checked_on", "probed_on")
			l.evidence.Must("support").Need = shape.Optional
		}
		parts = append(parts, shape.F(o.Name, shape.Rec(l.operation(o, contract))).Always())
	}
	l.document = shape.New("a picker's catalog",
		shape.F("schema", shape.EnumOf(SchemaName)).Always(),
		shape.F("catalog", shape.Of(shape.Text)).Always().Says("the digest of the catalog that it is made from"),
		shape.F("as_of", shape.Of(shape.Date)).Always().Says("the date that the catalog was compiled for"),
		shape.F("operations", shape.Rec(shape.New("the operations", parts...))).Always().Says("what there is to choose from, operation by operation"),
		shape.F("providers", shape.MapOf(shape.ID, shape.Rec(l.provider))).Always(),
		shape.F("rows", shape.ListOf(shape.Rec(l.row))).Always().Says("the rows that have a contract, in the order of ids"),
		shape.F("listed", shape.ListOf(shape.Rec(l.row))).Always().Says("the rows that have none: they are shown apart, and nothing selects them"),
		shape.F("prices", shape.ListOf(prices)).Always().Says("the different price lists of rows"),
		shape.F("evidence", shape.ListOf(shape.Rec(l.evidence))).Always().Says("the different evidences of contracts; an empty one says nothing"),
		shape.F("aliases", catalog.Must("aliases").Type),
		shape.F("defaults", catalog.Must("defaults").Type),
		shape.F("presentation", catalog.Must("presentation").Type),
	)
	return l
}

// operation is the shape of the routes of an operation.
func (l *layout) operation(o *op.Operation, contract *shape.Table) *shape.Table {
	settings := shape.Rec(shape.New("the settings of " + o.Name))
	if k := contract.Key("settings"); k != nil {
		settings = k.Type
	}
	words := func(of []string) *shape.Type { return shape.ListOf(shape.EnumOf(of...)) }
	return shape.New("the routes of "+o.Name,
		shape.F("version", shape.Of(shape.Semver)).Always(),
		shape.F("summary", shape.Of(shape.Text)).Always(),
		shape.F("input_kinds", words(o.Inputs)).Always().Says("what any of its contracts may take, in order"),
		shape.F("settings", words(o.SettingNames())).Always().Says("the options that any of its contracts may have, in order"),
		shape.F("meters", words(o.Meters)).Always().Says("what a call can be billed by"),
		shape.F("usual", shape.ListOf(shape.Rec(shape.New("a line of a usage",
			shape.F("meter", shape.EnumOf(o.Meters...)).Always(),
			shape.F("count", shape.CountOf(0, 0)).Always(),
		)))).Always().Says("what a usual call is metered at, in each of the ways that it may be billed"),
		shape.F("routes", shape.Rec(shape.New("columns of routes of "+o.Name,
			shape.F("row", shape.ListOf(index())).Always().Says("for each route, its row in rows"),
			shape.F("contract", shape.ListOf(index())).Always().Says("for each route, its contract in contracts"),
			shape.F("settings", shape.ListOf(index())).Always().Says("for each route, its settings in setting_lists"),
			shape.F("evidence", shape.ListOf(index())).Always().Says("for each route, its evidence in the document's"),
		))).Always().Says("columns: a route is the same place in each"),
		shape.F("contracts", shape.ListOf(shape.Rec(l.contracts[o.Name]))).Always().Says("the different contracts, without settings and evidence"),
		shape.F("setting_lists", shape.ListOf(settings)).Always().Says("the different settings of contracts"),
	)
}

// index is the place of something in a list, from 0.
func index() *shape.Type { return shape.CountOf(0, 0) }

// keep is a table with some of another's keys.
func (l *layout) keep(t *shape.Table, names ...string) *shape.Table {
	return l.filter(t, func(name string) bool { return slices.Contains(names, name) })
}

// leave is a table without some of another's keys.
func (l *layout) leave(t *shape.Table, names ...string) *shape.Table {
	return l.filter(t, func(name string) bool { return !slices.Contains(names, name) })
}

func (l *layout) filter(t *shape.Table, keep func(name string) bool) *shape.Table {
	var keys []*shape.Key
	for _, k := range t.Keys {
		if keep(k.Name) {
			c := *k
			keys = append(keys, &c)
		}
	}
	less := shape.New(t.Name, keys...)
	l.cut[less] = true
	return less
}

// narrow makes a table's member keep some of its keys.
func (l *layout) narrow(t *shape.Table, member string, names ...string) {
	k := t.Must(member)
	if k.Type.Kind == shape.List {
		k.Type = shape.ListOf(shape.Rec(l.keep(k.Type.Elem.Table, names...)))
		return
	}
	k.Type = shape.Rec(l.keep(k.Type.Table, names...))
}
