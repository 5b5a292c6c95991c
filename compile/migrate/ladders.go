package migrate

import (
	"slices"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// writeLadders writes `[ladder.<id>]`. A ladder of format 0 writes text; what its
// steps say beside the row informed nobody's choice (L38).
func (m *migration) writeLadders() {
	for _, f := range m.catalog {
		for n := range f.Table.Get("model_ladders").Each() {
			section := m.into(f.File, f.Broken, "ladder")
			out := m.make(section, n.Key.Name, n)
			m.say(out, "operation", n, "text_generation")
			m.moved("L38", n, "", "model_ladders."+n.Key.Name, `operation = "text_generation"`)
			m.put(out, "label", n.Get("label"))
			from := n.Get("steps")
			if from == nil {
				continue
			}
			steps := m.make(out, "steps", from)
			for s := range from.Each() {
				m.step(steps, s, n.Key.Name)
			}
			if steps.First() == nil {
				continue
			}
			out.Append(steps)
			section.Append(out)
		}
	}
}

// step writes one step by the row that it, or the alias that it names, leads to.
func (m *migration) step(steps, s *tree.Node, ladder string) {
	model, provider := s.Get("model"), s.Get("provider")
	if model == nil {
		return
	}
	if m.testDouble(provider) {
		mv := m.moved("L47", s, "", "a step of ladder "+quote(ladder)+" on provider mock", "dropped")
		mv.Named, mv.Note = true, "upstream's test double is code: no provider serves it, and no row"
		return
	}
	id := m.stepRow(model, provider, ladder)
	if id == "" {
		return
	}
	out := m.item(steps, s)
	m.say(out, "row", model, id)
	m.put(out, "label", s.Get("label"))
	for _, name := range []string{"when", "options", "family", "capabilities"} {
		if n := s.Get(name); n != nil {
			mv := m.moved("L38", n, id, "a step's "+name+" = "+shown(n), "dropped")
			mv.Named, mv.Note = true, "needs are an operation and terms of its contract"
		}
	}
}

// stepRow gives today's id of the row that a step leads to; "" after a report.
func (m *migration) stepRow(model, provider *tree.Node, ladder string) string {
	id, others := m.find(model.Str(), provider.Str())
	if id != "" {
		return id
	}
	for _, a := range m.aliases {
		if a.Name == model.Str() && a.Row != "" && (provider == nil || providerOf(a.Row) == provider.Str()) {
			m.moved("L38", model, a.Row, "a step that names alias "+quote(model.Str()), a.Row)
			return a.Row
		}
	}
	if low := m.below.aliases[dotted(model.Str())]; low != nil {
		if n := low.Get("text_generation"); n != nil && m.below.byID[n.Str()] != nil {
			m.moved("L38", model, n.Str(), "a step that names alias "+quote(model.Str()), n.Str())
			return n.Str()
		}
	}
	what := "a step of the ladder " + quote(ladder)
	switch {
	case provider != nil && !m.declared(provider.Str()):
		m.undeclared(provider, what)
	case len(others) > 0:
		m.mismatch(provider, provider.Str(), what, others)
	default:
		m.unknown(model, provider.Str(), what, "")
	}
	return ""
}

// testDouble reports whether a provider is upstream's test double (L47): the name
// mock, where no such provider is declared.
func (m *migration) testDouble(provider *tree.Node) bool {
	return provider.Str() == "mock" && !m.declared("mock")
}

// declared reports whether the layer or one below declares a provider.
func (m *migration) declared(provider string) bool {
	return m.provider(provider) != nil || m.below.has(provider)
}

// undeclared reports a provider that no layer declares.
func (m *migration) undeclared(n *tree.Node, what string) {
	if m.broken || m.below.broken {
		return
	}
	var names []string
	for _, p := range m.providers {
		names = append(names, p.ID)
	}
	for name := range m.below.stated {
		names = append(names, name)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	d := diag.Diagnostic{Code: diag.UnknownProvider, At: n.At(), Message: what + " names a provider that nobody declares", Got: n.Str(), Allowed: names}
	if near, ok := diag.Nearest(n.Str(), names); ok {
		d.Help = "did you mean " + quote(near) + "?"
	}
	m.report(d)
}

// mismatch reports a reference to a row that another provider serves.
func (m *migration) mismatch(n *tree.Node, provider, what string, others []string) {
	m.report(diag.Diagnostic{Code: diag.ReferenceProviderMismatch, At: n.At(), Provider: provider, Message: what + " names a row of another provider", Got: n.Str(), Allowed: others,
		Help: "name a row of " + provider})
}
