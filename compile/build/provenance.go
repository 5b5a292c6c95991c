package build

import (
	"slices"
	"strconv"
	"strings"

	"github.com/opcat/opcat/compile/resolve"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/internal/canon"
	"github.com/opcat/opcat/shape"
)

// Provenance writes where each field of a catalog came from, beside the catalog
// and outside its digest. It has the catalog's own structure; in place of a value
// stands "file:line", the file as a number in the list of files. A table all of
// whose fields stand on one line is said by that line alone.
func Provenance(d *resolve.Draft, digest string) []byte {
	p := &tracer{numbers: map[fileName]int{}, of: map[*tree.File]int{}}
	b := append(make([]byte, 0, 64<<10), "{\n\"schema\":\"opcat.provenance@1\",\n\"catalog\":"...)
	b = canon.AppendString(b, digest)
	providers := sorted(d.Providers, func(a, b *resolve.Provider) int { return strings.Compare(a.ID, b.ID) })
	b = append(b, ",\n\"providers\":"...)
	b = lines(b, '{', len(providers), func(b []byte, i int) []byte {
		b = append(canon.AppendString(b, providers[i].ID), ':')
		b, _ = p.value(b, providers[i].Table)
		return b
	})
	rows := sorted(d.Rows, func(a, b *resolve.Row) int { return strings.Compare(a.ID, b.ID) })
	b = append(b, ",\n\"models\":"...)
	start := len(b)
	b = lines(b, '{', len(rows), func(b []byte, i int) []byte { return p.row(roomFor(b, start, i, len(rows)), rows[i]) })
	b = append(b, ",\n\"files\":"...)
	b = lines(b, '[', len(p.files), func(b []byte, i int) []byte {
		b = append(b, `{"layer":`...)
		b = canon.AppendString(b, p.files[i].Layer)
		b = append(b, `,"path":`...)
		return append(canon.AppendString(b, p.files[i].Path), '}')
	})
	return append(b, "\n}\n"...)
}

// A tracer writes places. It numbers files as it meets them, which is in the
// catalog's order and so always the same.
type tracer struct {
	w       writer // for its order of children
	files   []*tree.File
	numbers map[fileName]int   // a file may have been read twice
	of      map[*tree.File]int // the same, found sooner
	last    *tree.File
	lastNo  int
}

type fileName struct{ layer, path string }

// A spot is one line of one file; the zero spot is none or several.
type spot struct {
	file, line int
}

func (p *tracer) spot(n *tree.Node) spot {
	if n.File == nil {
		return spot{}
	}
	if n.File != p.last {
		p.last, p.lastNo = n.File, p.number(n.File)
	}
	return spot{p.lastNo, n.Place().Line}
}

func (p *tracer) number(f *tree.File) int {
	number, ok := p.of[f]
	if ok {
		return number
	}
	name := fileName{f.Layer, f.Path}
	if number, ok = p.numbers[name]; !ok {
		number = len(p.files)
		p.numbers[name] = number
		p.files = append(p.files, f)
	}
	p.of[f] = number
	return number
}

func appendSpot(b []byte, s spot) []byte {
	if s.line == 0 {
		return append(b, `""`...)
	}
	b = strconv.AppendInt(append(b, '"'), int64(s.file), 10)
	b = strconv.AppendInt(append(b, ':'), int64(s.line), 10)
	return append(b, '"')
}

func (p *tracer) row(b []byte, r *resolve.Row) []byte {
	b = append(canon.AppendString(b, r.ID), ":{"...)
	b, _ = p.members(b, r.Table)
	contracts := inRegistryOrder(r.Contracts)
	if len(contracts) > 0 {
		b = append(key(b, "operations"), '{')
		for _, c := range contracts {
			b, _ = p.value(key(b, c.Op.Name), c.Table)
		}
		b = append(b, '}')
	}
	for i, change := range r.Changes {
		if i == 0 {
			b = append(key(b, "operations_changed"), '[')
		} else {
			b = append(b, ',')
		}
		b, _ = p.value(b, change)
	}
	if len(r.Changes) > 0 {
		b = append(b, ']')
	}
	return append(b, '}')
}

// value writes the place of a value; the spot is where all of it stands, if that
// is one line.
func (p *tracer) value(b []byte, n *tree.Node) ([]byte, spot) {
	start := len(b)
	var all spot
	switch {
	case n.OnOneLine():
		all = p.spot(n)
		return appendSpot(b, all), all
	case n.Form == shape.FormTable && n.First() != nil:
		b, all = p.members(append(b, '{'), n)
		b = append(b, '}')
		if t := n.Key.Type; t.Kind == shape.Union && slices.ContainsFunc(t.Of, isListOfTables) { // a lone item of a list
			b = append(slices.Insert(b, start, '['), ']')
		}
	case holdsTables(n):
		b, all = p.items(append(b, '['), n)
		b = append(b, ']')
	default:
		all = p.spot(n)
		return appendSpot(b, all), all
	}
	if all.line > 0 {
		b = appendSpot(b[:start], all)
	}
	return b, all
}

// holdsTables tells the values whose parts have places of their own: a table with
// members, and a list of tables.
func holdsTables(n *tree.Node) bool {
	first := n.First()
	return first != nil && (n.Form == shape.FormTable || n.Form == shape.FormList && first.Form == shape.FormTable)
}

func isListOfTables(t *shape.Type) bool {
	return t.Kind == shape.List && t.Elem.Kind == shape.Record
}

func (p *tracer) members(b []byte, n *tree.Node) ([]byte, spot) {
	base := len(p.w.kids)
	p.w.children(n)
	var all spot
	first := true
	for i := base; i < len(p.w.kids); i++ {
		c := p.w.kids[i]
		if superfluous(c, c.Key) {
			continue
		}
		b = member(b, c.Key)
		var s spot
		b, s = p.value(b, c)
		if first {
			all, first = s, false
		} else if s != all {
			all = spot{}
		}
	}
	p.w.kids = p.w.kids[:base]
	return b, all
}

func (p *tracer) items(b []byte, n *tree.Node) ([]byte, spot) {
	base := len(p.w.kids)
	for c := n.First(); c != nil; c = c.Next() {
		p.w.kids = append(p.w.kids, c)
	}
	if t := n.Type(); len(p.w.kids)-base > 1 && t != nil && t.Kind == shape.List {
		sortItems(p.w.kids[base:], n.Key, t)
	}
	var all spot
	for i := base; i < len(p.w.kids); i++ {
		if i > base {
			b = append(b, ',')
		}
		var s spot
		b, s = p.value(b, p.w.kids[i])
		if i == base {
			all = s
		} else if s != all {
			all = spot{}
		}
	}
	p.w.kids = p.w.kids[:base]
	return b, all
}
