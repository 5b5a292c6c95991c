package typed

import (
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/catalog"
)

// Dialect is the draft of JSON Schema that schemas are written in.
const Dialect = "https://json-schema.org/draft/2020-12/schema"

// A Doc gives what the source says of a type or, with the name of a field, of one
// of its fields; "" if it says nothing.
type Doc func(t reflect.Type, field string) string

// Schema is the JSON Schema of what Decode reads, with a line for each thing. id is
// what it is called; doc may be nil.
func (t *Type) Schema(id string, doc Doc) ([]byte, error) {
	if doc == nil {
		doc = func(reflect.Type, string) string { return "" }
	}
	w := schemaWriter{doc: doc}
	if err := w.count(t.root, map[reflect.Type]bool{}); err != nil {
		return nil, err
	}
	root := w.object(t.root)
	head := members{{"$schema", Dialect}, {"$id", id}, {"title", t.name}}
	out := append(head, root...)
	if len(w.named) > 0 {
		defs := members{}
		for _, n := range w.named {
			defs = append(defs, member{n.goType.Name(), w.object(n)})
		}
		out = append(out, member{"$defs", defs})
	}
	return json.Marshal(out, jsontext.Multiline(true), jsontext.WithIndent("  "))
}

// A member is a name with its value, and members are an object that keeps its order.
type (
	member struct {
		name  string
		value any
	}
	members []member
)

// MarshalJSONTo writes the members in their order.
func (m members) MarshalJSONTo(enc *jsontext.Encoder) error {
	if err := enc.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for _, x := range m {
		if err := enc.WriteToken(jsontext.String(x.name)); err != nil {
			return err
		}
		if err := json.MarshalEncode(enc, x.value); err != nil {
			return err
		}
	}
	return enc.WriteToken(jsontext.EndObject)
}

type schemaWriter struct {
	doc   Doc
	named []*node // objects below the root, each once
}

// count lists the objects below the root; two types of one name would be one.
func (w *schemaWriter) count(n *node, seen map[reflect.Type]bool) error {
	for _, f := range n.fields {
		in := f.node
		for in.elem != nil {
			in = in.elem
		}
		if in.kind != object || seen[in.goType] {
			continue
		}
		for _, other := range w.named {
			if other.goType.Name() == in.goType.Name() {
				return fmt.Errorf("typed: %s and %s have one name", other.goType, in.goType)
			}
		}
		seen[in.goType] = true
		w.named = append(w.named, in)
		if err := w.count(in, seen); err != nil {
			return err
		}
	}
	return nil
}

func (w *schemaWriter) object(n *node) members {
	props, required := members{}, []string{}
	for _, f := range n.fields {
		s := w.schema(f.node)
		if says := w.doc(n.goType, n.goType.Field(f.index).Name); says != "" {
			s = append(s, member{"description", says})
		}
		props = append(props, member{f.name, s})
		if f.required {
			required = append(required, f.name)
		}
	}
	var out members
	if says := w.doc(n.goType, ""); says != "" {
		out = append(out, member{"description", says})
	}
	return append(out, member{"type", "object"}, member{"properties", props}, member{"required", required}, member{"additionalProperties", false})
}

func (w *schemaWriter) schema(n *node) members {
	switch n.kind {
	case object:
		return members{{"$ref", "#/$defs/" + n.goType.Name()}}
	case list:
		out := members{{"type", "array"}, {"items", w.schema(n.elem)}}
		if n.some {
			out = append(out, member{"minItems", 1})
		}
		return out
	case dict:
		out := members{{"type", "object"}, {"additionalProperties", w.schema(n.elem)}}
		if n.some {
			out = append(out, member{"minProperties", 1})
		}
		return out
	case text:
		out := members{{"type", "string"}}
		switch {
		case n.words != nil:
			out = append(out, member{"enum", n.words})
		case n.name:
			out = append(out, member{"pattern", "^[A-Za-z0-9_-]{1,64}$"})
		case n.some:
			out = append(out, member{"minLength", 1})
		}
		return out
	case whole:
		return members{{"type", "integer"}, {"minimum", n.min}, {"maximum", n.max}}
	case decimal:
		return members{{"type", "string"}, {"pattern", decimalPattern(n.from, n.to)}}
	case float:
		return members{{"type", "number"}, {"minimum", -math.MaxFloat32}, {"maximum", math.MaxFloat32}}
	case yesno:
		return members{{"type", "boolean"}}
	case base64:
		return members{{"type", "string"}, {"contentEncoding", "base64"}, {"pattern", base64Pattern}}
	}
	switch len(n.kinds) {
	case 0:
		return members{}
	case 1:
		return members{{"type", n.kinds[0]}}
	}
	return members{{"type", n.kinds}}
}

// base64Pattern is groups of four characters, the last with its padding and no
// stray bits: there is one text for each run of bytes.
const base64Pattern = `^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=|[A-Za-z0-9+/][AQgw]==)$`

const (
	fraction = `(\.[0-9]*[1-9])?`
	digits   = `(0|[1-9][0-9]*)`
)

// decimalPattern matches the one spelling of every decimal number between two
// bounds. Bounds are whole and have one digit; that is all that registries state,
// and others panic.
func decimalPattern(from, to catalog.Decimal) string {
	positive := `(` + digits + fraction + `)`
	if to.IsKnown() {
		positive = upTo(to)
	}
	switch {
	case !from.IsKnown() && !to.IsKnown():
		return `^(` + digits + fraction + `|-(0\.[0-9]*[1-9]|[1-9][0-9]*` + fraction + `))$`
	case from == "0":
		return `^` + positive + `$`
	case from.IsKnown() && from[0] == '-' && to.IsKnown():
		return `^(` + positive + `|-` + belowZero(from[1:]) + `)$`
	}
	panic(fmt.Sprintf("typed: no pattern for numbers from %q to %q", from, to))
}

// upTo matches 0 to a digit.
func upTo(d catalog.Decimal) string {
	below := oneDigit(d) - 1
	return fmt.Sprintf(`([0-%d]%s|%s)`, below, fraction, d)
}

// belowZero matches what a minus can stand before, down to a digit.
func belowZero(d catalog.Decimal) string {
	below := oneDigit(d) - 1
	if below == 0 {
		return `(0\.[0-9]*[1-9]|1)`
	}
	return fmt.Sprintf(`(0\.[0-9]*[1-9]|[1-%d]%s|%s)`, below, fraction, d)
}

func oneDigit(d catalog.Decimal) int {
	if len(d) != 1 || !strings.ContainsAny(string(d), "123456789") {
		panic(fmt.Sprintf("typed: %q is no bound of one digit", d))
	}
	return int(d[0] - '0')
}
