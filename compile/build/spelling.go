package build

import (
	"slices"
	"sync"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/internal/canon"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/shape"
)

// A fragment may say one fact in several ways; equal facts must have equal bytes.
// So a lone item is written as the list it could stand in, a lone width as the
// default of dimensions, a protocol without a condition as its name. What the
// format means by leaving a key out is left out; what the registry means by it is
// written.

// superfluous tells what the catalog does not say: keys that served the layers,
// and what is meant anyway.
func superfluous(n *tree.Node, k *shape.Key) bool {
	return k.Layers || k.Meant != "" && k.Meant == n.Str()
}

// A filled default is a member that is written where its key is absent.
type filled struct {
	index      int // place of its key
	name, json string
}

var contractDefaults = sync.OnceValue(func() map[string][]filled {
	m := map[string][]filled{}
	for _, o := range operations.All() {
		t := form.Operations().Must(o.Name).Type.Table
		fs := []filled{
			{t.Must("output_kinds").Index, "output_kinds", `["` + o.Outputs[0] + `"]`},
			{t.Must("uncertainty").Index, "uncertainty", `"` + o.Uncertainty + `"`},
		}
		slices.SortFunc(fs, func(a, b filled) int { return a.index - b.index })
		m[o.Name] = fs
	}
	return m
})

// loneProtocols are the keys of contracts that take one protocol: written as a
// list, as all contracts' are.
var loneProtocols = sync.OnceValue(func() map[*shape.Key]bool {
	m := map[*shape.Key]bool{}
	for _, o := range operations.All() {
		if k := form.Operations().Must(o.Name).Type.Table.Must("protocol"); k.Type.Kind == shape.Enum {
			m[k] = true
		}
	}
	return m
})

// oneSpelling writes a value that could be said in another way too; it reports
// false where the value is in the one spelling already.
func (w *writer) oneSpelling(b []byte, n *tree.Node, t *shape.Type) ([]byte, bool) {
	m := t.Member(n.Form)
	if m == nil {
		return b, false
	}
	for _, other := range t.Of {
		switch {
		case other == m || !form.Covers(other, m):
		case other.Kind == shape.List:
			return append(w.plain(append(b, '['), n, m), ']'), true
		default:
			b = append(b, `{"default":`...)
			return append(canon.AppendCount(b, n.Str()), '}'), true
		}
	}
	if name := unconditional(n); name != "" {
		return canon.AppendString(b, name), true
	}
	return b, false
}

// unconditional is the name of a protocol that is written as a table and has no
// condition.
func unconditional(n *tree.Node) string {
	only := n.Said().First()
	if n.Form != shape.FormTable || only == nil || only.Next() != nil || only.Key.Name != "protocol" {
		return ""
	}
	return only.Str()
}
