// Package resolve lets rules meet rows and follows every reference: merged layers
// in, a Draft out.
//
// A rule that names its rows exactly grants a contract; a pattern narrows what is
// granted and grants nothing. For each field the most specific rule that states it
// wins: an exact name before a pattern, more literal characters before fewer, with
// a version range before without, and only then the higher layer. Order never
// decides: two rules that are equally specific and differ are a finding. A pattern
// of a layer above the winner's still narrows what it said.
//
// It follows selectors (current), inherits, aliases, defaults, ladders, the
// presentation's references, successors and equivalence groups, and reports what
// leads nowhere, in a circle, or to another operation. What contradicts itself, a
// selector and the row behind it too, is package check's question.
package resolve
