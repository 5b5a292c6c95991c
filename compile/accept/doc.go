// Package accept reads the file that names what is known to be wrong in a tree
// that somebody else owns.
//
// A contradiction that cannot be mended where it stands is named once, with the
// place or the exact number of times it occurs, the side that stands, and why.
// Everything else stays as strict as it is: an accept file softens no rule, and
// an entry that no longer fits what is found is itself a finding.
//
// Package accept looks for nothing by itself and changes no source.
package accept
