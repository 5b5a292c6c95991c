// Package schema writes the JSON Schemas of what commands print.
//
// A schema is draft 2020-12 and open: it names what a value holds and lets a
// later version add to it, as the contract's minor versions do. Tests close it
// (see package contract), so that a field nobody declared is noticed here first.
//
// Package schema does not validate: that is a schema library's work.
package schema

// Dialect is the JSON Schema draft that every schema states at its root.
const Dialect = "https://json-schema.org/draft/2020-12/schema"

// A Schema is one JSON Schema, as encoding/json prints it: keys sorted.
type Schema map[string]any

// A Property is one named member of an object.
type Property struct {
	Name     string
	Schema   Schema
	Optional bool
}

// Prop is a member that is always there.
func Prop(name string, s Schema) Property { return Property{Name: name, Schema: s} }

// Opt is a member that may be absent. Absent means unknown, never zero.
func Opt(name string, s Schema) Property { return Property{Name: name, Schema: s, Optional: true} }

// Object is an object with the given members.
func Object(props ...Property) Schema {
	members := map[string]any{}
	required := []string{}
	for _, p := range props {
		members[p.Name] = p.Schema
		if !p.Optional {
			required = append(required, p.Name)
		}
	}
	return Schema{"type": "object", "properties": members, "required": required}
}

// Map is an object with names that are data, such as ids, over values of one kind.
func Map(value Schema) Schema {
	return Schema{"type": "object", "additionalProperties": value}
}

// Array is a list of items of one kind.
func Array(item Schema) Schema { return Schema{"type": "array", "items": item} }

// List is the data of a list command: {"items": [...]}.
func List(item Schema) Schema { return Object(Prop("items", Array(item))) }

// String is any text.
func String() Schema { return Schema{"type": "string"} }

// Enum is one of a closed set of words.
func Enum(words ...string) Schema { return Schema{"type": "string", "enum": words} }

// Pattern is text that matches a regular expression.
func Pattern(expr string) Schema { return Schema{"type": "string", "pattern": expr} }

// Decimal is an exact amount: a decimal string without sign or exponent.
func Decimal() Schema { return Pattern(`^[0-9]{1,18}(\.[0-9]{1,18})?$`) }

// Cost is what a call costs, exactly: a price has 18 digits behind the point, and a
// millionth of one six more.
func Cost() Schema { return Pattern(`^[0-9]{1,24}(\.[0-9]{1,24})?$`) }

// Digest is the hex form of a SHA-256.
func Digest() Schema { return Pattern(`^[0-9a-f]{64}$`) }

// Int is an integer of 0 or more, a count: the only integers opcat prints.
func Int() Schema { return Schema{"type": "integer", "minimum": 0} }

// Bool is true or false.
func Bool() Schema { return Schema{"type": "boolean"} }

// Any is a value that opcat passes on without saying what it is, such as
// somebody else's JSON Schema.
func Any() Schema { return Schema{} }

// AnyOf is a value of one of several kinds.
func AnyOf(kinds ...Schema) Schema { return Schema{"anyOf": kinds} }

// Null is s or null.
func Null(s Schema) Schema { return AnyOf(s, Schema{"type": "null"}) }

// Doc returns s with a description.
func Doc(text string, s Schema) Schema {
	out := Schema{"description": text}
	for k, v := range s {
		out[k] = v
	}
	return out
}

// Root returns s as a document of its own: with its dialect and its name.
func Root(id string, s Schema) Schema {
	out := Schema{"$schema": Dialect, "title": id}
	for k, v := range s {
		out[k] = v
	}
	return out
}
