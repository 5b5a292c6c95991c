package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/internal/typenames"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/projections/swift/identifier"
	"github.com/opcat/opcat/shape"
)

// types renders the structure of a table and of every table in it.
func types(root *shape.Table, operations []string) []byte {
	facts := *root
	facts.Name = "the facts of a catalog" // Catalog is what answers
	w := &writer{operations: operations}
	w.Body = w.body
	var b bytes.Buffer
	b.WriteString(header)
	b.WriteString("import Foundation\n")
	for _, body := range w.Render(&facts, operations) {
		b.WriteString("\n" + body)
	}
	return b.Bytes()
}

type writer struct {
	typenames.Writer
	operations []string
	nested     []nested // types that belong into the structure being written
}

// A nested type is one of a structure's own.
type nested struct{ name, body string }

// rows are read one by one, and are no part of what a catalog says beside them.
const rows = "models"

func (w *writer) body(name string, t *shape.Table) string {
	outer := w.nested
	w.nested = nil
	keys := slices.Clone(t.Keys)
	if k := t.Key(rows); k != nil {
		w.typ(k.Type, k)
		keys = slices.DeleteFunc(keys, func(other *shape.Key) bool { return other == k })
	}
	words := make([]string, len(keys))
	for i, k := range keys {
		words[i] = k.Name
	}
	members := identifier.Unique(words, identifier.Member)
	var b strings.Builder
	fmt.Fprintf(&b, "/// %s\npublic struct %s: Codable, Hashable, Sendable {\n", typenames.Title(t), name)
	for i, k := range keys {
		if doc := typenames.Doc(k); doc != "" {
			fmt.Fprintf(&b, "    /// %s\n", doc)
		}
		w.Within(k, func() { b.WriteString("    " + w.member(k, members[i]) + "\n") })
	}
	b.WriteString(codingKeys(words, members))
	for _, n := range w.nested {
		b.WriteString("\n" + n.head() + n.body)
	}
	b.WriteString("}\n")
	w.nested = outer
	return b.String()
}

// member declares a property. How an exact number is read from JSON says Exact.swift,
// for those that may be left out.
func (w *writer) member(k *shape.Key, name string) string {
	typ := w.typ(k.Type, k)
	if k.Need == shape.Optional {
		return "public let " + name + ": " + typ + "?"
	}
	if strings.Contains(typ, "Decimal") {
		panic("swiftgen: an exact number that must be there: let Exact.swift read it")
	}
	return "public let " + name + ": " + typ
}

