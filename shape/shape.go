// Package shape says what a table of a source may hold: its keys, and for each
// key the type, the range and the closed set.
//
// The shapes are data. The decoder walks them, the merge of layers and the
// printing of a catalog follow them, and the JSON Schema of fragments is
// rendered from them, so a new key is written once. Package shape reads nothing
// and knows no file format.
package shape

import (
	"slices"
	"strings"
)

// A Kind is how a value is written and read.
type Kind uint8

// The kinds of values. Every string kind is checked by its own rule; a number
// that must stay exact is a string (Amount, Number).
const (
	Text     Kind = iota + 1 // any text without control characters, not empty
	ID                       // [a-z0-9][a-z0-9._-]{0,63}
	WireID                   // text without controls or outer blanks
	RowID                    // provider/wire_model, cut at the first slash
	Enum                     // a member of Values
	Bool                     // true or false
	Count                    // integer, Min..Max
	Amount                   // decimal string: no sign, no exponent, at most 18 digits a side
	Number                   // decimal string with an optional minus
	Date                     // "2026-11-30" or RFC 3339 with offset
	Duration                 // "120s": a Go duration above zero
	Clock                    // "HH:MM", "24:00" allowed
	Offset                   // "+00:00"
	URL                      // https, or http to loopback; holes {name} allowed
	Origin                   // scheme://host[:port]; holes left of a fixed domain
	Source                   // https URL or purl (pkg:...)
	EnvName                  // name of an environment variable
	Header                   // HTTP field name, not reserved
	Range                    // semver range
	Semver                   // strict semver version
	Glob                     // pattern: only * and ? are special
	Float                    // legacy dialect only: a TOML float or integer, kept as written
	Any                      // legacy dialect and free-form tables only: whatever TOML says
	List                     // array of Elem
	Record                   // table with the keys of Table
	Map                      // table with free keys of kind KeyKind and values of Elem
	Union                    // the member of Of that fits how the value is written
)

// A Type is what a value may be. Types are built once and never changed.
type Type struct {
	Kind     Kind
	Values   []string // Enum: the closed set, in canonical order
	Min, Max int64    // Count: both inclusive; Max 0 is no upper bound
	Elem     *Type    // List and Map
	KeyKind  Kind     // Map: Text, ID, WireID, Header or EnvName
	Table    *Table   // Record
	Of       []*Type  // Union: members differ in how they are written
	Set      bool     // List: order means nothing; kept sorted, a repeat is an error
	NonEmpty bool     // List: at least one item

	item  *Key  // the key that items of a List carry
	index index // of Values
}

// Item is the key under which a list's items are kept: its name is "".
func (t *Type) Item() *Key {
	return t.item
}

// A Key is one named field of a table.
type Key struct {
	Name   string
	Type   *Type
	Doc    string // one line for completion and reference pages
	Moved  string // a key that stands here by mistake: where it belongs, or what to write instead
	Index  int    // position in its table; -1 for a key of a Map or an item
	Need   Need
	Layers bool   // it speaks to the layers; a catalog has no such key
	Within *Table // the table that declares it; nil for a key of a Map or an item
	JSON   string // how it starts a member of a JSON object: a comma, the quoted name, a colon
	Meant  string // the value that leaving it out means; a catalog leaves it out too
}

// Need says when a key must be there.
type Need uint8

// A key is optional, needed wherever its table is written, or needed in what
// the layers make of the table together (an overlay may leave it out).
const (
	Optional Need = iota
	Always
	Merged
)

// A Table is the closed set of keys of one kind of table.
type Table struct {
	Name  string // as messages say it: "a model row"
	Keys  []*Key // in canonical order
	Moved []*Key // keys that are refused with advice
	Needs uint64 // the keys that are needed wherever the table is written, each the bit of its Index
	all   []*Key // Keys and Moved, as declared
	index index  // of all

	// Foreign names the table of another kind that declares a key which this one
	// does not ("decision_evaluation" for question_kinds); "" if none does.
	Foreign func(name string) string
}

// New makes a table; the keys are its own from then on. It panics on a key declared
// twice or a needed one behind 64 others, mistakes of this program.
func New(name string, keys ...*Key) *Table {
	t := &Table{Name: name, all: keys, index: newIndex(len(keys))}
	written := make([]byte, 0, 20*len(keys)) // every name as JSON writes it, one after the other
	for i, k := range keys {
		if t.Key(k.Name) != nil {
			panic("shape: " + name + " declares " + k.Name + " twice")
		}
		t.index.put(k.Name, i)
		k.Within = t
		if k.Moved != "" {
			k.Index = -1
			t.Moved = append(t.Moved, k)
			continue
		}
		written = append(append(append(written, `,"`...), k.Name...), `":`...)
	}
	t.Keys = keys
	if len(t.Moved) > 0 {
		t.Keys = slices.DeleteFunc(slices.Clone(keys), func(k *Key) bool { return k.Moved != "" })
	}
	rest := string(written)
	for i, k := range t.Keys {
		n := len(k.Name) + len(`,"":`)
		k.Index, k.JSON, rest = i, rest[:n], rest[n:]
		if k.Need == Always {
			if i >= 64 {
				panic("shape: " + name + " declares " + k.Name + " too late for a needed key: the first 64 may be")
			}
			t.Needs |= 1 << i
		}
	}
	return t
}

