package migrate

import (
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// A legacyAlias is one `[aliases.<name>]`, or a name that a registration gives.
type legacyAlias struct {
	Name string // as format 0 spells it
	At   *tree.Node
	File *tree.File
	Row  string // today's id of the row that it names; "" if it names none
	of   *legacyRow
}

// A registeredAlias is a name that a registration gives its row.
type registeredAlias struct {
	name *tree.Node
	row  *legacyRow
}

// readAliases finds what each alias of the layer names.
func (m *migration) readAliases() {
	for _, f := range m.catalog {
		for n := range f.Table.Get("aliases").Each() {
			a := &legacyAlias{Name: n.Key.Name, At: n, File: f.File}
			a.Row = m.aliased(n)
			m.aliases = append(m.aliases, a)
		}
	}
	for _, r := range m.registeredAliases {
		a := &legacyAlias{Name: r.name.Str(), At: r.name, File: r.name.File, Row: r.row.RowID()}
		if i := slices.IndexFunc(m.aliases, func(b *legacyAlias) bool { return b.Name == a.Name }); i >= 0 {
			if m.aliases[i].Row != a.Row {
				m.report(diag.Diagnostic{Code: diag.RegistrationInvalid, At: a.At.At(), Row: a.Row, Message: "the alias " + quote(a.Name) + " is another row's", Got: a.Name,
					Notes: []diag.Note{{At: m.aliases[i].At.KeyAt(), Message: "it names " + m.aliases[i].Row + " here"}}, Help: "give the row another name"})
			}
			continue
		}
		m.aliases = append(m.aliases, a)
	}
	slices.SortStableFunc(m.aliases, func(a, b *legacyAlias) int { return strings.Compare(a.Name, b.Name) })
	for _, a := range m.aliases {
		a.of = m.own(a.Row)
	}
}

// own finds a row of the layer by today's id; nil if it is not the layer's.
func (m *migration) own(id string) *legacyRow { return m.byID.today[id] }

// aliased gives today's id of the row that an alias names, or "" after reporting
// that there is none (or that another provider serves it).
func (m *migration) aliased(n *tree.Node) string {
	id, provider := n.Get("id"), n.Get("provider")
	if id == nil || provider == nil {
		return ""
	}
	what := "the alias " + quote(n.Key.Name)
	row, others := m.find(id.Str(), provider.Str())
	switch {
	case row != "":
		return row
	case len(others) > 0:
		d := diag.Diagnostic{Code: diag.ReferenceProviderMismatch, At: provider.At(), Provider: provider.Str(), Message: what + " names a row of another provider", Got: provider.Str(), Allowed: others,
			Help: "write the provider that serves " + quote(id.Str()), Fields: []string{"provider"}}
		if r, _ := m.find(id.Str(), others[0]); r != "" {
			if of := m.own(r); of != nil {
				d.Notes = []diag.Note{{At: of.Table.KeyAt(), Message: "the row is " + others[0] + "'s"}}
			}
		}
		m.report(d)
		return ""
	}
	m.unknown(id, provider.Str(), what, "")
	return ""
}

// dotted is an alias name that cannot be read as a row id (L46).
func dotted(name string) string { return strings.ReplaceAll(name, "/", ".") }

// writeAliases writes `[alias.<name>]` and accounts for what callers prefer of
// tools, which belongs to the row's contract.
func (m *migration) writeAliases() {
	calling := map[string]*tree.Node{}
	for _, f := range m.catalog {
		for n := range f.Table.Get("alias_tool_calling").Each() {
			calling[n.Key.Name] = n
		}
	}
	written := map[string]*legacyAlias{}
	for _, a := range m.aliases {
		m.toolFormat(a)
		if n := calling[a.Name]; n != nil {
			m.toolCalling(a, n)
			delete(calling, a.Name)
		}
		name := dotted(a.Name)
		if name != a.Name {
			m.moved("L46", a.At, a.Row, "alias "+quote(a.Name), "alias "+quote(name)).Note = "a name with a slash reads as a row id"
			if there := written[name]; there != nil {
				m.report(diag.Diagnostic{Code: diag.DuplicateFact, At: a.At.KeyAt(), Message: "two aliases are called " + quote(name) + " today", Got: a.Name,
					Notes: []diag.Note{{At: there.At.KeyAt(), Message: "the other is " + quote(there.Name)}}, Help: "rename one of the two"})
				continue
			}
		}
		written[name] = a
		if a.Row == "" {
			continue
		}
		section := m.into(a.File, false, "alias")
		out := m.make(section, name, a.At)
		at := a.At.Get("id")
		if at == nil {
			at = a.At
		}
		for _, o := range m.jobsOf(a.Row) {
			m.say(out, o, at, a.Row)
		}
		if out.First() == nil {
			m.say(out, "text_generation", at, a.Row)
		}
		if m.rank > 0 && m.below.aliases[name] == nil {
			m.yes(out, "add", a.At)
		}
		section.Append(out)
	}
	for _, name := range sortedKeys(calling) {
		mv := m.moved("L46", calling[name], "", "alias_tool_calling."+name, "dropped")
		mv.Named, mv.Note = true, "there is no such alias in this layer"
	}
}

// jobsOf lists what a row does: an alias of format 0 names the row for all of it.
func (m *migration) jobsOf(id string) []string {
	if r := m.own(id); r != nil {
		if len(r.Contracts) == 0 {
			return r.Operations
		}
		var names []string
		for _, c := range r.Contracts {
			names = append(names, c.Key.Name)
		}
		sortOperations(names)
		return names
	}
	if r := m.below.byID[id]; r != nil {
		return r.Operations
	}
	return nil
}

// toolFormat accounts for a caller's preference of a tool format (L46): where the
// row's contract says the same nothing is lost, else it is dropped with a report.
func (m *migration) toolFormat(a *legacyAlias) {
	n := a.At.Get("tool_format")
	if n == nil {
		return
	}
	has := m.toolsOf(a, "preferred")
	mv := m.moved("L46", n, a.Row, "aliases."+a.Name+".tool_format = "+quote(n.Str()), "dropped")
	switch {
	case has != nil && has.Str() == n.Str():
		mv.To, mv.Note = "tools.preferred = "+quote(n.Str()), "the row's contract says the same"
	case has != nil:
		mv.Named, mv.Note = true, "the row's contract prefers "+has.Str()
	default:
		mv.Named, mv.Note = true, "the row's contract prefers none"
	}
}

// toolCalling accounts for what was last seen of an alias's tool calls.
func (m *migration) toolCalling(a *legacyAlias, n *tree.Node) {
	native := n.Get("native").Str()
	has := m.toolsOf(a, "parity").Get("verdict")
	mv := m.moved("L46", n, a.Row, "alias_tool_calling."+a.Name+": native "+native, "dropped")
	if has != nil && has.Str() == native {
		mv.To, mv.Note = "tools.parity.verdict = "+quote(native), "the row's contract says the same"
		return
	}
	mv.Named = true
	if has != nil {
		mv.Note = "the row's contract says " + has.Str()
	} else {
		mv.Note = "the row's contract says nothing of it"
	}
}

// toolsOf is a fact of the tools of the row that an alias names.
func (m *migration) toolsOf(a *legacyAlias, name string) *tree.Node {
	if a.of == nil {
		return nil
	}
	return a.of.Contract("text_generation").Path("tools", name)
}
