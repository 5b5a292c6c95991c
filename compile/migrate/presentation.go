package migrate

import (
	"slices"

	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// A selection is the picker value that a registration asks for.
type selection struct {
	row  *legacyRow
	from *tree.Node
}

// writePresentation writes what pickers show. A dynamic selector of format 0 means
// text (L39): today it says the operation before it looks at price or window.
func (m *migration) writePresentation() {
	families := map[string]*tree.Node{}
	for _, f := range m.catalog {
		from := f.Table.Get("presentation")
		if from == nil {
			continue
		}
		out := m.into(f.File, f.Broken, "presentation")
		m.put(out, "featured_providers", from.Get("featured_providers"))
		for v := range from.Get("variants").Each() {
			m.variant(f, out, v)
		}
		for n := range from.Get("families").Each() {
			families[n.Key.Name] = m.family(out, n)
		}
	}
	for _, s := range m.selections {
		m.selected(s, families)
	}
}

func (m *migration) variant(f fragment.Fragment, presentation, v *tree.Node) {
	section := m.section(presentation, "variant")
	out := m.make(section, v.Key.Name, v)
	m.puts(out, v, "order", "label", "description")
	if sel := v.Get("selector"); sel != nil {
		m.selector(out, v.Key.Name, sel)
	}
	if from := v.Get("automatic_eligibility"); from != nil {
		m.put(out, "automatic_eligibility", from)
		receipts := out.Path("automatic_eligibility", "receipts")
		for r, old := receipts.First(), from.Get("receipts").First(); r != nil && old != nil; r, old = r.Next(), old.Next() {
			if n := old.Get("harn_version"); n != nil && r.Get("version") == nil {
				m.put(r, "version", n)
				m.moved("§2.11", n, "", "harn_version", "version")
			}
		}
	}
	m.added(out, v, "variant")
	section.Append(out)
}

// selector writes what a picker variant leads to.
func (m *migration) selector(out *tree.Node, variant string, from *tree.Node) {
	kind := from.Get("kind")
	if kind == nil {
		return
	}
	sel := m.make(out, "selector", from)
	m.put(sel, "kind", kind)
	what := "the picker variant " + quote(variant)
	switch kind.Str() {
	case "alias":
		if n := from.Get("name"); n != nil {
			m.say(sel, "alias", n, dotted(n.Str()))
		}
	case "model":
		if n := from.Get("id"); n != nil {
			if id := m.reference(n, from.Get("provider").Str(), what, ""); id != "" {
				m.say(sel, "row", n, id)
			}
		}
	default:
		m.say(sel, "operation", kind, "text_generation")
		m.moved("L39", kind, "", "selector "+kind.Str(), `operation = "text_generation"`).Note = "the operation filters before price and window"
	}
	out.Append(sel)
}

// family writes a picker family with the rows that its values lead to.
func (m *migration) family(presentation, n *tree.Node) *tree.Node {
	section := m.section(presentation, "family")
	out := m.make(section, n.Key.Name, n)
	m.puts(out, n, "label", "plain_description")
	what := "the picker family " + quote(n.Key.Name)
	m.picked(out, n, what)
	m.put(out, "dimensions", n.Get("dimensions"))
	for d, old := out.Get("dimensions").First(), n.Get("dimensions").First(); d != nil && old != nil; d, old = d.Next(), old.Next() {
		for v, ov := d.Get("ordered_values").First(), old.Get("ordered_values").First(); v != nil && ov != nil; v, ov = v.Next(), ov.Next() {
			m.picked(v, ov, what)
		}
	}
	m.put(out, "presets", n.Get("presets"))
	m.added(out, n, "family")
	section.Append(out)
	return out
}

// picked writes the row that a family or value leads to.
func (m *migration) picked(out, from *tree.Node, what string) {
	if n := from.Get("model_id"); n != nil {
		if id := m.reference(n, "", what, ""); id != "" {
			m.say(out, "row", n, id)
		}
	}
}

// selected puts the value that a registration asks for into its picker family.
func (m *migration) selected(s selection, families map[string]*tree.Node) {
	family, dimension, before, value := s.from.Get("family"), s.from.Get("dimension"), s.from.Get("before"), s.from.Get("value")
	if family == nil || dimension == nil || value == nil {
		return
	}
	bad := func(n *tree.Node, message string, allowed []string) {
		m.report(diag.Diagnostic{Code: diag.RegistrationInvalid, At: n.At(), Row: s.row.RowID(), Message: message, Got: n.Str(), Allowed: allowed})
	}
	out := families[family.Str()]
	if out == nil {
		bad(family, "the picker family "+quote(family.Str())+" is unknown", sortedKeys(families))
		return
	}
	var dim *tree.Node
	var keys []string
	for d := range out.Get("dimensions").Each() {
		keys = append(keys, d.Get("key").Str())
		if d.Get("key").Str() == dimension.Str() {
			dim = d
		}
	}
	if dim == nil {
		bad(dimension, "the picker family "+quote(family.Str())+" has no dimension "+quote(dimension.Str()), keys)
		return
	}
	values := m.section(dim, "ordered_values")
	var names []string
	for v := range values.Each() {
		names = append(names, v.Get("value").Str())
	}
	if slices.Contains(names, value.Get("value").Str()) {
		bad(value.Get("value"), "the picker value "+quote(value.Get("value").Str())+" is another row's", nil)
		return
	}
	if before != nil && !slices.Contains(names, before.Str()) {
		bad(before, "the picker value "+quote(before.Str())+" that it goes before is unknown", names)
		return
	}
	n := m.retype(value, values.Type().Item())
	m.say(n, "row", value, s.row.RowID())
	old := make([]*tree.Node, 0, len(names))
	for v := range values.Each() {
		old = append(old, v)
	}
	values.Filter(func(*tree.Node) bool { return false })
	for _, v := range old {
		if before != nil && v.Get("value").Str() == before.Str() {
			values.Append(n)
		}
		values.Append(v)
	}
	if before == nil {
		values.Append(n)
	}
	m.moved("§2.4", s.from, s.row.RowID(), "registration.selection", "a value of picker family "+quote(family.Str()))
}

// added marks a variant or family of an overlay as new, unless a lower layer has it.
func (m *migration) added(out, at *tree.Node, kind string) {
	if m.rank > 0 && !m.below.presents(kind, at.Key.Name) {
		m.yes(out, "add", at)
	}
}
