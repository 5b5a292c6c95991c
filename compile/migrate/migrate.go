// Package migrate turns legacy fragments into today's, once, before anything
// else looks at them. One file per legacy field.
//
// Each rewrite is recorded as a Move with its place. What contradicts itself is a
// finding; nothing is guessed from a name. After this package no legacy field
// exists: its output has only today's shapes.
package migrate

import (
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/diag"
)

// A Move records one rewrite.
type Move struct {
	Rule  string   `json:"rule"` // L01 .. L47 of the migration
	At    diag.Pos `json:"at"`
	Row   string   `json:"row,omitempty"`
	From  string   `json:"from"`            // the legacy field and value
	To    string   `json:"to"`              // today's field and value, or "dropped"
	Note  string   `json:"note,omitempty"`  // why, where it is not plain
	Named bool     `json:"named,omitempty"` // a move that changes or loses a fact: shown first in the report
}

// Keep says, for a finding that an accept file lets pass, which field's value
// stands ("" where there is only one field). The second result is false if the
// finding is not accepted.
type Keep func(diag.Diagnostic) (field string, ok bool)

// Result is what Fields gives: every fragment in today's form, and what was done.
type Result struct {
	Fragments []fragment.Fragment
	Moves     []Move  // ordered by place; none of Count
	Audits    []Audit // what upstream keeps of its own checking; never part of a catalog
}
