package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/opcat/opcat/internal/typenames"
	"github.com/opcat/opcat/operations/op"
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

/** What a contract says of a setting: any value is taken, none is, or those that a rule allows. */
export type Setting<Value, When> = "supported" | "refused" | readonly SettingRule<Value, When>[];

/** Which values of a setting are taken, and when. */
export interface SettingRule<Value, When> {
  readonly values?: readonly Value[];
  readonly min?: Decimal;
  readonly max?: Decimal;
  readonly default?: Value;
  readonly required?: boolean;
  readonly when?: When;
}
`

// ruleKeys are those of a SettingRule.
var ruleKeys = []string{"values", "min", "max", "default", "required", "when"}

// A wordSet is a closed set of words that has a name.
type wordSet struct {
	name  string
	words []string
}

// wordSets are the sets of the registry that contracts name more than once. Spelled
// out each time they are a fifth of what a compiler has to read. Two operations may
// have one set, which then is spelled out, since it has no name that fits both.
func wordSets(all []*op.Operation) []wordSet {
	sets := []wordSet{{"Support", op.Supports}, {"Uncertainty", op.Uncertainties}, {"ServedModel", op.ServedModels}}
	for _, o := range all {
		name := typenames.Camel(o.Name)
		sets = append(sets, wordSet{name + "Protocol", o.ProtocolNames()}, wordSet{name + "InputKind", o.Inputs}, wordSet{name + "SettingName", o.SettingNames()})
	}
	few := 2
	return slices.DeleteFunc(sets, func(s wordSet) bool {
		same := 0
		for _, other := range sets {
			if slices.Equal(s.words, other.words) {
				same++
			}
		}
		return len(s.words) <= few || same > 1
	})
}

// types renders the interface of a table and of every table in it.
func types(root *shape.Table, operations []string, sets []wordSet) []byte {
	w := writer{sets: map[string]string{quoted(operations): "Operation"}}
	w.Body = w.body
	var b bytes.Buffer
	b.WriteString(header[:len(header)-1] + unchecked + "\n")
	fmt.Fprintf(&b, prelude, quoted(operations))
	for _, s := range sets {
		w.sets[quoted(s.words)] = s.name
		fmt.Fprintf(&b, "\nexport type %s = %s;\n", s.name, quoted(s.words))
	}
	for _, body := range w.Render(root, operations) {
		b.WriteString("\n" + body)
	}
	return b.Bytes()
}

type writer struct {
	typenames.Writer
	sets map[string]string // names of closed sets, by what they spell
}

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
		if name := w.sets[quoted(t.Values)]; name != "" {
			return name
		}
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
			if m.Kind == shape.List && m.Elem.Kind == shape.Record && strings.HasPrefix(m.Elem.Table.Name, "the setting ") {
				return w.setting(m.Elem.Table)
			}
			if s := w.typ(m); !slices.Contains(parts, s) {
				parts = append(parts, s)
			}
		}
		return strings.Join(parts, " | ")
	}
	return "string"
}

// setting spells a setting by the rule for its values. A type for each would be as
// long again as all else that is said of contracts.
func (w *writer) setting(rule *shape.Table) string {
	types := map[string]*shape.Type{}
	for i, k := range rule.Keys {
		if len(rule.Keys) != len(ruleKeys) || k.Name != ruleKeys[i] {
			panic("tsgen: " + rule.Name + " has other keys than SettingRule")
		}
		types[k.Name] = k.Type
	}
	return "Setting<" + w.typ(types["default"]) + ", " + w.typ(types["when"]) + ">"
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
