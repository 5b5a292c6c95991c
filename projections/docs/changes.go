package docs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/opcat/opcat/catalog"
)

// Changes is what became different between two editions of a catalog. A tree records
// it beside its pages, since a catalog alone does not say what was before it: so the
// same tree gives the same pages again.
type Changes struct {
	Schema  string    `json:"schema"`
	From    Edition   `json:"from"`
	To      Edition   `json:"to"`
	Removed []string  `json:"removed"` // rows and providers, by id
	Added   []string  `json:"added"`
	Changed []Changed `json:"changed"`
	Sourced []string  `json:"sourced"` // those of which nothing changed but where and when it was read
}

// An Edition is a catalog by its digest and date.
type Edition struct {
	Catalog   string `json:"catalog"`
	AsOf      string `json:"as_of"`
	Providers int    `json:"providers"`
	Models    int    `json:"models"`
}

// Changed is a row or a provider that is in both editions and says something else.
type Changed struct {
	ID    string `json:"id"`
	Facts []Fact `json:"facts"` // by name; none where there were too many changes to record each
}

// A Fact is one value before and after; what was not stated is left out.
type Fact struct {
	Fact   string `json:"fact"`
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// ChangesSchema names the form of a record.
const ChangesSchema = "opcat.catalog_changes@1"

// maxFacts is how many facts a record holds. The rows behind it are named alone.
const maxFacts = 5000

// Since says what changed up to c, from what a tree holds: its catalog and its record,
// each nil if there is none.
//
// An edition is what was compiled for one date. Compiles for the same date go on with
// the record that is there, so it says what changed since the last edition of an
// earlier date; a compile for another date starts with the catalog of the tree.
func Since(recorded *Changes, tree, c *catalog.Catalog) *Changes {
	switch {
	case tree == nil || tree.Digest() == c.Digest():
		return recorded
	case recorded != nil && recorded.To.Catalog == c.Digest():
		return recorded
	case recorded != nil && recorded.To.Catalog == tree.Digest() && tree.AsOf().Equal(c.AsOf()):
		return recorded.then(Compare(tree, c))
	}
	return Compare(tree, c)
}

// Compare finds what changed from one catalog to another.
func Compare(from, to *catalog.Catalog) *Changes {
	d := &Changes{Schema: ChangesSchema, From: editionOf(from), To: editionOf(to), Removed: []string{}, Added: []string{}, Changed: []Changed{}, Sourced: []string{}}
	for id := range texts(from) {
		if _, ok := textOf(to, id); !ok {
			d.Removed = append(d.Removed, id)
		}
	}
	for id, text := range texts(to) {
		old, ok := textOf(from, id)
		switch {
		case !ok:
			d.Added = append(d.Added, id)
		case old != text:
			if facts := different(factsOf(old), factsOf(text)); len(facts) > 0 {
				d.Changed = append(d.Changed, Changed{id, facts})
			} else {
				d.Sourced = append(d.Sourced, id)
			}
		}
	}
	slices.Sort(d.Removed)
	slices.Sort(d.Added)
	slices.SortFunc(d.Changed, func(a, b Changed) int { return strings.Compare(a.ID, b.ID) })
	slices.Sort(d.Sourced)
	return d.bounded()
}

// texts are the texts of a catalog's providers and rows by id. A row's id has a slash,
// and a provider's has none.
func texts(c *catalog.Catalog) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for _, id := range c.ProviderIDs() {
			if !yield(id, c.ProviderJSON(id)) {
				return
			}
		}
		for r := range c.Refs() {
			if !yield(r.ID(), r.JSON()) {
				return
			}
		}
	}
}

func textOf(c *catalog.Catalog, id string) (string, bool) {
	if !strings.Contains(id, "/") {
		text := c.ProviderJSON(id)
		return text, text != ""
	}
	r, ok := c.Find(id)
	if !ok {
		return "", false
	}
	return r.JSON(), true
}

func editionOf(c *catalog.Catalog) Edition {
	return Edition{c.Digest(), string(catalog.DateOf(c.AsOf())), len(c.ProviderIDs()), c.Len()}
}

