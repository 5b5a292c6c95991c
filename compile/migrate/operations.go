package migrate

import (
	"slices"
	"strings"

	"github.com/opcat/opcat/compile/tree"
	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/operations"
)

// The spellings of operations that format 0 knows, beside today's own.
var spellings = map[string]string{"decision": "decision_evaluation", "decisions": "decision_evaluation", "evaluation": "decision_evaluation", "text": "text_generation"}

// operationNamed is today's name of an operation, or "" if the registry has none.
func operationNamed(word string) string {
	if operations.Lookup(word) != nil {
		return word
	}
	if name := spellings[word]; name != "" && word != "text" {
		return name
	}
	return ""
}

// allowedOperations are the words that a row's list may hold.
func allowedOperations() []string { return operations.Names() }

// operations settles which jobs a row does: those that it lists (L06, L07), else
// the one that its embedding fields mean (L04), else text, which is what format 0
// makes of silence. Nothing is guessed from a name.
func (m *migration) operations(r *legacyRow) {
	t := r.Table
	listed := t.Get("operations")
	r.OperationsAt = listed
	if listed != nil {
		m.listedOperations(r, listed)
	}
	m.modelType(r, listed)
	m.outputModalities(r)
	flag, dim := t.Get("is_embedding_model"), t.Get("embedding_dim")
	if listed == nil && len(r.Operations) == 0 {
		m.silentOperations(r, flag, dim)
	}
	m.embeddingFields(r, listed, flag, dim)
}

// listedOperations reads the row's own list.
func (m *migration) listedOperations(r *legacyRow, listed *tree.Node) {
	if listed.First() == nil {
		m.rowFinding(r, diag.Diagnostic{Code: diag.OperationsEmpty, At: listed.KeyAt(), Message: "a served row must do at least one job", Got: "[]",
			Allowed: allowedOperations(), Help: "list one, or remove the row", Fields: []string{"operations"}})
		return
	}
	r.Operations = m.operationList(listed, func(d diag.Diagnostic) {
		r.Unsure = r.Unsure || d.Code == diag.UnknownOperation
		m.rowFinding(r, d)
	})
	for item := range listed.Each() {
		if name := operationNamed(item.Str()); name != "" && name != item.Str() {
			m.moved("L07", item, r.RowID(), item.Str(), name)
		}
	}
	m.moved("L06", listed, r.RowID(), "operations = "+m.said(listed, shown), "contracts of "+list(r.Operations))
}

// operationList reads a list of operations in any spelling, in the registry's
// order. It reports unknown words, repeats, and two spellings of one.
func (m *migration) operationList(from *tree.Node, report func(diag.Diagnostic)) []string {
	var names []string
	spelled := map[string]*tree.Node{}
	for item := range from.Each() {
		name := operationNamed(item.Str())
		first := spelled[name]
		switch {
		case name == "":
			d := diag.Diagnostic{Code: diag.UnknownOperation, At: item.At(), Message: quote(item.Str()) + " is not in the registry; it is never read as text_generation",
				Got: item.Str(), Allowed: allowedOperations(), Fields: []string{"operations"}}
			if near, ok := diag.Nearest(item.Str(), append(allowedOperations(), "decision")); ok {
				d.Help = "did you mean " + quote(near) + "?"
				if today := operationNamed(near); today != near {
					d.Help = "did you mean " + quote(near) + ", today " + today + "?"
				}
			}
			report(d)
		case first != nil && first.Str() == item.Str():
			report(diag.Diagnostic{Code: diag.OperationDuplicate, At: item.At(), Message: quote(item.Str()) + " is listed twice", Got: item.Str() + " x2",
				Allowed: []string{"one entry for each operation"}, Notes: []diag.Note{{At: first.At(), Message: "first listed here"}}, Help: "keep one", Fields: []string{"operations"}})
		case first != nil:
			report(diag.Diagnostic{Code: diag.OperationSpelledTwice, At: item.At(), Message: first.Str() + " and " + item.Str() + " are one operation in two spellings",
				Got: first.Str() + ", " + item.Str(), Allowed: []string{name}, Notes: []diag.Note{{At: first.At(), Message: "first spelt here"}},
				Help: "keep " + name, Fields: []string{"operations"}})
		default:
			spelled[name] = item
			names = append(names, name)
		}
	}
	sortOperations(names)
	return names
}

