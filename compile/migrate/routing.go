package migrate

// routing writes which servers a gateway may use, and how far a route is trusted.
func (w *writer) routing() {
	w.carry(routes())
	if n := w.node("recommended_endpoint"); n != nil {
		w.row.Endpoint = n
		w.movedBy("L24", n, "metadata.recommended_endpoint")
	}
}

var routes = groupOf("routing", "L44", "provider_route_denylist", "deny", "openrouter_provider_order", "allow", "serving_precision", "precision")
