package build

import (
	"strings"

	"github.com/opcat/opcat/compile/layer"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/internal/canon"
)

// rootMember writes a table of the fragments' root, each member on a line; a
// table that nobody wrote is no member.
func (w *writer) rootMember(b []byte, name string, n *tree.Node) []byte {
	if n.First() == nil {
		return b
	}
	return w.section(b, name, func(b []byte) []byte {
		base := len(w.kids)
		w.children(n)
		kids := w.kids[base:]
		named := kids[:0:0]
		for _, k := range kids {
			if !superfluous(k, k.Key) {
				named = append(named, k)
			}
		}
		w.kids = w.kids[:base]
		return lines(b, '{', len(named), func(b []byte, i int) []byte {
			return w.value(append(canon.AppendString(b, named[i].Key.Name), ':'), named[i])
		})
	})
}

// aliases writes for each name and operation the row it ends at.
func (w *writer) aliases(b []byte, all *tree.Node) []byte {
	if all.First() == nil {
		return b
	}
	var names []*tree.Node
	for a := range all.Each() {
		names = append(names, a)
	}
	sortNodes(names, byName)
	return w.section(b, "aliases", func(b []byte) []byte {
		return lines(b, '{', len(names), func(b []byte, i int) []byte {
			b = append(canon.AppendString(b, names[i].Key.Name), ":{"...)
			for _, operation := range operationNames {
				target := names[i].Get(operation)
				if target == nil {
					continue
				}
				row, through := follow(all, target.Text, operation)
				b = append(key(b, operation), `{"row":`...)
				b = canon.AppendString(b, row)
				if through != "" {
					b = canon.AppendString(key(b, "through"), through)
				}
				b = append(b, '}')
			}
			return append(b, '}')
		})
	})
}

// follow goes from alias to alias to the row. Package resolve has refused loops;
// the bound only keeps this function honest.
func follow(all *tree.Node, target, operation string) (row, through string) {
	row = target
	for range 64 {
		next := all.Path(row, operation)
		if next == nil {
			break
		}
		row, through = next.Text, target
	}
	return row, through
}

func (w *writer) removed(b []byte, all []layer.Removal) []byte {
	if len(all) == 0 {
		return b
	}
	all = sorted(all, func(a, b layer.Removal) int { return strings.Compare(a.Row, b.Row) })
	return w.section(b, "removed", func(b []byte) []byte {
		return lines(b, '[', len(all), func(b []byte, i int) []byte {
			b = append(b, `{"row":`...)
			b = canon.AppendString(b, all[i].Row)
			b = canon.AppendString(key(b, "reason"), all[i].Table.Get("reason").Str())
			return append(b, '}')
		})
	})
}
