package testcat

import (
	"math/rand/v2"

	"github.com/opcat/opcat/compile/resolve"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/shape"
)

// Shuffled is the same draft with its slices, the keys of its tables, its sets
// and the lists that free names in another order.
func Shuffled(d *resolve.Draft, seed uint64, free func(*shape.Key) bool) *resolve.Draft {
	s := &shuffler{rand: rand.New(rand.NewPCG(seed, 2)), free: free}
	out := *d
	out.Root = s.copy(d.Root)
	out.Providers = s.providers(d.Providers)
	out.Rows = s.rows(d.Rows)
	out.Aliases = s.aliases(d.Aliases)
	out.Removed = append(out.Removed[:0:0], d.Removed...)
	s.rand.Shuffle(len(out.Removed), func(i, j int) { out.Removed[i], out.Removed[j] = out.Removed[j], out.Removed[i] })
	return &out
}

type shuffler struct {
	rand  *rand.Rand
	free  func(*shape.Key) bool
	arena tree.Arena
}

func (s *shuffler) providers(in []*resolve.Provider) []*resolve.Provider {
	out := make([]*resolve.Provider, len(in))
	for i, j := range s.rand.Perm(len(in)) {
		p := *in[j]
		p.Table = s.copy(p.Table)
		out[i] = &p
	}
	return out
}

func (s *shuffler) rows(in []*resolve.Row) []*resolve.Row {
	out := make([]*resolve.Row, len(in))
	for i, j := range s.rand.Perm(len(in)) {
		r := *in[j]
		r.Table = s.copy(r.Table)
		r.Contracts = make([]*resolve.Contract, len(in[j].Contracts))
		for a, b := range s.rand.Perm(len(r.Contracts)) {
			c := *in[j].Contracts[b]
			c.Table = s.copy(c.Table)
			r.Contracts[a] = &c
		}
		out[i] = &r
	}
	return out
}

func (s *shuffler) aliases(in []*resolve.Alias) []*resolve.Alias {
	out := make([]*resolve.Alias, len(in))
	for i, j := range s.rand.Perm(len(in)) {
		a := *in[j]
		a.Targets = append(a.Targets[:0:0], a.Targets...)
		s.rand.Shuffle(len(a.Targets), func(i, j int) { a.Targets[i], a.Targets[j] = a.Targets[j], a.Targets[i] })
		out[i] = &a
	}
	return out
}

func (s *shuffler) copy(n *tree.Node) *tree.Node {
	if n == nil {
		return nil
	}
	var kids []*tree.Node
	for c := range n.Each() {
		kids = append(kids, s.copy(c))
	}
	ordered := n.Form == shape.FormList && !s.free(n.Key)
	if t := n.Key.Type.Member(n.Form); t != nil && t.Set {
		ordered = false
	}
	if !ordered {
		s.rand.Shuffle(len(kids), func(i, j int) { kids[i], kids[j] = kids[j], kids[i] })
	}
	out := s.arena.Shallow(n)
	for _, c := range kids {
		out.Append(c)
	}
	return out
}