// bounded leaves out facts of a record that holds too many.
func (d *Changes) bounded() *Changes {
	n := 0
	for i := range d.Changed {
		if n += len(d.Changed[i].Facts); n > maxFacts {
			d.Changed[i].Facts = []Fact{}
		}
	}
	return d
}

// then puts changes after changes.
func (d *Changes) then(next *Changes) *Changes {
	const (
		added = iota + 1
		removed
		changed
		sourced
	)
	type fate struct {
		kind  int
		facts []Fact
	}
	read := func(c *Changes) map[string]fate {
		m := map[string]fate{}
		for _, id := range c.Added {
			m[id] = fate{kind: added}
		}
		for _, id := range c.Removed {
			m[id] = fate{kind: removed}
		}
		for _, r := range c.Changed {
			m[r.ID] = fate{changed, r.Facts}
		}
		for _, id := range c.Sourced {
			m[id] = fate{kind: sourced}
		}
		return m
	}
	rows := read(d)
	for id, now := range read(next) {
		was := rows[id]
		switch {
		case was.kind == added && now.kind == removed:
			delete(rows, id)
		case was.kind == added, was.kind == changed && now.kind == sourced:
		case was.kind == removed: // and added again
			rows[id] = fate{changed, []Fact{{Fact: "id", Before: "removed", After: "added again"}}}
		case was.kind == changed && now.kind == changed:
			if len(was.facts) == 0 || len(now.facts) == 0 {
				rows[id] = fate{kind: changed}
			} else if facts := joined(was.facts, now.facts); len(facts) > 0 {
				rows[id] = fate{changed, facts}
			} else {
				rows[id] = fate{kind: sourced}
			}
		default:
			rows[id] = now
		}
	}
	out := &Changes{Schema: ChangesSchema, From: d.From, To: next.To, Removed: []string{}, Added: []string{}, Changed: []Changed{}, Sourced: []string{}}
	for _, id := range slices.Sorted(maps.Keys(rows)) {
		switch f := rows[id]; f.kind {
		case added:
			out.Added = append(out.Added, id)
		case removed:
			out.Removed = append(out.Removed, id)
		case changed:
			if f.facts == nil {
				f.facts = []Fact{}
			}
			out.Changed = append(out.Changed, Changed{id, f.facts})
		case sourced:
			out.Sourced = append(out.Sourced, id)
		}
	}
	return out.bounded()
}

// joined are the facts that two changes in a row made different.
func joined(first, second []Fact) []Fact {
	facts := map[string]Fact{}
	for _, f := range first {
		facts[f.Fact] = f
	}
	for _, f := range second {
		if was, ok := facts[f.Fact]; ok {
			f.Before = was.Before
		}
		facts[f.Fact] = f
	}
	var out []Fact
	for _, name := range slices.Sorted(maps.Keys(facts)) {
		if f := facts[name]; f.Before != f.After {
			out = append(out, f)
		}
	}
	return out
}

// different are the facts in which two texts differ, by name. Of an operation that is
// granted or taken away that is said and nothing else.
func different(a, b map[string]string) []Fact {
	var out []Fact
	for name, before := range a {
		if after := b[name]; after != before {
			out = append(out, Fact{name, before, after})
		}
	}
	for name, after := range b {
		if _, was := a[name]; !was {
			out = append(out, Fact{Fact: name, After: after})
		}
	}
	slices.SortFunc(out, func(a, b Fact) int { return strings.Compare(a.Fact, b.Fact) })
	whole := ""
	return slices.DeleteFunc(out, func(f Fact) bool {
		if whole != "" && strings.HasPrefix(f.Fact, whole) {
			return true
		}
		whole = ""
		if (f.Before == granted) != (f.After == granted) {
			whole = f.Fact + "."
		}
		return false
	})
}

// granted is the fact that a row has a contract.
const granted = "granted"

// factsOf are the facts of a row or a provider by name. Where and when a fact was read
// is none.
func factsOf(text string) map[string]string {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var members map[string]any
	if err := d.Decode(&members); err != nil {
		panic(fmt.Sprintf("the catalog's own text: %v", err)) // it was checked when it was opened
	}
	facts := map[string]string{}
	collect(facts, "", members)
	return facts
}

