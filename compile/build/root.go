package build

import (
	"strings"

	"github.com/opcat/opcat/compile/layer"
	"github.com/opcat/opcat/compile/resolve"
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

// aliases writes for each name and operation the row that it ends at.
func (w *writer) aliases(b []byte, all []*resolve.Alias) []byte {
	if len(all) == 0 {
		return b
	}
	all = sorted(all, func(a, b *resolve.Alias) int { return strings.Compare(a.Name, b.Name) })
	return w.section(b, "aliases", func(b []byte) []byte {
		return lines(b, '{', len(all), func(b []byte, i int) []byte {
			b = append(canon.AppendString(b, all[i].Name), ":{"...)
			for _, t := range sorted(all[i].Targets, byOperation) {
				if t.Row == nil {
					continue
				}
				b = append(key(b, t.Op.Name), `{"row":`...)
				b = canon.AppendString(b, t.Row.ID)
				if t.Said.Str() != t.Row.ID {
					b = canon.AppendString(key(b, "through"), t.Said.Str())
				}
				b = append(b, '}')
			}
			return append(b, '}')
		})
	})
}

func byOperation(a, b resolve.Target) int { return rank(a.Op) - rank(b.Op) }

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
