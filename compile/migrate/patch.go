package migrate

import (
	"slices"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
)

// A patch is `[patch.models."<id>"]` over a row of a lower layer.
type patch struct {
	table  *tree.Node // in the shape legacy.Patch(), what did not fit taken out
	base   *groundRow
	broken bool
}

// patchRows lays the patches of the layer over the rows that it writes itself, and
// keeps those that are meant for lower layers.
func (m *migration) patchRows() {
	for _, f := range m.catalog {
		for n := range f.Table.Path("patch", "models").Each() {
			table := m.fitting(n)
			i := slices.IndexFunc(m.rows, func(r *legacyRow) bool { return r.ID == n.Key.Name })
			if i >= 0 {
				m.patchRow(m.rows[i], table)
				continue
			}
			if base := m.below.upstream(n.Key.Name, table.Get("provider").Str()); base != nil {
				m.patches = append(m.patches, patch{table: table, base: base, broken: f.Broken})
				continue
			}
			if m.broken || m.below.broken {
				continue
			}
			m.report(diag.Diagnostic{Code: diag.PatchDangles, At: n.KeyAt(), Row: n.Key.Name, Message: "no layer contributes the row " + quote(n.Key.Name), Got: n.Key.Name,
				Allowed: []string{"a catalog id"}, Help: m.nearRow(n.Key.Name)})
		}
	}
}

// fitting is a patch without the values that no row could take: the row would not
// decode with them.
func (m *migration) fitting(n *tree.Node) *tree.Node {
	out := m.arena.Shallow(n)
	for c := range n.Each() {
		if t := c.Type(); t != nil && t.Kind == shape.Any && c.Key.Type.Kind == shape.Union && c.Key.Type.Of[0].Kind != shape.Any {
			want := c.Key.Type.Of[0].Describe()
			m.report(diag.Diagnostic{Code: diag.OverlayType, At: c.At(), Row: n.Key.Name, Fields: []string{c.Key.Name}, Message: "the patch gives " + quote(c.Key.Name) + " " + c.Form.String(),
				Got: shown(c), Allowed: []string{want}, Help: "write " + want})
			continue
		}
		out.Append(m.arena.Share(c))
	}
	return out
}

// patchRow lays a patch over a row of the same layer.
func (m *migration) patchRow(r *legacyRow, p *tree.Node) {
	out := m.arena.Open(r.Table)
	for c := range p.Each() {
		switch there := out.Get(c.Key.Name); {
		case c.Key.Name == "change_operations":
			if to := c.Get("to"); to != nil {
				out.Set(m.arena.Copy(to, rowKey("operations")))
			}
		case c.Key.Name == "operations" && p.Get("change_operations") == nil && there != nil && !sameWords(there, c):
			m.operationsChanged(c, p.Key.Name, there.Strings(), there.KeyAt())
		case there != nil && there.Form == shape.FormTable && c.Form == shape.FormTable:
			out.Set(m.over(there, c))
		default:
			out.Set(m.arena.Share(c))
		}
	}
	r.Table = out
	m.moved("L42", p, r.ID, "patch.models."+quote(r.ID), "the row itself")
}

func sameWords(a, b *tree.Node) bool {
	x, y := a.Strings(), b.Strings()
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// operationsChanged refuses a change of a row's jobs that does not say what it
// changes.
func (m *migration) operationsChanged(at *tree.Node, row string, from []string, there diag.Pos) {
	var note []diag.Note
	if there.File != "" {
		note = []diag.Note{{At: there, Message: "the row does [" + list(from) + "]"}}
	}
	m.report(diag.Diagnostic{Code: diag.OperationChangedByOverlay, At: at.KeyAt(), Row: row, Fields: []string{"operations"},
		Message: "changing what a row does needs the explicit form with the old set", Got: shown(at),
		Allowed: []string{"change_operations = { from = [" + quotes(from) + "], to = [" + quotes(at.Strings()) + "] }"}, Notes: note,
		Help: "write change_operations with the old and the new set"})
}
