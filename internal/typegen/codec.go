package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/shape"
)

// codec renders the reading and writing of each table.
func (m *model) codec() []byte {
	var body bytes.Buffer
	for _, r := range m.readers {
		if isContract(r.table) {
			m.contractCodec(&body, r)
			continue
		}
		fmt.Fprintf(&body, "\nfunc (d *decoder) %s() (v %s) {\n\tk := d.open()\n", r.method, r.of.name)
		for _, f := range r.of.fields {
			m.decodeField(&body, r, keyOf(r.table, f), "v."+f.name, f)
		}
		body.WriteString("\td.close(k)\n\treturn v\n}\n")
		if m.firstOf(r) {
			fmt.Fprintf(&body, "\nfunc (e *encoder) %s(v *%s) {\n\te.open()\n", lower(r.of.name), r.of.name)
			for _, f := range r.of.fields {
				m.encodeField(&body, f.key, "v."+f.name, f)
			}
			body.WriteString("\te.close()\n}\n")
		}
	}
	m.contractSwitch(&body)

	var b bytes.Buffer
	b.WriteString(header)
	fmt.Fprintf(&b, "\nconst schemaName = %q\n", form.SchemaName)
	fmt.Fprintf(&b, "\n// sectionNames are the members of the document in their order.\nvar sectionNames = []string{%s}\n", quoted(form.Document().Names()))
	fmt.Fprintf(&b, "\n// operationNames are the registry's members in their order.\nvar operationNames = []string{%s}\n", quoted(operations.Names()))
	fmt.Fprintf(&b, "\n// kindNames are all kinds of input, in the order of an index's bits.\nvar kindNames = []string{%s}\n", quoted(kinds()))
	fmt.Fprintf(&b, "\n// supportNames are the degrees of evidence, weakest first.\nvar supportNames = []string{%s}\n", quoted(op.Supports))
	for _, o := range operations.All() {
		m.vocabulary(&b, o)
	}
	b.WriteString("\nvar (\n")
	for i, w := range m.words {
		fmt.Fprintf(&b, "\twords%d = []string{%s}\n", i, w)
	}
	b.WriteString(")\n")
	b.Write(body.Bytes())
	return formatted(b.Bytes())
}

// firstOf reports whether r is the first table of its structure: it alone writes.
func (m *model) firstOf(r *reader) bool {
	i := slices.IndexFunc(m.readers, func(q *reader) bool { return q.of == r.of })
	return m.readers[i] == r
}

// keyOf is a field's key in this table: another table of the same structure may
// have another closed set.
func keyOf(t *shape.Table, f field) *shape.Key { return t.Must(f.key.Name) }

func kinds() []string {
	var all []string
	for _, o := range operations.All() {
		for _, k := range o.Inputs {
			if !slices.Contains(all, k) {
				all = append(all, k)
			}
		}
	}
	return all
}

// vocabulary renders what the hand-written reading of settings, conditions and
// protocols needs to know about an operation.
func (m *model) vocabulary(b *bytes.Buffer, o *op.Operation) {
	fmt.Fprintf(b, "\nvar %sVocabulary = vocabulary{\n\tprotocols: []string{%s},\n", lower(camel(o.Name)), quoted(o.ProtocolNames()))
	c := form.Contract(o)
	if settings := c.Key("settings"); settings != nil {
		fmt.Fprintf(b, "\tsettings: []term{\n")
		var when *shape.Table
		for _, k := range settings.Type.Table.Keys {
			list := k.Type.Member(shape.FormList)
			if k.Name == "exclusive" {
				continue
			}
			rule := list.Elem.Table
			when = rule.Must("when").Type.Table
			m.term(b, k.Name, rule.Must("values").Type.Elem)
		}
		fmt.Fprintf(b, "\t},\n\tconditions: []term{\n")
		for _, k := range when.Keys {
			m.term(b, k.Name, k.Type.Elem)
		}
		b.WriteString("\t},\n")
	}
	b.WriteString("}\n")
}

func (m *model) term(b *bytes.Buffer, name string, t *shape.Type) {
	switch t.Kind {
	case shape.Enum:
		fmt.Fprintf(b, "\t\t{name: %q, words: %s},\n", name, m.wordsOf(t.Values))
	case shape.Number:
		fmt.Fprintf(b, "\t\t{name: %q, number: true},\n", name)
	case shape.Bool:
		fmt.Fprintf(b, "\t\t{name: %q, yesno: true},\n", name)
	case shape.Union: // yes or no, or unset
		fmt.Fprintf(b, "\t\t{name: %q, yesno: true, words: %s},\n", name, m.wordsOf(t.Member(shape.FormString).Values))
	default:
		fmt.Fprintf(b, "\t\t{name: %q},\n", name)
	}
}

// wordsOf gives the variable that holds a closed set.
func (m *model) wordsOf(values []string) string {
	w := quoted(values)
	i := slices.Index(m.words, w)
	if i < 0 {
		i = len(m.words)
		m.words = append(m.words, w)
	}
	return fmt.Sprintf("words%d", i)
}

