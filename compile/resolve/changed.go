package resolve

// Changed reports whether a layer changed what the row does by change_operations.
// Facts of an operation that was taken away, its prices and limits, then stay
// behind in the layers below, and contradict nothing.
func (r *Row) Changed() bool { return r.merged != nil && len(r.merged.Changes) > 0 }
