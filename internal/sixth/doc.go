// Package sixth proves that an operation is added by one folder: its test adds a
// made-up one, rhyming, and one line in the registry's list, generates what is
// generated, and then compiles, decodes, admits and lists it. Nothing else of the
// code changes.
package sixth
