package schema

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/opcat/opcat/operations/typed"
	"github.com/opcat/opcat/shape"
)

// A writer prints one schema. Tables, and texts of a fixed form, are definitions
// that it refers to by name and prints after the root.
type writer struct {
	catalog  bool                  // a compiled catalog: what its sources must say together is there, and numbers have one spelling
	patterns map[*shape.Key]string // texts of a form that has no kind

	b      []byte
	depth  int // of brackets
	err    error
	tables []*shape.Table // that are referred to, each once
	names  map[*shape.Table]string
	taken  map[string]bool
	texts  [shape.Union + 1]bool // kinds that are referred to
}

// document prints the schema of a table with all that it refers to.
func (w *writer) document(id, title string, t *shape.Table) ([]byte, error) {
	w.b = make([]byte, 0, 128<<10)
	w.names, w.taken = map[*shape.Table]string{}, map[string]bool{}
	for _, k := range kinds {
		w.taken[k.name] = true
	}
	w.object(func() {
		w.member("$schema", typed.Dialect)
		w.member("$id", "urn:opcat:"+id)
		w.member("title", title)
		w.table(t, "")
		w.name("$defs")
		w.object(func() {
			for i := 0; i < len(w.tables); i++ { // printing one may refer to more
				t := w.tables[i]
				w.name(w.names[t])
				w.object(func() {
					w.member("title", t.Name)
					w.table(t, w.names[t])
				})
			}
			for k, used := range w.texts {
				if used {
					w.name(kinds[k].name)
					w.object(func() { w.text(shape.Kind(k)) })
				}
			}
		})
	})
	return append(w.b, '\n'), w.err
}

// table prints the members of a schema that hold a closed table; at names it.
func (w *writer) table(t *shape.Table, at string) {
	w.member("type", "object")
	w.name("properties")
	var required []string
	w.object(func() {
		for _, k := range t.Keys {
			w.name(k.Name)
			w.object(func() { w.key(k, at) })
			if w.required(k) {
				required = append(required, k.Name)
			}
		}
	})
	if len(required) > 0 {
		w.member("required", required)
	}
	w.member("additionalProperties", false)
}

// required reports whether a table always has the key. A fragment without a
// format is of format 0, which has no schema.
func (w *writer) required(k *shape.Key) bool {
	return k.Need == shape.Always || w.catalog && k.Need == shape.Merged || w.patterns[k] != ""
}

// key prints the schema of a key's value.
func (w *writer) key(k *shape.Key, at string) {
	if k.Doc != "" {
		w.member("description", k.Doc)
	}
	if k.Meant != "" && k.Type.Kind == shape.Bool {
		w.member("default", k.Meant == "true")
	} else if k.Meant != "" {
		w.member("default", k.Meant)
	}
	if p := w.patterns[k]; p != "" {
		w.member("type", "string")
		w.member("pattern", p)
		return
	}
	ref := w.reference(k.Type, at)
	switch {
	case ref == "":
		w.value(k.Type, at)
	case k.Doc == "" && k.Meant == "":
		w.member("$ref", ref)
	default: // draft-07 reads nothing beside $ref
		w.name("allOf")
		w.array(func() { w.object(func() { w.member("$ref", ref) }) })
	}
}

// schema prints a schema of a type.
func (w *writer) schema(t *shape.Type, at string) {
	w.object(func() {
		if ref := w.reference(t, at); ref != "" {
			w.member("$ref", ref)
		} else {
			w.value(t, at)
		}
	})
}

// value prints the members of a schema of a type that is no definition.
func (w *writer) value(t *shape.Type, at string) {
	switch t.Kind {
	case shape.Enum:
		w.member("type", "string")
		if len(t.Values) == 0 { // of an operation without settings: there is no word
			w.name("not")
			w.object(func() {})
			return
		}
		w.member("enum", t.Values)
	case shape.Bool:
		w.member("type", "boolean")
	case shape.Count:
		w.count(t)
	case shape.List:
		w.member("type", "array")
		w.name("items")
		w.schema(t.Elem, at)
		if t.NonEmpty {
			w.member("minItems", int64(1))
		}
		if t.Set {
			w.member("uniqueItems", true)
		}
	case shape.Map:
		w.member("type", "object")
		w.name("propertyNames")
		w.schema(shape.Of(t.KeyKind), at)
		w.name("additionalProperties")
		w.schema(t.Elem, at)
	case shape.Union:
		w.name("anyOf")
		w.array(func() {
			for _, m := range t.Of {
				w.schema(m, at)
			}
		})
	case shape.Any:
	default:
		w.fail(fmt.Errorf("no schema for a value that is %s", t.Describe()))
	}
}

// count prints a range of integers. A catalog writes one as a string that a reader
// with floating point would change.
func (w *writer) count(t *shape.Type) {
	if w.catalog && t.Max == 0 {
		w.name("anyOf")
		w.array(func() {
			w.object(func() {
				w.member("type", "integer")
				w.member("minimum", t.Min)
				w.member("maximum", int64(1<<53-1))
			})
			w.object(func() {
				w.member("type", "string")
				w.member("pattern", `^[1-9][0-9]{15,18}$`)
			})
		})
		return
	}
	w.member("type", "integer")
	w.member("minimum", t.Min)
	if t.Max != 0 {
		w.member("maximum", t.Max)
	}
}

// reference names the definition of a type and sees to it that it is printed; "" if
// the type has none.
func (w *writer) reference(t *shape.Type, at string) string {
	switch {
	case t.Kind == shape.Record:
		return "#/$defs/" + w.nameOf(t.Table, at)
	case kinds[t.Kind].name != "":
		w.texts[t.Kind] = true
		return "#/$defs/" + kinds[t.Kind].name
	}
	return ""
}

// nameOf names a table's definition after what messages call it. Of several with one
// name the later ones are named with the table around them.
func (w *writer) nameOf(t *shape.Table, at string) string {
	if name, ok := w.names[t]; ok {
		return name
	}
	name := t.Name
	for _, article := range []string{"a ", "an ", "the "} {
		name = strings.TrimPrefix(name, article)
	}
	name = strings.ReplaceAll(name, " ", "_")
	if w.taken[name] && at != "" {
		name = at + "." + name
	}
	for i, first := 2, name; w.taken[name]; i++ {
		name = first + "." + strconv.Itoa(i)
	}
	w.names[t], w.taken[name] = name, true
	w.tables = append(w.tables, t)
	return name
}
