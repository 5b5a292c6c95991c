package migrate

import (
	"strings"

	"github.com/opcat/opcat/diag"
)

// unmatched warns of a rule that names rows exactly, none of which is served: not
// by its provider and not by a child of its family. A list often spells one row in
// several ways, so that one pattern that fits is enough.
func (w *rulework) unmatched(r *rule) {
	exact := false
	for i := range r.patterns {
		exact = exact || r.patterns[i].exact
	}
	if !exact || w.broken {
		return
	}
	for _, id := range w.idsUnder(r.provider) {
		if !r.mayFit(id) {
			continue
		}
		for i := range r.patterns {
			if _, ok := r.patterns[i].match(id); ok {
				return
			}
		}
	}
	for _, row := range w.rows { // under a name that is not declared, which is reported
		if w.declares(row.Provider) {
			continue
		}
		for i := range r.patterns {
			if _, ok := r.patterns[i].match(folded(row.ID)); ok {
				return
			}
		}
	}
	at, names, message := r.table, "", "the rule names a row that is not served"
	if r.match != nil {
		at, names = r.match, spell(r.match)
		message = "the rule names " + names + ", which is not served"
	}
	w.report(diag.Diagnostic{Code: diag.RuleMatchesNothing, Warning: true, At: at.KeyAt(), Provider: r.provider, Fields: []string{"model_match"},
		Message: message, Got: names, Allowed: []string{"a served id or wire id of " + r.provider},
		Help: w.nearest(r)})
}

// nearest suggests a row of the rule's own provider that a pattern most likely
// means.
func (w *rulework) nearest(r *rule) string {
	var ids []string
	for _, row := range w.rows {
		if row.Provider == r.provider {
			ids = append(ids, row.ID, row.Wire)
		}
	}
	var close []string
	for i := range r.patterns {
		text := r.patterns[i].text
		close = close[:0]
		for _, id := range ids {
			if startsAlike(id, text) {
				close = append(close, id)
			}
		}
		if near, ok := diag.Nearest(text, close); ok {
			return `did you mean "` + near + `"?`
		}
	}
	return ""
}

// startsAlike keeps the search for a near id to those of one author or family.
func startsAlike(a, b string) bool {
	n := min(4, len(a), len(b))
	return strings.EqualFold(a[:n], b[:n])
}

// idsUnder lists, in lower case, the ids and wire ids of the rows that a
// provider's rules can meet: its own and those of the children of its family.
func (w *rulework) idsUnder(provider string) []string {
	if ids, ok := w.ids[provider]; ok {
		return ids
	}
	if w.ids == nil {
		w.ids = map[string][]string{}
	}
	w.ids[provider] = []string{} // a loop of families ends here
	var ids []string
	for _, row := range w.rows {
		if row.Provider != provider {
			continue
		}
		ids = append(ids, folded(row.ID))
		if row.Wire != row.ID {
			ids = append(ids, folded(row.Wire))
		}
	}
	for _, row := range w.below.list {
		if row.Provider == provider {
			ids = append(ids, folded(row.Wire), folded(row.Upstream))
		}
	}
	for _, child := range w.book.children[provider] {
		ids = append(ids, w.idsUnder(child)...)
	}
	w.ids[provider] = ids
	return ids
}

// unused records a rule from which no row takes a fact (L44).
func (w *rulework) unused(r *rule) {
	from := "[[provider." + r.provider + "]]"
	if r.match != nil {
		from += " " + w.said(r.match, show)
	}
	w.migration.moved("L44", r.table, "", from, "dropped").Note = "no row takes a fact from it"
}
