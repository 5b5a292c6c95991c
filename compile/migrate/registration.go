package migrate

import (
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// register expands the registration of a row into what it stands for: a row for
// each further route, the aliases, the successors, the rule facts of each route
// and one value of a picker.
func (m *migration) register(r *legacyRow, reg *tree.Node) {
	if reg == nil {
		return
	}
	m.exactID(r.ID, r.Table, reg)
	r.Table = m.without(r.Table, "registration")
	r.Requests = reg.Get("request")
	m.registered(r, reg)
	for route := range reg.Get("routes").Each() {
		m.exactID(route.Key.Name, route, route)
		model := route.Get("model")
		for _, name := range []string{"provider", "registration"} {
			if n := model.Get(name); n != nil {
				m.report(diag.Diagnostic{Code: diag.RegistrationInvalid, At: n.KeyAt(), Row: route.Key.Name, Message: "a route's row restates " + quote(name),
					Help: "the route itself says its provider; take " + name + " out of model"})
			}
		}
		table := m.arena.From(route, r.Table.Key, r.Table.Form, "")
		for c := range r.Table.Each() {
			if c.Key.Name != "wire_model" && c.Key.Name != "provider" && model.Get(c.Key.Name) == nil {
				table.Append(m.arena.Share(c))
			}
		}
		for c := range model.Each() {
			if c.Key.Name != "provider" {
				table.Append(m.arena.Share(c))
			}
		}
		if p := route.Get("provider"); p != nil {
			table.Append(m.arena.Share(p))
		}
		out := &legacyRow{ID: route.Key.Name, Table: table, File: r.File, Broken: r.Broken, Requests: m.requests(r.Requests, route.Get("request"))}
		m.rows = append(m.rows, out)
		m.registered(out, route)
		m.moved("§2.4", route, out.ID, "registration.routes."+quote(out.ID), "a row of its own")
	}
	if sel := reg.Get("selection"); sel != nil {
		m.selections = append(m.selections, selection{row: r, from: sel})
	}
}

// registered notes the aliases and successors that a registration or route names.
func (m *migration) registered(r *legacyRow, from *tree.Node) {
	for name := range from.Get("aliases").Each() {
		if name.Str() != strings.TrimSpace(name.Str()) {
			m.report(diag.Diagnostic{Code: diag.RegistrationInvalid, At: name.At(), Row: r.ID, Message: "the alias " + quote(name.Str()) + " has blanks around it", Help: "take them away"})
			continue
		}
		m.registeredAliases = append(m.registeredAliases, registeredAlias{name: name, row: r})
		m.moved("§2.4", name, r.ID, "registration.aliases: "+name.Str(), "alias."+dotted(name.Str()))
	}
	for old := range from.Get("supersedes").Each() {
		m.superseding = append(m.superseding, supersession{old: old, row: r})
	}
}

// requests lays a route's rule facts over those of the registration: whole fields.
func (m *migration) requests(base, route *tree.Node) *tree.Node {
	if base == nil || route == nil {
		if base == nil {
			return route
		}
		return base
	}
	out := m.arena.Open(base)
	for c := range route.Each() {
		out.Set(m.arena.Share(c))
	}
	return out
}

// exactID refuses a pattern where one exact model is registered.
func (m *migration) exactID(id string, at, reg *tree.Node) {
	if !strings.ContainsAny(id, `*?[{\`) {
		return
	}
	m.report(diag.Diagnostic{Code: diag.RegistrationNeedsExactID, At: at.KeyAt(), Row: id, Message: "a registration names one exact model", Got: id,
		Allowed: []string{`an id without * ? [ { \`}, Notes: []diag.Note{{At: reg.KeyAt(), Message: "the registration"}}, Help: "register each model by its id"})
}

// without copies a table but for one key.
func (m *migration) without(t *tree.Node, name string) *tree.Node {
	return m.arena.Without(t, []string{name})
}

// A supersession is a row that a registration says takes the place of another.
type supersession struct {
	old *tree.Node
	row *legacyRow
}

// supersede writes the successor into the rows that registrations replace.
func (m *migration) supersede() {
	for i, s := range m.superseding {
		j := slices.IndexFunc(m.rows, func(r *legacyRow) bool { return r.ID == s.old.Str() })
		bad := func(message, help string, notes ...diag.Note) {
			m.report(diag.Diagnostic{Code: diag.RegistrationInvalid, At: s.old.At(), Row: s.row.ID, Message: message, Got: s.old.Str(), Notes: notes, Help: help})
		}
		again := slices.IndexFunc(m.superseding[:i], func(t supersession) bool { return t.old.Str() == s.old.Str() })
		switch {
		case s.old.Str() == s.row.ID:
			bad("a row can't supersede itself", "name the row that it replaces")
		case again >= 0:
			bad(quote(s.old.Str())+" is superseded twice", "keep one successor", diag.Note{At: m.superseding[again].old.At(), Message: "superseded here already"})
		case j < 0 && m.broken:
		case j < 0:
			bad("the row "+quote(s.old.Str())+" that is superseded is unknown", m.nearRow(s.old.Str()))
		default:
			r := m.rows[j]
			if there := r.Table.Get("superseded_by"); there != nil {
				if there.Str() != s.row.ID {
					bad(quote(s.old.Str())+" names another successor itself", "keep one successor", diag.Note{At: there.At(), Message: "superseded_by = " + quote(there.Str())})
				}
				continue
			}
			r.Table = m.arena.Open(r.Table)
			r.Table.Append(m.arena.From(s.old, rowKey("superseded_by"), s.old.Form, s.row.ID))
			m.moved("§2.4", s.old, r.ID, "registration.supersedes", "lifecycle.successor")
		}
	}
}
