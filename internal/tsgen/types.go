package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/opcat/opcat/internal/typenames"
	"github.com/opcat/opcat/shape"
)

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

// types renders the interface of a table and of every table in it.
func types(root *shape.Table, operations []string) []byte {
	var w writer
	w.Body = w.body
	var b bytes.Buffer
	b.WriteString(header)
	fmt.Fprintf(&b, prelude, quoted(operations))
	for _, body := range w.Render(root, operations) {
		b.WriteString("\n" + body)
	}
	return b.Bytes()
}

type writer struct{ typenames.Writer }

func (w *writer) body(name string, t *shape.Table) string {
	var b strings.Builder
	fmt.Fprintf(&b, "/** %s */\nexport interface %s {\n", typenames.Title(t), name)
	for _, k := range t.Keys {
		optional := "?"
		if k.Need != shape.Optional {
			optional = ""
		}
		if doc := typenames.Doc(k); doc != "" {
			fmt.Fprintf(&b, "  /** %s */\n", doc)
		}
		w.Within(k, func() {
			fmt.Fprintf(&b, "  readonly %s%s: %s;\n", property(k.Name), optional, w.typ(k.Type))
		})
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
		return w.Name(t.Table)
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
