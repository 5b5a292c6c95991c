package form

import (
	"slices"
	"sync"

	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/shape"
)

// SchemaName is the name and major version of the catalog document. A change of
// meaning needs a new number.
const SchemaName = "opcat.catalog@1"

// Document is the shape of a compiled catalog: what the fragments say once
// layers, rules and aliases are resolved. It is the fragment format without the
// keys that only an overlay needs, with one spelling where a fragment has
// several, and with what the stages found out. It is made when it is first asked for:
// no stage of a compile needs it.
var Document = sync.OnceValue(document)

func document() *shape.Table {
	return shape.New("a catalog",
		shape.F("schema", shape.EnumOf(SchemaName)).Always(),
		shape.F("as_of", date()).Always().Says("the date that it was compiled for"),
		shape.F("holds", shape.Rec(holds())).Always(),
		shape.F("providers", shape.MapOf(shape.ID, shape.Rec(resolved(Provider())))).Always(),
		shape.F("models", shape.ListOf(shape.Rec(resolvedRow()))).Always(),
		shape.F("aliases", shape.MapOf(shape.Text, shape.Rec(resolvedAlias()))),
		shape.F("defaults", shape.Rec(resolved(Defaults()))),
		shape.F("ladders", shape.MapOf(shape.Text, shape.Rec(resolved(Ladder())))),
		shape.F("generation_defaults", shape.MapOf(shape.Text, free())),
		shape.F("roles", shape.MapOf(shape.Text, free())),
		shape.F("suggest", shape.MapOf(shape.Glob, shape.Of(shape.ID))),
		shape.F("data_controls_policy", resolvedType(catalogTable().Must("data_controls_policy").Type)),
		shape.F("presentation", shape.Rec(resolved(Presentation()))),
		shape.F("removed", shape.ListOf(shape.Rec(tombstone()))).Says("rows that a layer took away"),
	)
}

var holds = sync.OnceValue(func() *shape.Table {
	return shape.New("the time for which a catalog holds",
		shape.F("from", date()).Says("the last change of a lifecycle or price that lies behind the compile's date"),
		shape.F("until", date()).Says("the next one, exclusive"),
	)
})

func resolvedRow() *shape.Table {
	keys := []*shape.Key{shape.F("id", shape.Of(shape.RowID)).Always().Says("provider/wire_model")}
	for _, k := range resolved(Model()).Keys {
		keys = append(keys, copyKey(k, k.Type))
	}
	var contracts []*shape.Key
	for _, o := range operations.All() {
		contracts = append(contracts, shape.F(o.Name, shape.Rec(contract(o))))
	}
	return shape.New(Model().Name, append(keys,
		shape.F("operations", shape.Rec(shape.New("the contracts of a row", contracts...))).Always().Says("one contract for each operation that the row is granted"),
		shape.F("operations_changed", shape.ListOf(shape.Rec(shape.New("a change of operations",
			shape.F("from", shape.SetOf(shape.EnumOf(operations.Names()...))).Always(),
			shape.F("to", shape.SetOf(shape.EnumOf(operations.Names()...))).Always(),
			shape.F("layer", shape.EnumOf(Layers...)).Always(),
		))).Full()).Says("layers that changed what the row may do, weakest first"),
	)...)
}

// Contract is the shape of a resolved contract: protocol is always a list, and
// what the operation's defaults say is written out.
func Contract(o *op.Operation) *shape.Table {
	Document() // makes every resolved table, so that nobody makes one beside another
	return contract(o)
}

func contract(o *op.Operation) *shape.Table {
	c := resolved(o.Contract())
	keys := make([]*shape.Key, 0, len(c.Keys)+1)
	for _, k := range c.Keys {
		t := k.Type
		if k.Name == "protocol" && t.Kind != shape.List {
			t = shape.ListOf(t).Full()
		}
		keys = append(keys, copyKey(k, t))
	}
	return shape.New(c.Name, append(keys,
		shape.F("overlaid_by", shape.SetOf(shape.EnumOf(Layers[1:]...)).Full()).Says("layers above the bundled one that state some of it"),
	)...)
}

// Layers are the kinds of layers, weakest first.
var Layers = []string{"bundled", "host", "user", "project", "run"}

func resolvedAlias() *shape.Table {
	target := shape.New("the target of an alias",
		shape.F("row", shape.Of(shape.RowID)).Always(),
		shape.F("through", text()).Says("the alias that it names, if it does not name the row"),
	)
	keys := make([]*shape.Key, 0, len(Alias().Keys))
	for _, name := range operations.Names() {
		keys = append(keys, shape.F(name, shape.Rec(target)))
	}
	return shape.New(Alias().Name, keys...)
}

var resolvedTables = map[*shape.Table]*shape.Table{}

// resolved drops the keys that only sources need and settles on one spelling of
// each type. A table that is used twice stays one table.
func resolved(t *shape.Table) *shape.Table {
	if r := resolvedTables[t]; r != nil {
		return r
	}
	var keys []*shape.Key
	for _, k := range t.Keys {
		if !k.Layers {
			keys = append(keys, copyKey(k, resolvedType(k.Type)))
		}
	}
	if t == Price() {
		keys = append(keys, shape.F("untrusted", yesno()).Means("false").
			Says("a project or run layer says so, and no layer below as low: it is shown, and never used for admission"))
	}
	r := shape.New(t.Name, keys...)
	resolvedTables[t] = r
	return r
}

func copyKey(k *shape.Key, t *shape.Type) *shape.Key {
	return &shape.Key{Name: k.Name, Type: t, Need: k.Need, Doc: k.Doc, Meant: k.Meant}
}

func resolvedType(t *shape.Type) *shape.Type {
	switch t.Kind {
	case shape.Record:
		return shape.Rec(resolved(t.Table))
	case shape.Map:
		return shape.MapOf(t.KeyKind, resolvedType(t.Elem))
	case shape.List:
		l := shape.ListOf(resolvedType(t.Elem))
		l.Set, l.NonEmpty = t.Set, t.NonEmpty
		return l
	case shape.Union:
		return oneSpelling(t)
	}
	return t
}

// oneSpelling keeps of a union's members those that say what no other member
// can: a list says what its lone item says, a table with a default what a lone
// count says.
func oneSpelling(t *shape.Type) *shape.Type {
	var members []*shape.Type
	for _, m := range t.Of {
		if !slices.ContainsFunc(t.Of, func(other *shape.Type) bool { return other != m && Covers(other, m) }) {
			members = append(members, resolvedType(m))
		}
	}
	if len(members) == 1 {
		return members[0]
	}
	return shape.OneOf(members...)
}

// Covers reports whether a value of the type small can be said as one of big: as
// the lone item of a list, or as the default of a table.
func Covers(big, small *shape.Type) bool {
	switch {
	case big.Kind == shape.List && big.Elem.Kind == shape.Union:
		return slices.Contains(big.Elem.Of, small)
	case big.Kind == shape.List:
		return big.Elem == small || big.Elem.Kind == shape.Record && small.Kind == shape.Record && big.Elem.Table == small.Table
	case big.Kind == shape.Record && small.Kind == shape.Count:
		k := big.Table.Key("default")
		return k != nil && k.Type.Kind == shape.Count && k.Need == shape.Always
	}
	return false
}
