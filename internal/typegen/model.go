package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/shape"
)

// A structure is one Go struct and the tables that are read into it.
type structure struct {
	name   string
	doc    string
	fields []field
}

// A field is one key of a table in Go.
type field struct {
	key  *shape.Key
	name string
	typ  string
}

// A reader is one table with its own reading and writing: tables that differ in
// their closed sets alone share a structure.
type reader struct {
	method string
	table  *shape.Table
	of     *structure
	op     *op.Operation // the operation whose contract the table is part of
}

type model struct {
	structs []*structure
	readers []*reader
	byTable map[*shape.Table]*reader
	byName  map[string]*structure
	words   []string // declarations of closed sets, deduplicated
}

// common are the keys that every contract has, whatever its operation.
var common = []string{
	"implementation", "protocol", "dialect", "api_version", "input_kinds", "output_kinds", "settings", "meters",
	"uncertainty", "served_model", "evidence", "overlaid_by",
}

// names are the tables whose Go name does not follow from how messages call them.
var names = map[string]string{
	"a model row":                        "Row",
	"a price entry":                      "Price",
	"the time for which a catalog holds": "Holds",
	"a region of a row":                  "Region",
	"a variable of an endpoint":          "EndpointVariable",
	"the process of an agent provider":   "Process",
	"an observed performance":            "Performance",
	"the presentation of a provider":     "ProviderPresentation",
	"the presentation of a row":          "RowPresentation",
	"what a search unit holds":           "SearchUnit",
	"the data-control policy":            "DataControlsPolicy",
	"the target of an alias":             "AliasTarget",
	"tool parity":                        "ToolParity",
	"a change of operations":             "OperationsChange",
}

// docs are the sentences of the types that callers meet first.
var docs = map[string]string{
	"Provider":     "Provider is who serves: endpoints, credential scheme, data policy.",
	"Row":          "Row is one model as one provider serves it, with a contract for each operation that it is granted.",
	"Price":        "Price is one price entry: a meter, one amount, and the conditions under which it holds.",
	"Limits":       "Limits are the sizes of a row; what is not stated is unknown.",
	"Lifecycle":    "Lifecycle is what is known of a row's end. Its State follows from a date.",
	"Source":       "Source is where a fact was read, and when.",
	"Disagreement": "Disagreement is a differing value that lost, and why.",
	"Alias":        "Alias is a name for a row, apart for each operation.",
	"Quota":        "Quota is what may be asked for within a time.",
	"Removal":      "Removal is a row that a layer took away.",
	"Holds":        "Holds is the time for which what is computed at the compile's date stays true.",
}

func docOf(name, table string) string {
	if d := docs[name]; d != "" {
		return d
	}
	if strings.HasSuffix(name, "s") && !strings.HasSuffix(name, "ss") {
		return name + " are " + table + "."
	}
	return name + " is " + table + "."
}

func newModel() *model {
	m := &model{byTable: map[*shape.Table]*reader{}, byName: map[string]*structure{}}
	m.add(form.Document(), nil)
	return m
}

// add makes the structure of a table and of the tables in it.
func (m *model) add(t *shape.Table, o *op.Operation) {
	if m.byTable[t] != nil || handwritten(t.Name) {
		return
	}
	s := &structure{name: goName(t.Name)}
	r := &reader{table: t, of: s, op: o}
	m.byTable[t] = r
	r.method = lower(s.name)
	if o != nil {
		r.method = lower(camel(o.Name)) + s.name
	}
	if i := slices.IndexFunc(m.readers, func(q *reader) bool { return q.method == r.method }); i >= 0 {
		if !slices.EqualFunc(m.readers[i].table.Keys, t.Keys, sameKey) {
			panic(fmt.Sprintf("typegen: two tables would be read by %s and differ: name one of %q in names", r.method, t.Name))
		}
		m.byTable[t] = m.readers[i]
		return
	}
	s.doc = docOf(s.name, t.Name)
	switch {
	case t == form.Document(): // its parts are read one by one
	case isContract(t):
		m.contract(r)
		return
	default:
		m.readers = append(m.readers, r)
		s.fields = m.fields(t)
		if had := m.byName[s.name]; had != nil {
			if !slices.EqualFunc(had.fields, s.fields, func(a, b field) bool { return a.name == b.name && a.typ == b.typ }) {
				panic(fmt.Sprintf("typegen: %q and another table are both %s and differ: name one in names", t.Name, s.name))
			}
			r.of = had
		} else {
			m.byName[s.name] = s
			m.structs = append(m.structs, s)
		}
	}
	m.addWithin(t, o)
}

func sameKey(a, b *shape.Key) bool { return a.Name == b.Name && a.Type.Describe() == b.Type.Describe() }

func (m *model) addWithin(t *shape.Table, o *op.Operation) {
	for _, k := range t.Keys {
		sub := o
		if t.Name == "the contracts of a row" {
			sub = operations.Lookup(k.Name)
		}
		m.addType(k.Type, sub)
	}
}

func (m *model) addType(t *shape.Type, o *op.Operation) {
	switch t.Kind {
	case shape.Record:
		if t.Table.Name == "the contracts of a row" {
			m.addWithin(t.Table, nil)
			return
		}
		m.add(t.Table, o)
	case shape.List, shape.Map:
		m.addType(t.Elem, o)
	}
}

