package migrate

import (
	"strings"

	"github.com/opcat/opcat/diag"
)

// withoutText takes the facts of text away from a row that writes none. What a
// rule of its own provider says is a finding; defaults of the provider and rules
// of a family are about other rows.
func (w *rulework) withoutText(row *legacyRow, a *answer) {
	if row.Does(textOperation) {
		return
	}
	id := w.identityOf(row)
	for i, g := range a.facts {
		if g.node == nil || decisionFact()[i] {
			continue
		}
		a.facts[i] = given{}
		if g.rule == nil || g.layer > 0 {
			continue
		}
		d := diag.Diagnostic{At: g.node.KeyAt(), Row: row.RowID(), Provider: row.Provider, Fields: []string{g.node.Name()},
			Notes: w.rowNote(row, "the row does "+bracketed(row.Operations))}
		if g.rule.names(folded(id)) {
			d.Code = diag.FlagOfOtherOperation
			d.Message = g.node.Name() + " describes text_generation, which the row does not do"
			d.Got, d.Allowed = g.node.Name(), []string{"no facts of text"}
			if isInput(g.node.Name()) && row.Does(decisionOperation) {
				d.Message = g.node.Name() + " describes the content of a chat; a decision lists what it takes in its own input_kinds"
				d.Allowed = []string{"input_kinds of the decision contract"}
			}
		} else {
			d.Code = diag.ChatFactOnNonTextRow
			d.Message = g.node.Name() + " is a fact of text_generation and must not reach a row that does " + bracketed(row.Operations)
			d.Got = show(g.node) + " via " + viaOf(g.rule, folded(id))
			d.Allowed = []string{"facts of the row's own operations"}
			d.Help = "let the pattern fit only rows that write text"
		}
		w.report(d)
	}
}

func isInput(name string) bool {
	for _, s := range inputSpellings {
		if name == s.modern || name == s.old {
			return true
		}
	}
	return false
}

// viaOf names the pattern by which a rule fits an id.
func viaOf(r *rule, id string) string {
	best, most := "", -1
	for i := range r.patterns {
		if n, ok := r.patterns[i].match(id); ok && n > most {
			best, most = r.patterns[i].text, n
		}
	}
	return `"` + best + `"`
}

func (w *rulework) identityOf(row *legacyRow) string {
	return identity(row, w.providerOf(row.Provider))
}

// bracketed writes names as a source does.
func bracketed(names []string) string { return "[" + strings.Join(names, ", ") + "]" }

func folded(s string) string { return strings.ToLower(s) }
