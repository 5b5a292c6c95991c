package resolve

import (
	"strconv"

	"github.com/opcat/opcat/diag"
)

// ladders judges the steps of each ladder: rows that serve its operation.
func (r *resolver) ladders() {
	for l := range r.draft.Root.Get("ladder").Each() {
		operation := l.Get("operation").Str()
		for step := range l.Get("steps").Each() {
			n := step.Get("row")
			row := r.row(n, "a step of the ladder "+strconv.Quote(l.Key.Name), "")
			if row == nil || operation == "" {
				continue
			}
			r.serves(row, operation, diag.Diagnostic{Code: diag.LadderCrossesOperation, At: n.At(), Row: row.ID,
				Message: "a step of the ladder " + strconv.Quote(l.Key.Name) + " is " + strconv.Quote(row.ID) + ", which does not serve " + operation})
		}
	}
}
