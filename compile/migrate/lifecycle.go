package migrate

import (
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// lifecycle turns the state words of a row into dates and notes (L33); whether it
// has ended is computed from a date, and never written.
func (m *migration) lifecycle(out, t *tree.Node, r *legacyRow) {
	deprecated, note := t.Get("deprecated"), t.Get("deprecation_note")
	sunset, retires, successor := t.Get("sunset_date"), t.Get("retires_on"), t.Get("superseded_by")
	if deprecated == nil && note == nil && sunset == nil && retires == nil && successor == nil {
		return
	}
	at := t
	for _, n := range []*tree.Node{deprecated, sunset, retires, successor, note} {
		if n != nil {
			at = n
			break
		}
	}
	life := m.make(out, "lifecycle", at)
	gone := deprecated.IsTrue() || r.Base != nil && deprecated == nil
	if sunset != nil && !deprecated.IsTrue() && !gone {
		m.lifecycleContradicts(r, sunset, deprecated, t, "a sunset belongs to a deprecated row; an announced date on an active row is retires_on", "active", "deprecated = true", "retires_on")
		sunset = nil
	}
	if retires != nil && deprecated.IsTrue() {
		m.lifecycleContradicts(r, retires, deprecated, t, "an announced date belongs to an active row; a deprecated one has sunset_date", "retires_on", "sunset_date")
		retires = nil
	}
	if deprecated.IsTrue() && note == nil && r.Base == nil {
		m.rowFinding(r, diag.Diagnostic{Code: diag.MissingKey, At: deprecated.KeyAt(), Message: `a deprecated row lacks "deprecation_note"`, Help: "say why, and what to use instead", Fields: []string{"deprecation_note"}})
	}
	if deprecated.IsTrue() || r.Base != nil {
		m.put(life, "deprecated", deprecated)
	}
	m.put(life, "note", note)
	m.put(life, "ends_on", sunset)
	m.put(life, "announced_end", retires)
	if successor != nil {
		if id := m.reference(successor, r.Provider, "the successor of "+quote(r.ID), r.RowID()); id != "" {
			m.say(life, "successor", successor, id)
		}
	}
	if deprecated.IsTrue() {
		m.moved("L33", deprecated, r.RowID(), "deprecated = true", "lifecycle.deprecated")
	}
	if sunset != nil {
		m.moved("L33", sunset, r.RowID(), "sunset_date = "+sunset.Str(), "lifecycle.ends_on")
	}
	if retires != nil {
		m.moved("L33", retires, r.RowID(), "retires_on = "+retires.Str(), "lifecycle.announced_end")
	}
	if life.First() != nil {
		out.Append(life)
	}
}

func (m *migration) lifecycleContradicts(r *legacyRow, at, state, row *tree.Node, message, got string, allowed ...string) {
	note := diag.Note{At: row.KeyAt(), Message: "the row is active"}
	if state != nil {
		note = diag.Note{At: state.KeyAt(), Message: "deprecated = " + state.Str()}
	}
	m.rowFinding(r, diag.Diagnostic{Code: diag.LifecycleContradicts, At: at.KeyAt(), Message: message, Got: got, Allowed: allowed, Notes: []diag.Note{note},
		Help: "write the date under the key that fits the row's state", Fields: []string{at.Key.Name, "deprecated"}})
}

// snapshot says whether a row is an immutable build or a moving name (L33). A
// moving name follows its logical model, else that of the build seen behind it,
// else its own wire id; it names that build where the same provider serves it.
func (m *migration) snapshot(out, t *tree.Node, r *legacyRow) {
	kind, current := t.Get("row_kind"), t.Get("current_snapshot")
	switch {
	case kind.Str() == "snapshot":
		m.say(out, "snapshot", kind, r.Wire)
		m.moved("L33", kind, r.RowID(), `row_kind = "snapshot"`, "snapshot = "+quote(r.Wire))
		if current != nil {
			m.rowFinding(r, diag.Diagnostic{Code: diag.SnapshotContradicts, At: current.KeyAt(), Message: "only a selector follows another row", Got: "snapshot",
				Allowed: []string{`row_kind = "selector"`}, Notes: []diag.Note{{At: kind.KeyAt(), Message: `row_kind = "snapshot"`}},
				Help: "take current_snapshot away, or call the row a selector", Fields: []string{"current_snapshot", "row_kind"}})
		}
		return
	case kind.Str() != "selector" && current == nil:
		return
	}
	at := kind
	if at == nil {
		at = current
	}
	id := ""
	if current != nil {
		id = m.reference(current, r.Provider, "the snapshot behind "+quote(r.ID), r.RowID())
	}
	selects := t.Get("logical_model").Str()
	if selects == "" {
		selects = m.logicalOf(id)
	}
	if selects == "" {
		selects = r.Wire
	}
	if r.Base == nil || kind != nil {
		m.say(out, "selects", at, selects)
		m.moved("L33", at, r.RowID(), `row_kind = "selector"`, "selects = "+quote(selects))
	}
	switch {
	case id == "":
	case providerOf(id) == r.Provider:
		m.say(out, "current", current, id)
	default:
		mv := m.moved("L33", current, r.RowID(), "current_snapshot = "+quote(current.Str()), "dropped")
		mv.Named, mv.Note = true, "the build is another provider's, and a selector follows its own"
	}
}

// logicalOf is the logical model of a row by today's id, else its wire id; "" if
// there is no such row.
func (m *migration) logicalOf(id string) string {
	if r := m.own(id); r != nil {
		if n := r.Table.Get("logical_model"); n != nil {
			return n.Str()
		}
		return r.Wire
	}
	if r := m.below.byID[id]; r != nil {
		if n := r.At.Get("logical_model"); n != nil {
			return n.Str()
		}
		return r.Wire
	}
	return ""
}