func quoted(values []string) string {
	q := make([]string, len(values))
	for i, v := range values {
		q[i] = fmt.Sprintf("%q", v)
	}
	return strings.Join(q, ", ")
}

func (m *model) decodeField(b *bytes.Buffer, r *reader, k *shape.Key, target string, f field) {
	if f.name == "ByOperation" {
		for _, k := range r.table.Keys {
			if operations.Lookup(k.Name) != nil {
				fmt.Fprintf(b, "\tif k == %q {\n\t\tput(&%s, k, d.%s())\n\t\tk = d.next()\n\t}\n", k.Name, target, m.method(k.Type.Table))
			}
		}
		return
	}
	expr := "d.contracts()"
	if f.name != "Contracts" {
		expr = m.decodeExpr(k.Type, r.op)
	}
	switch {
	case f.typ[0] == '*':
		expr = "ref(" + expr + ")"
	case strings.HasPrefix(f.typ, "Opt["):
		expr = "Known(" + expr + ")"
	}
	fmt.Fprintf(b, "\tif k == %q {\n\t\t%s = %s\n\t\tk = d.next()\n", k.Name, target, expr)
	if k.Meant != "" {
		fmt.Fprintf(b, "\t\tif %s == %s {\n\t\t\td.fail(%q)\n\t\t}\n", target, meant(k), k.Name+" says what leaving it out means")
	}
	b.WriteString("\t}")
	switch {
	case k.Need == shape.Always:
		fmt.Fprintf(b, " else {\n\t\td.missing(%q, k)\n\t}", k.Name)
	case k.Meant != "" && meant(k) != "false":
		fmt.Fprintf(b, " else {\n\t\t%s = %s\n\t}", target, meant(k))
	}
	b.WriteByte('\n')
}

// meant is the Go value that leaving a key out means.
func meant(k *shape.Key) string {
	if k.Type.Kind == shape.Bool {
		return k.Meant
	}
	return fmt.Sprintf("%q", k.Meant)
}

func (m *model) method(t *shape.Table) string { return m.byTable[t].method }

func (m *model) decodeExpr(t *shape.Type, o *op.Operation) string {
	switch t.Kind {
	case shape.Record:
		if strings.HasPrefix(t.Table.Name, "the settings of ") {
			return "d.settings(&" + lower(camel(o.Name)) + "Vocabulary)"
		}
		return "d." + m.method(t.Table) + "()"
	case shape.List:
		switch {
		case isProtocols(t):
			return "d.protocols(&" + lower(camel(o.Name)) + "Vocabulary)"
		case t.Set && t.Elem.Kind == shape.Enum:
			return fmt.Sprintf("d.wordSet(%s, %v)", m.wordsOf(t.Elem.Values), t.NonEmpty)
		case t.Set && t.Elem.Kind == shape.Count:
			return fmt.Sprintf("d.countSet(%d, %d, %v)", t.Elem.Min, t.Elem.Max, t.NonEmpty)
		case t.Set:
			return fmt.Sprintf("d.textSet(%v)", t.NonEmpty)
		}
		return fmt.Sprintf("list(d, %s, %v)", m.decodeFunc(t.Elem, o), t.NonEmpty)
	case shape.Map:
		return "mapOf(d, " + m.decodeFunc(t.Elem, o) + ")"
	case shape.Enum:
		return "d.word(" + m.wordsOf(t.Values) + ")"
	case shape.Count:
		return fmt.Sprintf("d.count(%d, %d)", t.Min, t.Max)
	}
	return "d." + scalarMethod(t) + "()"
}

func (m *model) decodeFunc(t *shape.Type, o *op.Operation) string {
	switch t.Kind {
	case shape.Record:
		return "(*decoder)." + m.method(t.Table)
	case shape.List, shape.Map, shape.Enum, shape.Count:
		return "func(d *decoder) " + elemType(t) + " { return " + m.decodeExpr(t, o) + " }"
	}
	return "(*decoder)." + scalarMethod(t)
}

func scalarMethod(t *shape.Type) string {
	switch t.Kind {
	case shape.Bool:
		return "bool"
	case shape.Amount, shape.Number:
		return "decimal"
	case shape.Date:
		return "date"
	case shape.Any:
		return "any"
	case shape.Union:
		return "value"
	}
	return "text"
}

