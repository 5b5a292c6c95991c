package resolve

import (
	"strconv"

	"github.com/opcat/opcat/diag"
)

// successors judges the row that is to replace another one: it must serve every
// operation that the old one does. A successor that a selector took over is judged
// at the row that states it.
func (r *resolver) successors() {
	for _, row := range r.draft.Rows {
		if row.says&saysSuccessor == 0 {
			continue
		}
		n := row.merged.Table.Path("lifecycle", "successor")
		next := r.row(n, "the successor of "+strconv.Quote(row.ID), row.ID)
		if next == nil {
			continue
		}
		for _, c := range row.Contracts {
			r.serves(next, c.Op.Name, diag.Diagnostic{Code: diag.SuccessorCrossesOperation, At: n.At(), Row: row.ID, Fields: []string{c.Op.Name},
				Message: "the successor of " + strconv.Quote(row.ID) + " does not serve " + c.Op.Name + ", which the row does"})
		}
	}
}
