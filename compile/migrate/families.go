package migrate

import (
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// mock is upstream's test double: code, no provider and no row (L47).
const mock = "mock"

// families judges the edges along which rules are inherited.
func (w *rulework) families() {
	for _, child := range sortedKeys(w.book.family) {
		edge := w.book.family[child]
		if !w.declares(child) {
			w.unknown(edge, child, "the child of a family is no provider", edge.KeyAt())
			delete(w.book.family, child)
			continue
		}
		if !w.declares(edge.Str()) {
			w.unknown(edge, edge.Str(), "the parent of a family is no provider", edge.At())
			delete(w.book.family, child)
			continue
		}
		w.crosses(child, edge)
	}
	w.cycles()
}

// crosses reports a provider whose rows write no text under a family of chat
// rules.
func (w *rulework) crosses(child string, edge *tree.Node) {
	var other *legacyRow
	for _, r := range w.rows {
		if r.Provider != child {
			continue
		}
		if r.Does(textOperation) {
			return
		}
		if other == nil {
			other = r
		}
	}
	if other == nil && !w.decisionProvider(child) {
		return
	}
	d := diag.Diagnostic{Code: diag.FamilyCrossesOperation, At: edge.KeyAt(), Provider: child, Fields: []string{"provider_family"},
		Message: "no row of " + child + " writes text, so it can't inherit the chat rules of a family", Got: child + " -> " + edge.Str(),
		Allowed: []string{"no family edge"}}
	if other != nil {
		d.Notes = w.rowNote(other, other.ID+" does "+bracketed(other.Operations))
	}
	w.report(d)
	delete(w.book.family, child)
}

// decisionProvider reports a provider without rows that can only decide: its chat
// path is one of decisions.
func (w *rulework) decisionProvider(id string) bool {
	p := w.provider(id)
	path := ""
	if p != nil {
		path = p.Table.Get("chat_endpoint").Str()
	}
	last := path[strings.LastIndexByte(path, '/')+1:]
	return last == "systemone" || last == "evaluate" || last == "decisions"
}

// cycles reports each loop of families once, at its first child by name.
func (w *rulework) cycles() {
	done := map[string]bool{}
	for _, start := range sortedKeys(w.book.family) {
		path := []string{start}
		for at := start; !done[at]; {
			edge := w.book.family[at]
			if edge == nil {
				break
			}
			at = edge.Str()
			i := slices.Index(path, at)
			if i < 0 {
				path = append(path, at)
				continue
			}
			w.cycle(path[i:])
			break
		}
		for _, id := range path {
			done[id] = true
		}
	}
}

func (w *rulework) cycle(loop []string) {
	least := slices.Index(loop, slices.Min(loop))
	loop = slices.Concat(loop[least:], loop[:least])
	first := w.book.family[loop[0]]
	d := diag.Diagnostic{Code: diag.FamilyCycle, At: first.KeyAt(), Provider: loop[0], Fields: []string{"provider_family"}, Message: "provider families must end, and these go round",
		Got: strings.Join(append(slices.Clone(loop), loop[0]), " -> "), Allowed: []string{"a chain without a loop"}}
	for _, id := range loop[1:] {
		edge := w.book.family[id]
		d.Notes = append(d.Notes, diag.Note{At: edge.KeyAt(), Message: show(edge)})
	}
	w.report(d)
}

// declares reports whether this layer or a lower one declares a provider.
func (w *rulework) declares(id string) bool {
	return w.provider(id) != nil || w.below.has(id) || id == mock
}

// unknownProvider reports a rule list of no declared provider. The test double's
// rules are dropped (L47).
func (w *rulework) unknownProvider(r *rule) bool {
	if r.provider == mock && w.provider(mock) == nil {
		r.dropped = true
		move := w.migration.moved("L47", r.table, "", "[[provider.mock]]", "dropped")
		move.Note = "mock is upstream's test double: it has no provider and no row"
		return true
	}
	if w.declares(r.provider) {
		return false
	}
	r.dropped = true
	w.unknown(r.table, r.provider, "the rules are of no declared provider", r.table.KeyAt())
	return true
}

func (w *rulework) unknown(at *tree.Node, id, message string, pos diag.Pos) {
	if w.broken { // it may be declared in what could not be read
		return
	}
	var known []string
	for _, p := range w.providers {
		known = append(known, p.ID)
	}
	known = append(known, sortedKeys(w.below.stated)...)
	slices.Sort(known)
	known = slices.Compact(known)
	d := diag.Diagnostic{Code: diag.UnknownProvider, At: pos, Provider: id, Message: message + ": " + id, Got: id, Allowed: known}
	if near, ok := diag.Nearest(id, known); ok {
		d.Help = `did you mean "` + near + `"?`
	}
	w.report(d)
}
