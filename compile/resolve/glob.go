package resolve

import (
	"slices"
	"strconv"
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
)

// grants are the keys of a contract that promise something. A pattern may state
// none of them: it speaks of rows that its author has not looked at.
var grants = []string{"input_kinds", "output_kinds", "question_kinds", "evidence_kind", "element_types", "categories", "dimensions", "meters", "evidence", "files"}

// abilities are tables whose yes is an ability and whose no takes it away.
var abilities = []string{"tools", "hosted", "cache", "image"}

// globGrants finds what a pattern rule would grant. What it finds is left out.
func (r *resolver) globGrants(u *rule) {
	for contract := range u.Table.Get("operations").Each() {
		for c := range contract.Each() {
			name := c.Key.Name
			switch {
			case slices.Contains(grants, name):
				r.bar(u, c, name)
			case name == "settings":
				for s := range c.Each() {
					if grantsSetting(s) {
						r.bar(u, s, "settings."+s.Key.Name)
					}
				}
			case slices.Contains(abilities, name):
				for s := range c.Each() {
					if s.IsTrue() || s.Form == shape.FormList {
						r.bar(u, s, name+"."+s.Key.Name)
					}
				}
			case name == "structured":
				if t := c.Get("transport"); t != nil && t.Str() != "unsupported" {
					r.bar(u, t, "structured.transport")
				}
			case name == "reasoning":
				if modes := c.Get("modes"); modes != nil {
					r.bar(u, modes, "reasoning.modes")
				}
			case name == "batch":
				if c.IsTrue() {
					r.bar(u, c, name)
				}
				for s := range c.Each() {
					if !isCount(s) {
						r.bar(u, s, "batch."+s.Key.Name)
					}
				}
			}
		}
	}
}

// grantsSetting: refused and plain bounds narrow; supported and whatever holds
// only under a condition would grant.
func grantsSetting(s *tree.Node) bool {
	switch {
	case s.Key.Name == "exclusive":
		return false
	case s.Form == shape.FormTable:
		return s.Get("when") != nil
	case s.Form == shape.FormList:
		return true
	}
	return s.Str() != "refused"
}

func (r *resolver) bar(u *rule, n *tree.Node, path string) {
	if r.barred == nil {
		r.barred = map[*tree.Node]bool{}
	}
	r.barred[n] = true
	r.add(diag.Diagnostic{Code: diag.GlobGrants, At: n.KeyAt(), Got: show(n), Provider: u.Provider, Fields: []string{path},
		Message: "the pattern " + strconv.Quote(u.pattern) + " would grant " + path + ": a pattern narrows and never grants",
		Notes:   []diag.Note{{At: u.Table.Get("model_match").At(), Message: "the pattern"}},
		Help:    "name the rows that it is true of: models = [...]"})
}

// grantedProtocols leaves out of what is said about protocols whatever a pattern
// would add to the list of the closest exact rule.
func (m *merge) grantedProtocols(same []saying) []saying {
	var stated *tree.Node
	if same[0].rule.exact {
		stated = same[0].node
	}
	var kept []saying
	for _, s := range same {
		if s.rule.exact || stated != nil && fewer(stated, s.node) {
			kept = append(kept, s)
			continue
		}
		if stated == nil && m.r.draft.RulesBroken || m.r.seen(s.node) {
			continue
		}
		d := diag.Diagnostic{Code: diag.GlobGrants, At: s.node.KeyAt(), Got: show(s.node), Row: m.row.ID, Provider: s.rule.Provider, Fields: []string{"protocol"},
			Message: "the pattern would add a protocol to " + strconv.Quote(m.row.ID) + ": a pattern narrows and never grants", Help: "state the protocol in the rule that names the row"}
		if stated != nil {
			d.Notes = []diag.Note{{At: stated.KeyAt(), Message: "granted here: " + show(stated)}}
		}
		m.r.add(d)
	}
	return kept
}

// protocols lists the names of a contract's protocols.
func protocols(n *tree.Node) []string {
	if n == nil {
		return nil
	}
	if n.Form != shape.FormList {
		return []string{n.Str()}
	}
	var names []string
	for c := range n.Each() {
		if c.Form == shape.FormTable {
			c = c.Get("protocol")
		}
		names = append(names, c.Str())
	}
	return names
}

// fewer reports whether a protocol list names only what another one does.
func fewer(base, top *tree.Node) bool {
	have := protocols(base)
	for _, p := range protocols(top) {
		if !slices.Contains(have, p) {
			return false
		}
	}
	return true
}

func isSetting(path string) bool {
	return strings.HasPrefix(path, "settings.") && path != "settings.exclusive"
}

func isCount(n *tree.Node) bool {
	t := n.Type()
	return t != nil && t.Kind == shape.Count
}