// Key finds a key by name: nil if the table has none. A key with Moved set is
// one that does not belong here.
func (t *Table) Key(name string) *Key {
	if len(t.index) == 0 {
		return nil
	}
	for i := t.index.start(name); t.index[i] != 0; i = t.index.next(i) {
		if k := t.all[t.index[i]-1]; k.Name == name {
			return k
		}
	}
	return nil
}

// An index finds a name's position in a list: one more than it, at a place that
// follows from the name, or the next free one. A key is looked up for each value of
// a source tree, and a general map costs several times this, also to make.
type index []uint16

// newIndex makes an index for n names, with room so that most stand at their place.
func newIndex(n int) index {
	if n == 0 {
		return nil
	}
	size := 4
	for size < 2*n {
		size *= 2
	}
	return make(index, size)
}

// put adds a name that is not there, by its position in the list.
func (x index) put(name string, position int) {
	i := x.start(name)
	for x[i] != 0 {
		i = x.next(i)
	}
	x[i] = uint16(position + 1)
}

func (x index) start(name string) int {
	n := len(name)
	if n == 0 {
		return 0
	}
	return (int(name[0]) + int(name[n-1])*3 + int(name[n/2])*5 + n*7) & (len(x) - 1)
}

func (x index) next(i int) int { return (i + 1) & (len(x) - 1) }

// Must finds a key that is known to be there; it panics otherwise.
func (t *Table) Must(name string) *Key {
	k := t.Key(name)
	if k == nil {
		panic("shape: " + t.Name + " has no key " + name)
	}
	return k
}

// Names lists the keys in canonical order.
func (t *Table) Names() []string {
	names := make([]string, len(t.Keys))
	for i, k := range t.Keys {
		names[i] = k.Name
	}
	return names
}

// F declares an optional key.
func F(name string, t *Type) *Key { return &Key{Name: name, Type: t} }

// Doc adds the reference line of a key.
func (k *Key) Says(doc string) *Key { k.Doc = doc; return k }

// Always marks a key that its table must always have.
func (k *Key) Always() *Key { k.Need = Always; return k }

// Merged marks a key that the merged table must have.
func (k *Key) Merged() *Key { k.Need = Merged; return k }

// Means says which value is meant where the key is left out.
func (k *Key) Means(value string) *Key { k.Meant = value; return k }

// ForLayers marks a key that tells the layers what to do and is no fact.
func (k *Key) ForLayers() *Key { k.Layers = true; return k }

// Elsewhere declares a key that does not belong in this table, with advice.
func Elsewhere(name, advice string) *Key { return &Key{Name: name, Moved: advice} }

// plain has the type of each kind that nothing else is said of.
var plain = func() (types [Union + 1]Type) {
	for k := range types {
		types[k].Kind = Kind(k)
	}
	return types
}()

// Of is a type of a plain kind.
func Of(k Kind) *Type { return &plain[k] }

// EnumOf is a closed set of words.
func EnumOf(values ...string) *Type {
	t := &Type{Kind: Enum, Values: values, index: newIndex(len(values))}
	for i, v := range values {
		t.index.put(v, i)
	}
	return t
}

// Word finds a member of an Enum.
func (t *Type) Word(s string) (string, bool) {
	if len(t.index) == 0 {
		return "", false
	}
	for i := t.index.start(s); t.index[i] != 0; i = t.index.next(i) {
		if w := t.Values[t.index[i]-1]; w == s {
			return w, true
		}
	}
	return "", false
}

// CountOf is an integer of at least min, and at most max if that is not 0.
func CountOf(min, max int64) *Type { return &Type{Kind: Count, Min: min, Max: max} }

// ListOf is an ordered list.
func ListOf(elem *Type) *Type {
	return &Type{Kind: List, Elem: elem, item: &Key{Type: elem, Index: -1}}
}

// SetOf is a list whose order means nothing and whose members differ.
func SetOf(elem *Type) *Type {
	t := ListOf(elem)
	t.Set = true
	return t
}

// Full marks a list that may not be empty.
func (t *Type) Full() *Type { t.NonEmpty = true; return t }

// Rec is a table with closed keys.
func Rec(t *Table) *Type { return &Type{Kind: Record, Table: t} }

// MapOf is a table with free keys.
func MapOf(key Kind, elem *Type) *Type { return &Type{Kind: Map, KeyKind: key, Elem: elem} }

// OneOf is a value that may be written in several ways: at most one member is
// a list, one a table, one a string, one a bool and one a count.
func OneOf(members ...*Type) *Type { return &Type{Kind: Union, Of: members} }

// Form is how a value is written, which picks the member of a Union.
type Form uint8

// The forms a TOML value can have.
const (
	FormString Form = iota + 1
	FormInteger
	FormFloat
	FormBool
	FormDate // a bare TOML date or time: never right
	FormList
	FormTable
)

