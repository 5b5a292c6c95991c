package migrate

// embeddingContract writes what a row's own fields say of its vectors (L04, L05).
func (w *writer) embeddingContract() {
	dim := w.row.Table.Get("embedding_dim")
	if dim == nil {
		return
	}
	protocol := "openai_embeddings"
	if w.provider != nil {
		protocol = embedProtocol(w.provider)
	}
	w.text(w.contract, "protocol", protocol, w.at)
	w.item(w.list(w.contract, "input_kinds", dim), "text", dim)
	w.copied(w.contract, "dimensions", dim)
	if n := w.row.Table.Get("embedding_max_tokens"); n != nil {
		w.copied(w.table(w.contract, "limits", n), "input_tokens", n)
	}
}
