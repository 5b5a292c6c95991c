package migrate

import (
	"github.com/opcat/opcat/diag"
)

// What each label of `capabilities` says a row does (L02): the operation that it
// needs, "" if any will do.
var labels = map[string]string{
	"streaming": "", "embeddings": "embedding", "chat": "text_generation", "decision": "decision_evaluation",
	"tools": "text_generation", "tool_search": "text_generation", "vision": "", "audio": "", "pdf": "", "video": "",
	"files": "text_generation", "batch": "", "prompt_caching": "text_generation", "thinking": "text_generation",
	"extended_thinking": "text_generation", "structured_output": "text_generation",
}

// labelWords are the labels in the order that messages list them.
var labelWords = []string{"streaming", "tools", "tool_search", "vision", "audio", "pdf", "video", "files", "batch", "prompt_caching",
	"thinking", "extended_thinking", "structured_output", "embeddings", "chat", "decision"}

// rowLabels judges the labels of each row against what it does. They grant nothing
// and are not kept: what a row can do is read from its contracts.
func (m *migration) rowLabels() {
	for _, r := range m.rows {
		from := r.Table.Get("capabilities")
		for label := range from.Each() {
			needs, known := labels[label.Str()]
			switch {
			case !known:
				d := diag.Diagnostic{Code: diag.UnknownLabel, At: label.At(), Message: "the label " + quote(label.Str()) + " means nothing today", Got: label.Str(), Allowed: labelWords, Fields: []string{"capabilities"},
					Help: "take the label away: it grants nothing"}
				if near, ok := diag.Nearest(label.Str(), labelWords); ok {
					d.Help = "did you mean " + quote(near) + "?"
				}
				m.rowFinding(r, d)
			case needs != "" && len(r.Operations) > 0 && !r.Does(needs) && !r.Listed(needs):
				d := diag.Diagnostic{Code: diag.LabelContradictsOperation, At: label.At(), Message: "the label " + quote(label.Str()) + " needs " + needs + "; the row does " + list(r.Operations),
					Got: label.Str(), Allowed: []string{"labels of " + list(r.Operations)}, Help: "take the label away: it grants nothing", Fields: []string{"capabilities", "operations"}}
				if r.OperationsAt != nil {
					d.Notes = []diag.Note{{At: r.OperationsAt.KeyAt(), Message: "operations = " + shown(r.OperationsAt)}}
				}
				m.rowFinding(r, d)
			}
		}
		if from != nil {
			m.moved("L02", from, r.RowID(), "capabilities = "+m.said(from, shown), "dropped").Note = "the contracts say what the row can do"
		}
	}
}

// Listed reports whether the row's own list names the operation, even if no
// contract came of it.
func (r *legacyRow) Listed(operation string) bool {
	for item := range r.OperationsAt.Each() {
		if operationNamed(item.Str()) == operation {
			return true
		}
	}
	return false
}
