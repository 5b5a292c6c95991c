// Package build writes the compiled catalog: a checked Draft in, its canonical
// JSON with the index of that text out.
//
// The writer follows the shapes of the tree's nodes and knows few tables by name:
// keys stand in the order in which their table declares them, free keys and sets
// in an order of their own, and nothing depends on how the sources were laid out.
// What a fragment may say in several ways is written in one (spelling.go). What
// nobody stated is not written; an empty list is.
//
// Package build finds no mistakes and repairs none: it trusts that package check
// has passed the draft.
package build

import (
	"fmt"
	"slices"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/resolve"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/internal/canon"
	"github.com/opcat/opcat/internal/hugepage"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
)

// Catalog makes the catalog of a draft.
func Catalog(d *resolve.Draft) (*catalog.Catalog, error) {
	e, err := Write(d, nil, nil)
	return e.Catalog, err
}

const (
	// sample is how many rows are written before the size of the whole is judged.
	sample = 100

	// headRoom is kept at the start of the buffer for the members that stand first
	// and are known last: between which dates the rest holds.
	headRoom = 512
)

// document writes the members in the order of form.Document. A member that has
// parts gives each of them a line.
func (w *writer) document(d *resolve.Draft) (text []byte, err error) {
	if w.clock, err = newClock(d.AsOf); err != nil {
		return nil, err
	}
	b := make([]byte, headRoom, 64<<10)

	if w.before != nil {
		b = slices.Grow(b, len(w.before.Catalog.JSON())+grown)
	}

	providers := sorted(d.Providers, func(a, b *resolve.Provider) int { return strings.Compare(a.ID, b.ID) })
	b = w.section(b, "providers", func(b []byte) []byte {
		return lines(b, '{', len(providers), func(b []byte, i int) []byte { return w.providerLine(b, providers[i]) })
	})
	rows := sorted(d.Rows, func(a, b *resolve.Row) int { return strings.Compare(a.ID, b.ID) })
	b = w.section(b, "models", func(b []byte) []byte { return w.rows(b, rows) })
	w.about("")
	b = w.aliases(b, d.Aliases)
	for _, m := range rootMembers {
		b = w.rootMember(b, m.name, d.Root.Get(m.key))
	}
	b = w.removed(b, d.Removed)
	b = append(b, "\n}\n"...)

	w.keepSpan()
	for _, s := range w.spans {
		w.clock.span = w.clock.and(s)
	}
	head, places := w.head(d.AsOf)
	if len(head) > headRoom {
		return nil, fmt.Errorf("as-of date %q is too long", d.AsOf)
	}
	start := headRoom - len(head)
	copy(b[start:], head)
	w.x.StartsAt(start)
	for _, p := range places {
		w.x.Section(p.name, p.off, p.length)
	}
	w.keep(w.clock.err)
	return b[start:], w.err
}

func (w *writer) providerLine(b []byte, p *resolve.Provider) []byte {
	b = append(canon.AppendString(b, p.ID), ':')
	if w.stands(p.ID) {
		return w.takeProvider(b, p.ID)
	}
	w.about(p.ID)
	start := len(b)
	b = w.table(b, p.Table, nil)
	w.keep(w.x.Provider(p.ID, start, len(b)-start))
	return b
}

// rows writes each row on its line; those of a provider stand together.
func (w *writer) rows(b []byte, rows []*resolve.Row) []byte {
	start := len(b)
	b = append(b, '[')
	for i := 0; i < len(rows); {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '\n')
		provider, _, _ := strings.Cut(rows[i].ID, "/")
		if w.stands(provider) {
			n := 0
			if b, n = w.takeRows(b, provider); n > 0 {
				i += n
				continue
			}
		}
		w.about(provider)
		b = w.row(roomFor(b, start, i, len(rows)), rows[i])
		i++
	}
	if len(rows) > 0 {
		b = append(b, '\n')
	}
	return append(b, ']')
}

// about says whose values are written from here on.
func (w *writer) about(provider string) {
	if provider != w.provider {
		w.keepSpan()
		w.provider = provider
	}
}

func (w *writer) keepSpan() {
	w.spans[w.provider] = w.spans[w.provider].and(w.clock.span)
	w.clock.span = span{}
}

// roomFor grows a buffer of rows once, by what the first ones turn out to take.
func roomFor(b []byte, start, i, rows int) []byte {
	if i != sample {
		return b
	}
	room := len(b) + (len(b)-start)/sample*(rows-sample)*33/32 + 16<<10
	return append(hugepage.Make[byte](room)[:0], b...)
}

// rootMembers are the members that are written as the fragments' root says them.
var rootMembers = []struct{ name, key string }{
	{"defaults", "default"}, {"ladders", "ladder"}, {"generation_defaults", "generation_default"}, {"roles", "role"},
	{"suggest", "suggest"}, {"data_controls_policy", "data_controls_policy"}, {"presentation", "presentation"},
}

// A place is where a member of the head stands in the text.
type place struct {
	name        string
	off, length int
}

