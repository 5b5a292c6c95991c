package wire

import (
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
)

// A Codec is one protocol for one operation: two pure functions. R is the
// operation's request and A its result.
type Codec[R op.Request[R], A any] struct {
	Protocol string
	// Encode writes what was admitted: every setting of it and no other. It fails
	// only on what admission should have refused.
	Encode func(operations.Admitted[R]) (Request, error)
	// Decode reads a response strictly into a result, or says what it is instead.
	Decode func(operations.Admitted[R], Response) (Answer[A], *Failure)
}
