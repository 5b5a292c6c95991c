package cli

import (
	"context"
	"encoding/json"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/cmd/opcat/internal/schema"
	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/shape"
)

// operationData is one member of the registry with all that it declares.
type operationData struct {
	operationItem
	Protocols []protocolItem  `json:"protocols"`
	Settings  []settingItem   `json:"settings"`
	Limits    []keyItem       `json:"limits"`
	Keys      []keyItem       `json:"keys"` // of its contracts, beside those of all operations
	Meters    []string        `json:"meters"`
	Contract  schema.Schema   `json:"contract_schema"` // of a contract in a compiled catalog
	Request   json.RawMessage `json:"request_schema"`  // of a request
	Answer    json.RawMessage `json:"result_schema"`   // of its result
}

type protocolItem struct {
	Name  string `json:"name"`
	Codec bool   `json:"codec"` // without one a route is listed and never admitted
}

type settingItem struct {
	Name   string          `json:"name"`
	Kind   string          `json:"kind"`
	Values []string        `json:"values,omitempty"`
	Min    catalog.Decimal `json:"min,omitempty"`
	Max    catalog.Decimal `json:"max,omitempty"`
}

type keyItem struct {
	Name string `json:"name"`
	Doc  string `json:"doc,omitempty"`
}

// number matches a bound of a setting: a decimal number that may be below zero.
const number = `^-?[0-9]+(\.[0-9]+)?$`

// settingKinds are the kinds of values that a setting can have.
var settingKinds = map[shape.Kind]string{shape.Number: "number", shape.Count: "count", shape.Enum: "enum", shape.Bool: "bool", shape.Text: "text"}

func newOperationData(b *book, o *op.Operation) operationData {
	data := operationData{operationItem: newOperationItem(b, o), Protocols: []protocolItem{}, Settings: []settingItem{},
		Limits: keyItems(o.Limits), Keys: keyItems(o.Keys), Meters: o.Meters, Contract: tableSchema(form.Contract(o)),
		Request: json.RawMessage(o.RequestSchema), Answer: json.RawMessage(o.ResultSchema)}
	for _, p := range o.Protocols {
		data.Protocols = append(data.Protocols, protocolItem{p.Name, p.Codec})
	}
	for _, s := range o.Settings {
		data.Settings = append(data.Settings, settingItem{s.Name, settingKinds[s.Kind], s.Values, s.Min, s.Max})
	}
	return data
}

func keyItems(keys []*shape.Key) []keyItem {
	out := []keyItem{}
	for _, k := range keys {
		if k.Moved == "" {
			out = append(out, keyItem{k.Name, k.Doc})
		}
	}
	return out
}

func operationGet() Command {
	var c CatalogFlags
	return Command{
		Path: "operation get", Tier: 1, Family: CRUD,
		Short:  "one operation: protocols, settings, limits, meters, and the schemas of its contracts, requests and results",
		Result: "opcat.operation@1",
		Schema: func() schema.Schema {
			key := schema.Object(schema.Prop("name", schema.String()), schema.Opt("doc", schema.String()))
			return schema.Object(append(operationProps(),
				schema.Prop("protocols", schema.Array(schema.Object(schema.Prop("name", schema.String()), schema.Prop("codec", schema.Bool())))),
				schema.Prop("settings", schema.Array(schema.Object(schema.Prop("name", schema.String()),
					schema.Prop("kind", schema.Enum("number", "count", "enum", "bool", "text")), schema.Opt("values", schema.Array(schema.String())),
					schema.Opt("min", schema.Pattern(number)), schema.Opt("max", schema.Pattern(number))))),
				schema.Prop("limits", schema.Array(key)),
				schema.Prop("keys", schema.Array(key)),
				schema.Prop("meters", schema.Array(schema.String())),
				schema.Prop("contract_schema", schema.Any()),
				schema.Prop("request_schema", schema.Any()),
				schema.Prop("result_schema", schema.Any()))...)
		},
		Flags:   c.Flags(),
		Args:    []Arg{{Name: "name", Usage: "the operation's name"}},
		Errors:  compileErrors(NotFound),
		Example: []string{"operation", "get", "embedding"},
		Run: func(_ context.Context, inv *Invocation) (Result, error) {
			o := operations.Lookup(inv.Args[0])
			if o == nil {
				return Result{}, Missing("operation", inv.Args[0], operations.Names(), "opcat operation list")
			}
			b, err := c.book(inv)
			if err != nil {
				return Result{}, err
			}
			return Result{Data: newOperationData(b, o)}, nil
		},
	}
}
