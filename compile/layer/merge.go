package layer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// Merge lays each layer over the ones below. It only reads in, whose fragments
// are in today's form; the order of in means nothing. What a fact was stated by
// is the place that its node still carries.
func Merge(in []fragment.Fragment) (Layered, diag.List) {
	out, served := Served(in)
	var rest diag.List
	out.Root, rest = Rest(in)
	return out, diag.Join(served, rest)
}

// A merger holds what the fragments say, sorted by what it is about.
type merger struct {
	arena tree.Arena
	diags diag.List
	out   Layered
	frags []*fragment.Fragment

	providers, rows, rules []piece
	removes, revives       []piece
	rest                   [][]piece // by the position of the key in the catalog root

	near    int                 // how many findings have looked for the nearest name
	above   bool                // some fragment lies above the weakest layer
	refused map[*tree.Node]bool // values that their layer may not state
	moved   map[string]int      // providers whose endpoint moved to another origin, and the layer that moved it
}

// A piece is one table of one fragment.
type piece struct {
	id     string // what it is about
	table  *tree.Node
	rank   int
	seq    int32 // the order of pieces by layer, file and place
	broken bool
}

func (m *merger) add(d diag.Diagnostic) { m.diags = append(m.diags, d.OneLine()) }

// newMerger sorts the fragments: weakest layer first, then by path.
func newMerger(in []fragment.Fragment) *merger {
	frags := make([]*fragment.Fragment, 0, len(in))
	for i := range in {
		f := &in[i]
		if f.Table == nil || f.Root == nil || f.File == nil {
			continue
		}
		frags = append(frags, f)
	}
	slices.SortStableFunc(frags, func(a, b *fragment.Fragment) int {
		return cmp.Or(cmp.Compare(a.File.Rank, b.File.Rank), strings.Compare(a.File.Path, b.File.Path),
			strings.Compare(a.File.Layer, b.File.Layer), strings.Compare(a.Root.Name, b.Root.Name), flag(a.Broken)-flag(b.Broken))
	})
	m := &merger{frags: frags}
	for _, f := range frags {
		m.above = m.above || f.File.Rank > 0
		catalog := f.Root.Name == form.Catalog.Name
		m.out.CatalogBroken = m.out.CatalogBroken || catalog && f.Broken || !catalog && f.Strays
		m.out.RulesBroken = m.out.RulesBroken || !catalog && f.Broken || catalog && f.Strays
	}
	return m
}

// gatherServed takes the fragments apart by the provider, row or rule that they
// speak of.
func (m *merger) gatherServed() {
	rows := 0
	for _, f := range m.frags {
		rows += f.Table.Get("model").Len()
	}
	m.rows, m.rules = make([]piece, 0, rows), make([]piece, 0, 16*len(m.frags))
	for _, f := range m.frags {
		switch f.Root.Name {
		case form.Catalog.Name:
			m.catalog(f)
		case form.Capabilities.Name:
			m.capabilities(f)
		}
	}
	m.rows = identify(m.rows)
	byID(m.providers)
	byID(m.removes)
	byID(m.revives)
	byID(m.rules)
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (m *merger) catalog(f *fragment.Fragment) {
	for n := range f.Table.Each() {
		switch n.Key.Name {
		case "provider":
			for p := range n.Each() {
				m.providers = put(m.providers, f, p.Key.Name, p)
			}
		case "model":
			for r := range n.Each() {
				m.rows = put(m.rows, f, "", r)
			}
		case "remove":
			for t := range n.Each() {
				m.removes = put(m.removes, f, t.Get("row").Str(), t)
			}
		case "revive":
			for t := range n.Each() {
				m.revives = put(m.revives, f, t.Get("row").Str(), t)
			}
		}
	}
}

func (m *merger) capabilities(f *fragment.Fragment) {
	for p := range f.Table.Get("provider").Each() {
		for r := range p.Each() {
			m.rules = put(m.rules, f, p.Key.Name, r)
		}
	}
}

func put(to []piece, f *fragment.Fragment, id string, n *tree.Node) []piece {
	return append(to, piece{id: id, table: n, rank: f.File.Rank, seq: int32(len(to)), broken: f.Broken})
}

// identify gives row pieces their ids, all cut from one string, and sorts them.
// A table without its two parts is no row; the decoder says so.
func identify(rows []piece) []piece {
	size := 0
	for _, r := range rows {
		size += len(r.table.Get("provider").Str()) + len("/") + len(r.table.Get("wire_model").Str())
	}
	var all strings.Builder
	all.Grow(size)
	ends := make([]int, len(rows))
	kept := rows[:0]
	for _, r := range rows {
		provider, wire := r.table.Get("provider"), r.table.Get("wire_model")
		if provider.Str() == "" || wire.Str() == "" {
			continue
		}
		all.WriteString(provider.Str())
		all.WriteByte('/')
		all.WriteString(wire.Str())
		ends[len(kept)] = all.Len()
		kept = append(kept, r)
	}
	ids, start := all.String(), 0
	for i := range kept {
		kept[i].id = ids[start:ends[i]]
		start = ends[i]
	}
	byID(kept)
	return kept
}

func byID(pieces []piece) {
	slices.SortFunc(pieces, func(a, b piece) int { return cmp.Or(strings.Compare(a.id, b.id), cmp.Compare(a.seq, b.seq)) })
}

// group cuts off the leading pieces that are about the same thing.
func group(pieces []piece) (same, rest []piece) {
	i := 1
	for i < len(pieces) && pieces[i].id == pieces[0].id {
		i++
	}
	return pieces[:i], pieces[i:]
}

// layerOf cuts off the leading pieces that are of the same layer.
func layerOf(pieces []piece) (same, rest []piece) {
	i := 1
	for i < len(pieces) && pieces[i].rank == pieces[0].rank {
		i++
	}
	return pieces[:i], pieces[i:]
}

// about gives the pieces for an id of a sorted list.
func about(pieces []piece, id string) []piece {
	i, _ := slices.BinarySearchFunc(pieces, id, func(p piece, id string) int { return strings.Compare(p.id, id) })
	j := i
	for j < len(pieces) && pieces[j].id == id {
		j++
	}
	return pieces[i:j]
}

func anyBroken(pieces []piece) bool {
	return slices.ContainsFunc(pieces, func(p piece) bool { return p.broken })
}
