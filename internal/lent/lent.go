// Package lent lets the packages of this module, and no others, read what was
// admitted without a copy of it.
package lent

// A Pass is what a reader shows. The zero Pass, which reflection can make anywhere,
// is not valid.
type Pass struct{ of *byte }

var own = new(byte)

// Own is the module's pass.
func Own() Pass { return Pass{own} }

// Valid reports whether Own gave it.
func (p Pass) Valid() bool { return p.of == own }
