package layer

import (
	"slices"
	"sync"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
)

var rootKey = sync.OnceValue(func() *shape.Key { return &shape.Key{Type: shape.Rec(form.Catalog.Table()), Index: -1} })

// elsewhere are the keys of the catalog root that are no part of the rest.
var elsewhere = []string{"schema", "provider", "model", "remove", "revive"}

// gatherRest collects what the fragments say under the other keys.
func (m *merger) gatherRest() {
	m.rest = make([][]piece, len(form.Catalog.Table().Keys))
	for _, f := range m.frags {
		if f.Root.Name != form.Catalog.Name {
			continue
		}
		for n := range f.Table.Each() {
			if i := n.Key.Index; i >= 0 && i < len(m.rest) && !slices.Contains(elsewhere, n.Key.Name) {
				m.rest[i] = put(m.rest[i], f, n.Key.Name, n)
			}
		}
	}
}

// mergeRest merges aliases, defaults, ladders, presentation and the other tables
// of the catalog root, in the order that the root declares them.
func (m *merger) mergeRest() {
	m.out.Root = m.arena.New(rootKey(), shape.FormTable, "")
	for _, pieces := range m.rest {
		var merged *tree.Node
		for rest := pieces; len(rest) > 0; {
			var same []piece
			same, rest = layerOf(rest)
			above, rank := m.join(same), same[0].rank
			m.posture(merged, above)
			switch {
			case merged == nil && rank == 0:
				merged = m.settle(above, true)
			default:
				merged = m.lay(merged, above, false)
			}
		}
		if merged != nil {
			m.out.Root.Append(m.arena.Share(merged))
		}
	}
}

// posture: a project or run layer may ask for stricter data controls than the
// layers below, never for looser ones.
func (m *merger) posture(below, above *tree.Node) {
	if above.Key.Name != "data_controls_policy" || trustOf(above) != untrusted {
		return
	}
	was := below.Get("default_posture")
	if was.Str() != "strictest_available" {
		return
	}
	if is := above.Get("default_posture"); is != nil && is.Str() != was.Str() {
		m.refuse(diag.LayerRight, is.At(), is, was, "a "+layerName(is)+" layer may not loosen the data-control posture", "move it to the user layer")
	}
	for item := range unsetOf(above).Each() {
		m.refuse(diag.LayerRight, item.At(), item, was, "a "+layerName(item)+" layer may not loosen the data-control posture", "move it to the user layer")
	}
}
