package resolve

import (
	"slices"
	"strconv"
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/shape"
)

// narrowed holds a whole contract to what patterns say: that is what patterns are for.
func (m *merge) narrowed(base, top *tree.Node) *tree.Node {
	return m.over("", base, top, func(field string, was, is *tree.Node) *tree.Node {
		v, fits := m.narrow(field, was, is)
		m.note(field, was, is, v, fits)
		return v
	})
}

// held lays what a project or run layer says over the contract that the layers
// below make. It may only narrow it; anything else is a finding and left out.
func (m *merge) held(base, top *tree.Node) *tree.Node {
	return m.over("", base, top, func(field string, was, is *tree.Node) *tree.Node {
		if field == "evidence" && was != nil && support(is) <= support(was) {
			return is
		}
		v, fits := m.narrow(field, was, is)
		if fits || m.patterned[is] && (isSetting(field) || strings.HasPrefix(field, "limits.") && was != nil) {
			if m.patterned[is] {
				m.note(field, was, is, v, fits)
			}
			return v // a pattern says of many rows what fits some
		}
		m.beyond(field, was, is)
		return was
	})
}

// over walks two contracts field by field.
func (m *merge) over(path string, base, top *tree.Node, each func(field string, was, is *tree.Node) *tree.Node) *tree.Node {
	if top == nil {
		return base
	}
	a := &m.r.arena
	var out *tree.Node
	if base == nil {
		out = a.Shallow(top)
	} else {
		out = a.Open(base)
	}
	for is := range top.Each() {
		field := join(path, is.Key.Name)
		was := base.Get(is.Key.Name)
		var v *tree.Node
		if is.Form == shape.FormTable && is.Key.Type.Kind != shape.Union && field != "evidence" && field != "search_unit" && (was == nil || was.Form == shape.FormTable) {
			if v = m.over(field, was, is, each); v.First() == nil {
				v = nil
			}
		} else {
			v = each(field, was, is)
		}
		if v != nil && v != was {
			out.Set(a.Share(v))
		}
	}
	return out
}

func support(evidence *tree.Node) int {
	return slices.Index(op.Supports, evidence.Get("support").Str())
}

// beyond reports what an untrusted layer may not make of a contract.
func (m *merge) beyond(field string, was, is *tree.Node) {
	if was == nil && m.r.draft.RulesBroken || m.r.seen(is) {
		return
	}
	from := "higher"
	if is.File != nil && is.File.Layer != "" {
		from = is.File.Layer
	}
	d := diag.Diagnostic{Code: diag.LayerRight, At: is.KeyAt(), Got: show(is), Row: m.row.ID, Fields: []string{field},
		Message: "a " + from + " layer may only narrow a contract of a lower layer, and " + field + " does not", Help: "move it to the user layer"}
	if strings.HasPrefix(field, "limits.") {
		d.Code = diag.LimitWidened
		d.Message = "a " + from + " layer widens " + field + " of " + strconv.Quote(m.row.ID) + " to " + is.Str()
	}
	if was != nil {
		d.Notes = []diag.Note{{At: was.KeyAt(), Message: "the lower layer says " + show(was)}}
	} else {
		d.Notes = []diag.Note{{At: place(m.row), Message: "no lower layer states it for this row"}}
	}
	m.r.add(d)
}

// widens judges a limit that a host or user layer's exact rule restates: wider
// needs a source in the contract's evidence.
func (m *merge) widens(path string, same []saying, parts []part) {
	win := same[0]
	if !win.rule.exact || win.rule.rank == 0 || !win.rule.trusted || layerIs(win.node, "bundled") {
		return
	}
	var below *tree.Node
	for _, s := range same[1:] {
		if s.rule.rank < win.rule.rank {
			below = s.node
			break
		}
	}
	if below == nil {
		if !slices.Contains(oneUnstated, path) || win.node.Int() <= 1 || !slices.ContainsFunc(parts, func(p part) bool { return p.rule.exact && p.rule.rank < win.rule.rank }) {
			return
		}
	} else if !wider(path, below, win.node) {
		return
	}
	for c := range win.rule.Table.Get("operations").Each() {
		if c.Get("limits").Get(win.node.Key.Name) == win.node && c.Path("evidence", "source") != nil {
			return
		}
	}
	if m.r.seen(win.node) {
		return
	}
	d := diag.Diagnostic{Code: diag.LimitWidened, At: win.node.At(), Got: win.node.Str(), Row: m.row.ID, Fields: []string{path},
		Message: "the limit " + win.node.Key.Name + " of " + strconv.Quote(m.row.ID) + " is wider than below, without a source",
		Help:    "state evidence.source and evidence.checked_on in the same contract"}
	if below != nil {
		d.Notes = []diag.Note{{At: below.At(), Message: "the lower layer says " + below.Str()}}
	} else {
		d.Notes = []diag.Note{{At: place(m.row), Message: "unstated, it admits one"}}
	}
	m.r.add(d)
}

func layerIs(n *tree.Node, name string) bool { return n.File != nil && n.File.Layer == name }

// resupport takes evidence back to declared where a higher layer changed what it
// was seen on: the contract's protocol, or the endpoint that is dialled.
func (r *resolver) resupport(row *Row, table *tree.Node, parts []part) *tree.Node {
	evidence := table.Get("evidence")
	if evidence == nil || evidence.Get("support").Str() == op.Supports[0] {
		return table
	}
	seen := rankOf(evidence)
	changed := r.redirected(row, table, seen)
	protocol := table.Get("protocol")
	if changed == nil && rankOf(protocol) > seen {
		for _, p := range parts {
			if was := p.table.Get("protocol"); p.rule.exact && p.rule.rank <= seen && was != nil && !tree.Equal(was, protocol) {
				changed = protocol
			}
		}
	}
	if changed == nil {
		return table
	}
	out := r.arena.Open(table)
	declared := r.arena.From(changed, evidence.Key, shape.FormTable, "")
	if t := evidence.Type(); t != nil && t.Kind == shape.Record && t.Table.Key("support") != nil {
		declared.Append(r.arena.From(changed, t.Table.Key("support"), shape.FormString, op.Supports[0]))
	}
	out.Set(declared)
	return out
}

// redirected is the endpoint of one of the contract's protocols that a layer above
// the evidence moved.
func (r *resolver) redirected(row *Row, table *tree.Node, seen int) *tree.Node {
	if row.Provider == nil {
		return nil
	}
	for _, e := range r.moved[row.Provider.ID] {
		if u := or(e.Get("url"), e); rankOf(u) > seen && slices.Contains(protocols(table.Get("protocol")), e.Key.Name) {
			return u
		}
	}
	return nil
}

func rankOf(n *tree.Node) int {
	if n == nil || n.File == nil {
		return 0
	}
	return n.File.Rank
}
