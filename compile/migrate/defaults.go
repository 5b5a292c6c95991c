package migrate

import (
	"strings"

	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/compile/tree"
)

// writeDefaults writes `[default]`: the provider and tier of who names none, and
// for each provider the row of a purpose. All of format 0's defaults write text.
func (m *migration) writeDefaults() {
	for _, f := range m.catalog {
		t := f.Table
		if n := t.Get("default_provider"); n != nil {
			m.put(m.into(f.File, f.Broken, "default"), "provider", n)
		}
		if n := t.Path("tier_defaults", "default"); n != nil {
			m.put(m.into(f.File, f.Broken, "default"), "tier", n)
		}
		for p := range t.Get("provider_defaults").Each() {
			for _, purpose := range []string{"runtime", "portal"} {
				if n := p.Get(purpose); n != nil {
					m.defaultRow(f, purpose, p.Key.Name, n)
				}
			}
			if n := p.Get("portal_reasoning_effort"); n != nil {
				efforts := m.section(m.into(f.File, f.Broken, "default"), "portal_reasoning_effort")
				m.put(efforts, p.Key.Name, n)
			}
		}
		for n := range t.Get("qc_defaults").Each() {
			m.defaultRow(f, "qc", n.Key.Name, n)
		}
	}
}

// defaultRow writes one default. A row of another provider than the one whose
// default it is could not be meant.
func (m *migration) defaultRow(f fragment.Fragment, purpose, provider string, n *tree.Node) {
	what := "the " + purpose + " default of " + provider
	id, others := m.find(n.Str(), provider)
	if id == "" {
		if len(others) > 0 {
			m.mismatch(n, provider, what, others)
		} else {
			m.unknown(n, provider, what, "")
		}
		return
	}
	def := m.section(m.into(f.File, f.Broken, "default"), "text_generation")
	m.say(m.section(def, purpose), provider, n, id)
}

// writeGenerationDefaults writes the options that a call inherits, by logical model
// or route, and those of roles. Numbers become decimal strings.
func (m *migration) writeGenerationDefaults() {
	for _, f := range m.catalog {
		for n := range f.Table.Get("model_defaults").Each() {
			section := m.into(f.File, f.Broken, "generation_default")
			name := m.routePattern(n.Key.Name)
			m.options(section, name, n)
			if name != n.Key.Name {
				m.moved("§2.2", n, "", "model_defaults."+quote(n.Key.Name), "generation_default."+quote(name))
			}
		}
		for n := range f.Table.Get("model_roles").Each() {
			m.options(m.into(f.File, f.Broken, "role"), n.Key.Name, n)
		}
	}
}

// routePattern is a selector of generation defaults by today's ids: a selector that
// names one row by upstream's id names it by today's.
func (m *migration) routePattern(selector string) string {
	if strings.HasPrefix(selector, "logical:") || strings.ContainsAny(selector, "*?[{") {
		return selector
	}
	if m.own(selector) != nil {
		return selector
	}
	if id, _ := m.find(selector, ""); id != "" {
		return id
	}
	return selector
}

// optionNames are options that have another name as a setting today.
var optionNames = map[string]string{"reasoning_effort": "effort", "max_tokens": "max_output_tokens"}

// options writes a table of free options.
func (m *migration) options(section *tree.Node, name string, from *tree.Node) {
	out := m.make(section, name, from)
	for c := range from.Each() {
		to := c.Key.Name
		if setting := optionNames[to]; setting != "" {
			to = setting
			m.moved("§2.2", c, "", c.Key.Name, to)
		}
		m.put(out, to, c)
	}
	section.Append(out)
}
