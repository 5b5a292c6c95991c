package migrate

import (
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// restated judges a whole row of an overlay against the row that it restates: a
// copy that forgets the jobs would be read as text, and a change of jobs must say
// what it changes.
func (m *migration) restatedOperations(r *legacyRow) {
	t, base := r.Table, r.Base
	listed := t.Get("operations")
	if listed == nil {
		dim := t.Get("embedding_dim")
		text := dim == nil && !t.Get("is_embedding_model").IsTrue()
		if text && len(base.Operations) > 0 && !slices.Contains(base.Operations, "text_generation") {
			m.report(diag.Diagnostic{Code: diag.OperationDroppedByOverlay, At: t.KeyAt(), Row: r.RowID(), Fields: []string{"operations"},
				Message: "the copy of the row leaves out what it does; format 0 would read it as text", Got: "no operations over [" + list(base.Operations) + "]",
				Allowed: []string{"operations restated", "a patch of some fields"}, Notes: []diag.Note{{At: base.Grant.KeyAt(), Message: "the lower layer grants " + list(base.Operations)}},
				Help: "write [patch.models." + quote(r.ID) + "] with the fields that change"})
		}
		r.Operations = base.Operations
		m.strayOverlay(r, dim)
		return
	}
	r.Operations = m.operationList(listed, func(d diag.Diagnostic) { m.rowFinding(r, d) })
	if !sameOperations(r.Operations, base.Operations) && len(r.Operations) > 0 {
		m.operationsChanged(listed, r.RowID(), base.Operations, base.Grant.KeyAt())
	}
	m.strayOverlay(r, t.Get("embedding_dim"))
}

// patchedOperations judges the jobs that a patch names, and writes an explicit
// change of them.
func (m *migration) patchedOperations(out *tree.Node, r *legacyRow) {
	r.Operations = r.Base.Operations
	change := r.Table.Get("change_operations")
	if change != nil {
		to := m.make(out, "change_operations", change)
		for _, name := range []string{"from", "to"} {
			n := change.Get(name)
			if n == nil {
				continue
			}
			names := m.operationList(n, func(d diag.Diagnostic) { m.rowFinding(r, d) })
			m.words(to, name, n, names)
			if name == "to" {
				r.Operations = names
			}
		}
		out.Append(to)
	}
	if listed := r.Table.Get("operations"); listed != nil && change == nil {
		names := m.operationList(listed, func(d diag.Diagnostic) { m.rowFinding(r, d) })
		if !sameOperations(names, r.Base.Operations) && len(names) > 0 {
			m.operationsChanged(listed, r.RowID(), r.Base.Operations, r.Base.Grant.KeyAt())
		}
	}
	m.strayOverlay(r, r.Table.Get("embedding_dim"))
}

// strayOverlay refuses embedding fields over a row that does not embed.
func (m *migration) strayOverlay(r *legacyRow, dim *tree.Node) {
	if dim == nil || slices.Contains(r.Operations, "embedding") || len(r.Operations) == 0 {
		return
	}
	m.report(diag.Diagnostic{Code: diag.EmbeddingDimWithoutOperation, At: dim.KeyAt(), Row: r.RowID(), Fields: []string{"embedding_dim", "operations"},
		Message: "the overlay contradicts the row's contracts: it does not embed", Got: dim.Str(), Allowed: []string{"no embedding_dim on a row of " + list(r.Operations)},
		Notes: []diag.Note{{At: r.Base.Grant.KeyAt(), Message: "the lower layer grants " + list(r.Base.Operations)}}, Help: "take embedding_dim away"})
}

// writeSuppressed turns the routes that format 0 hid from its artifact into
// removals (L42), which hold at run time too.
func (m *migration) writeSuppressed() {
	for _, f := range m.catalog {
		for n := range f.Table.Path("suppress", "routes").Each() {
			provider, id, ok := strings.Cut(n.Str(), ":")
			if !ok || provider == "" || id == "" {
				m.report(diag.Diagnostic{Code: diag.SuppressShape, At: n.At(), Message: "an entry names provider and model", Got: n.Str(), Allowed: []string{"provider:model"},
					Help: "write the provider before a colon"})
				continue
			}
			row, _ := m.find(id, provider)
			if row == "" {
				if m.broken || m.below.broken {
					continue
				}
				m.report(diag.Diagnostic{Code: diag.SuppressMatchesNothing, Warning: true, At: n.At(), Provider: provider, Message: "the route is in no layer", Got: n.Str(),
					Allowed: []string{"a served route"}, Help: m.nearRow(id)})
				continue
			}
			out := m.item(m.into(f.File, f.Broken, "remove"), n)
			m.say(out, "row", n, row)
			m.say(out, "reason", n, "suppressed")
			mv := m.moved("L42", n, row, "suppress.routes: "+n.Str(), "remove")
			mv.Named, mv.Note = true, "a removal holds at run time too, not only in what is exported"
		}
	}
}

func sameOperations(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for _, o := range a {
		if !slices.Contains(b, o) {
			return false
		}
	}
	return true
}
