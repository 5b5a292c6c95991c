package resolve

import (
	"strconv"
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// defaults judges `default.<operation>.<purpose>.<provider>`: a row of that
// provider that serves the operation and has not ended. The provider "any" stands
// for a call that names none.
func (r *resolver) defaults() {
	table := r.draft.Root.Get("default")
	for operation := range table.Each() {
		switch operation.Key.Name {
		case "provider":
			r.provider(operation.At(), operation.Str())
		case "portal_reasoning_effort":
			for p := range operation.Each() {
				r.anyProvider(p)
			}
		default:
			for purpose := range operation.Each() {
				for d := range purpose.Each() {
					r.anyProvider(d)
					r.defaultRow(operation.Key.Name, purpose.Key.Name, d)
				}
			}
		}
	}
}

// anyProvider judges a key that is a provider's id, or "any".
func (r *resolver) anyProvider(n *tree.Node) {
	if n.Key.Name != "any" {
		r.provider(n.KeyAt(), n.Key.Name)
	}
}

func (r *resolver) defaultRow(operation, purpose string, n *tree.Node) {
	name := "the " + purpose + " default of " + operation
	row := r.row(n, name, "")
	if row == nil {
		return
	}
	provider, _, _ := strings.Cut(row.ID, "/")
	if n.Key.Name != "any" && n.Key.Name != provider && r.declared(n.Key.Name) != nil {
		r.add(diag.Diagnostic{Code: diag.ReferenceProviderMismatch, At: n.At(), Got: row.ID, Allowed: []string{"a row of " + n.Key.Name}, Row: row.ID, Provider: n.Key.Name,
			Message: name + " for " + n.Key.Name + " is a row of " + provider, Notes: []diag.Note{{At: place(row), Message: "the row"}}})
	}
	r.serves(row, operation, diag.Diagnostic{Code: diag.DefaultCrossesOperation, At: n.At(), Row: row.ID,
		Message: name + " is " + strconv.Quote(row.ID) + ", which does not serve " + operation})
	ends := row.Table.Path("lifecycle", "ends_on")
	if at, ok := instant(ends.Str()); ok && !r.now.IsZero() && !r.now.Before(at) {
		d := diag.Diagnostic{Code: diag.DefaultEnded, At: n.At(), Got: row.ID, Row: row.ID, Message: name + " is " + strconv.Quote(row.ID) + ", which ended on " + ends.Str(),
			Notes: []diag.Note{{At: ends.At(), Message: "ended, as of " + r.draft.AsOf}}, Help: "name a row that still serves"}
		if s := row.Table.Path("lifecycle", "successor"); s != nil {
			d.Help = "its successor is " + s.Str()
		}
		r.add(d)
	}
}