// modelType reads the exclusive type that came before the set (L08).
func (m *migration) modelType(r *legacyRow, listed *tree.Node) {
	kind := r.Table.Get("model_type")
	switch {
	case kind == nil:
	case listed != nil:
		kept, _ := m.rowFinding(r, diag.Diagnostic{Code: diag.LegacyModelType, At: kind.KeyAt(), Message: "an exclusive type can't stand beside a set of operations", Got: "model_type = " + quote(kind.Str()),
			Allowed: []string{"operations"}, Notes: []diag.Note{{At: listed.KeyAt(), Message: "operations = " + shown(listed)}}, Help: "take model_type away", Fields: []string{"model_type", "operations"}})
		if kept == "model_type" && kind.Str() == "llm" {
			r.Operations = []string{"text_generation"}
		}
	case kind.Str() == "llm":
		r.Operations = []string{"text_generation"}
		m.moved("L08", kind, r.RowID(), `model_type = "llm"`, "contract of text_generation")
	default:
		m.rowFinding(r, diag.Diagnostic{Code: diag.UnknownEnum, At: kind.At(), Message: quote(kind.Str()) + ` is not a value of "model_type"`, Got: kind.Str(), Allowed: []string{"llm"},
			Help: "write operations instead", Fields: []string{"model_type"}})
	}
}