// codingKeys are how properties are called in JSON, where one is called otherwise.
func codingKeys(words, members []string) string {
	if slices.Equal(words, members) || len(words) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n    private enum CodingKeys: String, CodingKey {\n")
	b.WriteString(cases(words, members, "        "))
	b.WriteString("    }\n")
	return b.String()
}

// cases are those of an enum of texts.
func cases(words, members []string, indent string) string {
	var b strings.Builder
	for i, word := range words {
		fmt.Fprintf(&b, "%scase %s", indent, members[i])
		if strings.Trim(members[i], "`") != word {
			fmt.Fprintf(&b, " = %s", quoted(word))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// typ spells the type of a key's value.
func (w *writer) typ(t *shape.Type, k *shape.Key) string {
	switch t.Kind {
	case shape.Bool:
		return "Bool"
	case shape.Count:
		return "Int"
	case shape.Amount, shape.Number:
		return "Decimal"
	case shape.Date:
		return "DateText"
	case shape.Any:
		return "JSON"
	case shape.Enum:
		return w.enum(t, k)
	case shape.Record:
		return w.Name(t.Table)
	case shape.List:
		return "[" + w.typ(t.Elem, k) + "]"
	case shape.Map:
		return "[String: " + w.typ(t.Elem, k) + "]"
	case shape.Union:
		return w.union(t, k)
	}
	return "String"
}

// enum is a closed set: one of the registry's, or one of its table.
func (w *writer) enum(t *shape.Type, k *shape.Key) string {
	within := func(all []string) bool {
		return !slices.ContainsFunc(t.Values, func(v string) bool { return !slices.Contains(all, v) })
	}
	switch {
	case len(t.Values) == 0: // a list that is always empty
		return "String"
	case slices.Equal(t.Values, w.operations):
		return "OperationName"
	case slices.Equal(t.Values, op.Supports):
		return "Support"
	case strings.HasPrefix(k.Name, "meter") && within(catalog.Meters()):
		return "Meter"
	}
	return w.nest(nested{nestedName(k), ": String, Codable, CaseIterable, Sendable {\n" + cases(t.Values, identifier.Unique(t.Values, identifier.Member), "        ") + "    }\n"})
}

// union is a value that is written in several ways: a word is a case, and so is each
// other way with what it holds.
func (w *writer) union(t *shape.Type, k *shape.Key) string {
	if rule := ruleOf(t); rule != nil {
		return "Setting<" + w.Name(rule) + ">"
	}
	var words []string
	var ways [][2]string // a case and what it holds
	for _, m := range t.Of {
		switch {
		case m.Kind == shape.Enum:
			words = append(words, m.Values...)
		case m.Kind == shape.Bool:
			ways = append(ways, [2]string{"bool", "Bool"})
		case m.Kind == shape.Count:
			ways = append(ways, [2]string{"count", "Int"})
		case m.Kind == shape.Text:
			ways = append(ways, [2]string{"text", "String"})
		case m.Kind == shape.Record:
			ways = append(ways, [2]string{"table", w.Name(m.Table)})
		default:
			panic(fmt.Sprintf("swiftgen: %s may be %v too: say how it is read", k.Name, m.Form()))
		}
	}
	members := identifier.Unique(words, identifier.Member)
	var b strings.Builder
	b.WriteString(": Codable, Hashable, Sendable {\n")
	for _, m := range members {
		fmt.Fprintf(&b, "        case %s\n", m)
	}
	for _, way := range ways {
		fmt.Fprintf(&b, "        case %s(%s)\n", way[0], way[1])
	}
	b.WriteString("\n        public init(from decoder: any Decoder) throws {\n            let value = try decoder.singleValueContainer()\n")
	if len(words) > 0 {
		b.WriteString("            switch try? value.decode(String.self) {\n")
		for i, word := range words {
			fmt.Fprintf(&b, "            case %s: self = .%s\n                return\n", quoted(word), members[i])
		}
		b.WriteString("            default: break\n            }\n")
	}
	for i, way := range ways {
		if i < len(ways)-1 {
			fmt.Fprintf(&b, "            if let read = try? value.decode(%s.self) {\n                self = .%s(read)\n                return\n            }\n", way[1], way[0])
		} else {
			fmt.Fprintf(&b, "            self = .%s(try value.decode(%s.self))\n", way[0], way[1])
		}
	}
	b.WriteString("        }\n\n        public func encode(to encoder: any Encoder) throws {\n            var value = encoder.singleValueContainer()\n            switch self {\n")
	for i, word := range words {
		fmt.Fprintf(&b, "            case .%s: try value.encode(%s)\n", members[i], quoted(word))
	}
	for _, way := range ways {
		fmt.Fprintf(&b, "            case .%s(let held): try value.encode(held)\n", way[0])
	}
	b.WriteString("            }\n        }\n    }\n")
	return w.nest(nested{nestedName(k), b.String()})
}

// ruleOf is the table of a setting, which is supported, refused, or has rules.
func ruleOf(t *shape.Type) *shape.Table {
	if len(t.Of) != 2 || t.Of[0].Kind != shape.Enum || !slices.Equal(t.Of[0].Values, []string{"supported", "refused"}) || t.Of[1].Kind != shape.List {
		return nil
	}
	return t.Of[1].Elem.Table
}

// nest puts a type into the structure being written and gives its name: that of one
// that is already there, if they are alike.
func (w *writer) nest(n nested) string {
	for _, other := range w.nested {
		if other.body == n.body {
			return other.name
		}
	}
	w.nested = append(w.nested, n)
	return n.name
}

func (n nested) head() string { return "    public enum " + n.name }

// nestedName is the type of a key's words: InputKind of input_kinds.
func nestedName(k *shape.Key) string {
	name := typenames.Camel(k.Name)
	if k.Type.Kind == shape.List && !strings.HasSuffix(name, "As") && !strings.HasSuffix(name, "ss") {
		name = strings.TrimSuffix(name, "s")
	}
	if name == "Type" || name == "Protocol" {
		return name + "Word" // the others are Swift's own
	}
	return name
}

// quoted is a text of the registry as Swift writes it.
func quoted(word string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(word) + `"`
}
