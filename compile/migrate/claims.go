package migrate

import (
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
)

// labelsAgainst holds what a row claims in labels and strengths against what its
// rules say. A label that is left out says nothing.
func (w *rulework) labelsAgainst(v *view) {
	row := v.row
	if !row.Does(textOperation) {
		return
	}
	var wrong []*tree.Node
	labels := row.Table.Get("capabilities")
	for label := range labels.Each() {
		if has, known := v.labelled(label.Str()); known && !has {
			wrong = append(wrong, label)
		}
	}
	if len(wrong) > 0 {
		w.labelFinding(v, wrong)
	}
	for s := range row.Table.Get("strengths").Each() {
		if has, known := v.labelled(s.Str()); s.Str() == "vision" && known && !has {
			w.report(diag.Diagnostic{Code: diag.StrengthWithoutAbility, Warning: true, At: s.At(), Row: row.RowID(), Provider: row.Provider, Fields: []string{"strengths"},
				Message: "a strength claims quality and needs the ability first: no rule gives the row image input", Got: s.Str(),
				Allowed: []string{"strengths without " + s.Str()}, Notes: v.against(s.Str())})
		}
	}
}

// labelFinding is one finding for all the labels of a row that no rule bears out.
func (w *rulework) labelFinding(v *view, wrong []*tree.Node) {
	var names []string
	var notes []diag.Note
	fields := []string{"capabilities"}
	for _, l := range wrong {
		names = append(names, l.Str())
		notes = append(notes, v.against(l.Str())...)
		if n := v.evidence(l.Str()); n != nil {
			fields = append(fields, n.Name())
		}
	}
	what := strings.Join(names, ", ")
	if len(notes) == 0 {
		notes = []diag.Note{{At: v.row.Table.KeyAt(), Message: "no rule that the row meets says so"}}
	}
	w.report(diag.Diagnostic{Code: diag.LabelContradictsContract, At: wrong[0].At(), Row: v.row.RowID(), Provider: v.row.Provider, Fields: fields[:1],
		Message: "the row's labels claim what its rules do not give: " + what, Got: what, Allowed: []string{"labels without " + what, "a rule that says so"}, Notes: notes})
}

// labelled reports whether the rules bear a label out (L02). The second result is
// false for labels that say nothing of the text contract.
func (v *view) labelled(label string) (has, known bool) {
	native, text := v.channels()
	switch label {
	case "tools":
		return native || text, true
	case "tool_search":
		return v.node("tool_search").First() != nil, true
	case "vision":
		return v.takes("image") != nil, true
	case "audio", "pdf", "video":
		return v.takes(label) != nil, true
	case "files":
		return v.takes("file_ref") != nil, true
	case "batch":
		return v.batched(), true
	case "prompt_caching":
		return v.node("prompt_caching").IsTrue(), true
	case "thinking", "extended_thinking":
		return v.reasons(), true
	case "structured_output":
		return v.transport() != "unsupported", true
	}
	return false, false
}

// labelFacts are the facts that a label is held against.
var labelFacts = map[string][]string{
	"tools": {"native_tools", "text_tool_wire_format_supported"}, "tool_search": {"tool_search"}, "vision": {"vision", "vision_supported"},
	"audio": {"audio", "audio_supported"}, "pdf": {"pdf", "pdf_supported"}, "video": {"video", "video_supported"},
	"files": {"files_api_supported"}, "batch": {"batch_api"}, "prompt_caching": {"prompt_caching"},
	"thinking": {"thinking_modes", "thinking"}, "extended_thinking": {"thinking_modes", "thinking"},
	"structured_output": {"structured_output", "json_schema"},
}

// evidence is the fact that a label is held against; nil if nobody states it.
func (v *view) evidence(label string) *tree.Node {
	for _, name := range labelFacts[label] {
		if n := v.node(name); n != nil {
			return n
		}
	}
	return nil
}

// against points at the fact that a label contradicts.
func (v *view) against(label string) []diag.Note {
	if n := v.evidence(label); n != nil {
		return []diag.Note{{At: n.KeyAt(), Message: "the rules say " + show(n)}}
	}
	return nil
}