// where are the keys that say where, when and how a fact was read.
var where = []string{"source", "sources", "checked_on", "probed_on", "receipt", "disagreement", "overlaid_by", "note"}

func collect(facts map[string]string, name string, value any) {
	switch v := value.(type) {
	case map[string]any:
		for key, member := range v {
			if slices.Contains(where, key) && !(name == "lifecycle" && key == "note") {
				continue
			}
			of := key
			if name != "" {
				of = name + "." + key
			}
			if name == "operations" {
				facts[of] = granted
			}
			collect(facts, of, member)
		}
	case []any:
		collectList(facts, name, v)
	default:
		facts[name] = scalar(v)
	}
}

// collectList names prices by what they are for, other tables of a list by their
// places, and takes a list of scalars as one fact.
func collectList(facts map[string]string, name string, list []any) {
	var words []string
	for i, item := range list {
		table, ok := item.(map[string]any)
		if !ok {
			if _, nested := item.([]any); nested {
				text, _ := json.Marshal(item) // what was decoded can be encoded
				words = append(words, string(text))
			} else {
				words = append(words, scalar(item))
			}
			continue
		}
		if _, ok := table["meter"]; ok {
			collectPrice(facts, name, table)
			continue
		}
		collect(facts, name+"["+strconv.Itoa(i)+"]", table)
	}
	if words != nil {
		facts[name] = strings.Join(words, ", ")
	}
}

// amounts are the keys of a price that are no condition of it.
var amounts = []string{"usd_per_million", "usd_per_unit", "currency", "per_million", "per_unit", "dynamic", "ceiling", "free_units_per_month", "above_guard", "untrusted"}

func collectPrice(facts map[string]string, name string, entry map[string]any) {
	label, said := []string{name}, []string{}
	label = append(label, scalar(entry["meter"]))
	for _, key := range slices.Sorted(maps.Keys(entry)) {
		switch {
		case key == "meter" || slices.Contains(where, key) || key == "service_tier" && entry[key] == "standard":
		case slices.Contains(amounts, key):
			said = append(said, key+" "+scalar(entry[key]))
		default:
			label = append(label, key+" "+scalar(entry[key]))
		}
	}
	facts[strings.Join(label, " ")] = strings.Join(said, ", ")
}

func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	text, _ := json.Marshal(v) // what was decoded can be encoded
	return string(text)
}

// ReadChanges reads a record.
func ReadChanges(text []byte) (*Changes, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var c Changes
	if err := d.Decode(&c); err != nil {
		return nil, fmt.Errorf("a record of changes: %w", err)
	}
	if c.Schema != ChangesSchema {
		return nil, fmt.Errorf("a record of changes: its schema is %q, and this program reads %s", c.Schema, ChangesSchema)
	}
	return &c, nil
}

// text is the record as a tree holds it, a line for each row.
func (d *Changes) text() []byte {
	var b bytes.Buffer
	line := func(before, name string, v any) {
		text, err := marshal(v)
		if err != nil {
			panic(err) // texts and numbers can be encoded
		}
		b.WriteString(before)
		if name != "" {
			b.WriteString(strconv.Quote(name) + ":")
		}
		b.Write(text)
	}
	line("{\n", "schema", d.Schema)
	line(",\n", "from", d.From)
	line(",\n", "to", d.To)
	for _, l := range []struct {
		name string
		ids  []string
	}{{"removed", d.Removed}, {"added", d.Added}, {"sourced", d.Sourced}} {
		b.WriteString(",\n" + strconv.Quote(l.name) + ":[")
		for i, id := range l.ids {
			line(comma(i), "", id)
		}
		b.WriteString(closing(len(l.ids)))
	}
	b.WriteString(",\n\"changed\":[")
	for i, r := range d.Changed {
		if r.Facts == nil {
			r.Facts = []Fact{}
		}
		line(comma(i), "", r)
	}
	b.WriteString(closing(len(d.Changed)))
	b.WriteString("\n}\n")
	return b.Bytes()
}

func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

func comma(i int) string {
	if i == 0 {
		return "\n"
	}
	return ",\n"
}

func closing(n int) string {
	if n == 0 {
		return "]"
	}
	return "\n]"
}
