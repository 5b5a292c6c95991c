// Package catalog is the resolved catalog: one immutable value with its index
// and its content digest.
//
// It is the wall between build time and run time. What is here was compiled and
// checked; nothing here reads TOML, knows a layer or repairs a value. A program
// that only asks what a row is links this package and no parser.
//
// A catalog is a text, canonical JSON with a row a line, and an index of it. Rows
// are decoded when they are asked for, so that opening the catalog of a program
// that embeds it costs a fraction of a millisecond at any size. The digest is the
// sum of the text, and so of everything.
//
// The types follow the shapes of the fragment format (internal/typegen). What
// nobody stated stays unknown: an absent number is an unknown [Opt] or [Decimal]
// and not zero, an absent list is nil and not empty, and no method answers with a
// default that the format does not have.
package catalog

//go:generate go run ../internal/typegen
