// Package typenames gives the tables of a shape the names that their types have in
// generated code, the same in every language.
//
// What a type looks like is its language's own; package typenames only asks whether
// two tables of one name look alike, so that they can share a type.
package typenames

import (
	"fmt"
	"slices"
	"strings"

	"github.com/opcat/opcat/shape"
)

// names are the tables whose type name does not follow from how messages call them.
var names = map[string]string{
	"a model row":                        "Row",
	"a price entry":                      "Price",
	"the time for which a catalog holds": "Holds",
	"what a search unit holds":           "SearchUnit",
}

// A Writer renders a table and every table in it. Where operations have tables of one
// name that differ, each is named for its operation too.
type Writer struct {
	// Body renders the type of a table under a name; it calls Name for the tables in it, and
	// Within for the members of a table.
	Body func(name string, t *shape.Table) string

	operations []string
	operation  string                  // whose contract is being written
	several    map[string]bool         // names that tables of several operations have
	again      bool                    // another such name was found
	names      map[*shape.Table]string // of the tables so far
	bodies     map[string]string       // by name
	order      []string                // of names: a table before those in it
}

// Render gives the types of root and of all in it: a table before those in it.
func (w *Writer) Render(root *shape.Table, operations []string) []string {
	w.operations, w.several = operations, map[string]bool{}
	for {
		w.names, w.bodies, w.order, w.again = map[*shape.Table]string{}, map[string]string{}, nil, false
		w.Name(root)
		if !w.again {
			break
		}
	}
	var all []string
	for _, name := range w.order {
		all = append(all, w.bodies[name])
	}
	return all
}

// Name gives the type of a table, and writes it when it is first asked for. Two
// tables that render alike share one.
func (w *Writer) Name(t *shape.Table) string {
	if name, ok := w.names[t]; ok {
		return name
	}
	name := Of(t.Name)
	if w.several[name] {
		name = Camel(w.operation) + name
	}
	w.names[t] = name
	at := len(w.order)
	body := w.Body(name, t)
	had, ok := w.bodies[name]
	switch {
	case !ok:
		w.bodies[name] = body
		w.order = slices.Insert(w.order, at, name)
	case had != body && w.several[Of(t.Name)]:
		panic(fmt.Sprintf("typenames: two tables of %s named %q differ: name one in names", w.operation, t.Name))
	case had != body:
		w.several[name], w.again = true, true
	}
	return name
}

// Within renders a member: below a key named for an operation, tables are that one's.
func (w *Writer) Within(k *shape.Key, render func()) {
	outer := w.operation
	if outer == "" && k.Type.Kind == shape.Record && slices.Contains(w.operations, k.Name) {
		w.operation = k.Name
	}
	render()
	w.operation = outer
}

// Doc is what a comment says of a key; "" if there is nothing to say.
func Doc(k *shape.Key) string {
	if k.Meant == "" {
		return k.Doc
	}
	return strings.TrimPrefix(k.Doc+"; left out, it is "+k.Meant, "; ")
}

// Title is what a comment says of a table.
func Title(t *shape.Table) string { return strings.ToUpper(t.Name[:1]) + t.Name[1:] + "." }

// Of is the type name of a table: of "the limits of a row", RowLimits.
func Of(table string) string {
	if name := names[table]; name != "" {
		return name
	}
	name := ""
	for part := range strings.SplitSeq(table, " of ") {
		for _, article := range []string{"a ", "an ", "the "} {
			part = strings.TrimPrefix(part, article)
		}
		name = Camel(part) + name
	}
	return name
}

// Camel joins words, each with a capital.
func Camel(words string) string {
	var b strings.Builder
	for word := range strings.FieldsFuncSeq(words, func(r rune) bool { return r == ' ' || r == '_' || r == '-' }) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}
