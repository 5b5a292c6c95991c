package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/projections/golang"
	"github.com/opcat/opcat/shape"
)

// A flatWriter renders the views of package flat: a type for each table, a method for
// each key, which reads the word at the key's place.
type flatWriter struct {
	bodies map[string]string // by type
	order  []string
	seen   map[*shape.Table]bool
}

// flat renders the views.
func flat() []byte {
	w := &flatWriter{bodies: map[string]string{}, seen: map[*shape.Table]bool{}}
	w.table(form.Document())

	var b bytes.Buffer
	b.WriteString(strings.Replace(header, "package catalog", "package flat", 1))
	fmt.Fprintf(&b, "\n// Layout tells the blobs that this package reads from those of other versions: it\n// follows from the tables and keys that a catalog has.\nconst Layout = %#08x\n", golang.Layout(form.Document()))
	var types []string
	for _, o := range operations.All() {
		types = append(types, camel(o.Name))
	}
	fmt.Fprintf(&b, "\n// contracts are the types of contracts, one for each operation.\ntype contracts interface {\n\t~struct{ view }\n\t%s\n}\n", strings.Join(types, " | "))
	for i, name := range types {
		fmt.Fprintf(&b, "\nfunc (%s) place() uint32 { return %d }\n", name, i)
	}
	for _, name := range w.order {
		b.WriteString("\n" + w.bodies[name])
	}
	b.WriteString(w.nodes())
	return formatted(b.Bytes())
}

// A noder numbers how values are written as JSON: equal ones have one number.
type noder struct {
	numbers map[string]int
	nodes   []string
}

func (n *noder) number(node string) int {
	i, ok := n.numbers[node]
	if !ok {
		i = len(n.nodes)
		n.numbers[node] = i
		n.nodes = append(n.nodes, node)
	}
	return i
}

// nodes renders how the values of a document are written as JSON.
func (w *flatWriter) nodes() string {
	n := &noder{numbers: map[string]int{}}
	plain := n.number("textForm, 0, nil")
	document := n.of(shape.Rec(form.Document()))
	var b strings.Builder
	fmt.Fprintf(&b, "\n// The nodes of plain texts, of the document, and of its rows.\nconst (\n\tplainNode = %d\n\tdocumentNode = %d\n\trowsNode = %d\n)\n",
		plain, document, n.of(form.Document().Must("models").Type))
	b.WriteString("\n// nodes are how the values of a document are written.\nvar nodes = [...]node{\n")
	for _, x := range n.nodes {
		b.WriteString("\t{" + x + "},\n")
	}
	return b.String() + "}\n"
}

func (n *noder) of(t *shape.Type) int {
	switch t.Kind {
	case shape.Bool:
		return n.number("yesForm, 0, nil")
	case shape.Count:
		return n.number("countForm, 0, nil")
	case shape.Any:
		return n.number("anyForm, 0, nil")
	case shape.Union:
		return n.number("valueForm, 0, nil")
	case shape.List:
		return n.number(fmt.Sprintf("listForm, %d, nil", n.of(t.Elem)))
	case shape.Map:
		return n.number(fmt.Sprintf("mapForm, %d, nil", n.of(t.Elem)))
	case shape.Record:
		switch {
		case golang.IsSettings(t.Table):
			return n.number(fmt.Sprintf("settingsForm, %d, nil", n.rule()))
		case golang.IsCondition(t.Table):
			return n.condition()
		}
		return n.record(t.Table)
	}
	return n.number("textForm, 0, nil")
}

func (n *noder) condition() int {
	return n.number(fmt.Sprintf("mapForm, %d, nil", n.number(fmt.Sprintf("listForm, %d, nil", n.of(shape.OneOf())))))
}

// rule is a rule of any setting, whose values are of whatever kind the setting has.
func (n *noder) rule() int {
	var b strings.Builder
	b.WriteString("recordForm, 0, []field{")
	plain, value := n.number("textForm, 0, nil"), n.of(shape.OneOf())
	for _, k := range []struct {
		name string
		of   int
	}{
		{"values", n.number(fmt.Sprintf("listForm, %d, nil", value))}, {"min", plain}, {"max", plain}, {"default", value},
		{"required", n.of(shape.Of(shape.Bool))}, {"when", n.condition()},
	} {
		fmt.Fprintf(&b, "{%q, %d}, ", k.name, k.of)
	}
	return n.number(strings.TrimSuffix(b.String(), ", ") + "}")
}

func (n *noder) record(t *shape.Table) int {
	var b strings.Builder
	b.WriteString("recordForm, 0, []field{")
	for i, k := range t.Keys {
		if i > 0 {
			b.WriteString(", ")
		}
		of := 0
		if golang.IsProtocols(k) {
			of = n.number(fmt.Sprintf("listForm, %d, nil", n.number(fmt.Sprintf("protocolForm, %d, nil", n.condition()))))
		} else {
			of = n.of(k.Type)
		}
		fmt.Fprintf(&b, "{%q, %d}", k.Name, of)
	}
	return n.number(b.String() + "}")
}

// flatName is the type of a table.
func flatName(t *shape.Table) string {
	switch o := contractOf(t.Name); {
	case t == form.Document():
		return "document"
	case o != "":
		return camel(o)
	case t.Name == "the contracts of a row":
		return "Contracts"
	}
	return goName(t.Name)
}

