package migrate

// features accounts for the labels of a provider that acted as switches (L30):
// what a label claims of rows is said by their contracts, what it claims of the
// provider has become a fact of it.
func (m *migration) features(p *legacyProvider) {
	for label := range p.stated().Get("features").Each() {
		to, note := "dropped", "the contracts of the rows say it"
		switch label.Str() {
		case "responses_api":
			to, note = "endpoint.openai_responses", ""
		case "embeddings":
			to, note = "endpoint."+embedProtocol(p), ""
		case "model_proxy":
			to, note = `kind = "gateway"`, ""
			if p.Table.Get("local_runtime") != nil {
				to, note = `kind = "local"`, "a server on the user's own machine is local first"
			}
		case "batch":
			note = "the contracts of the rows say who may send batches, and how"
		case "wire_model_capabilities":
			note = "rules always name wire ids"
		}
		m.moved("L30", label, "", "features: "+label.Str(), to).Note = note
	}
}
