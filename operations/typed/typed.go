// Package typed reads JSON into the registry's Go types and says which JSON that
// is. Both walk one description of the type, so that the schema of a request
// accepts what the decoder accepts and nothing else.
//
// A struct is an object. A member whose tag says omitempty or omitzero may be left
// out, every other one is required; what is left out is not null, and not empty
// either. The tag `is` narrows a member further:
//
//	one of a b c        one of these words
//	inputs, outputs     one of the operation's kinds of input or output
//	some                a list with at least one item
//	empty               a text that may have no characters; others may not
//	object              any JSON object; array: any array; object array: either
//	name                letters, digits, _ and -, 64 at most
//	0.. or 1..20        a whole number from .. to; others are those that every reader of
//	                    JSON holds exactly
//
// Members of a struct named Settings are narrowed by the operation's own settings.
//
// Package typed does not know what a member means. What one member needs because
// of another is the request's own question.
package typed

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/internal/canon"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/shape"
)

// A kind is one sort of JSON value.
type kind uint8

const (
	object  kind = iota
	list         // of elem
	dict         // from names to elem
	text         // a string
	whole        // an integer
	decimal      // a decimal number in a string
	float        // a number of 32 bits
	yesno        // true or false
	base64       // bytes in a string
	free         // a value whose shape nobody fixes
)

// A node describes one type in one place.
type node struct {
	kind   kind
	goType reflect.Type
	fields []field  // object: in declared order
	elem   *node    // list, dict
	words  []string // text: nothing else, if there are any
	some   bool     // list, dict, text: not empty
	name   bool     // text: letters, digits, _ and -, 64 at most
	kinds  []string // free: object, array
	min    int64    // whole
	max    int64
	from   catalog.Decimal // decimal: unknown if there is no bound
	to     catalog.Decimal
}

type field struct {
	name     string
	index    int
	required bool
	*node
}

// A Type is a Go type of an operation: what its JSON may be.
type Type struct {
	name string // of the value, for people: an embedding request
	root *node
}

// Of describes a Go type of an operation. A type or a tag that it does not know is
// a mistake of the registry, and it panics; a test describes every member.
func Of[T any](o *op.Operation, what string) *Type {
	d := describer{op: o, seen: map[reflect.Type]*node{}}
	return &Type{o.Name + " " + what, d.node(reflect.TypeFor[T]())}
}

// Go is the Go type.
func (t *Type) Go() reflect.Type { return t.root.goType }

type describer struct {
	op   *op.Operation
	seen map[reflect.Type]*node
}

var (
	wholeType   = reflect.TypeFor[catalog.Opt[int64]]()
	yesnoType   = reflect.TypeFor[catalog.Opt[bool]]()
	decimalType = reflect.TypeFor[catalog.Decimal]()
	freeType    = reflect.TypeFor[catalog.JSON]()
	bytesType   = reflect.TypeFor[[]byte]()
)

func (d *describer) node(t reflect.Type) *node {
	n := &node{goType: t, min: -canon.MaxInteger, max: canon.MaxInteger}
	switch {
	case t == wholeType, t.Kind() == reflect.Int64:
		n.kind = whole
	case t == yesnoType, t.Kind() == reflect.Bool:
		n.kind = yesno
	case t == decimalType:
		n.kind = decimal
	case t == freeType:
		n.kind = free
	case t == bytesType:
		n.kind, n.some = base64, true
	case t.Kind() == reflect.String:
		n.kind, n.some = text, true
	case t.Kind() == reflect.Float32:
		n.kind = float
	case t.Kind() == reflect.Slice:
		n.kind, n.elem = list, d.node(t.Elem())
	case t.Kind() == reflect.Map && t.Key().Kind() == reflect.String:
		n.kind, n.elem = dict, d.node(t.Elem())
	case t.Kind() == reflect.Pointer:
		return d.node(t.Elem())
	case t.Kind() == reflect.Struct:
		return d.object(t)
	default:
		panic(fmt.Sprintf("typed: %s has no JSON form", t))
	}
	return n
}

func (d *describer) object(t reflect.Type) *node {
	if n := d.seen[t]; n != nil {
		return n // a type may hold itself
	}
	n := &node{kind: object, goType: t}
	d.seen[t] = n
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" || f.PkgPath != "" {
			panic(fmt.Sprintf("typed: the field %s of %s names no member", f.Name, t))
		}
		m := field{name: name, index: i, required: options == "", node: d.node(f.Type)}
		switch options {
		case "", "omitempty", "omitzero":
		default:
			panic(fmt.Sprintf("typed: the field %s of %s has the options %q", f.Name, t, options))
		}
		if !m.required && (m.kind == list || m.kind == dict) {
			m.some = true // an empty one is left out
		}
		if t.Name() == "Settings" {
			d.setting(&m)
		}
		if is := f.Tag.Get("is"); is != "" {
			d.narrow(m.node, is, t, f.Name)
		}
		n.fields = append(n.fields, m)
	}
	return n
}

// setting narrows a member by what the registry says of the setting.
func (d *describer) setting(m *field) {
	i := slices.IndexFunc(d.op.Settings, func(s op.Setting) bool { return s.Name == m.name })
	if i < 0 {
		return
	}
	s := &d.op.Settings[i]
	m.words = s.Values
	switch m.kind {
	case whole:
		if s.Kind == shape.Count {
			m.min = 1
		}
		m.min, m.max = wholeBound(s.Min, m.min), wholeBound(s.Max, m.max)
	case decimal:
		m.from, m.to = s.Min, s.Max
	}
}

func wholeBound(d catalog.Decimal, otherwise int64) int64 {
	n, err := strconv.ParseInt(string(d), 10, 64)
	if err != nil {
		return otherwise
	}
	return n
}

// narrow reads a tag.
func (d *describer) narrow(n *node, is string, t reflect.Type, name string) {
	words, isWords := strings.CutPrefix(is, "one of ")
	low, high, isRange := strings.Cut(is, "..")
	of := n
	if n.kind == list {
		of = n.elem
	}
	switch {
	case isWords && of.kind == text:
		of.words = strings.Fields(words)
	case is == "inputs" && of.kind == text:
		of.words = d.op.Inputs
	case is == "outputs" && of.kind == text:
		of.words = d.op.Outputs
	case is == "some" && n.kind == list:
		n.some = true
	case is == "empty" && of.kind == text:
		of.some = false
	case is == "name" && n.kind == text:
		n.name = true
	case n.kind == free:
		n.kinds = strings.Fields(is)
	case isRange && n.kind == whole:
		n.min, n.max = wholeBound(catalog.Decimal(low), n.min), wholeBound(catalog.Decimal(high), n.max)
	default:
		panic(fmt.Sprintf("typed: the field %s of %s can't be %q", name, t, is))
	}
}
