package layer

import (
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/operations"
)

// operations follows what each row does through the layers. A higher layer changes
// it only by change_operations with the old set, so that a base that changes
// beneath it is noticed; a rule alone never adds an operation to a row that a lower
// layer has. Project and run layers change none.
func (m *merger) operations() {
	if !m.above && !slices.ContainsFunc(m.out.Rows, func(r *Row) bool { return len(r.Changes) > 0 }) {
		return
	}
	granted := map[string][]grant{}
	for _, p := range m.rules { // weakest layer first within a provider
		for _, n := range Exact(p.table) {
			id := p.id + "/" + n.Str()
			for c := range p.table.Get("operations").Each() {
				granted[id] = append(granted[id], grant{p.rank, c.Key.Name, n, c})
			}
		}
	}
	for _, r := range m.out.Rows {
		if g := granted[r.ID]; len(r.Changes) > 0 || len(g) > 0 && g[len(g)-1].rank > 0 {
			m.operationsOf(r, g)
		}
	}
}

// A grant is one exact name of a rule for one operation.
type grant struct {
	rank           int
	operation      string
	name, contract *tree.Node
}

func (m *merger) operationsOf(r *Row, grants []grant) {
	born := 0
	if pieces := about(m.rows, r.ID); len(pieces) > 0 {
		born = pieces[0].rank
	}
	before := len(m.diags)
	does := map[string]*tree.Node{} // operation: what granted it
	ever := map[string]bool{}       // also what was taken away again
	changes := r.Changes
	for len(grants) > 0 || len(changes) > 0 {
		rank := rankOf(grants, changes)
		var change *tree.Node
		if len(changes) > 0 && rankOfNode(changes[0]) == rank {
			change, changes = changes[0], changes[1:]
		}
		new := map[string]grant{}
		for len(grants) > 0 && grants[0].rank == rank {
			if g := grants[0]; does[g.operation] == nil {
				if _, twice := new[g.operation]; !twice {
					new[g.operation] = g
				}
			}
			ever[grants[0].operation] = true
			grants = grants[1:]
		}
		switch {
		case change != nil:
			m.change(r, change, does, new, ever, rank <= born)
			does = map[string]*tree.Node{}
			for item := range change.Get("to").Each() {
				does[item.Str()] = item
			}
		default:
			for _, op := range operations.Names() {
				g, ok := new[op]
				if !ok {
					continue
				}
				if rank > born && !m.out.RulesBroken {
					m.silently(r, g, does)
				}
				if rank <= born || trustOf(g.contract) != untrusted {
					does[op] = g.name
				}
			}
		}
	}
	for i := before; i < len(m.diags); i++ {
		m.diags[i].Row = r.ID
	}
}

func rankOfNode(n *tree.Node) int {
	if n.File == nil {
		return 0
	}
	return n.File.Rank
}

func rankOf(grants []grant, changes []*tree.Node) int {
	switch {
	case len(grants) == 0:
		return rankOfNode(changes[0])
	case len(changes) == 0:
		return grants[0].rank
	}
	return min(grants[0].rank, rankOfNode(changes[0]))
}

// silently reports a rule that gives an operation to a row of a lower layer.
func (m *merger) silently(r *Row, g grant, does map[string]*tree.Node) {
	old := setOf(does)
	d := diag.Diagnostic{Code: diag.OperationChangedByOverlay, At: g.contract.KeyAt(), Got: g.operation,
		Message: "the rule adds " + g.operation + " to " + quote(r.ID) + ", which a lower layer states without it",
		Notes:   []diag.Note{{At: r.Table.KeyAt(), Message: "the row does " + listed(old)}},
		Help:    "say it in the row's table: change_operations = { from = " + listed(old) + ", to = " + listed(inOrder(append(old, g.operation))) + " }"}
	if trustOf(g.contract) == untrusted {
		d.Help = "a " + layerName(g.contract) + " layer may not change what a row does; move the rule to the user layer, with change_operations"
	}
	m.add(d)
}

// change judges one change_operations against what the row did before.
func (m *merger) change(r *Row, change *tree.Node, does map[string]*tree.Node, new map[string]grant, ever map[string]bool, born bool) {
	from, to := change.Get("from").Strings(), change.Get("to").Strings()
	old := setOf(does)
	switch {
	case born:
		m.add(diag.Diagnostic{Code: diag.OperationChangedByOverlay, At: change.KeyAt(), Got: listed(to),
			Message: "change_operations of a row that no lower layer has", Help: "drop it: the rules that name the row say what it does"})
		return
	case !slices.Equal(inOrder(from), old) && !m.out.RulesBroken:
		d := diag.Diagnostic{Code: diag.OperationChangedByOverlay, At: or(change.Get("from"), change).At(), Got: listed(inOrder(from)), Allowed: []string{listed(old)},
			Message: "the row does " + listed(old) + " in the layers below, not " + listed(inOrder(from)),
			Notes:   []diag.Note{{At: r.Table.KeyAt(), Message: "the row"}}, Help: "look at what changed beneath, then name the old set"}
		for _, op := range old {
			if n := does[op]; n != nil {
				d.Notes = append(d.Notes, diag.Note{At: n.At(), Message: op + " is granted here"})
			}
		}
		m.add(d)
	}
	for item := range change.Get("to").Each() {
		if !ever[item.Str()] && !m.out.RulesBroken {
			m.add(diag.Diagnostic{Code: diag.OperationChangedByOverlay, At: item.At(), Got: item.Str(),
				Message: "no rule names " + quote(r.ID) + " for " + item.Str(), Help: "add an exact rule: models = [" + quote(wireOf(r.ID)) + "]"})
		}
	}
	for _, op := range operations.Names() {
		if g, ok := new[op]; ok && !slices.Contains(to, op) {
			m.add(diag.Diagnostic{Code: diag.OperationChangedByOverlay, At: g.contract.KeyAt(), Got: op,
				Message: "the rule grants " + op + ", which change_operations of the same layer leaves out",
				Notes:   []diag.Note{{At: or(change.Get("to"), change).At(), Message: "the new set: " + listed(to)}}, Help: "add it to the new set, or drop the rule"})
		}
	}
}

func wireOf(id string) string {
	_, wire, _ := strings.Cut(id, "/")
	return wire
}

func setOf(does map[string]*tree.Node) []string {
	var set []string
	for _, op := range operations.Names() {
		if does[op] != nil {
			set = append(set, op)
		}
	}
	return set
}

// inOrder gives operations once each, in the registry's order.
func inOrder(ops []string) []string {
	var set []string
	for _, op := range operations.Names() {
		if slices.Contains(ops, op) {
			set = append(set, op)
		}
	}
	return set
}

// listed spells a set as TOML does.
func listed(ops []string) string {
	quoted := make([]string, len(ops))
	for i, op := range ops {
		quoted[i] = quote(op)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
