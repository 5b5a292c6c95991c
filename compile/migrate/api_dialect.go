package migrate

import (
	"slices"

	"github.com/opcat/opcat/diag"
	"github.com/opcat/opcat/operations"
)

// dialects are the words of api_dialect that have another spelling today (L01).
// Today's own protocol names are known too.
var dialects = map[string]string{"openai_chat": "openai_chat_completions", "openai_chat_compat": "openai_chat_completions"}

// dialectWords are the words of format 0, for suggestions.
var dialectWords = []string{"openai_chat", "openai_chat_compat", "openai_responses", "anthropic_messages", "gemini_generate_content"}

// apiDialect reads the preferred dialect of a row: a protocol of one of its
// operations.
func (m *migration) apiDialect(r *legacyRow) {
	n := r.Table.Get("api_dialect")
	if n == nil {
		return
	}
	protocol := dialects[n.Str()]
	if protocol == "" {
		protocol = n.Str()
	}
	var of []string
	for _, o := range operations.All() {
		if slices.Contains(o.ProtocolNames(), protocol) {
			of = append(of, o.Name)
		}
	}
	if len(of) == 0 {
		d := diag.Diagnostic{Code: diag.UnknownDialect, At: n.At(), Message: "the dialect " + quote(n.Str()) + " has no protocol today", Got: n.Str(), Allowed: dialectWords, Fields: []string{"api_dialect"}}
		if near, ok := diag.Nearest(n.Str(), dialectWords); ok {
			d.Help = "did you mean " + quote(near) + "?"
		}
		m.rowFinding(r, d)
		return
	}
	serves := slices.ContainsFunc(of, r.Does)
	if !serves && len(r.Operations) > 0 {
		var allowed []string
		for _, name := range r.Operations {
			allowed = append(allowed, operations.Lookup(name).ProtocolNames()...)
		}
		at := r.OperationsAt
		if at == nil {
			at = r.Table.Get("embedding_dim")
		}
		var note []diag.Note
		if at != nil {
			note = []diag.Note{{At: at.KeyAt(), Message: "the row does " + list(r.Operations)}}
		}
		m.rowFinding(r, diag.Diagnostic{Code: diag.DialectContradictsOperation, At: n.At(), Message: quote(n.Str()) + " is a dialect of " + list(of) + "; the row does " + list(r.Operations),
			Got: n.Str(), Allowed: allowed, Notes: note, Help: "take api_dialect away", Fields: []string{"api_dialect", "operations"}})
		return
	}
	if !r.Does("text_generation") || !slices.Contains(of, "text_generation") {
		return
	}
	r.Dialect, r.Compat = protocol, n.Str() == "openai_chat_compat"
	to := "protocol " + protocol
	if r.Compat {
		to += ", quirks.compat = true"
	}
	m.moved("L01", n, r.RowID(), "api_dialect = "+quote(n.Str()), to)
}
