// Package catalog is the resolved catalog: one immutable value with its index
// and its content digest.
//
// It is the wall between build time and run time. What is here was compiled and
// checked; nothing here reads TOML, knows a layer or repairs a value. A program
// that only asks what a row is links this package and no parser.
package catalog

//go:generate go run ../internal/typegen
