package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/opcat/opcat/shape"
)

// names are the tables whose TypeScript name does not follow from how messages call
// them.
var names = map[string]string{
	"a model row":                        "Row",
	"a price entry":                      "Price",
	"the time for which a catalog holds": "Holds",
	"what a search unit holds":           "SearchUnit",
}

const prelude = `/** An operation of the registry. */
export type Operation = %s;

/** An exact decimal number, such as "0.042". It is never a binary fraction. */
export type Decimal = string;

/** A day, which stands for its midnight in UTC, or a time with its offset. */
export type DateText = string;

/** provider/wire_model */
export type RowIdText = string;

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
`

// types renders the interface of a table and of every table in it. Where operations
// have tables of one name that differ, each is named for its operation too.
func types(root *shape.Table, operations []string) []byte {
	w := &writer{operations: operations, several: map[string]bool{}}
	for {
		w.names, w.bodies, w.order, w.again = map[*shape.Table]string{}, map[string]string{}, nil, false
		w.name(root)
		if !w.again {
			break
		}
	}
	var b bytes.Buffer
	b.WriteString(header)
	fmt.Fprintf(&b, prelude, quoted(operations))
	for _, name := range w.order {
		b.WriteString("\n" + w.bodies[name])
	}
	return b.Bytes()
}

type writer struct {
	operations []string
	operation  string                  // whose contract is being written
	several    map[string]bool         // names that tables of several operations have
	again      bool                    // another such name was found
	names      map[*shape.Table]string // of the tables so far
	bodies     map[string]string       // by name
	order      []string                // of names: a table before those in it
}

// name gives the interface of a table, and writes it when it is first asked for.
// Two tables that render alike share one.
func (w *writer) name(t *shape.Table) string {
	if name, ok := w.names[t]; ok {
		return name
	}
	name := typeName(t.Name)
	if w.several[name] {
		name = camel(w.operation) + name
	}
	w.names[t] = name
	at := len(w.order)
	body := w.body(name, t)
	had, ok := w.bodies[name]
	switch {
	case !ok:
		w.bodies[name] = body
		w.order = slices.Insert(w.order, at, name)
	case had != body && w.several[typeName(t.Name)]:
		panic(fmt.Sprintf("tsgen: two tables of %s named %q differ: name one in names", w.operation, t.Name))
	case had != body:
		w.several[name], w.again = true, true
	}
	return name
}

func (w *writer) body(name string, t *shape.Table) string {
	var b strings.Builder
	fmt.Fprintf(&b, "/** %s. */\nexport interface %s {\n", strings.ToUpper(t.Name[:1])+t.Name[1:], name)
	for _, k := range t.Keys {
		optional := "?"
		if k.Need != shape.Optional {
			optional = ""
		}
		doc := k.Doc
		if k.Meant != "" {
			doc = strings.TrimPrefix(doc+"; left out, it is "+k.Meant, "; ")
		}
		if doc != "" {
			fmt.Fprintf(&b, "  /** %s */\n", doc)
		}
		within := w.operation
		if within == "" && k.Type.Kind == shape.Record && slices.Contains(w.operations, k.Name) {
			w.operation = k.Name
		}
		fmt.Fprintf(&b, "  readonly %s%s: %s;\n", property(k.Name), optional, w.typ(k.Type))
		w.operation = within
	}
	b.WriteString("}\n")
	return b.String()
}

// typ spells a type.
func (w *writer) typ(t *shape.Type) string {
	switch t.Kind {
	case shape.Bool:
		return "boolean"
	case shape.Count:
		return "number"
	case shape.Amount, shape.Number:
		return "Decimal"
	case shape.Date:
		return "DateText"
	case shape.RowID:
		return "RowIdText"
	case shape.Any:
		return "Json"
	case shape.Enum:
		return quoted(t.Values)
	case shape.Record:
		return w.name(t.Table)
	case shape.List:
		return "readonly " + grouped(w.typ(t.Elem)) + "[]"
	case shape.Map:
		return "{ readonly [key: string]: " + w.typ(t.Elem) + " }"
	case shape.Union:
		var parts []string
		for _, m := range t.Of {
			if s := w.typ(m); !slices.Contains(parts, s) {
				parts = append(parts, s)
			}
		}
		return strings.Join(parts, " | ")
	}
	return "string"
}

func grouped(typ string) string {
	if strings.Contains(typ, " ") && typ[0] != '{' || strings.Contains(typ, "} |") {
		return "(" + typ + ")"
	}
	return typ
}

func quoted(words []string) string {
	parts := make([]string, len(words))
	for i, word := range words {
		parts[i] = fmt.Sprintf("%q", word)
	}
	return strings.Join(parts, " | ")
}

// property spells a key, quoted where it is no plain name.
func property(name string) string {
	for i, c := range []byte(name) {
		if c != '_' && (c < 'a' || c > 'z') && (i == 0 || c < '0' || c > '9') {
			return fmt.Sprintf("%q", name)
		}
	}
	return name
}

// typeName is the name of a table's interface: of "the limits of a row", RowLimits.
func typeName(table string) string {
	if name := names[table]; name != "" {
		return name
	}
	name := ""
	for part := range strings.SplitSeq(table, " of ") {
		for _, article := range []string{"a ", "an ", "the "} {
			part = strings.TrimPrefix(part, article)
		}
		name = camel(part) + name
	}
	return name
}

func camel(words string) string {
	var b strings.Builder
	for word := range strings.FieldsFuncSeq(words, func(r rune) bool { return r == ' ' || r == '_' || r == '-' }) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}
