package check

import (
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// portalEfforts finds efforts that a provider's portal asks for by default and its
// default row refuses: the first request of a new user would fail.
func (c *checker) portalEfforts() {
	defaults := c.draft.Root.Get("default")
	for n := defaults.Get("portal_reasoning_effort").First(); n != nil; n = n.Next() {
		id := defaults.Path("text_generation", "portal", n.Name())
		row := c.lookup(id.Str())
		if row == nil {
			continue
		}
		text := row.Contract("text_generation")
		if text == nil {
			continue
		}
		effort := text.Table.Path("settings", "effort")
		values := offered(effort)
		if effort == nil || effort.Str() != "refused" && (len(values) == 0 || contains(values, n.Str())) {
			continue
		}
		d := diag.Diagnostic{Code: diag.DefaultNotAllowed, At: n.At(), Row: row.ID, Provider: n.Name(), Message: "the portal asks for effort " + quote(n.Str()) + " by default, and its row " + quote(row.ID) + " does not take it",
			Got: n.Str(), Allowed: values, Notes: note(effort, "what the row takes"), Help: "mend the default, or name another row"}
		d.Notes = append(d.Notes, note(id, "the portal's row")...)
		c.add(d)
	}
}

// offered lists the values of all alternatives of a setting; nil if one of them
// takes any.
func offered(setting *tree.Node) []string {
	var all []string
	if v := setting.Get("values"); v != nil {
		return v.Strings()
	}
	for a := setting.First(); a != nil; a = a.Next() {
		v := a.Get("values")
		if v == nil {
			return nil
		}
		all = append(all, v.Strings()...)
	}
	return all
}