// contract splits a contract table into what all operations share, which is
// written once, and the operation's own part.
func (m *model) contract(r *reader) {
	var own, shared []field
	for _, f := range m.fields(r.table) {
		if slices.Contains(common, f.key.Name) {
			shared = append(shared, f)
		} else {
			own = append(own, f)
		}
	}
	name := camel(r.op.Name)
	r.of = &structure{name: name, doc: name + " is the part of a contract that only " + r.op.Name + " has.", fields: own}
	m.readers = append(m.readers, r)
	m.structs = append(m.structs, r.of)
	if m.byName["Contract"] == nil {
		s := &structure{name: "Contract", fields: shared,
			doc: "Contract is one row's promise for one operation: what all operations share, and the part of its own operation."}
		m.byName["Contract"] = s
		m.structs = append(m.structs, s)
	}
	for _, f := range shared { // an operation may lack some: moderation has no settings
		if c := m.byName["Contract"]; !slices.ContainsFunc(c.fields, func(g field) bool { return g.name == f.name }) {
			c.fields = append(c.fields, f)
		}
	}
	m.addWithin(r.table, r.op)
}

func (m *model) fields(t *shape.Table) []field {
	var fs []field
	perOperation := false
	for _, k := range t.Keys {
		if operations.Lookup(k.Name) != nil && k.Type.Kind == shape.Record {
			if !perOperation {
				fs = append(fs, field{key: k, name: "ByOperation", typ: "map[string]" + goName(k.Type.Table.Name)})
				perOperation = true
			}
			continue
		}
		if k.Type.Kind == shape.Record && k.Type.Table.Name == "the contracts of a row" {
			fs = append(fs, field{key: k, name: "Contracts", typ: "[]Contract"})
			continue
		}
		fs = append(fs, field{key: k, name: camel(k.Name), typ: fieldType(k)})
	}
	return fs
}

// handwritten are the tables that package catalog reads with code of its own.
func handwritten(name string) bool {
	return strings.HasPrefix(name, "the settings of ") || strings.HasPrefix(name, "the setting ") ||
		name == "a condition" || name == "a protocol with a condition"
}

func isContract(t *shape.Table) bool { return contractOf(t.Name) != "" }

// contractOf names the operation whose contract a table is; "" if it is none.
func contractOf(table string) string {
	for _, name := range operations.Names() {
		if table == diag.A(name)+" contract" {
			return name
		}
	}
	return ""
}

func fieldType(k *shape.Key) string {
	switch t := k.Type; t.Kind {
	case shape.Bool, shape.Count:
		if k.Need != shape.Always && k.Meant == "" {
			return "Opt[" + elemType(t) + "]"
		}
	case shape.Record:
		return "*" + elemType(t)
	}
	return elemType(k.Type)
}

func elemType(t *shape.Type) string {
	switch t.Kind {
	case shape.Bool:
		return "bool"
	case shape.Count:
		return "int64"
	case shape.Amount, shape.Number:
		return "Decimal"
	case shape.Date:
		return "Date"
	case shape.Any:
		return "JSON"
	case shape.List:
		if isProtocols(t) {
			return "[]Protocol"
		}
		return "[]" + elemType(t.Elem)
	case shape.Map:
		return "map[string]" + elemType(t.Elem)
	case shape.Record:
		return goName(t.Table.Name)
	case shape.Union:
		return "Value"
	}
	return "string"
}

// isProtocols reports whether a list is a contract's protocols with conditions.
func isProtocols(t *shape.Type) bool { return t.Elem.Kind == shape.Union }

func goName(table string) string {
	if n := names[table]; n != "" {
		return n
	}
	switch {
	case strings.HasPrefix(table, "the settings of "):
		return "Settings"
	case strings.HasPrefix(table, "the defaults of "):
		return "OperationDefaults"
	case strings.HasPrefix(table, "the limits of ") && operations.Lookup(table[len("the limits of "):]) != nil:
		return camel(table[len("the limits of "):]) + "Limits"
	case contractOf(table) != "":
		return "Contract"
	}
	for _, article := range []string{"a ", "an ", "the "} {
		table = strings.TrimPrefix(table, article)
	}
	table, _, _ = strings.Cut(table, " of ")
	return camel(strings.ReplaceAll(table, " ", "_"))
}

// initials are words that Go writes in capitals.
var initials = map[string]string{
	"id": "ID", "url": "URL", "api": "API", "usd": "USD", "mcp": "MCP", "ms": "MS", "rpm": "RPM", "rph": "RPH", "rpd": "RPD", "tpm": "TPM",
	"tph": "TPH", "tpd": "TPD", "utc": "UTC", "xml": "XML", "kv": "KV", "gpu": "GPU", "ram": "RAM", "ctx": "Ctx", "moe": "MoE", "gib": "GiB",
	"ttft": "TTFT", "otps": "OTPS", "ttl": "TTL", "p50": "P50",
}

func camel(name string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(name, "_") {
		if w := initials[word]; w != "" {
			b.WriteString(w)
		} else {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

func lower(name string) string { return strings.ToLower(name[:1]) + name[1:] }
