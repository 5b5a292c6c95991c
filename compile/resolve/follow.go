package resolve

import (
	"strconv"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// The states of a row while what it takes over is followed.
const (
	untouched uint8 = iota
	underWay
	done
)

// follow gives rows what they take over from others: first what they inherit, then
// what a selector leaves unsaid. A row that others take over from comes first.
func (r *resolver) follow() {
	var state []uint8
	for _, row := range r.draft.Rows {
		if row.says&(saysCurrent|saysInherits) == 0 {
			continue
		}
		if state == nil {
			state = make([]uint8, len(r.draft.Rows))
		}
		r.followRow(row, state)
	}
}

func (r *resolver) followRow(row *Row, state []uint8) {
	if state[row.index] != untouched {
		return
	}
	state[row.index] = underWay
	if inherits := row.Table.Get("inherits"); inherits != nil {
		from := inherits.Get("from")
		if source := r.row(from, "inherits.from of "+strconv.Quote(row.ID), row.ID); source != nil {
			switch r.followRow(source, state); {
			case state[source.index] == underWay:
				r.circle(diag.InheritCycle, row, source, from, "takes facts over from itself")
			default:
				r.inherit(row, source, inherits)
			}
		}
	}
	if current := row.Table.Get("current"); current != nil {
		if target := r.current(row, current); target != nil {
			switch r.followRow(target, state); {
			case state[target.index] == underWay:
				r.circle(diag.SelectorCycle, row, target, current, "follows itself")
			default:
				r.selects(row, target, current)
			}
		}
	}
	state[row.index] = done
}

func (r *resolver) circle(code diag.Code, row, target *Row, at *tree.Node, what string) {
	d := diag.Diagnostic{Code: code, At: at.At(), Got: target.ID, Row: row.ID, Message: "the row " + strconv.Quote(row.ID) + " " + what, Help: "name a row that follows no other"}
	if target != row {
		d.Message += " through " + strconv.Quote(target.ID)
		back := target.merged.Table.Get(at.Key.Name)
		d.Notes = []diag.Note{{At: or(back, target.merged.Table).At(), Message: target.ID + " is reached here"}}
	}
	r.add(d)
}

// set gives a row's table a value of its own. The merged table stays as it is.
func (r *resolver) set(row *Row, value *tree.Node) {
	if row.Table == row.merged.Table {
		row.Table = r.arena.Open(row.Table)
	}
	row.Table.Set(r.arena.Share(value))
}
