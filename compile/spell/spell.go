// Package spell writes providers, rows and rules as people write fragments.
//
// It is the way back from the catalog's values to the text that says them. It takes
// the keys and their order from the values' canonical JSON, so a new key needs
// nothing here; what it knows is layout: what gets a line of its own, and what a
// table.
//
// Package spell does not read fragments, and changes none.
package spell

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/edit"
)

// Head is the first line of a fragment of today's format.
const Head = "schema = \"1.0\"\n"

// width is how long a line may get before a list takes a line for each item.
const width = 120

// A Value is one JSON value in the order of its keys.
type Value struct {
	Text  string   // a scalar as TOML writes it
	Keys  []string // of a table
	Items []Value  // of a list, or of a table: the values of Keys
	kind  byte
}

// Of is a value as its JSON has it.
func Of(v json.Marshaler) (Value, error) {
	text, err := v.MarshalJSON()
	if err != nil {
		return Value{}, err
	}
	return read(jsontext.NewDecoder(bytes.NewReader(text)))
}

func read(d *jsontext.Decoder) (Value, error) {
	tok, err := d.ReadToken()
	if err != nil {
		return Value{}, err
	}
	switch k := tok.Kind(); k {
	case '"':
		return Value{Text: edit.String(tok.String()), kind: '"'}, nil
	case '{', '[':
		v := Value{kind: byte(k)}
		for d.PeekKind() != '}' && d.PeekKind() != ']' {
			if k == '{' {
				key, err := d.ReadToken()
				if err != nil {
					return Value{}, err
				}
				v.Keys = append(v.Keys, key.String())
			}
			item, err := read(d)
			if err != nil {
				return Value{}, err
			}
			v.Items = append(v.Items, item)
		}
		_, err := d.ReadToken()
		return v, err
	case 'n':
		return Value{}, fmt.Errorf("spell: a null")
	default:
		return Value{Text: tok.String(), kind: '0'}, nil
	}
}

// Get is the value of a key; false if the table has none.
func (v *Value) Get(key string) (Value, bool) {
	if i := slices.Index(v.Keys, key); i >= 0 && v.kind == '{' {
		return v.Items[i], true
	}
	return Value{}, false
}

// without is the table less some keys.
func (v Value) without(keys ...string) Value {
	if !slices.ContainsFunc(v.Keys, func(k string) bool { return slices.Contains(keys, k) }) {
		return v
	}
	out := Value{kind: v.kind, Keys: make([]string, 0, len(v.Keys)), Items: make([]Value, 0, len(v.Keys))}
	for i, k := range v.Keys {
		if !slices.Contains(keys, k) {
			out.Keys, out.Items = append(out.Keys, k), append(out.Items, v.Items[i])
		}
	}
	return out
}

func (v *Value) isTable() bool { return v.kind == '{' }
func (v *Value) isList() bool  { return v.kind == '[' }

// Inline writes a value on one line.
func (v *Value) Inline() string {
	var b strings.Builder
	v.inline(&b)
	return b.String()
}

func (v *Value) inline(b *strings.Builder) {
	switch {
	case v.isTable() && len(v.Keys) == 0:
		b.WriteString("{}")
	case v.isTable():
		b.WriteString("{ ")
		for i, k := range v.Keys {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(edit.Key(k))
			b.WriteString(" = ")
			v.Items[i].inline(b)
		}
		b.WriteString(" }")
	case v.isList():
		b.WriteByte('[')
		for i := range v.Items {
			if i > 0 {
				b.WriteString(", ")
			}
			v.Items[i].inline(b)
		}
		b.WriteByte(']')
	default:
		b.WriteString(v.Text)
	}
}

// Lines writes the value of a key: on its line, or a list of tables or a long one
// with a line for each item.
func (v *Value) Lines(key string) string {
	one := v.Inline()
	if !v.isList() || len(v.Items) == 0 {
		return one
	}
	tables := v.Items[0].isTable() && (len(v.Items) > 1 || len(v.Items[0].Keys) > 2)
	if !tables && len(edit.Key(key))+3+len(one) <= width {
		return one
	}
	var b strings.Builder
	b.WriteString("[\n")
	for i := range v.Items {
		b.WriteString("  ")
		v.Items[i].inline(&b)
		b.WriteString(",\n")
	}
	b.WriteString("]")
	return b.String()
}