func (m *model) encodeField(b *bytes.Buffer, k *shape.Key, source string, f field) {
	key := fmt.Sprintf("%q", k.Name)
	switch {
	case k.Meant != "":
		empty := ""
		if f.typ == "string" {
			empty = " && " + source + ` != ""`
		}
		fmt.Fprintf(b, "\tif %s != %s%s {\n\t\te.key(%s)\n\t\t%s\n\t}\n", source, meant(k), empty, key, encodeExpr(k.Type, source))
	case f.name == "ByOperation":
		fmt.Fprintf(b, "\tencodeByOperation(e, %s, (*encoder).%s)\n", source, lower(goName(k.Type.Table.Name)))
	case f.name == "Contracts":
		fmt.Fprintf(b, "\te.contracts(%s)\n", source)
	case f.typ == "Opt[bool]":
		fmt.Fprintf(b, "\tif x, ok := %s.Get(); ok {\n\t\te.key(%s)\n\t\te.bool(x)\n\t}\n", source, key)
	case f.typ == "Opt[int64]":
		fmt.Fprintf(b, "\tif x, ok := %s.Get(); ok {\n\t\te.key(%s)\n\t\te.count(x)\n\t}\n", source, key)
	case f.typ == "bool", f.typ == "int64":
		fmt.Fprintf(b, "\te.key(%s)\n\te.%s(%s)\n", key, map[string]string{"bool": "bool", "int64": "count"}[f.typ], source)
	case f.typ == "Value":
		fmt.Fprintf(b, "\tif !%s.IsZero() {\n\t\te.key(%s)\n\t\te.value(%s)\n\t}\n", source, key, source)
	case f.typ == "string", f.typ == "Decimal", f.typ == "Date", f.typ == "JSON":
		fmt.Fprintf(b, "\tif %s != \"\" {\n\t\te.key(%s)\n\t\t%s\n\t}\n", source, key, encodeExpr(k.Type, source))
	default:
		fmt.Fprintf(b, "\tif %s != nil {\n\t\te.key(%s)\n\t\t%s\n\t}\n", source, key, encodeExpr(k.Type, source))
	}
}

func encodeExpr(t *shape.Type, source string) string {
	switch t.Kind {
	case shape.Record:
		return fmt.Sprintf("e.%s(%s)", lower(goName(t.Table.Name)), source)
	case shape.List:
		if isProtocols(t) {
			return "e.protocols(" + source + ")"
		}
		return fmt.Sprintf("encodeList(e, %s, %s)", source, encodeFunc(t.Elem))
	case shape.Map:
		return fmt.Sprintf("encodeMap(e, %s, %s)", source, encodeFunc(t.Elem))
	case shape.Count:
		return "e.count(" + source + ")"
	case shape.Amount, shape.Number, shape.Date:
		return "e.text(string(" + source + "))"
	}
	return "e." + scalarMethod(t) + "(" + source + ")"
}

// encodeFunc gives a function over a pointer to the element.
func encodeFunc(t *shape.Type) string {
	if t.Kind == shape.Record {
		return "(*encoder)." + lower(goName(t.Table.Name))
	}
	return fmt.Sprintf("func(e *encoder, v *%s) { %s }", elemType(t), encodeExpr(t, "*v"))
}

func (m *model) contractCodec(b *bytes.Buffer, r *reader) {
	all := m.fields(r.table)
	path := func(f field) string {
		if slices.Contains(common, f.key.Name) {
			return "v." + f.name
		}
		return "own." + f.name
	}
	protocols := "d.protocols(&" + lower(camel(r.op.Name)) + "Vocabulary)"
	fmt.Fprintf(b, "\nfunc (d *decoder) %s() Contract {\n\tv := Contract{Operation: %q}\n\town := new(%s)\n\tk := d.open()\n", r.method, r.op.Name, r.of.name)
	for _, f := range all {
		if f.key.Name == "protocol" {
			fmt.Fprintf(b, "\tif k == \"protocol\" {\n\t\tv.Protocol = %s\n\t\tk = d.next()\n\t}\n", protocols)
			continue
		}
		m.decodeField(b, r, f.key, path(f), f)
	}
	fmt.Fprintf(b, "\td.close(k)\n\tv.%s = own\n\treturn v\n}\n", r.of.name)

	fmt.Fprintf(b, "\nfunc (e *encoder) %s(v *Contract) {\n\town := v.%s\n\tif own == nil {\n\t\town = new(%s)\n\t}\n\te.open()\n", r.method, r.of.name, r.of.name)
	for _, f := range all {
		if f.key.Name == "protocol" {
			b.WriteString("\tif v.Protocol != nil {\n\t\te.key(\"protocol\")\n\t\te.protocols(v.Protocol)\n\t}\n")
			continue
		}
		m.encodeField(b, f.key, path(f), f)
	}
	b.WriteString("\te.close()\n}\n")
}

// contractSwitch renders what picks the contract's reading by its operation.
func (m *model) contractSwitch(b *bytes.Buffer) {
	b.WriteString("\nfunc (d *decoder) contract(operation string) (c Contract) {\n\tswitch operation {\n")
	for _, r := range m.readers {
		if isContract(r.table) {
			fmt.Fprintf(b, "\tcase %q:\n\t\treturn d.%s()\n", r.op.Name, r.method)
		}
	}
	b.WriteString("\t}\n\td.fail(\"unknown operation \" + operation)\n\treturn c\n}\n")
	b.WriteString("\nfunc (e *encoder) contract(c *Contract) {\n\tswitch c.Operation {\n")
	for _, r := range m.readers {
		if isContract(r.table) {
			fmt.Fprintf(b, "\tcase %q:\n\t\te.%s(c)\n", r.op.Name, r.method)
		}
	}
	b.WriteString("\tdefault:\n\t\te.open()\n\t\te.close()\n\t}\n}\n")
}
