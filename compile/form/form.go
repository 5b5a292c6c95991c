// Package form declares the fragment format: which tables and keys the two roots
// of a source tree may hold.
//
// A Root is all that a decoder needs to know about a kind of file. Today's
// format is declared here, the legacy dialect in package legacy; contracts come from
// the registry of operations, so that a new operation is not repeated here.
package form

import (
	"sync"

	"github.com/opcat/opcat/shape"
)

// Version is the newest fragment format that this program reads.
const Version = "1.0"

// VersionPattern matches each format that this program reads: a newer minor version
// only adds keys.
const VersionPattern = `^1(\.(0|[1-9][0-9]{0,8})){0,2}$`

// A Root is the shape of one kind of fragment.
type Root struct {
	Name  string              // catalog_sources or capability_sources
	Table func() *shape.Table // made when it is first asked for: a query of a compiled catalog needs none
}

// The two roots of a source tree in today's format.
var (
	Catalog      = &Root{Name: "catalog_sources", Table: catalogTable}
	Capabilities = &Root{Name: "capability_sources", Table: capabilityTable}
)

// Manifest is the table of a layer's manifest.
var Manifest = sync.OnceValue(func() *shape.Table {
	return shape.New("a layer manifest", shape.F("schema", text()).Always(), shape.F("name", text()).Always())
})

var catalogTable = sync.OnceValue(func() *shape.Table {
	return shape.New("a catalog fragment",
		shape.F("schema", text()).Says("the fragment format: \"1.0\""),
		shape.F("remove", shape.ListOf(shape.Rec(tombstone()))).Says("rows that this layer takes away"),
		shape.F("revive", shape.ListOf(shape.Rec(tombstone()))).Says("rows whose removal this layer undoes"),
		shape.F("provider", shape.MapOf(shape.ID, shape.Rec(Provider()))).Says("who serves rows, where, and with which credential"),
		shape.F("model", shape.ListOf(shape.Rec(Model()))).Says("served rows, each with its limits, lifecycle and prices"),
		shape.F("alias", shape.MapOf(shape.Text, shape.Rec(Alias()))).Says("a name that stands for a row, for each operation"),
		shape.F("default", shape.Rec(Defaults())).Says("the row to use for an operation and purpose, by provider"),
		shape.F("ladder", shape.MapOf(shape.Text, shape.Rec(Ladder()))).Says("rows to climb for one operation"),
		shape.F("generation_default", shape.MapOf(shape.Text, free())),
		shape.F("role", shape.MapOf(shape.Text, free())),
		shape.F("suggest", shape.MapOf(shape.Glob, shape.Of(shape.ID))).Says("which provider a name looks like; for messages only"),
		shape.F("data_controls_policy", shape.Rec(shape.New("the data-control policy",
			shape.F("default_posture", shape.EnumOf("default", "strictest_available"))))),
		shape.F("presentation", shape.Rec(Presentation())).Says("what pickers show"),
	)
})

var capabilityTable = sync.OnceValue(func() *shape.Table {
	return shape.New("a capability fragment",
		shape.F("schema", text()).Says("the fragment format: \"1.0\""),
		shape.F("provider", shape.MapOf(shape.ID, shape.ListOf(shape.Rec(Rule())))).Says("rules: which rows may do what, by provider"),
	)
})

var tombstone = sync.OnceValue(func() *shape.Table {
	return shape.New("a removal",
		shape.F("row", shape.Of(shape.RowID)).Always().Says("the row: \"provider/wire_model\""),
		shape.F("reason", text()).Always().Says("why, for those who ask for the row"),
	)
})

// overlay adds the keys that any table of a higher layer may hold.
func overlay(keys ...*shape.Key) []*shape.Key {
	return append(keys,
		shape.F("add", yesno()).ForLayers().Says("the table is new in this layer"),
		shape.F("unset", shape.SetOf(text()).Full()).ForLayers().Says("keys that this layer clears"),
	)
}

func text() *shape.Type   { return shape.Of(shape.Text) }
func yesno() *shape.Type  { return shape.Of(shape.Bool) }
func count() *shape.Type  { return shape.CountOf(1, 0) }
func date() *shape.Type   { return shape.Of(shape.Date) }
func amount() *shape.Type { return shape.Of(shape.Amount) }
func number() *shape.Type { return shape.Of(shape.Number) }
func source() *shape.Type { return shape.Of(shape.Source) }
func row() *shape.Type    { return shape.Of(shape.RowID) }
func texts() *shape.Type  { return shape.ListOf(text()) }

// free is a table whose keys nobody fixes.
func free() *shape.Type { return shape.MapOf(shape.Text, shape.Of(shape.Any)) }
