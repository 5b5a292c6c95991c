// Package layer merges the fragments of several layers into one set of facts.
//
// A layer is where a fragment comes from: bundled < host < user < project < run.
// A higher layer states only what it changes; what it does not name survives.
// Every node of the result still carries the place that it was written at, which
// is its provenance.
//
// Package layer does not know what a field means, beyond who may change it.
// Whether the merged values contradict each other is package check's question.
package layer