func (f Form) String() string {
	return [...]string{"", "a string", "an integer", "a float", "a boolean", "a bare date", "an array", "a table"}[f]
}

// forms are how values of each kind are written, where there is one way.
var forms = [Union + 1]Form{
	Text: FormString, ID: FormString, WireID: FormString, RowID: FormString, Enum: FormString, Amount: FormString, Number: FormString,
	Date: FormString, Duration: FormString, Clock: FormString, Offset: FormString, URL: FormString, Origin: FormString, Source: FormString,
	EnvName: FormString, Header: FormString, Range: FormString, Semver: FormString, Glob: FormString,
	Bool: FormBool, Count: FormInteger, List: FormList, Record: FormTable, Map: FormTable,
}

// Form is how values of the type are written; 0 for Union, Any and Float, which
// have several.
func (t *Type) Form() Form { return forms[t.Kind] }

// Member picks what t means for a value written as f: t itself, or the fitting
// member of a Union. It is nil if none fits.
func (t *Type) Member(f Form) *Type {
	if forms[t.Kind] == f { // nearly always
		return t
	}
	return t.member(f)
}

func (t *Type) member(f Form) *Type {
	switch t.Kind {
	case Union:
		for _, m := range t.Of {
			if got := m.Member(f); got != nil {
				return got
			}
		}
	case Any:
		return t
	case Float:
		if f == FormFloat || f == FormInteger {
			return t
		}
	}
	return nil
}

// Describe says in a few words what a value of the type looks like.
func (t *Type) Describe() string {
	switch t.Kind {
	case Enum:
		return "one of " + strings.Join(t.Values, ", ")
	case List:
		return "a list of " + t.Elem.plural()
	case Record:
		return "a table: " + t.Table.Name
	case Map:
		return "a table"
	case Union:
		parts := make([]string, len(t.Of))
		for i, m := range t.Of {
			parts[i] = m.Describe()
			if i > 0 && m.Kind == List && m.Elem.Kind == Union && m.Elem.Of[0].Describe() == parts[0] {
				parts[i] = "a list of these" // the first form again, or another
				for _, other := range m.Elem.Of[1:] {
					parts[i] += " or of " + other.plural()
				}
			}
		}
		return strings.Join(parts, ", or ")
	}
	return kindNames[t.Kind]
}

// Ask says how a missing key is added.
func (k *Key) Ask() string {
	t := k.Type
	if t.Kind != Record {
		return "add " + k.Name + ": " + t.Describe()
	}
	names := t.Table.Names()
	for i, name := range names {
		if name == "add" || name == "unset" { // an overlay's, which come last
			names = names[:i]
			break
		}
	}
	return "add " + k.Name + ", a table of " + strings.Join(names, ", ")
}

func (t *Type) plural() string {
	switch t.Kind {
	case Enum:
		return strings.Join(t.Values, ", ")
	case Record:
		return "tables"
	case Union:
		parts := make([]string, len(t.Of))
		for i, m := range t.Of {
			parts[i] = m.plural()
		}
		return strings.Join(parts, " or of ")
	}
	if name := kindPlurals[t.Kind]; name != "" {
		return name
	}
	return t.Describe() + " each"
}

var kindPlurals = map[Kind]string{
	Text: "strings", WireID: "strings", ID: "ids", RowID: `row ids "provider/wire_model"`, Count: "integers", Amount: "decimal strings", Number: "decimal strings",
	Date: "date strings", URL: "https URLs", Origin: `origins "https://host"`, Source: "https URLs or pkg: purls", EnvName: "environment variable names",
	Header: "HTTP header names", Glob: "patterns with * and ?", Any: "values",
}

var kindNames = map[Kind]string{
	Text: "a string", ID: `an id such as "acme-1"`, WireID: `a wire id such as "chat-1"`, RowID: `a row id "provider/wire_model"`,
	Bool: "true or false", Count: "an integer", Amount: `a decimal string such as "0.042"`, Number: `a decimal string such as "-0.5"`,
	Date: `a date string "2026-11-30" or a time "2026-11-30T09:00:00Z"`, Duration: `a duration string such as "120s"`,
	Clock: `a time of day "HH:MM"`, Offset: `an offset such as "+00:00"`, URL: "an https URL", Origin: `an origin "https://host"`,
	Source: "an https URL or a pkg: purl", EnvName: "an environment variable name", Header: "an HTTP header name",
	Range: `a version range such as ">=1.13.0, <2"`, Semver: `a version such as "1.13.0"`, Glob: "a pattern with * and ?", Float: "a number", Any: "any value",
}

// Extend copies a table's keys and adds more.
func Extend(t *Table, more ...*Key) *Table {
	keys := make([]*Key, 0, len(t.Keys)+len(t.Moved)+len(more))
	for _, k := range append(append([]*Key{}, t.Keys...), t.Moved...) {
		c := *k
		keys = append(keys, &c)
	}
	return New(t.Name, append(keys, more...)...)
}
