package check

import (
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// A groupFact is one fact that the members of a failover class share.
type groupFact struct{ group, what string }

// equivalence finds members of one failover class that are presented as different
// in kind: a tier or a review scrutiny of its own. A caller who falls over to such
// a member gets another class of answer than was asked for.
func (r *row) equivalence() {
	group := r.model[kGroup]
	if group == nil || r.life[kDeprecated].IsTrue() {
		return
	}
	r.alike(group, "tier", r.model[kShown].Get("tier"))
	r.alike(group, "scrutiny", r.model[kMeta].Path("completion_review", "scrutiny"))
}

func (r *row) alike(group *tree.Node, what string, n *tree.Node) {
	if n == nil {
		return
	}
	key := groupFact{group.Str(), what}
	first, ok := r.groups[key]
	if !ok {
		if r.groups == nil {
			r.groups = map[groupFact]claim{}
		}
		r.groups[key] = claim{r.Row, n}
		return
	}
	if first.at.Str() != n.Str() && !overruled(first.at, n) && !overruled(n, first.at) {
		r.add(diag.Diagnostic{Code: diag.EquivalenceContradicts, At: n.At(), Got: n.Str(), Allowed: []string{first.at.Str()},
			Message: quote(r.ID) + " and " + quote(first.row.ID) + " stand for each other in group " + quote(group.Str()) + " and differ in " + what,
			Notes:   note(first.at, quote(first.row.ID)+" says "+first.at.Str()), Help: "give both the same " + what + ", or take one out of the group"})
	}
}
