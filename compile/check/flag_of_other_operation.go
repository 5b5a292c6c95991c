package check

import "github.com/opcat/opcat/diag"

// flagOfOtherOperation finds facts of text on rows that write none. Such a fact
// is how a row that only judges or embeds came to look like a chat driver.
func (r *row) flagOfOtherOperation() {
	modes := r.model[kMode]
	if modes.First() == nil || len(r.contracts) == 0 || r.partial() || r.contract("text_generation") != nil || r.model[kListed].Has("text_generation") {
		return
	}
	r.add(diag.Diagnostic{Code: diag.FlagOfOtherOperation, At: modes.KeyAt(), Message: "a reasoning mode is a fact of text_generation, and the row only offers " + r.contracts[0].Op.Name,
		Got: r.contracts[0].Op.Name, Allowed: []string{"text_generation"}, Notes: []diag.Note{{At: r.contracts[0].place(), Message: "what the row offers"}}, Help: "remove reasoning_mode"})
}
