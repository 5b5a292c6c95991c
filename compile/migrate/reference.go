package migrate

import (
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// reference finds the row that n names by an id of format 0, the one of the
// provider first. It gives today's id, or "" after reporting that there is none.
func (m *migration) reference(n *tree.Node, provider, what, row string) string {
	if id, _ := m.find(n.Str(), provider); id != "" {
		return id
	}
	if id, _ := m.find(n.Str(), ""); id != "" {
		return id
	}
	m.unknown(n, provider, what, row)
	return ""
}

// unknown reports a reference that names no served row. A pattern that would only
// guess its provider admits nothing.
func (m *migration) unknown(n *tree.Node, provider, what, row string) {
	if m.broken || m.below.broken {
		return // the row may be what could not be read
	}
	d := diag.Diagnostic{Code: diag.UnknownReference, At: n.At(), Row: row, Provider: provider, Message: what + " names no served row", Got: n.Str(), Help: m.nearRow(n.Str())}
	if provider != "" {
		d.Allowed = m.idsOf(provider)
	}
	if rule := m.inferred(n.Str()); rule != nil {
		d.Code, d.Message = diag.InferenceCannotAdmit, what+" names no served row; a name pattern guesses a provider, it serves nothing"
		d.Notes = []diag.Note{{At: rule.At(), Message: "the pattern that the id would meet"}}
		d.Allowed = []string{"a served row"}
	}
	m.report(d)
}

// idsOf lists the ids of a provider's rows.
func (m *migration) idsOf(provider string) []string {
	var out []string
	for _, r := range m.rows {
		if r.Provider == provider {
			out = append(out, r.ID)
		}
	}
	for _, r := range m.below.list {
		if r.Provider == provider {
			out = append(out, r.ID)
		}
	}
	return out
}

// inferred finds the inference rule that an id would meet; nil if there is none.
func (m *migration) inferred(id string) *tree.Node {
	for _, f := range m.catalog {
		for rule := range f.Table.Get("inference_rules").Each() {
			if n := rule.Get("exact"); n != nil && n.Str() == id {
				return n
			}
			if n := rule.Get("contains"); n != nil && strings.Contains(id, n.Str()) {
				return n
			}
			if n := rule.Get("pattern"); n != nil {
				p := newPattern(n.Str())
				if _, ok := p.match(strings.ToLower(id)); ok {
					return n
				}
			}
		}
	}
	return nil
}

// providerOf is the provider of a row id.
func providerOf(id string) string {
	p, _, _ := strings.Cut(id, "/")
	return p
}
