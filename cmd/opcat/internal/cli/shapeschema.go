package cli

import (
	"github.com/opcat/opcat/cmd/opcat/internal/schema"
	"github.com/opcat/opcat/shape"
)

// shapeSchema is the JSON Schema of a value of a compiled catalog, rendered from
// its shape, so that a key of the format is not declared again for the command line.
func shapeSchema(t *shape.Type) schema.Schema {
	switch t.Kind {
	case shape.Enum:
		return schema.Enum(t.Values...)
	case shape.Bool:
		return schema.Bool()
	case shape.Count: // a count that a reader with floating point would change is a string
		return schema.AnyOf(schema.Int(), schema.Pattern(`^[0-9]+$`))
	case shape.List:
		return schema.Array(shapeSchema(t.Elem))
	case shape.Record:
		return tableSchema(t.Table)
	case shape.Map:
		return schema.Map(shapeSchema(t.Elem))
	case shape.Union:
		var members []schema.Schema
		for _, m := range t.Of {
			members = append(members, shapeSchema(m))
		}
		return schema.AnyOf(members...)
	case shape.Any:
		return schema.Any()
	}
	return schema.String()
}

// tableSchema is the schema of a table, with more members before its own.
func tableSchema(t *shape.Table, first ...schema.Property) schema.Schema {
	props := first
	for _, k := range t.Keys {
		if k.Need == shape.Optional {
			props = append(props, schema.Opt(k.Name, shapeSchema(k.Type)))
		} else {
			props = append(props, schema.Prop(k.Name, shapeSchema(k.Type)))
		}
	}
	return schema.Object(props...)
}
