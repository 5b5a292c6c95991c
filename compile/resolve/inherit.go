package resolve

import (
	"slices"
	"strconv"
	"strings"

	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/shape"
)

// notInherited are facts that only the provider of a row can state of it: what it
// costs, what it is, and what becomes of the data.
var notInherited = []string{"provider", "wire_model", "price", "inherits", "selects", "current", "snapshot", "change_operations", "data_controls",
	"region", "regional_only", "add", "unset", "source"}

// inherited are the fields of a row that may be taken over.
func inherited() []string {
	return slices.DeleteFunc(form.Model().Names(), func(name string) bool {
		return slices.Contains(notInherited, name) || form.Model().Key(name).Moved != ""
	})
}

// inherit gives a row the fields that it says it takes over from another one.
func (r *resolver) inherit(row, source *Row, inherits *tree.Node) {
	for f := range inherits.Get("fields").Each() {
		head, _, _ := strings.Cut(f.Str(), ".")
		key := form.Model().Key(head)
		switch {
		case slices.Contains(notInherited, head) || key == nil && slices.Contains([]string{"operations", "contract", "contracts", "settings"}, head):
			r.add(diag.Diagnostic{Code: diag.InheritForbidden, At: f.At(), Got: f.Str(), Row: row.ID,
				Message: "a row may not inherit " + strconv.Quote(f.Str()) + ": another provider can't say it", Allowed: inherited(), Help: "state it in the row's own table, and contracts in a rule that names the row"})
			continue
		case key == nil || key.Moved != "":
			d := diag.Diagnostic{Code: diag.UnknownField, At: f.At(), Got: f.Str(), Row: row.ID, Message: strconv.Quote(f.Str()) + " is not a field of a model row"}
			if near, ok := diag.Nearest(head, form.Model().Names()); ok {
				d.Help = "did you mean " + strconv.Quote(near) + "?"
			}
			r.add(d)
			continue
		}
		names, value := tree.Find(source.Table, f.Str())
		if value == nil {
			if !source.Broken {
				r.add(diag.Diagnostic{Code: diag.InheritMissing, At: f.At(), Got: f.Str(), Row: row.ID,
					Message: strconv.Quote(source.ID) + " does not state " + f.Str(), Notes: []diag.Note{{At: place(source), Message: "the row that is inherited from"}},
					Help: "state it in the row's own table"})
			}
			continue
		}
		if _, own := tree.Find(row.merged.Table, f.Str()); own != nil {
			r.add(diag.Diagnostic{Code: diag.FactHasTwoOwners, At: f.At(), Got: f.Str(), Row: row.ID, Message: f.Str() + " is inherited and stated",
				Notes: []diag.Note{{At: own.KeyAt(), Message: "stated here: " + show(own)}}, Help: "drop one"})
			continue
		}
		r.put(row, source.Table, names, value)
	}
}

// put sets a value in a row's table at the place that it has in another row's.
func (r *resolver) put(row *Row, from *tree.Node, names []string, value *tree.Node) {
	if len(names) == 1 {
		r.set(row, value)
		return
	}
	r.set(row, r.graft(row.Table.Get(names[0]), from.Get(names[0]), names[1:], value))
}

// graft copies a table, made like from if it is absent, with a value set below it.
func (r *resolver) graft(own, from *tree.Node, names []string, value *tree.Node) *tree.Node {
	var out *tree.Node
	if own != nil && own.Form == shape.FormTable {
		out = r.arena.Open(own)
	} else {
		out = r.arena.Shallow(from)
	}
	if len(names) > 1 {
		value = r.graft(out.Get(names[0]), from.Get(names[0]), names[1:], value)
	}
	out.Set(r.arena.Share(value))
	return out
}
