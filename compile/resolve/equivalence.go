package resolve

import (
	"slices"
	"strconv"
	"strings"

	"github.com/opcat/opcat/diag"
)

// equivalence judges failover classes: their members serve the same operations.
func (r *resolver) equivalence() {
	if r.draft.RulesBroken {
		return
	}
	type member struct {
		group string
		row   *Row
	}
	var members []member
	for _, row := range r.draft.Rows {
		if row.says&(saysGroup|saysInherits) != 0 {
			if g := row.Table.Get("equivalence_group"); g != nil {
				members = append(members, member{g.Str(), row})
			}
		}
	}
	slices.SortStableFunc(members, func(a, b member) int { return strings.Compare(a.group, b.group) })
	for i := range members {
		first := members[i]
		if i > 0 && members[i-1].group == first.group {
			continue
		}
		for _, m := range members[i+1:] {
			if m.group != first.group {
				break
			}
			mine, theirs := m.row.does(), first.row.does()
			if sameSet(mine, theirs) {
				continue
			}
			r.add(diag.Diagnostic{Code: diag.EquivalenceCrossesOperation, At: m.row.Table.Get("equivalence_group").At(), Got: listed(theirs) + " and " + listed(mine), Row: m.row.ID,
				Message: strconv.Quote(m.row.ID) + " and " + strconv.Quote(first.row.ID) + " share the equivalence group " + strconv.Quote(m.group) + " and serve different operations",
				Notes:   []diag.Note{{At: first.row.Table.Get("equivalence_group").At(), Message: first.row.ID + " serves " + said(theirs)}},
				Help:    "let only rows with the same operations share a group"})
		}
	}
}