func (v *Value) lines(b *strings.Builder) {
	for i, k := range v.Keys {
		fmt.Fprintf(b, "%s = %s\n", edit.Key(k), v.Items[i].Lines(k))
	}
}

// notOfRow is what a row of a catalog has and a row of a fragment has not.
var notOfRow = []string{"id", "operations", "operations_changed"}

// RowValue is what a fragment says of a row: no contract among it.
func RowValue(r *catalog.Row) (Value, error) {
	bare := *r
	bare.Contracts = nil
	v, err := Of(&bare)
	if err != nil {
		return v, err
	}
	v = v.without(notOfRow...)
	if prices, ok := v.Get("price"); ok {
		for i := range prices.Items {
			prices.Items[i] = prices.Items[i].without("untrusted")
		}
	}
	return v, nil
}

// Row writes a row as a table of a fragment, with the word of its array.
func Row(v Value) string {
	var b strings.Builder
	b.WriteString("[[model]]\n")
	body := v.without("disagreement")
	body.lines(&b)
	others, _ := v.Get("disagreement")
	for i := range others.Items {
		b.WriteString("\n[[model.disagreement]]\n")
		others.Items[i].lines(&b)
	}
	return b.String()
}

// Provider writes a provider with its credential and endpoints.
func Provider(p *catalog.Provider) (string, error) {
	v, err := Of(p)
	if err != nil {
		return "", err
	}
	v = v.without("id")
	var b strings.Builder
	head := "provider." + edit.Key(p.ID)
	fmt.Fprintf(&b, "[%s]\n", head)
	body := v.without("credential", "endpoint", "data_controls")
	body.lines(&b)
	for _, key := range []string{"credential", "data_controls"} {
		if t, ok := v.Get(key); ok {
			fmt.Fprintf(&b, "\n[%s.%s]\n", head, key)
			t.lines(&b)
		}
	}
	endpoints, _ := v.Get("endpoint")
	for i, name := range endpoints.Keys {
		fmt.Fprintf(&b, "\n[%s.endpoint.%s]\n", head, edit.Key(name))
		endpoints.Items[i].lines(&b)
	}
	return b.String(), nil
}

// ContractValue is what a rule says of one operation.
func ContractValue(c *catalog.Contract) (Value, error) {
	v, err := Of(c)
	if err != nil {
		return v, err
	}
	v = v.without("overlaid_by")
	for i, k := range v.Keys {
		item := &v.Items[i]
		switch {
		case k == "protocol" && len(item.Items) == 1 && !item.Items[0].isTable():
			*item = item.Items[0]
		case k == "dimensions" && len(item.Keys) == 1 && item.Keys[0] == "default":
			*item = item.Items[0]
		}
	}
	return v, nil
}

// Rule writes the rule that grants rows of a provider their contracts, each under
// the name of its operation.
func Rule(provider string, models []string, operations []string, contracts []Value) string {
	var b strings.Builder
	list := Value{kind: '['}
	for _, m := range models {
		list.Items = append(list.Items, Value{Text: edit.String(m), kind: '"'})
	}
	head := "provider." + edit.Key(provider)
	fmt.Fprintf(&b, "[[%s]]\nmodels = %s\n", head, list.Lines("models"))
	for i, name := range operations {
		c := contracts[i]
		fmt.Fprintf(&b, "[%s.operations.%s]\n", head, name)
		body := c.without("settings")
		body.lines(&b)
		if s, ok := c.Get("settings"); ok {
			fmt.Fprintf(&b, "[%s.operations.%s.settings]\n", head, name)
			s.lines(&b)
		}
	}
	return b.String()
}

// Table writes the keys of a table, each on a line.
func (v *Value) Table() string {
	var b strings.Builder
	v.lines(&b)
	return b.String()
}
