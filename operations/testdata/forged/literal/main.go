// An admission is written down with its fields.
package main

import (
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/embedding"
)

func main() {
	_ = operations.Admitted[embedding.Request]{request: embedding.Request{}} // want: unexported field request
}
