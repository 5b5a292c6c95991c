package schema

import (
	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/shape"
)

// head are the first members of a document that is derived from a catalog.
func head(name string) (keys []*shape.Key, patterns map[*shape.Key]string) {
	of := shape.F("catalog", shape.Of(shape.Text)).Always().Says("the digest of the catalog that it is made from")
	return []*shape.Key{
		shape.F("schema", shape.EnumOf(name)).Always(),
		of,
		shape.F("as_of", shape.Of(shape.Date)).Always().Says("the date that the catalog was compiled for"),
	}, map[*shape.Key]string{of: digest}
}

// operationTable is the shape of operations/<name>.json.
func operationTable(o *op.Operation) (*shape.Table, map[*shape.Key]string) {
	keys, patterns := head("opcat.operation_catalog@1")
	row := form.Document().Must("models").Type.Elem.Table
	var members []*shape.Key
	for _, k := range row.Keys {
		c := *k
		if c.Name == "operations" {
			c.Type = shape.Rec(shape.New("the contract of a row", shape.F(o.Name, k.Type.Table.Must(o.Name).Type).Always()))
		}
		members = append(members, &c)
	}
	return shape.New("an operation's catalog", append(keys,
		shape.F("operation", shape.EnumOf(o.Name)).Always(),
		shape.F("models", shape.ListOf(shape.Rec(shape.New(row.Name, members...)))).Always(),
	)...), patterns
}

// contentsTable is the shape of index.json.
func contentsTable() (*shape.Table, map[*shape.Key]string) {
	keys, patterns := head("opcat.catalog_contents@1")
	number := shape.CountOf(0, 0)
	var routes []*shape.Key
	for _, name := range operations.Names() {
		routes = append(routes, shape.F(name, number).Always())
	}
	sum := shape.F("digest", shape.Of(shape.Text)).Always()
	patterns[sum] = digest
	return shape.New("a table of contents", append(keys,
		shape.F("providers", number).Always().Says("how many there are"),
		shape.F("models", number).Always().Says("how many rows there are"),
		shape.F("routes", shape.Rec(shape.New("the routes of each operation", routes...))).Always().Says("how many rows serve each operation"),
		shape.F("files", shape.ListOf(shape.Rec(shape.New("a file", shape.F("path", shape.Of(shape.Text)).Always(), shape.F("bytes", number).Always(), sum)))).Always(),
	)...), patterns
}

// provenance is the schema of provenance.json, which has the structure of the
// catalog beside it with places instead of values.
const provenance = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "urn:opcat:provenance:1",
  "title": "where each field of a catalog came from, provenance.json",
  "type": "object",
  "properties": {
    "schema": {"enum": ["opcat.provenance@1"]},
    "catalog": {"type": "string", "pattern": "` + digest + `", "description": "the digest of the catalog that it is about"},
    "providers": {"$ref": "#/$defs/parts"},
    "models": {"$ref": "#/$defs/parts"},
    "files": {
      "type": "array",
      "items": {
        "type": "object",
        "properties": {"layer": {"enum": ["bundled", "host", "user", "project", "run"]}, "path": {"type": "string"}},
        "required": ["layer", "path"],
        "additionalProperties": false
      }
    }
  },
  "required": ["schema", "catalog", "providers", "models", "files"],
  "additionalProperties": false,
  "$defs": {
    "parts": {"type": "object", "additionalProperties": {"$ref": "#/$defs/place"}},
    "place": {
      "anyOf": [
        {"type": "string", "pattern": "^([0-9]+:[0-9]+)?$", "description": "the file's number in files, and the line; empty for what no source states"},
        {"type": "array", "items": {"$ref": "#/$defs/place"}},
        {"$ref": "#/$defs/parts"}
      ]
    }
  }
}
`