func (w *flatWriter) table(t *shape.Table) {
	if w.seen[t] || handwritten(t.Name) {
		return
	}
	w.seen[t] = true
	name := flatName(t)
	at := len(w.order)
	body := w.body(name, t)
	switch had, ok := w.bodies[name]; {
	case !ok:
		w.bodies[name] = body
		w.order = slices.Insert(w.order, at, name)
	case had != body:
		panic(fmt.Sprintf("typegen: %q and another table are both %s and differ: name one in names", t.Name, name))
	}
}

func (w *flatWriter) body(name string, t *shape.Table) string {
	var b strings.Builder
	doc := docOf(name, t.Name)
	switch o := contractOf(t.Name); {
	case name == "document":
		doc = "document is what a catalog says beside its rows and providers."
	case o != "":
		doc = name + " is the operation " + o + ": the type of its contracts."
	case name == "Contracts":
		doc = "Contracts are a row's promises, one for each operation that it is granted."
	case name == "OperationDefaults":
		doc = "OperationDefaults are the rows that serve an operation, by purpose and provider."
	}
	fmt.Fprintf(&b, "// %s\ntype %s struct{ view }\n", doc, name)
	perOperation := ""
	for i, k := range t.Keys {
		if name == "document" && (k.Name == "providers" || k.Name == "models") {
			w.table(k.Type.Elem.Table) // of which the blob has tables of its own
			continue
		}
		method := camel(k.Name)
		if name == "Row" && k.Name == "operations" {
			method = "Contracts"
		}
		if k.Doc != "" {
			fmt.Fprintf(&b, "\n// %s: %s.", method, k.Doc)
		}
		result, value := w.read(k, i)
		fmt.Fprintf(&b, "\nfunc (v %s) %s() %s { return %s }\n", name, method, result, value)
		if operations.Lookup(k.Name) != nil && k.Type.Kind == shape.Record && contractOf(k.Type.Table.Name) == "" {
			perOperation = result
		}
	}
	if perOperation != "" {
		fmt.Fprintf(&b, "\n// of is the part of the operation at a place in the registry.\nfunc (v %s) of(place uint32) %s {\n\tswitch place {\n", name, perOperation)
		for i, o := range operations.All() {
			fmt.Fprintf(&b, "\tcase %d:\n\t\treturn v.%s()\n", i, camel(o.Name))
		}
		fmt.Fprintf(&b, "\t}\n\treturn %s{}\n}\n", perOperation)
	}
	return b.String()
}

// read gives what the method of a key gives, and how it reads it.
func (w *flatWriter) read(k *shape.Key, i int) (result, value string) {
	stated := k.Need == shape.Always || k.Meant != ""
	if golang.IsProtocols(k) {
		return "List[Protocol]", fmt.Sprintf("List[Protocol]{subOf(v.view, %d)}", i)
	}
	switch t := k.Type; t.Kind {
	case shape.Bool:
		switch {
		case k.Meant == "true":
			panic("typegen: no reading for a key that means true: " + k.Name)
		case stated:
			return "bool", fmt.Sprintf("yesOf(v.view, %d)", i)
		}
		return "(value, known bool)", fmt.Sprintf("yesnoOf(v.view, %d)", i)
	case shape.Count:
		if stated {
			return "int64", fmt.Sprintf("numberOf(v.view, %d)", i)
		}
		return "(n int64, known bool)", fmt.Sprintf("countOf(v.view, %d)", i)
	case shape.List, shape.Map, shape.Record, shape.Union:
		result = w.typ(t)
		return result, fmt.Sprintf("%s{subOf(v.view, %d)}", result, i)
	}
	if result = w.typ(k.Type); result == "string" && k.Meant != "" {
		return result, fmt.Sprintf("meantOf(v.view, %d, %q)", i, k.Meant)
	}
	if result == "string" {
		return result, fmt.Sprintf("textOf(v.view, %d)", i)
	}
	return result, fmt.Sprintf("%s(textOf(v.view, %d))", result, i)
}

// typ spells the type of a value.
func (w *flatWriter) typ(t *shape.Type) string {
	switch t.Kind {
	case shape.Amount, shape.Number:
		return "Decimal"
	case shape.Date:
		return "Date"
	case shape.Any:
		return "JSON"
	case shape.Union:
		return "Value"
	case shape.Record:
		w.table(t.Table)
		return flatName(t.Table)
	case shape.List:
		switch elem := t.Elem; {
		case elem.Kind == shape.Count:
			return "Counts"
		case elem.Kind == shape.Record || elem.Kind == shape.List || elem.Kind == shape.Map:
			return "List[" + w.typ(elem) + "]"
		}
		return "Texts[" + w.typ(t.Elem) + "]"
	case shape.Map:
		if elem := w.typ(t.Elem); t.Elem.Kind == shape.Record || t.Elem.Kind == shape.Map || t.Elem.Kind == shape.List {
			return "Map[" + elem + "]"
		}
		return "TextMap[" + w.typ(t.Elem) + "]"
	case shape.Bool, shape.Count:
		panic("typegen: no list or map of it in a blob: " + t.Describe())
	}
	return "string"
}
