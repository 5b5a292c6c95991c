// Package check looks for contradictions in a resolved draft: facts that cannot
// both be true, facts that something else makes impossible, and facts that must
// be there and are not.
//
// It repairs nothing and drops nothing: it only reads. A value that is wrong by
// itself is the decoder's finding; a reference that leads nowhere, a rule that
// matches nothing and what a layer may not change are found by the stages that
// follow them.
//
// Each file holds one kind of mistake, named for it. The table in check.go lists
// them all.
package check