// head writes the members before the providers.
func (w *writer) head(asOf string) (b []byte, places []place) {
	b = append(make([]byte, 0, headRoom), "{\n"...)
	member := func(name string, value func([]byte) []byte) {
		b = append(canon.AppendString(b, name), ':')
		start := len(b)
		b = value(b)
		places = append(places, place{name, start, len(b) - start})
		b = append(b, ",\n"...)
	}
	member("schema", func(b []byte) []byte { return canon.AppendString(b, form.SchemaName) })
	member("as_of", func(b []byte) []byte { return canon.AppendString(b, asOf) })
	member("holds", func(b []byte) []byte {
		from, until := w.clock.span.period()
		var parts []string
		if from != "" {
			parts = append(parts, `"from":"`+string(from)+`"`)
		}
		if until != "" {
			parts = append(parts, `"until":"`+string(until)+`"`)
		}
		return lines(b, '{', len(parts), func(b []byte, i int) []byte { return append(b, parts[i]...) })
	})
	return b, places
}

// section writes one member of the document and tells the index where it is.
func (w *writer) section(b []byte, name string, value func([]byte) []byte) []byte {
	if len(b) > headRoom {
		b = append(b, ",\n"...)
	}
	b = append(canon.AppendString(b, name), ':')
	start := len(b)
	b = value(b)
	w.x.Section(name, start, len(b)-start)
	return b
}

// lines writes n items, each on its line.
func lines(b []byte, open byte, n int, item func(b []byte, i int) []byte) []byte {
	b = append(b, open)
	for i := range n {
		if i > 0 {
			b = append(b, ',')
		}
		b = item(append(b, '\n'), i)
	}
	if n > 0 {
		b = append(b, '\n')
	}
	return append(b, open+2) // '}' and ']' stand two places after their partners
}

// row writes one row: its id, what its table says, its contracts, and how a layer
// changed them.
func (w *writer) row(b []byte, r *resolve.Row) []byte {
	start := len(b)
	b = append(b, `{"id":`...)
	b = canon.AppendString(b, r.ID)
	b = w.members(b, r.Table, nil)
	b = append(b, `,"operations":`...)
	contractsAt := len(b)
	b = append(b, '{')
	contracts := inRegistryOrder(r.Contracts)
	w.places = w.places[:0]
	for _, c := range contracts {
		b = key(b, c.Op.Name)
		from := len(b)
		b = w.contract(b, c)
		w.places = append(w.places, [2]int{from, len(b) - from})
	}
	b = append(b, '}')
	for i, change := range r.Changes {
		if i == 0 {
			b = append(b, `,"operations_changed":[`...)
		} else {
			b = append(b, ',')
		}
		b = w.members(append(b, '{'), change, nil)
		b = append(canon.AppendString(key(b, "layer"), layerOf(change)), '}')
	}
	if len(r.Changes) > 0 {
		b = append(b, ']')
	}
	b = append(b, '}')

	life := r.Table.Get("lifecycle").Said()
	w.keep(w.x.Row(r.ID, start, len(b)-start, contractsAt, life.Get("deprecated").IsTrue(),
		catalog.Date(life.Get("ends_on").Str()), catalog.Date(life.Get("announced_end").Str())))
	for i, c := range contracts {
		w.words = w.words[:0]
		for k := range c.Table.Get("input_kinds").Said().Each() {
			w.words = append(w.words, k.Str())
		}
		w.x.Route(c.Op.Name, w.places[i][0], w.places[i][1], w.words, c.Table.Get("evidence").Said().Get("support").Str())
	}
	return b
}

func layerOf(n *tree.Node) string {
	if n.File == nil {
		return form.Layers[0]
	}
	return n.File.Layer
}

// contract writes one contract; what its operation means by leaving a key out is
// written, since another version of the registry may mean something else.
func (w *writer) contract(b []byte, c *resolve.Contract) []byte {
	w.overlaid = 0
	if c.Grant != nil {
		w.note(c.Grant)
	}
	b = w.members(append(b, '{'), c.Table, contractDefaults()[c.Op.Name])
	if w.overlaid != 0 {
		b = append(key(b, "overlaid_by"), '[')
		for i, name := range form.Layers {
			if w.overlaid&(1<<i) == 0 {
				continue
			}
			if b[len(b)-1] != '[' {
				b = append(b, ',')
			}
			b = canon.AppendString(b, name)
		}
		b = append(b, ']')
	}
	return append(b, '}')
}

func inRegistryOrder(cs []*resolve.Contract) []*resolve.Contract {
	if len(cs) < 2 {
		return cs
	}
	return sorted(cs, func(a, b *resolve.Contract) int { return rank(a.Op) - rank(b.Op) })
}

func rank(o *op.Operation) int { return slices.Index(operationNames, o.Name) }

var operationNames = operations.Names()

// sorted gives the items in order and leaves the slice it was given alone.
func sorted[T any](in []T, cmp func(a, b T) int) []T {
	if slices.IsSortedFunc(in, cmp) {
		return in
	}
	return slices.SortedStableFunc(slices.Values(in), cmp)
}
