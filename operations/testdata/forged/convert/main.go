// A struct of the same look is converted.
package main

import (
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/embedding"
)

type lookalike struct {
	request embedding.Request
	grant   struct{}
}

func main() {
	_ = operations.Admitted[embedding.Request](lookalike{}) // want: cannot convert
}
