package compile

import (
	"github.com/opcat/opcat/compile/fragment"
	"github.com/opcat/opcat/diag"
)

// Decode is the first stage alone, for a compile that stops after each stage and
// goes on from what it left. The other stages are functions of their packages.
func Decode(in Input) ([]fragment.Fragment, diag.List) { return decode(in) }
