// Package artifact writes the result of each stage as JSON and reads it back, so
// that a compile can stop after any stage and go on in another process.
//
// What is read back is what was written: every value with its place, in its
// order, with the findings of its stage. The same result gives the same bytes.
// Reading is as strict as decoding a fragment, and no bytes make it panic; a
// program that reads its own artifacts still has to look whether they were damaged
// or belong together, which is not this package's question.
package artifact