// outputModalities compares what a row says it gives back with what it does; it
// names the jobs of a row that says nothing else (L08).
func (m *migration) outputModalities(r *legacyRow) {
	out := r.Table.Get("output_modalities")
	if out == nil {
		return
	}
	flag := r.Table.Get("is_embedding_model")
	var names []string
	for item := range out.Each() {
		name := operationNamed(item.Str())
		if name == "" {
			name = spellings[item.Str()]
		}
		if name == "" {
			m.rowFinding(r, diag.Diagnostic{Code: diag.UnknownOperation, At: item.At(), Message: quote(item.Str()) + " is no output of an operation", Got: item.Str(),
				Allowed: allowedOperations(), Help: "write operations instead", Fields: []string{"output_modalities"}})
			continue
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	sortOperations(names)
	switch {
	case flag.IsTrue() && slices.Contains(names, "text_generation"):
		m.rowFinding(r, diag.Diagnostic{Code: diag.EmbeddingFlagContradictsOutput, At: out.At(), Message: "the legacy flag says embedding, the output says text", Got: strings.Join(out.Strings(), ", "),
			Allowed: []string{"output embedding", "no flag"}, Notes: []diag.Note{{At: flag.KeyAt(), Message: "is_embedding_model = true"}},
			Help: "write operations, and take both away", Fields: []string{"is_embedding_model", "output_modalities"}})
	case len(r.Operations) == 0 && r.OperationsAt == nil:
		r.Operations = names
		m.moved("L08", out, r.RowID(), "output_modalities = "+shown(out), "contracts of "+list(names))
	case !slices.Equal(names, r.Operations):
		m.rowFinding(r, diag.Diagnostic{Code: diag.OperationSetMismatch, At: out.At(), Message: "the row does " + list(r.Operations) + " and gives back " + list(names), Got: shown(out),
			Allowed: r.Operations, Help: "take output_modalities away", Fields: []string{"operations", "output_modalities"}})
	default:
		m.moved("L08", out, r.RowID(), "output_modalities = "+shown(out), "dropped").Note = "its operations say the same"
	}
}

// silentOperations gives a row without a list the jobs that format 0 gives it.
func (m *migration) silentOperations(r *legacyRow, flag, dim *tree.Node) {
	switch {
	case dim != nil:
		r.Operations = []string{"embedding"}
		m.moved("L04", dim, r.RowID(), "embedding_dim = "+dim.Str(), "contract of embedding").Note = "the row lists no operations; its vector width means embedding"
	case flag.IsTrue():
		r.Operations = []string{"embedding"}
		m.moved("L03", flag, r.RowID(), "is_embedding_model = true", "contract of embedding")
	default:
		r.Operations = []string{"text_generation"}
		mv := m.moved("L06", r.Table, r.RowID(), "no operations", "contract of text_generation")
		mv.Named, mv.Note = true, "format 0 reads silence as text"
	}
}

// embeddingFields holds the embedding fields of a row against what it does.
func (m *migration) embeddingFields(r *legacyRow, listed, flag, dim *tree.Node) {
	embeds := r.Does("embedding")
	if flag.IsFalse() && dim != nil {
		m.rowFinding(r, diag.Diagnostic{Code: diag.EmbeddingFlagContradictsDim, At: flag.At(), Message: "flag and vector width give two answers to one question", Got: "false with " + dim.Str(),
			Allowed: []string{"flag true", "no embedding_dim"}, Notes: []diag.Note{{At: dim.KeyAt(), Message: "embedding_dim = " + dim.Str()}},
			Help: "take the flag away: operations say what a row does", Fields: []string{"is_embedding_model", "embedding_dim"}})
		return
	}
	if listed != nil && flag != nil && flag.IsTrue() != embeds {
		m.rowFinding(r, diag.Diagnostic{Code: diag.EmbeddingFlagContradictsOutput, At: flag.At(), Message: "the legacy flag says " + flag.Str() + ", the row does " + list(r.Operations), Got: flag.Str(),
			Allowed: []string{"no flag"}, Notes: []diag.Note{{At: listed.KeyAt(), Message: "operations = " + shown(listed)}},
			Help: "take the flag away", Fields: []string{"is_embedding_model", "operations"}})
		return
	}
	if !embeds {
		m.strayEmbedding(r, dim)
		return
	}
	if dim == nil && !r.Broken {
		at := listed
		if at == nil {
			at = flag
		}
		m.rowFinding(r, diag.Diagnostic{Code: diag.EmbeddingDimensionMissing, At: at.KeyAt(), Message: "an embedding contract needs its vector width", Got: "no embedding_dim",
			Allowed: []string{"embedding_dim >= 1"}, Help: "add embedding_dim", Fields: []string{"embedding_dim"}})
	}
}

// strayEmbedding refuses embedding fields on a row that does not embed.
func (m *migration) strayEmbedding(r *legacyRow, dim *tree.Node) {
	var note []diag.Note
	if r.OperationsAt != nil {
		note = []diag.Note{{At: r.OperationsAt.KeyAt(), Message: "operations = " + shown(r.OperationsAt)}}
	}
	if dim != nil {
		m.rowFinding(r, diag.Diagnostic{Code: diag.EmbeddingDimWithoutOperation, At: dim.KeyAt(), Message: "embedding_dim is only legal in an embedding contract", Got: "[" + list(r.Operations) + "]",
			Allowed: []string{"operations containing embedding"}, Notes: note, Help: "take embedding_dim away, or add embedding to operations", Fields: []string{"embedding_dim", "operations"}})
	}
	if most := r.Table.Get("embedding_max_tokens"); most != nil {
		m.rowFinding(r, diag.Diagnostic{Code: diag.FieldOfOtherOperation, At: most.KeyAt(), Message: `"embedding_max_tokens" belongs to embedding, which the row does not do`, Got: "[" + list(r.Operations) + "]",
			Allowed: []string{"an embedding contract"}, Notes: note, Help: "take it away; the row's window is context_window", Fields: []string{"embedding_max_tokens"}})
	}
}

// rowFinding reports a finding about a row. What the row then says is not whole.
func (m *migration) rowFinding(r *legacyRow, d diag.Diagnostic) (kept string, accepted bool) {
	d.Row = r.RowID()
	kept, accepted = m.report(d)
	if !accepted && !d.Warning {
		r.Broken = true
	}
	return kept, accepted
}

func list(words []string) string { return strings.Join(words, ", ") }

func quotes(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = quote(w)
	}
	return strings.Join(quoted, ", ")
}
