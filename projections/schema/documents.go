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

// compat is the schema of compat.json, the fields of older catalogs.
const compat = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "urn:opcat:compat:1",
  "title": "rows in the fields of older catalogs, compat.json: derived, and read back by nothing",
  "type": "object",
  "properties": {
    "schema": {"enum": ["opcat.compat@1"]},
    "catalog": {"type": "string", "pattern": "` + digest + `", "description": "the digest of the catalog that it is made from"},
    "as_of": {"type": "string"},
    "models": {"type": "object", "additionalProperties": {"$ref": "#/$defs/row"}}
  },
  "required": ["schema", "catalog", "as_of", "models"],
  "additionalProperties": false,
  "$defs": {
    "row": {
      "type": "object",
      "properties": {
        "name": {"type": "string"},
        "provider": {"type": "string"},
        "wire_model": {"type": "string"},
        "operations": {"type": "array", "items": {"enum": ["text_generation", "embedding", "decision"]}, "minItems": 1, "uniqueItems": true},
        "context_window": {"$ref": "#/$defs/count"},
        "max_output_tokens": {"$ref": "#/$defs/count"},
        "modalities": {"type": "object", "properties": {"input": {"type": "array", "items": {"type": "string"}}}, "required": ["input"], "additionalProperties": false},
        "embedding_dim": {"$ref": "#/$defs/count"},
        "embedding_max_tokens": {"$ref": "#/$defs/count"},
        "pricing": {
          "type": "object",
          "description": "USD for a million tokens",
          "properties": {"input_per_mtok": {"$ref": "#/$defs/amount"}, "output_per_mtok": {"$ref": "#/$defs/amount"}, "cache_read_per_mtok": {"$ref": "#/$defs/amount"}, "cache_write_per_mtok": {"$ref": "#/$defs/amount"}},
          "required": ["input_per_mtok"],
          "additionalProperties": false
        },
        "cost": {
          "type": "object",
          "description": "USD for a million tokens",
          "properties": {
            "input": {"$ref": "#/$defs/amount"}, "output": {"$ref": "#/$defs/amount"}, "cache_read": {"$ref": "#/$defs/amount"}, "cache_write": {"$ref": "#/$defs/amount"},
            "context_over_200k": {
              "type": "object",
              "description": "of a request with more than exactly 200,000 input tokens, all of it",
              "properties": {"input": {"$ref": "#/$defs/amount"}, "output": {"$ref": "#/$defs/amount"}, "cache_read": {"$ref": "#/$defs/amount"}, "cache_write": {"$ref": "#/$defs/amount"}},
              "required": ["input"],
              "additionalProperties": false
            }
          },
          "required": ["input"],
          "additionalProperties": false
        },
        "deprecated": {"enum": [true]},
        "deprecation_note": {"type": "string"},
        "sunset_date": {"type": "string"},
        "retires_on": {"type": "string"},
        "superseded_by": {"type": "string"}
      },
      "required": ["provider", "wire_model", "operations", "modalities"],
      "additionalProperties": false
    },
    "count": {"type": "integer", "minimum": 0},
    "amount": {"type": "number", "minimum": 0}
  }
}
`

// changesTable is the shape of changes.json, which lies among the docs.
func changesTable() (*shape.Table, map[*shape.Key]string) {
	text, number := shape.Of(shape.Text), shape.CountOf(0, 0)
	patterns := map[*shape.Key]string{}
	edition := func() *shape.Type {
		of := shape.F("catalog", text).Always()
		patterns[of] = digest
		return shape.Rec(shape.New("an edition", of, shape.F("as_of", shape.Of(shape.Date)).Always(), shape.F("providers", number).Always(), shape.F("models", number).Always()))
	}
	fact := shape.Rec(shape.New("a fact", shape.F("fact", text).Always(), shape.F("before", text), shape.F("after", text)))
	changed := shape.Rec(shape.New("what changed", shape.F("id", text).Always(), shape.F("facts", shape.ListOf(fact)).Always()))
	ids := func(name string) *shape.Key { return shape.F(name, shape.ListOf(text)).Always() }
	return shape.New("a record of changes",
		shape.F("schema", shape.EnumOf("opcat.catalog_changes@1")).Always(),
		shape.F("from", edition()).Always().Says("the edition before"),
		shape.F("to", edition()).Always().Says("this edition"),
		ids("removed").Says("rows and providers that are gone"),
		ids("added").Says("rows and providers that are new"),
		shape.F("changed", shape.ListOf(changed)).Always().Says("those that say something else"),
		ids("sourced").Says("those of which only where or when facts were read is different"),
	), patterns
}
